"""The labelled cases, measured as the benchmark measures them."""

import subprocess
import sys
from pathlib import Path

BENCHMARK = Path(__file__).parents[3] / "benchmarks" / "detection.py"


def test_precision_and_recall_on_the_labelled_cases_are_within_their_budgets() -> None:
    measured = subprocess.run(
        [sys.executable, str(BENCHMARK), "--show"], capture_output=True, text=True, check=False
    )

    assert measured.returncode == 0, measured.stdout
    assert "precision" in measured.stdout
    assert "recall" in measured.stdout
