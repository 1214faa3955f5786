"""The scripts: what they say when something is missing, and that they set up only once."""

import fcntl
import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCRIPTS = ["run", "test", "check", "lock", "lib/setup.sh", "lib/browser.sh"]
BASH = shutil.which("bash") or "bash"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return a copy of what the scripts read, in which nothing is set up."""
    tree = tmp_path / "tree"
    shutil.copytree(ROOT / "scripts", tree / "scripts")
    shutil.copytree(ROOT / "requirements", tree / "requirements")
    for name in ("pyproject.toml", "package.json", "package-lock.json"):
        shutil.copy(ROOT / name, tree)
    return tree


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """Return a folder for stand-ins, which `call` puts first on the PATH."""
    programs = tmp_path / "programs"
    programs.mkdir()
    return programs


def stand_in(programs: Path, name: str, body: str) -> None:
    program = programs / name
    program.write_text(f"#!{BASH}\n{body}\n")
    program.chmod(0o755)


def run(*command: str | Path, **env: str) -> subprocess.CompletedProcess[str]:
    inherited = {name: value for name, value in os.environ.items() if "GASOLINE" not in name}
    return subprocess.run(
        command, env=inherited | env, capture_output=True, text=True, check=False, timeout=60
    )


def calling(tree: Path, function: str, *, programs: Path) -> list[str | Path]:
    """Return the command that calls a function of scripts/lib, as a script named `test` would."""
    path = f"PATH={programs}{os.pathsep}{os.environ['PATH']}"
    sources = f"source {tree}/scripts/lib/setup.sh; source {tree}/scripts/lib/browser.sh"
    return ["env", path, BASH, "-euo", "pipefail", "-c", f"{sources}; {function}", "test"]


def call(
    tree: Path, function: str, *, programs: Path, **env: str
) -> subprocess.CompletedProcess[str]:
    return run(*calling(tree, function, programs=programs), **env)


def only_these_programs(folder: Path, *names: str) -> str:
    """Return a PATH on which nothing but these programs is found."""
    for name in names:
        (folder / name).symlink_to(shutil.which(name) or name)
    return str(folder)


@pytest.mark.parametrize("script", SCRIPTS)
def test_bash_can_parse_the_script(script: str) -> None:
    parsed = run(BASH, "-n", ROOT / "scripts" / script)

    assert (parsed.returncode, parsed.stderr) == (0, "")


@pytest.mark.parametrize("script", ["test", "check", "lock"])
def test_help_sets_nothing_up(tree: Path, script: str) -> None:
    answer = run(tree / "scripts" / script, "--help")

    assert answer.stdout.startswith(f"usage: scripts/{script}")
    assert (answer.returncode, answer.stderr) == (0, "")
    assert not (tree / ".cache").exists()


def test_a_missing_python_is_said_in_one_line(tree: Path, programs: Path) -> None:
    path = only_these_programs(programs, "bash", "dirname", "basename", "mkdir")

    attempt = run(tree / "scripts/run", PATH=path)

    assert attempt.returncode == 1
    assert attempt.stderr == (
        "run: Python 3.11 or newer is needed and none was found; install it "
        "(apt install python3 python3-venv, brew install python) "
        "or set GASOLINE_PYTHON to its path\n"
    )


def test_a_wrong_gasoline_python_is_said_in_one_line(tree: Path) -> None:
    attempt = run(tree / "scripts/run", GASOLINE_PYTHON="/nowhere/python")

    assert attempt.returncode == 1
    assert attempt.stderr == (
        "run: GASOLINE_PYTHON=/nowhere/python is not a Python 3.11 or newer; "
        "point it at one or unset it\n"
    )


def test_a_missing_venv_module_is_said_in_one_line(tree: Path, programs: Path) -> None:
    stand_in(programs, "python3", '[[ "$2" != *ensurepip* ]]')

    attempt = call(tree, "make_venv", programs=programs)

    assert attempt.returncode == 1
    assert attempt.stderr == "test: python3 lacks the venv module: apt install python3-venv\n"


def test_an_old_node_is_said_in_one_line(tree: Path, programs: Path) -> None:
    stand_in(programs, "node", "echo v18.19.0")

    attempt = call(tree, "require_node", programs=programs)

    assert attempt.returncode == 1
    assert attempt.stderr == (
        "test: Node.js 20 or newer is needed and v18.19.0 was found; "
        "get it from https://nodejs.org or your package manager\n"
    )


def installing_npm(tree: Path, programs: Path) -> Path:
    """Put an npm on the PATH that notes each call and pretends to install."""
    calls = programs / "calls"
    calls.touch()
    done = tree / "node_modules/.package-lock.json"
    stand_in(programs, "npm", f"echo npm >>{calls}; mkdir -p {done.parent}; touch {done}")
    stand_in(programs, "node", "echo v22.0.0")
    return calls


def test_the_second_set_up_is_skipped_until_an_input_changes(tree: Path, programs: Path) -> None:
    calls = installing_npm(tree, programs)

    first = call(tree, "set_up_node", programs=programs)
    second = call(tree, "set_up_node", programs=programs)
    (tree / "package-lock.json").write_text("{}")
    third = call(tree, "set_up_node", programs=programs)

    said = "setting up: npm packages\n"
    assert [first.stderr, second.stderr, third.stderr] == [said, "", said]
    assert calls.read_text().count("npm") == 2


def test_a_failed_set_up_is_tried_again(tree: Path, programs: Path) -> None:
    stand_in(programs, "npm", "exit 1")
    stand_in(programs, "node", "echo v22.0.0")
    failed = call(tree, "set_up_node", programs=programs)
    calls = installing_npm(tree, programs)

    again = call(tree, "set_up_node", programs=programs)

    assert (failed.returncode, again.returncode) == (1, 0)
    assert calls.read_text() == "npm\n"


def test_two_set_ups_at_once_install_once(tree: Path, programs: Path) -> None:
    calls = installing_npm(tree, programs)

    both = call(tree, "set_up_node & first=$!; set_up_node; wait $first", programs=programs)

    assert both.returncode == 0
    assert calls.read_text() == "npm\n"


def test_a_set_up_waits_for_the_one_that_runs(tree: Path, programs: Path) -> None:
    calls = installing_npm(tree, programs)
    lock = tree / ".cache/setup/lock"
    lock.parent.mkdir(parents=True)
    command = calling(tree, "set_up_node", programs=programs)

    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        second = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert second.stderr is not None
        said = second.stderr.readline()
        calls_meanwhile = calls.read_text()
    said += second.communicate(timeout=60)[1]

    assert said == (
        "setting up: waiting for another set-up of this folder\nsetting up: npm packages\n"
    )
    assert (calls_meanwhile, calls.read_text()) == ("", "npm\n")


def test_a_gasoline_browser_that_is_no_program_is_said_in_one_line(
    tree: Path, programs: Path
) -> None:
    attempt = call(tree, "set_up_browser", programs=programs, GASOLINE_BROWSER="/nowhere/chromium")

    assert attempt.returncode == 1
    assert attempt.stderr == (
        "test: GASOLINE_BROWSER=/nowhere/chromium is not an executable file; "
        "point it at Chromium or Chrome, or unset it\n"
    )


def test_a_browser_that_does_not_start_is_passed_over(tree: Path, programs: Path) -> None:
    stand_in(programs, "chromium", "echo 'install the snap'; exit 1")
    stand_in(programs, "chromium-browser", "echo Chromium 140")

    found = call(tree, 'set_up_browser; "$GASOLINE_BROWSER" --version', programs=programs)

    assert found.stdout == "Chromium 140\n"


@pytest.mark.parametrize(
    ("given", "started"),
    [
        (["about:blank"], ["--disable-features=HIDDEN", "about:blank"]),
        (
            ["--disable-features=Translate", "a b"],
            ["--disable-features=Translate,HIDDEN", "a b"],
        ),
    ],
)
def test_the_browser_of_the_tests_starts_without_the_pages_of_its_address_bar(
    programs: Path, given: list[str], started: list[str]
) -> None:
    stand_in(programs, "browser", 'printf "%s\\n" "$@"')

    ran = run(
        ROOT / "scripts/lib/chromium", *given, GASOLINE_REAL_BROWSER=str(programs / "browser")
    )

    hidden = "WebUIOmniboxPopup,WebUIOmniboxAimPopup"
    assert ran.stdout.splitlines() == [flag.replace("HIDDEN", hidden) for flag in started]


def test_ci_runs_what_developers_run(tree: Path) -> None:
    shutil.copytree(ROOT / ".ci", tree / ".ci")
    stand_in(tree / "scripts", "test", "echo ran the tests")

    ci = run(BASH, tree / ".ci/run")

    assert (ci.returncode, ci.stdout) == (0, "ran the tests\n")
