"""`gasoline install`: every client on every OS, and nothing of the user's lost on the way."""

import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from gasoline.surfaces.cli.clients import (
    CLIENTS,
    Client,
    Entry,
    Machine,
    Platform,
    connect,
    disconnect,
    locate,
    snippet,
)
from gasoline.surfaces.cli.install import find_gasoline, install
from gasoline.surfaces.cli.jsonc import ConfigError

ENTRY: Entry = {"command": "/bin/gasoline", "args": ["mcp"]}
CLIENT = {client.name: client for client in CLIENTS}
CURSOR, ZED = CLIENT["cursor"], CLIENT["zed"]

EVERY_OS: tuple[Platform, ...] = ("linux", "macos", "windows")
HOME_FILES = {
    "claude-code": ".claude.json",
    "cursor": ".cursor/mcp.json",
    "windsurf": ".codeium/windsurf/mcp_config.json",
    "continue": ".continue/mcpServers/gasoline.json",
}
OS_FILES = {
    ("claude-desktop", "linux"): ".config/Claude/claude_desktop_config.json",
    ("claude-desktop", "macos"): "Library/Application Support/Claude/claude_desktop_config.json",
    ("claude-desktop", "windows"): "AppData/Roaming/Claude/claude_desktop_config.json",
    ("vscode", "linux"): ".config/Code/User/mcp.json",
    ("vscode", "macos"): "Library/Application Support/Code/User/mcp.json",
    ("vscode", "windows"): "AppData/Roaming/Code/User/mcp.json",
    ("devin", "linux"): ".config/devin/mcp_config.json",
    ("devin", "macos"): ".config/devin/mcp_config.json",
    ("devin", "windows"): "AppData/Roaming/devin/mcp_config.json",
    ("zed", "linux"): ".config/zed/settings.json",
    ("zed", "macos"): ".config/zed/settings.json",
    ("zed", "windows"): "AppData/Roaming/Zed/settings.json",
}
FILES = OS_FILES | {(name, os): file for name, file in HOME_FILES.items() for os in EVERY_OS}

ZED_SETTINGS = """\
// Zed settings
{
  "theme": "One Dark", // dark, "always": {
  /* models */
  "context_servers": {
    "other": { "command": "x", "args": ["// not a comment", "\\\\"] }, // keep me
  },
  "vim_mode": true,
}
"""

# Texts in the many shapes people leave their files in; each must come back unchanged.
SHAPES = {
    "empty": "",
    "blank": " \n\n",
    "byte order mark": "\ufeff",
    "only comments": "// nothing yet\n",
    "empty object": "{}",
    "empty object over lines": "{\n}\n",
    "empty object with a comment": "{ /* here */ }\n",
    "empty servers": '{\n  "mcpServers": {}\n}\n',
    "one line": '{"a": 1, "mcpServers": {"b": {"command": "b"}}}',
    "one line, trailing comma": '{"mcpServers": {"b": {},},}',
    "two spaces": '{\n  "mcpServers": {\n    "b": {}\n  },\n  "z": [1, 2]\n}\n',
    "four spaces": '{\n    "mcpServers": {\n        "b": {}\n    }\n}',
    "tabs": '{\n\t"mcpServers": {\n\t\t"b": {}\n\t}\n}\n',
    "trailing commas": '{\n  "mcpServers": {\n    "b": {},\n  },\n}\n',
    "line comment at the end": '{\n  "mcpServers": {\n    "b": {} // last\n  } // end\n}\n// bye\n',
    "comment before the comma": '{\n  "mcpServers": {\n    "b": {} /* x */,\n    // y\n  }\n}\n',
    "comma on the next line": '{\n  "a": 1\n  , "mcpServers": {"b": {}\n  , "c": {}}\n}\n',
    "carriage returns": '\ufeff{\r\n  "mcpServers": {\r\n    "b": {}\r\n  }\r\n}\r\n',
    "no servers": '{\n  "numStartups": 3,\n  "projects": {"/x": {"mcpServers": {}}}\n}\n',
    "looks like comments": '{\n  "url": "http://x/*y*/", "quote": "\\"//",\n  "b": "},"\n}\n',
    "repeated keys": '{"mcpServers": {"a": {}}, "mcpServers": {"b": {}}}',
}
NOT_EDITABLE = {
    "prose": ("servers: none\n", "not valid JSON (line 1: Expecting value)"),
    "cut off": ('{\n  "a": 1,\n', "not valid JSON (line 3: Expecting property name"),
    "open comment": ("{} /* oops", "not valid JSON (line 1: Extra data)"),
    "comma after nothing": ("{,}", "not valid JSON (line 1: Expecting property name"),
    "list": ("[]", "not a JSON object"),
    "servers are a list": ('{"mcpServers": []}', '"mcpServers" is not an object'),
    "servers are null": ('{"mcpServers": null}', '"mcpServers" is not an object'),
    "too deep": ("[" * 100_000, "not JSON that we can read"),
}


