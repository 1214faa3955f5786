"""What a project calls noise is set aside everywhere, and counted."""

import json
from pathlib import Path

import pytest

from gasoline.surfaces.noise_file import NoiseFileError, read_noise_file
from tests.servers import RunningServer, run_gasoline, running_server

RULES = """
[[noise]]
why = "the chart library's own complaint"
message = "^Chart: "

[[noise]]
why = "our own beacon"
url = "/internal/ping"
"""


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "noise.toml"
    path.write_text(RULES, encoding="utf-8")
    return path


def test_rules_are_read_with_their_reasons(rules: Path) -> None:
    assert [(rule.why, rule.url, rule.message) for rule in read_noise_file(rules)] == [
        ("the chart library's own complaint", None, "^Chart: "),
        ("our own beacon", "/internal/ping", None),
    ]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("noise = [", "is not TOML"),
        ("[[noise]]\nurl = '/x'", "missing required field `why`"),
        ("[[noise]]\nwhy = 'x'", "rule 1 has neither url nor message"),
        ("[[noise]]\nwhy = 'x'\nurl = '('", "rule 1: ( is no regular expression"),
        ("[[noise]]\nwhy = 'x'\nurl = '(?=a)'", "is no regular expression of re2"),
        ("[[noise]]\nwhy = 'x'\nuri = 'x'", "unknown field `uri`"),
        ("", "missing required field `noise`"),
    ],
)
def test_a_file_that_cannot_be_used_says_why(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "noise.toml"
    path.write_text(content, encoding="utf-8")

    with pytest.raises(NoiseFileError) as refused:
        read_noise_file(path)

    assert said in str(refused.value)
    assert any(word in str(refused.value) for word in ("Each rule is", "Add one", "Correct it"))


def fail(server: RunningServer, *messages: str) -> None:
    entries = [
        {"level": "error", "message": message, "url": "http://app/cart"} for message in messages
    ]
    server.request("POST", "/logs", {"entries": entries})


def ask(server: RunningServer, tool: str, **arguments: str) -> dict[str, object]:
    call = {"name": tool, "arguments": arguments}
    question = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    text = server.request("POST", "/mcp", question).json["result"]["content"][0]["text"]
    answer: dict[str, object] = json.loads(text)
    return answer


def test_a_server_sets_it_aside_in_errors_and_comparisons(tmp_path: Path, rules: Path) -> None:
    with running_server(tmp_path, "--noise", str(rules)) as server:
        fail(server, "Chart: no canvas", "boom")
        snapshot = ask(server, "diff_sessions", action="capture", name="a")["snapshot"]
        errors = ask(server, "get_browser_errors")["errors"]

    assert isinstance(snapshot, dict)
    assert (snapshot["console_errors"], snapshot["set_aside"]) == (1, 1)
    assert isinstance(errors, list)
    assert [error.get("noise") for error in errors] == [None, "the chart library's own complaint"]


def test_a_report_marks_it_as_such(tmp_path: Path, rules: Path) -> None:
    record = tmp_path / "record.jsonl"
    with running_server(tmp_path, "--record", str(record)) as server:
        fail(server, "Chart: no canvas", "boom")
        server.stop()

    said = run_gasoline(tmp_path, "report", "--from", str(record), "--noise", str(rules))

    assert "[likely noise: the chart library's own complaint]" in said.out
    assert said.code == 0


def test_a_wrong_file_ends_a_command_with_the_reason(tmp_path: Path) -> None:
    path = tmp_path / "noise.toml"
    path.write_text("[[noise]]", encoding="utf-8")

    said = run_gasoline(tmp_path, "serve", "--noise", str(path))

    assert said.code == 2
    assert "missing required field `why`" in said.err
