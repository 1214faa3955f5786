"""`gasoline demo`: the first thing a stranger sees."""

import os
import subprocess
import sys

PATIENCE_S = 90


def run_demo(**environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gasoline", "demo"],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def test_the_demo_names_the_cause_and_what_to_do_next() -> None:
    ran = run_demo()

    assert ran.returncode == 0, ran.stderr
    assert "The page said: We could not place your order." in ran.stdout
    assert "- Primary failure: POST /api/orders → 500" in ran.stdout
    assert "duplicate key value violates unique constraint" in ran.stdout
    assert '"summary": "1 exchange, 1 failed' in ran.stdout
    assert ran.stdout.rstrip().endswith("gasoline doctor")


def test_without_a_browser_it_says_how_to_get_one() -> None:
    ran = run_demo(GASOLINE_BROWSER="", PATH="/nonexistent")

    assert ran.returncode == 1
    assert "No Chrome or Chromium found. Install one" in ran.stderr