def machine_at(home: Path, platform: Platform = "linux", **environment: str) -> Machine:
    return Machine(platform, home, environment)


def run(home: Path, *arguments: str, **environment: str) -> Result:
    clean = dict.fromkeys(("XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR"))
    runner = CliRunner(env={"HOME": str(home), "PATH": "", **clean, **environment})
    return runner.invoke(install, ["--command", "/bin/gasoline", *arguments])


def parse_lenient(text: str) -> Any:
    """Read JSON with comments one character at a time, unlike the code under test."""
    kept, rest = "", text.removeprefix("\ufeff")
    while rest:
        if rest.startswith("//"):
            rest = rest[len(rest.splitlines()[0]) :]
        elif rest.startswith("/*"):
            rest = rest[rest.index("*/") + 2 :]
        elif rest[0] == '"':
            _, end = json.JSONDecoder().raw_decode(rest)
            kept, rest = kept + rest[:end], rest[end:]
        elif rest[0] in "}]":
            kept, rest = kept.rstrip().removesuffix(",") + rest[0], rest[1:]
        else:
            kept, rest = kept + rest[0], rest[1:]
    return json.loads(kept.strip() or "{}")


@pytest.fixture(name="cursor_file")
def _cursor_file(tmp_path: Path) -> Path:
    file = tmp_path / ".cursor/mcp.json"
    file.parent.mkdir()
    return file


@pytest.mark.parametrize(("name", "platform"), FILES)
def test_every_client_has_its_file_on_every_os(
    tmp_path: Path, name: str, platform: Platform
) -> None:
    location = locate(CLIENT[name], machine_at(tmp_path, platform))

    assert location == (tmp_path / FILES[name, platform], False)


def test_the_table_above_leaves_no_client_out() -> None:
    assert set(FILES) == {(client.name, platform) for client in CLIENTS for platform in EVERY_OS}


@pytest.mark.parametrize(("name", "platform"), FILES)
def test_a_client_is_present_where_it_has_a_configuration(
    tmp_path: Path, name: str, platform: Platform
) -> None:
    file = tmp_path / FILES[name, platform]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch()

    assert locate(CLIENT[name], machine_at(tmp_path, platform)) == (file, True)


def test_a_client_is_present_where_its_folder_is(tmp_path: Path) -> None:
    (tmp_path / ".claude").mkdir()

    assert locate(CLIENT["claude-code"], machine_at(tmp_path)) == (tmp_path / ".claude.json", True)


def test_a_client_is_present_where_its_command_is_on_the_path(tmp_path: Path) -> None:
    claude = tmp_path / "claude"
    claude.touch(mode=0o755)

    location = locate(CLIENT["claude-code"], machine_at(tmp_path, PATH=str(tmp_path)))

    assert location == (tmp_path / ".claude.json", True)


