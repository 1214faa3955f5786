"""Recorded journeys become tests that pass while the application works, and fail when it breaks."""

import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from examples.shop.faults import BY_NAME as FAULTS
from examples.shop.server import running_shop
from gasoline.store import Store
from tests.apps.running import FRAMEWORKS, WHOLE_ORDER, running_app
from tests.drivers.browsers import BROWSER, FLAGS
from tests.journeys.journeys import JOURNEYS, Journey
from tests.journeys.recording import record
from tests.journeys.running import Outcome, run_playwright, run_pytest
from tests.journeys.static_site import running_pages
from tests.tools.asking import ask

IN_A_ROW = 5
# A test that waits for what never comes need not wait long.
FAULT_TIMEOUT_MS = 20_000

# Hashes, machine-made ids, a counter, a sibling: what a careful locator does not look at.
OF_ANOTHER_BUILD = {
    "css-1q2w3e": "css-zz9qp1",
    "sc-abcde": "sc-fghij",
    "css-9z8y7x": "css-0p1o2i",
    "Button_root__x7Yz2": "Button_root__q4Wv9",
    "radix-17": "radix-53",
    ":r3:": ":r8:",
    "Notifications (4)": "Notifications (17)",
    "['Water the plants'": "['Feed the cat', 'Water the plants'",
}

Run = Callable[..., dict[str, Outcome]]

in_both_languages = pytest.mark.parametrize(
    ("language", "run"), [("playwright", run_playwright), ("pytest", run_pytest)]
)


class Recorded:
    """Where the applications are, and what was recorded of each journey."""

    def __init__(self, stores: Mapping[str, Store], journeys: list[Journey]) -> None:
        self.stores = stores
        self.journeys = journeys

    def scripts(self, journeys: list[Journey], language: str) -> dict[str, str]:
        return {
            slug(journey.name): self.script(journey, language)
            for journey in journeys
            if journey.name in self.stores
        }

    def script(
        self,
        journey: Journey,
        language: str,
        base_url: str | None = None,
        assertions: Mapping[str, bool] | None = None,
    ) -> str:
        answer = ask(
            self.stores[journey.name],
            "generate_test",
            format=language,
            test_name=journey.name,
            base_url=base_url,
            assertions=dict(assertions or {}),
            inline=True,
        )
        script: str = answer["test_script"]
        return script


def slug(name: str) -> str:
    return "_".join(re.findall(r"\w+", name))


@pytest.fixture(scope="module")
def recorded(request: pytest.FixtureRequest) -> Iterator[Recorded]:
    """Every journey that the chosen tests need, gone once; the applications stay open."""
    is_long = any(item.get_closest_marker("long") for item in request.session.items)
    journeys = [journey for journey in JOURNEYS if is_long or journey.usual]
    with applications({journey.place for journey in journeys}) as places:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=BROWSER, args=list(FLAGS))
            stores = {
                journey.name: record(browser, journey, places[journey.place], now_ms)
                for journey in journeys
            }
            browser.close()
        yield Recorded(stores, journeys)


def now_ms() -> float:
    return time.time() * 1000


@contextmanager
def applications(wanted: set[str]) -> Iterator[dict[str, str]]:
    with ExitStack() as open_ones:
        places = {
            "shop": open_ones.enter_context(running_shop()).url,
            "pages": open_ones.enter_context(running_pages()),
        }
        for framework in FRAMEWORKS:
            if framework in wanted:
                app = open_ones.enter_context(running_app(framework))
                app.order = WHOLE_ORDER
                places[framework] = app.url
        yield places


def failures(outcomes: Mapping[str, Outcome], names: Mapping[str, str]) -> dict[str, str]:
    """What the tests said that did not always pass."""
    return {
        name: f"{outcome.passed} of {outcome.runs} passed: {outcome.said}"
        for name in names
        if not (outcome := outcomes.get(name, Outcome(0, 0, "never ran"))).always_passed
    }


@in_both_languages
def test_usual_journeys_pass_as_tests(
    recorded: Recorded, language: str, run: Run, tmp_path: Path
) -> None:
    scripts = recorded.scripts([j for j in recorded.journeys if j.usual], language)

    outcomes = run(tmp_path, scripts)

    assert failures(outcomes, scripts) == {}


def test_locators_survive_what_changes_from_build_to_build(
    recorded: Recorded, tmp_path: Path
) -> None:
    names = ("names made by machines", "a list of the same buttons")
    journeys = [journey for journey in recorded.journeys if journey.name in names]

    with running_pages(OF_ANOTHER_BUILD) as changed:
        scripts = {
            slug(journey.name): recorded.script(
                journey, "playwright", changed, {"dom_state": False}
            )
            for journey in journeys
        }
        outcomes = run_playwright(tmp_path, scripts)

    assert len(scripts) == len(names)
    assert failures(outcomes, scripts) == {}


def test_pictures_notice_what_only_the_eye_sees(recorded: Recorded, tmp_path: Path) -> None:
    journey = next(j for j in recorded.journeys if j.name == "a list of the same buttons")
    visual = {"visual": True, "dom_state": False}

    def run_against(changes: Mapping[str, str], *, takes_pictures: bool = False) -> Outcome:
        with running_pages(changes) as pages:
            script = recorded.script(journey, "playwright", pages, visual)
            outcomes = run_playwright(tmp_path, {"seen": script}, takes_pictures=takes_pictures)
        return outcomes["seen"]

    assert run_against({}, takes_pictures=True).always_passed
    assert run_against({}).always_passed
    assert not run_against({"<h1>": "<h1 style='color: red; font-size: 60px'>"}).passed


def test_usual_faults_make_their_tests_fail(recorded: Recorded, tmp_path: Path) -> None:
    noticed = run_with_faults(
        recorded, [j for j in recorded.journeys if j.usual], "playwright", run_playwright, tmp_path
    )

    assert noticed
    assert [name for name, failed in noticed.items() if not failed] == []


@pytest.mark.long
@in_both_languages
def test_every_journey_passes_five_times_in_a_row(
    recorded: Recorded, language: str, run: Run, tmp_path: Path
) -> None:
    scripts = recorded.scripts(recorded.journeys, language)

    outcomes = run(tmp_path, scripts, times=IN_A_ROW)

    assert len(scripts) == len(JOURNEYS)
    assert failures(outcomes, scripts) == {}


@pytest.mark.long
@in_both_languages
def test_each_fault_makes_a_test_fail(
    recorded: Recorded, language: str, run: Run, tmp_path: Path
) -> None:
    noticed = run_with_faults(recorded, recorded.journeys, language, run, tmp_path)

    assert [name for name, failed in noticed.items() if not failed] == []


def test_every_fault_of_the_shop_has_a_journey_that_notices_it() -> None:
    assert {fault for journey in JOURNEYS for fault in journey.faults} == set(FAULTS)


def run_with_faults(
    recorded: Recorded, journeys: list[Journey], language: str, run: Run, folder: Path
) -> dict[str, bool]:
    """Each test against a shop with one fault, all in one run; which of them failed."""
    with ExitStack() as shops:
        scripts = {
            slug(f"{journey.name} with {fault}"): recorded.script(
                journey, language, shops.enter_context(running_shop(faults=[fault])).url
            )
            for journey in journeys
            for fault in journey.faults
        }
        outcomes = run(folder, scripts, timeout_ms=FAULT_TIMEOUT_MS)
    return {name: outcomes[name].passed < outcomes[name].runs for name in scripts}
