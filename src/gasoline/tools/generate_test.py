"""A regression test from what the user did and what the page did in turn."""

import re
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from gasoline.analysis.page_address import origin_of
from gasoline.analysis.recording import Recording
from gasoline.analysis.session import build_sessions
from gasoline.generation.script.budgets import allow
from gasoline.generation.script.fixtures import (
    FixtureEntry,
    classify,
    derive_mocks,
    plan_setup,
    tell_entry,
    write_mocks,
)
from gasoline.generation.script.header import write_header
from gasoline.generation.script.plan import Budgets
from gasoline.generation.script.planning import Options
from gasoline.generation.script.privacy import secret_parameters
from gasoline.generation.script.regression_test import (
    RegressionTest,
    default_name,
    write_regression_test,
)
from gasoline.generation.script.reproduction import SUFFIXES
from gasoline.records.health import CaptureHealth
from gasoline.tools.context import Answer, Context
from gasoline.tools.generated_file import GeneratedFile, hand_over
from gasoline.tools.recorded import (
    BaseUrl,
    Inline,
    Scope,
    cut_to_scope,
    describe_cut,
    judge_recording,
    missing_requests,
    nothing_recorded,
    read_recording,
    read_strain,
    write_within,
)
from gasoline.tools.registry import tool
from gasoline.tools.wording import count_of

MOST_BYTES = 100 * 1024
FIXTURES_SHOWN = 20


class Assertions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What to check, in the later style."""

    network: bool = True
    response_shape: bool = True
    no_errors: bool = True
    dom_state: bool = True
    privacy: bool = True
    budgets: bool = True
    visual: bool = False


class Params(Scope, frozen=True, kw_only=True):
    """Which test of which part of the session."""

    test_name: str | None = None
    format: Literal["playwright", "pytest"] = "playwright"
    url_filter: str | None = None
    base_url: BaseUrl = None
    assertions: Annotated[Assertions | None, Meta(description="Answers JSON")] = None
    assert_network: Annotated[bool | None, Meta(description="Statuses; default true")] = None
    assert_no_errors: Annotated[bool | None, Meta(description="Default true")] = None
    assert_response_shape: bool | None = None
    assert_visual: bool | None = None
    assert_privacy: Annotated[
        bool | None, Meta(description="No new personal data, URL secrets")
    ] = None
    assert_budgets: Annotated[bool | None, Meta(description="Time, weight, messages")] = None
    mask_dynamic: Annotated[bool, Meta(description="Mask what changes by itself")] = True
    fixtures: Annotated[bool, Meta(description="Also a file of route mocks")] = False
    include_fixtures: Annotated[bool, Meta(description="Calls that set up the data")] = False
    inline: Inline = False

    @property
    def wants_json(self) -> bool:
        return self.assertions is not None or self.fixtures or self.include_fixtures


class GeneratedTest(Answer, frozen=True, kw_only=True):
    """The test itself, or how it begins and where all of it is."""

    test_script: str
    test_name: str
    action_count: int
    assertion_count: int
    fixture_file: str | None = None
    fixture_name: str | None = None
    fixture_entries: tuple[FixtureEntry, ...] = ()
    warnings: tuple[str, ...] = ()
    path: str | None = None
    fixture_path: str | None = None


@tool()
def generate_test(context: Context, params: Params) -> Answer | str:
    """Write a Playwright test of the user's actions that checks what the page did in turn."""
    everything = read_recording(context, test_id=params.test_id)
    recording = cut_to_scope(everything, params, url=params.url_filter)
    capture = judge_recording(context, test_id=params.test_id)
    if not recording.actions:
        return nothing_recorded(capture, recording)
    steps_from_ms = recording.actions[0].at_ms if params.last_n_actions else None
    entries = classify(everything, steps_from_ms=steps_from_ms) if params.include_fixtures else []
    missing = missing_requests(context, test_id=params.test_id)
    stem = _stem(params.test_name or default_name(build_sessions(recording)[0]))
    wanted = _wanted(params)
    # Of requests that are no longer kept, nobody knows what was in their addresses.
    knows_secrets = wanted.privacy and not missing
    module = f"{stem}_fixtures" if params.format == "pytest" else f"{stem}.fixtures"

    def write(part: Recording) -> RegressionTest:
        sessions = build_sessions(part)
        return write_regression_test(
            sessions,
            _options(params),
            name=params.test_name,
            language=params.format,
            header=(
                *write_header(sessions, capture, missing_requests=missing),
                *describe_cut(recording, part),
            ),
            setup=plan_setup(entries),
            mocks=module if params.fixtures else None,
            origin=params.base_url or origin_of(sessions[0].start_url),
            deep_shapes=params.assertions is not None,
            budgets=_allow(context, params, everything) if wanted.budgets else None,
            known_secrets=secret_parameters(everything.exchanges) if knows_secrets else None,
        )

    _, written = write_within(MOST_BYTES, recording, write)
    mocks = (
        write_mocks(*derive_mocks(recording), language=params.format) if params.fixtures else None
    )
    file = _hand_over(context, params, written.script, f"{stem}{SUFFIXES[params.format]}")
    if not params.wants_json and file.content is not None:
        return file.content
    ending = ".py" if params.format == "pytest" else ".ts"
    companion = _hand_over(context, params, mocks, f"{module}{ending}") if mocks else None
    return _answer(written, capture, file, companion, entries)