@pytest.mark.parametrize(
    ("name", "platform", "variable", "file"),
    [
        ("zed", "linux", "XDG_CONFIG_HOME", "zed/settings.json"),
        ("vscode", "windows", "APPDATA", "Code/User/mcp.json"),
        ("claude-desktop", "windows", "APPDATA", "Claude/claude_desktop_config.json"),
        ("claude-code", "linux", "CLAUDE_CONFIG_DIR", ".claude.json"),
    ],
)
def test_the_environment_can_move_the_configuration(
    tmp_path: Path, name: str, platform: Platform, variable: str, file: str
) -> None:
    moved = tmp_path / "else [where]"

    location = locate(CLIENT[name], machine_at(tmp_path, platform, **{variable: str(moved)}))

    assert location.file == moved / file


@pytest.mark.parametrize(
    "folder", ["Packages/Claude_pzs8/LocalCache/Roaming/Claude", "Claude-Data/claude_1"]
)
def test_packaged_claude_desktop_reads_its_own_folder(tmp_path: Path, folder: str) -> None:
    local = tmp_path / "AppData/Local"
    (local / folder).mkdir(parents=True)
    (tmp_path / "AppData/Roaming/Claude").mkdir(parents=True)

    location = locate(CLIENT["claude-desktop"], machine_at(tmp_path, "windows"))

    assert location == (local / folder / "claude_desktop_config.json", True)


@pytest.mark.parametrize("shape", SHAPES)
def test_connecting_adds_our_entry_and_nothing_else(shape: str) -> None:
    text = SHAPES[shape]
    expected = parse_lenient(text)
    expected["mcpServers"] = {**expected.get("mcpServers", {}), "gasoline": ENTRY}

    assert parse_lenient(connect(text, CURSOR, ENTRY)) == expected


@pytest.mark.parametrize("shape", SHAPES)
def test_connecting_only_inserts(shape: str) -> None:
    connected = iter(connect(SHAPES[shape], CURSOR, ENTRY))

    assert all(character in connected for character in SHAPES[shape])


@pytest.mark.parametrize("shape", SHAPES)
def test_connecting_twice_is_connecting_once(shape: str) -> None:
    once = connect(SHAPES[shape], CURSOR, ENTRY)

    assert connect(once, CURSOR, ENTRY) == once


@pytest.mark.parametrize("shape", SHAPES)
def test_disconnecting_gives_back_the_original(shape: str) -> None:
    connected = connect(SHAPES[shape], CURSOR, ENTRY)

    assert disconnect(connected, CURSOR, backup=SHAPES[shape]) == SHAPES[shape]


@pytest.mark.parametrize("shape", [shape for shape in SHAPES if "repeated" not in shape])
def test_disconnecting_without_a_backup_keeps_the_rest(shape: str) -> None:
    connected = connect(SHAPES[shape], CURSOR, ENTRY)
    expected = parse_lenient(SHAPES[shape])

    disconnected = parse_lenient(disconnect(connected, CURSOR, backup=None) or SHAPES[shape])

    assert disconnected in (expected, {"mcpServers": {}, **expected})


@pytest.mark.parametrize(
    "shape", ["two spaces", "four spaces", "tabs", "trailing commas", "carriage returns"]
)
def test_in_a_tidy_file_disconnecting_needs_no_backup(shape: str) -> None:
    connected = connect(SHAPES[shape], CURSOR, ENTRY)

    assert disconnect(connected, CURSOR, backup=None) == SHAPES[shape]


def test_a_file_that_only_we_wrote_can_go() -> None:
    assert disconnect(connect("", CURSOR, ENTRY), CURSOR, backup=None) is None


def test_a_backup_that_holds_an_older_entry_of_ours_is_not_brought_back() -> None:
    older = connect('{"a": 1}', CURSOR, {"command": "gasoline", "args": []})
    newer = connect(older, CURSOR, ENTRY)

    disconnected = disconnect(newer, CURSOR, backup=older)

    assert parse_lenient(disconnected or "") == {"a": 1, "mcpServers": {}}


def test_an_unreadable_backup_does_not_matter() -> None:
    connected = connect('{\n  "mcpServers": {\n    "b": {}\n  }\n}', CURSOR, ENTRY)

    assert disconnect(connected, CURSOR, backup="{") == '{\n  "mcpServers": {\n    "b": {}\n  }\n}'


