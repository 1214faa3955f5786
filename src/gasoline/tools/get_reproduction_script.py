"""A script that does again what the user did."""

import base64
from typing import Annotated, Literal

from msgspec import Meta, Struct

from gasoline.analysis.page_address import origin_of
from gasoline.analysis.recording import Recording
from gasoline.analysis.session import Session, build_sessions
from gasoline.generation.script.error_context import ErrorContext, find_error
from gasoline.generation.script.fixtures import classify, plan_setup
from gasoline.generation.script.header import write_header
from gasoline.generation.script.planning import Options
from gasoline.generation.script.reproduction import SUFFIXES, Reproduction, write_reproduction
from gasoline.tools.context import Answer, Context
from gasoline.tools.generated_file import hand_over
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
    thumbnails_of,
    write_within,
)
from gasoline.tools.registry import tool
from gasoline.tools.wording import count_of

MOST_BYTES = 50 * 1024


class Params(Scope, frozen=True, kw_only=True):
    """Which script of which part of the session."""

    format: Literal["playwright", "cypress", "pytest"] = "playwright"
    include_assertions: bool = True
    base_url: BaseUrl = None
    error_message: Annotated[str | None, Meta(description="The error it is about")] = None
    include_screenshots: bool = False
    include_fixtures: Annotated[bool, Meta(description="Calls that set up the data")] = False
    inline: Inline = False


class Picture(Struct, frozen=True):
    """A screenshot taken during the session, small."""

    step: int
    trigger: str
    url: str
    data: str


class ReproductionScript(Answer, frozen=True, kw_only=True):
    """The script itself, or how it begins and where all of it is."""

    script: str
    actions_used: int
    error_context: ErrorContext | None
    selectors_used: tuple[str, ...]
    warnings: tuple[str, ...]
    path: str | None = None
    size_bytes: int | None = None
    screenshots: tuple[Picture, ...] = ()
    screenshots_missing: str | None = None


@tool()
def get_reproduction_script(context: Context, params: Params) -> Answer:
    """Write a runnable script of the user's actions, up to the error they met."""
    everything = read_recording(context, test_id=params.test_id)
    recording = cut_to_scope(everything, params)
    capture = judge_recording(context, test_id=params.test_id)
    if not recording.actions:
        return nothing_recorded(capture, recording)
    steps_from_ms = recording.actions[0].at_ms if params.last_n_actions else None
    entries = classify(everything, steps_from_ms=steps_from_ms) if params.include_fixtures else []
    missing = missing_requests(context, test_id=params.test_id)

    def write(part: Recording) -> Reproduction:
        sessions = build_sessions(part)
        return write_reproduction(
            sessions,
            Options(
                base_url=params.base_url,
                expects_url=params.include_assertions,
                headings=params.include_assertions,
                pictures=params.include_screenshots,
            ),
            language=params.format,
            header=write_header(sessions, capture, missing_requests=missing),
            error=find_error(sessions, about=params.error_message),
            setup=plan_setup(entries),
            origin=params.base_url or origin_of(sessions[0].start_url),
        )

    part, written = write_within(MOST_BYTES, recording, write)
    sessions = build_sessions(part)
    error = find_error(sessions, about=params.error_message)
    file = hand_over(
        written.script,
        name=f"reproduction{SUFFIXES[params.format]}",
        folder=context.generated,
        inline_bytes=MOST_BYTES if params.inline else None,
    )
    pictures = _pictures(context, params, sessions) if params.include_screenshots else ()
    return ReproductionScript(
        summary=_summarise(written, error),
        capture=capture,
        script=file.content or "\n".join(file.first_lines or []),
        path=file.path,
        size_bytes=file.size_bytes if file.path else None,
        actions_used=written.actions_used,
        error_context=error,
        selectors_used=written.selectors_used,
        warnings=(*written.warnings, *describe_cut(recording, part)),
        screenshots=pictures,
        screenshots_missing=_missing(pictures) if params.include_screenshots else None,
        next="path has the whole script; inline=true gives it here." if file.path else None,
    )


def _summarise(written: Reproduction, error: ErrorContext | None) -> str:
    about = f", up to: {error.message[:120]}" if error else ", no error among what followed"
    return f"A script of {count_of(written.actions_used, 'action')}{about}."


def _pictures(context: Context, params: Params, sessions: list[Session]) -> tuple[Picture, ...]:
    kept = thumbnails_of(context, test_id=params.test_id)
    return tuple(
        Picture(
            step=number,
            trigger=picture.trigger,
            url=picture.url,
            data=base64.b64encode(kept[picture.seq]).decode(),
        )
        for session in sessions
        for number, step in enumerate(session.steps)
        for picture in step.pictures
        if picture.seq in kept
    )


def _missing(pictures: tuple[Picture, ...]) -> str | None:
    if pictures:
        return None
    return (
        "None were taken: screenshots are off. "
        'capture_screenshot with auto_screenshot={"on_action": true} switches them on.'
    )