def _answer(
    written: RegressionTest,
    capture: CaptureHealth,
    file: GeneratedFile,
    companion: GeneratedFile | None,
    entries: list[FixtureEntry],
) -> GeneratedTest:
    return GeneratedTest(
        summary=f"A test of {count_of(written.action_count, 'action')} "
        f"with {count_of(written.assertion_count, 'assertion')}.",
        capture=capture,
        test_script=_shown(file),
        test_name=written.test_name,
        action_count=written.action_count,
        assertion_count=written.assertion_count,
        fixture_file=_shown(companion) if companion else None,
        fixture_name=companion.name if companion else None,
        fixture_entries=tuple(map(tell_entry, entries[-FIXTURES_SHOWN:])),
        omitted=max(0, len(entries) - FIXTURES_SHOWN),
        warnings=written.warnings,
        path=file.path,
        fixture_path=companion.path if companion else None,
        next="path has the whole file; inline=true gives it here."
        if file.path or (companion and companion.path)
        else None,
    )


def _wanted(params: Params) -> Assertions:
    """An explicit flag, else the object of the later style, else the defaults of the earlier."""
    earlier = Assertions(response_shape=False, dom_state=False, privacy=False, budgets=False)
    chosen = params.assertions or earlier
    flags = {
        "network": params.assert_network,
        "response_shape": params.assert_response_shape,
        "no_errors": params.assert_no_errors,
        "visual": params.assert_visual,
        "privacy": params.assert_privacy,
        "budgets": params.assert_budgets,
    }
    given = {name: flag for name, flag in flags.items() if flag is not None}
    return msgspec.structs.replace(chosen, **given)


def _options(params: Params) -> Options:
    wanted = _wanted(params)
    return Options(
        base_url=params.base_url,
        waits_for_url=False,
        network=wanted.network,
        no_errors=wanted.no_errors,
        shapes=wanted.response_shape,
        privacy=wanted.privacy,
        dom_state=wanted.dom_state,
        visual=wanted.visual,
        mask_dynamic=params.mask_dynamic,
        settles=params.assertions is not None,
    )


def _allow(context: Context, params: Params, everything: Recording) -> Budgets:
    seen = read_strain(context, test_id=params.test_id)
    pages = {action.url for action in everything.actions}
    return allow(everything.exchanges, seen.loads, seen.socket_events, pages=pages)


def _hand_over(context: Context, params: Params, text: str, name: str) -> GeneratedFile:
    return hand_over(
        text,
        name=name,
        folder=context.generated,
        inline_bytes=MOST_BYTES if params.inline else None,
    )


def _shown(file: GeneratedFile) -> str:
    return file.content if file.content is not None else "\n".join(file.first_lines or [])


def _stem(title: str) -> str:
    """A file name that Python can import too."""
    name = "_".join(re.findall(r"[a-z0-9]+", title.lower()))[:60].strip("_") or "session"
    return name if name[0].isalpha() and name != "session" else f"recorded_{name}"