@pytest.mark.parametrize(
    ("connected", "expected"),
    [
        (
            '{"mcpServers": {// a\n"gasoline": {}, "b": 1}}',
            '{"mcpServers": {// a\n "b": 1}}',
        ),
        ('{"mcpServers": {// a\n"gasoline": {}}}', '{"mcpServers": {// a\n}}'),
        (
            '{"mcpServers": {\n  "b": 1, // b\n  "gasoline": {} // ours\n}}',
            '{"mcpServers": {\n  "b": 1 // b\n   // ours\n}}',
        ),
        (
            '{"mcpServers": {"b": 1, "gasoline": 1, "gasoline": 2}}',
            '{"mcpServers": {"b": 1, "gasoline": 1 }}',
        ),
    ],
)
def test_disconnecting_by_hand_written_lines_comments_nothing_out(
    connected: str, expected: str
) -> None:
    assert disconnect(connected, CURSOR, backup=None) == expected


def test_zed_keeps_comments_and_layout() -> None:
    connected = connect(ZED_SETTINGS, ZED, ENTRY)

    assert connected == ZED_SETTINGS.replace(
        "// keep me\n",
        """// keep me
    "gasoline": {
      "command": "/bin/gasoline",
      "args": [
        "mcp"
      ]
    },
""",
    )


def test_line_ends_and_byte_order_mark_stay() -> None:
    connected = connect(SHAPES["carriage returns"], CURSOR, ENTRY)

    assert connected.startswith("\ufeff{\r\n")
    assert "\n" not in connected.replace("\r\n", "")


def test_an_entry_of_ours_is_updated_in_place() -> None:
    text = '{"mcpServers": {"gasoline": {"command": "old", /* mine */ "env": {"A": "1"}}, "b": {}}}'

    connected = connect(text, CURSOR, ENTRY)

    assert '"command": "/bin/gasoline", /* mine */ "env": {"A": "1"}' in connected
    assert parse_lenient(connected) == {
        "mcpServers": {"gasoline": {**ENTRY, "env": {"A": "1"}}, "b": {}}
    }


@pytest.mark.parametrize("value", ['{"url": "http://localhost:7890/mcp"}', "null", '"gasoline"'])
def test_another_kind_of_entry_under_our_name_is_replaced(value: str) -> None:
    connected = connect(f'{{"mcpServers": {{"gasoline": {value}}}}}', CURSOR, ENTRY)

    assert parse_lenient(connected) == {"mcpServers": {"gasoline": ENTRY}}


@pytest.mark.parametrize(("text", "reason"), NOT_EDITABLE.values(), ids=NOT_EDITABLE)
def test_what_cannot_be_understood_is_not_edited(text: str, reason: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(reason)):
        connect(text, CURSOR, ENTRY)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)
json_objects = st.dictionaries(st.text(), json_values, max_size=5)
spaces = st.sampled_from(["", " ", "\n", "\r\n", "\t", '// a } , " b\n', '/* { , " \n */', "/**/"])


@st.composite
def sprinkled(draw: st.DrawFn, value: object) -> str:
    """Write a value as JSON with spaces, comments and trailing commas anywhere they may be."""
    before, after = draw(spaces), draw(spaces)
    if isinstance(value, dict):
        items = [
            f"{draw(spaces)}{json.dumps(key)}{draw(spaces)}:{draw(sprinkled(item))}"
            for key, item in value.items()
        ]
        body, brackets = items, "{}"
    elif isinstance(value, list):
        body, brackets = [draw(sprinkled(item)) for item in value], "[]"
    else:
        return before + json.dumps(value) + after
    trailing = draw(st.sampled_from(["", ","])) if body else draw(spaces)
    return before + brackets[0] + ",".join(body) + trailing + after + brackets[1] + draw(spaces)


