"""Python runs this first in every process of `gasoline run`: the browsers it drives are observed.

The process may belong to another environment, with other packages and an older Python. So: standard
library only, nothing but `gasoline` itself is made importable, and no failure of ours is theirs.
"""

import contextlib
import importlib.machinery
import importlib.util
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parent.parent
PYTEST_PLUGIN = "gasoline.surfaces.pytest_plugin"


def run_the_one_we_stand_in_front_of() -> None:
    """The environment may have a sitecustomize of its own; only the first on the path is run."""
    elsewhere = [entry for entry in sys.path if Path(entry or ".").resolve() != HERE]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", elsewhere)
    if spec is not None and spec.loader is not None:
        module = importlib.util.module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


def make_gasoline_importable() -> None:
    installed = importlib.util.find_spec("gasoline") is not None
    name_plugin_to_pytest(wanted=not installed)
    if installed:
        return
    spec = importlib.util.spec_from_file_location(
        "gasoline", PACKAGE / "__init__.py", submodule_search_locations=[str(PACKAGE)]
    )
    if spec is None or spec.loader is None:
        return
    module = importlib.util.module_from_spec(spec)
    sys.modules["gasoline"] = module
    spec.loader.exec_module(module)


def name_plugin_to_pytest(*, wanted: bool) -> None:
    """Where Gasoline is installed pytest finds the plugin itself, and refuses it a second time."""
    plugins = [name for name in os.environ.get("PYTEST_PLUGINS", "").split(",") if name]
    others = [name for name in plugins if name != PYTEST_PLUGIN]
    if wanted:
        others.append(PYTEST_PLUGIN)
    if others != plugins:
        os.environ["PYTEST_PLUGINS"] = ",".join(others)


def observe_browsers() -> None:
    make_gasoline_importable()
    from gasoline.drivers.delivery import Delivery  # noqa: PLC0415  # only just importable
    from gasoline.drivers.everywhere import (  # noqa: PLC0415  # same
        observe_everything,
        tell_of_tests,
    )
    from gasoline.drivers.observation import Observation  # noqa: PLC0415  # same

    port, token = int(os.environ["GASOLINE_PORT"]), os.environ.get("GASOLINE_TOKEN")
    mode = os.environ.get("GASOLINE_CAPTURE_MODE", "all")
    shared: list[Observation] = []

    def provide() -> Observation:
        if not shared:
            shared.append(Observation(Delivery(port, token=token), mode=mode))
        return shared[0]

    # pytest's plugin, where it is installed, takes over from here: it knows the tests.
    observe_everything(provide)
    tell_of_tests(provide)


run_the_one_we_stand_in_front_of()
if os.environ.get("GASOLINE_RUN") and os.environ.get("GASOLINE_PORT"):
    with contextlib.suppress(Exception):
        observe_browsers()
