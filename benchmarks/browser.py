"""The browser of the benchmarks."""

import os
from pathlib import Path

# As the tests have it: why, it says itself.
BROWSER = os.environ.get("GASOLINE_BROWSER") or str(
    Path(__file__).parents[1] / "scripts" / "lib" / "chromium"
)