@given(st.data(), json_objects, st.none() | json_objects)
@settings(deadline=None)
def test_any_document_gains_our_entry_and_keeps_its_data(
    data: st.DataObject, others: dict[str, object], servers: dict[str, object] | None
) -> None:
    document = others if servers is None else {**others, "mcpServers": servers}
    text = data.draw(sprinkled(document))

    connected = connect(text, CURSOR, ENTRY)

    servers = servers or {}
    expected = {**others, "mcpServers": {**servers, "gasoline": ENTRY}}
    assert parse_lenient(connected) == expected
    assert connect(connected, CURSOR, ENTRY) == connected
    assert disconnect(connected, CURSOR, backup=text) == text
    disconnected = parse_lenient(disconnect(connected, CURSOR, backup=None) or text)
    assert disconnected in (document, {**others, "mcpServers": servers})


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
def test_a_named_client_is_set_up(tmp_path: Path, client: Client) -> None:
    file = tmp_path / FILES[client.name, "linux"]

    result = run(tmp_path, client.name)

    assert result.output == (
        f"{client.title}: set up in {file}. Restart {client.title} to use it.\n"
    )
    assert result.exit_code == 0
    assert file.read_text() == snippet(client.complete(ENTRY), client.servers_key) + "\n"


def test_vscode_is_told_the_transport_under_its_own_key(tmp_path: Path) -> None:
    run(tmp_path, "vscode")

    assert json.loads((tmp_path / ".config/Code/User/mcp.json").read_text()) == {
        "servers": {"gasoline": {"type": "stdio", "command": "/bin/gasoline", "args": ["mcp"]}}
    }


def test_without_names_those_present_are_set_up(tmp_path: Path) -> None:
    (tmp_path / ".cursor").mkdir()
    (tmp_path / ".continue").mkdir()

    result = run(tmp_path)

    assert [line.split(":")[0] for line in result.output.splitlines()] == ["Cursor", "Continue"]
    assert (tmp_path / ".continue/mcpServers/gasoline.json").exists()


def test_when_none_is_present_the_entry_to_paste_is_shown(tmp_path: Path) -> None:
    result = run(tmp_path)

    assert result.output.startswith("Found none of claude-code, claude-desktop, cursor, ")
    assert result.output.endswith(snippet(ENTRY) + "\n")
    assert result.exit_code == 0


def test_an_unknown_client_is_wrong_usage_and_shows_what_to_paste(tmp_path: Path) -> None:
    result = run(tmp_path, "emacs")

    assert "We do not know emacs, only claude-code, claude-desktop, cursor, " in result.output
    assert snippet(ENTRY) in result.output
    assert result.exit_code == 2


@pytest.mark.parametrize("arguments", [["other"], ["--print"]])
def test_for_any_other_tool_the_entry_is_printed(tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / ".cursor").mkdir()

    result = run(tmp_path, *arguments)

    assert (result.output, result.exit_code) == (snippet(ENTRY) + "\n", 0)
    assert not list((tmp_path / ".cursor").iterdir())


def test_print_shows_a_named_clients_own_form(tmp_path: Path) -> None:
    result = run(tmp_path, "zed", "--print")

    assert json.loads(result.stdout) == {"context_servers": {"gasoline": ENTRY}}
    assert result.stderr == f"Zed, in {tmp_path}/.config/zed/settings.json:\n"


@pytest.mark.parametrize(
    ("name", "file"),
    [(client.name, client.project_file) for client in CLIENTS if client.project_file],
)
def test_project_writes_into_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, file: str
) -> None:
    monkeypatch.chdir(tmp_path)

    result = run(tmp_path / "home", name, "--project")

    assert result.exit_code == 0
    assert "/bin/gasoline" in (tmp_path / file).read_text()
    assert not (tmp_path / "home").exists()


def test_project_is_wrong_usage_for_a_client_without_one(tmp_path: Path) -> None:
    result = run(tmp_path, "claude-desktop", "--project")

    assert "Claude Desktop has no project configuration" in result.output
    assert result.exit_code == 2


def test_project_without_names_skips_clients_without_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".cursor").mkdir()
    (tmp_path / ".config/zed").mkdir(parents=True)
    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.chdir(project)

    result = run(tmp_path, "--project")

    assert result.output.count("set up in") == 1
    assert (project / ".cursor/mcp.json").exists()


def test_a_port_other_than_ours_is_passed_on(tmp_path: Path) -> None:
    result = run(tmp_path, "other", "--port", "8000")

    assert json.loads(result.output)["mcpServers"]["gasoline"]["args"] == ["mcp", "--port", "8000"]


@pytest.mark.parametrize("port", ["0", "65536", "x"])
def test_a_port_that_cannot_be_is_wrong_usage(tmp_path: Path, port: str) -> None:
    assert run(tmp_path, "cursor", "--port", port).exit_code == 2


def test_a_second_run_changes_nothing(tmp_path: Path, cursor_file: Path) -> None:
    run(tmp_path, "cursor")
    first = cursor_file.stat()

    result = run(tmp_path, "cursor")

    assert result.output == f"Cursor: already set up in {cursor_file}, nothing to change.\n"
    assert cursor_file.stat() == first
    assert list(cursor_file.parent.iterdir()) == [cursor_file]


def test_the_previous_content_is_kept_beside_the_file(tmp_path: Path, cursor_file: Path) -> None:
    cursor_file.write_bytes(b'\xef\xbb\xbf{"a": 1}\r\n')

    run(tmp_path, "cursor")

    backup = cursor_file.with_name("mcp.json.gasoline-backup")
    assert backup.read_bytes() == b'\xef\xbb\xbf{"a": 1}\r\n'
    assert set(cursor_file.parent.iterdir()) == {cursor_file, backup}


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")
def test_permissions_are_kept_and_the_backup_is_no_more_open(
    tmp_path: Path, cursor_file: Path
) -> None:
    cursor_file.write_text("{}")
    cursor_file.chmod(0o600)

    run(tmp_path, "cursor")

    modes = {stat.S_IMODE(file.stat().st_mode) for file in cursor_file.parent.iterdir()}
    assert modes == {0o600}


def test_a_link_stays_a_link(tmp_path: Path, cursor_file: Path) -> None:
    real = tmp_path / "dotfiles.json"
    real.write_text("{}")
    cursor_file.symlink_to(real)

    run(tmp_path, "cursor")

    assert cursor_file.is_symlink()
    assert json.loads(real.read_text()) == {"mcpServers": {"gasoline": ENTRY}}


def test_a_dry_run_shows_the_difference_and_writes_nothing(
    tmp_path: Path, cursor_file: Path
) -> None:
    cursor_file.write_text('{\n  "mcpServers": {}\n}\n')

    result = run(tmp_path, "cursor", "--dry-run")

    assert (
        result.output
        == f"""\
--- {cursor_file}
+++ {cursor_file} (changed)
@@ -1,3 +1,10 @@
 {{
-  "mcpServers": {{}}
+  "mcpServers": {{
+    "gasoline": {{
+      "command": "/bin/gasoline",
+      "args": [
+        "mcp"
+      ]
+    }}
+  }}
 }}
"""
    )
    assert cursor_file.read_text() == '{\n  "mcpServers": {}\n}\n'
    assert list(cursor_file.parent.iterdir()) == [cursor_file]


def test_a_dry_run_makes_no_folders(tmp_path: Path) -> None:
    assert run(tmp_path, "--dry-run", *CLIENT).exit_code == 0
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
@pytest.mark.parametrize("before", [None, *SHAPES.values()], ids=["no file", *SHAPES])
def test_uninstall_after_install_leaves_the_original(
    tmp_path: Path, client: Client, before: str | None
) -> None:
    file = tmp_path / FILES[client.name, "linux"]
    if before is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(before.encode())
    run(tmp_path, client.name)

    result = run(tmp_path, client.name, "--uninstall")

    assert result.output == f"{client.title}: removed from {file}. Restart {client.title}.\n"
    assert (file.read_bytes().decode() if file.exists() else None) == before


def test_uninstall_keeps_what_changed_since(tmp_path: Path, cursor_file: Path) -> None:
    cursor_file.write_text('{"a": 1}')
    run(tmp_path, "cursor")
    cursor_file.write_text(cursor_file.read_text().replace('"a": 1', '"a": 2'))

    run(tmp_path, "cursor", "--uninstall")

    assert json.loads(cursor_file.read_text()) == {"a": 2, "mcpServers": {}}


@pytest.mark.parametrize("before", [None, '{"mcpServers": {}}'])
def test_uninstall_where_we_are_not_changes_nothing(
    tmp_path: Path, cursor_file: Path, before: str | None
) -> None:
    if before:
        cursor_file.write_text(before)

    result = run(tmp_path, "--uninstall")

    assert result.output == f"Cursor: not set up in {cursor_file}, nothing to change.\n"
    assert (result.exit_code, cursor_file.exists()) == (0, before is not None)


def test_uninstall_where_no_client_is_says_so(tmp_path: Path) -> None:
    result = run(tmp_path, "--uninstall")

    assert result.output.startswith("Found none of ")
    assert "Paste" not in result.output


@pytest.mark.parametrize(
    "content", [*(text.encode() for text, _ in NOT_EDITABLE.values()), b"\xff\xfe{\x00}\x00"]
)
@pytest.mark.parametrize("option", [[], ["--uninstall"], ["--dry-run"]])
def test_a_file_we_do_not_understand_is_left_alone(
    tmp_path: Path, cursor_file: Path, content: bytes, option: list[str]
) -> None:
    cursor_file.write_bytes(content)

    result = run(tmp_path, "cursor", *option)

    assert f"Cursor: {cursor_file} is left as it was: " in result.stderr
    assert (snippet(ENTRY) in result.stderr) == (option != ["--uninstall"])
    assert result.exit_code == 1
    assert cursor_file.read_bytes() == content
    assert list(cursor_file.parent.iterdir()) == [cursor_file]


def test_one_client_that_fails_does_not_stop_the_others(tmp_path: Path, cursor_file: Path) -> None:
    cursor_file.write_text("?")

    result = run(tmp_path, "cursor", "windsurf")

    assert "Windsurf: set up in " in result.stdout
    assert result.exit_code == 1


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, cursor_file: Path) -> None:
    cursor_file.mkdir()

    result = run(tmp_path, "cursor")

    assert f"Cursor: {cursor_file} is left as it was: Is a directory." in result.stderr
    assert result.exit_code == 1


@pytest.mark.parametrize(
    ("platform", "name"),
    [("linux", "gasoline"), ("macos", "gasoline"), ("windows", "gasoline.exe")],
)
def test_the_executable_beside_python_is_preferred(
    tmp_path: Path, platform: Platform, name: str
) -> None:
    (tmp_path / name).touch()

    command = find_gasoline(tmp_path / "python", machine_at(tmp_path, platform))

    assert command == [str(tmp_path / name)]


def test_else_the_one_on_the_path_counts(tmp_path: Path) -> None:
    (tmp_path / "gasoline").touch(mode=0o755)

    command = find_gasoline(Path("/venv/bin/python"), machine_at(tmp_path, PATH=str(tmp_path)))

    assert command == [str(tmp_path / "gasoline")]


def test_else_python_runs_the_package(tmp_path: Path) -> None:
    command = find_gasoline(Path("/venv/bin/python"), machine_at(tmp_path))

    assert command == ["/venv/bin/python", "-m", "gasoline"]


def test_as_a_process_it_writes_a_command_that_exists(tmp_path: Path) -> None:
    program = "from gasoline.surfaces.cli.install import install; install()"

    finished = subprocess.run(
        [sys.executable, "-c", program, "claude-code"],
        env={"HOME": str(tmp_path), "USERPROFILE": str(tmp_path), "PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=True,
    )

    file = tmp_path / ".claude.json"
    entry = json.loads(file.read_text())["mcpServers"]["gasoline"]
    assert finished.stdout == (f"Claude Code: set up in {file}. Restart Claude Code to use it.\n")
    assert Path(entry["command"]).is_absolute()
    assert Path(entry["command"]).exists()
    assert entry["args"][-1] == "mcp"
