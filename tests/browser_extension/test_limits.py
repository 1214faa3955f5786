"""Every limit of the worker, at it and past it: its parts, called from a page of the extension."""

import subprocess
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Playwright

from tests.browser_extension.browsers import ExtensionBrowser, extension_browser

ROOT = Path(__file__).parents[2]
LAB = ROOT / "packages" / "extension" / "test" / "lab.ts"
MIB = 2**20
BROKEN = {
    "level": "error",
    "type": "console",
    "args": ["broken"],
    "message": "broken",
    "tabId": 1,
}
ERROR = "({level: 'error', type: 'console', args: [text], message: text, tabId: 1})"


@pytest.fixture(scope="module")
def lab_script() -> str:
    esbuild = str(ROOT / "node_modules" / ".bin" / "esbuild")
    command = [
        esbuild,
        str(LAB),
        "--bundle",
        "--format=iife",
        "--target=es2022",
        "--log-level=error",
    ]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def lab_chrome(
    driver: Playwright, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ExtensionBrowser]:
    with extension_browser(driver, tmp_path_factory.mktemp("profile")) as started:
        yield started


@pytest.fixture
def lab(lab_chrome: ExtensionBrowser, lab_script: str) -> Iterator[Page]:
    """A page of the extension that has its parts, and whose clock stands still."""
    page = lab_chrome.context.new_page()
    page.clock.install(time=0)
    page.goto(f"{lab_chrome.address}/options.html")
    page.clock.pause_at(1_000_000)
    page.evaluate(lab_script)
    page.evaluate("() => chrome.storage.session.clear()")
    yield page
    page.close()


def badge_text(lab: Page, *, connected: bool, errors: int) -> tuple[str, str]:
    """The browser's own worker has no server and may say so in between: ours is set again then."""
    shown = lab.evaluate(
        """async ([connected, errors]) => {
            let seen;
            for (let turn = 0; turn < 5; turn++) {
                await lab.showBadge(connected, errors);
                const colour = await chrome.action.getBadgeBackgroundColor({});
                const hex = colour.slice(0, 3).map(part => part.toString(16).padStart(2, '0'));
                seen = [await chrome.action.getBadgeText({}), '#' + hex.join('')];
                if (connected === (seen[0] !== '!')) break;
            }
            return seen;
        }""",
        [connected, errors],
    )
    return shown[0], shown[1]


@pytest.mark.parametrize(
    ("errors", "text"), [(0, ""), (1, "1"), (99, "99"), (100, "99+"), (100_000, "99+")]
)
def test_the_badge_counts_to_99(lab: Page, errors: int, text: str) -> None:
    assert badge_text(lab, connected=True, errors=errors) == (text, "#3fb950")


def test_the_badge_without_a_server_is_red(lab: Page) -> None:
    assert badge_text(lab, connected=False, errors=5) == ("!", "#f85149")


@pytest.mark.parametrize(
    ("size_bytes", "pressure"),
    [
        (20 * MIB - 1, "normal"),
        (20 * MIB, "soft"),
        (50 * MIB - 1, "soft"),
        (50 * MIB, "hard"),
    ],
)
def test_the_worker_is_under_pressure_from_20_and_from_50_megabytes(
    lab: Page, size_bytes: int, pressure: str
) -> None:
    felt = lab.evaluate(
        """async size => {
            const memory = new lab.Memory();
            const during = await memory.during('x'.repeat(size), async () => memory.pressure);
            return [during, memory.pressure];
        }""",
        size_bytes,
    )

    assert felt == [pressure, "normal"]


@pytest.mark.parametrize(
    ("after_ms", "passed"), [(0, None), (4_999, None), (5_000, {"_previousOccurrences": 1})]
)
def test_an_error_passes_again_after_five_seconds(
    lab: Page, after_ms: int, passed: dict[str, object] | None
) -> None:
    last = lab.evaluate(
        f"""after => {{
            const groups = new lab.Groups(), entry = text => {ERROR};
            groups.admit(entry('broken'), 1000);
            groups.admit(entry('broken'), 1000);
            return groups.admit(entry('broken'), 1000 + after);
        }}""",
        after_ms,
    )

    assert last == (passed and {**BROKEN, **passed})


@pytest.mark.parametrize(("chars", "alike"), [(199, False), (200, True)])
def test_console_errors_are_alike_by_their_first_200_characters(
    lab: Page, chars: int, *, alike: bool
) -> None:
    second = lab.evaluate(
        f"""chars => {{
            const groups = new lab.Groups(), entry = text => {ERROR};
            groups.admit(entry('x'.repeat(chars) + 'one'), 0);
            return groups.admit(entry('x'.repeat(chars) + 'two'), 0) === null;
        }}""",
        chars,
    )

    assert second is alike


@pytest.mark.parametrize(
    ("entry", "other", "alike"),
    [
        ({"type": "exception", "stack": "E\n at a:1"}, {"stack": "E\n at a:1\n at c"}, True),
        ({"type": "exception", "stack": "E\n at a:1"}, {"stack": "E\n at b:1"}, False),
        ({"type": "exception", "message": "one"}, {"message": "two"}, False),
        ({"type": "network", "url": "http://a/x?1", "status": 500}, {"url": "http://b/x?2"}, True),
        ({"type": "network", "url": "http://a/x", "status": 500}, {"status": 502}, False),
        ({"type": "network", "url": "http://a/x", "method": "GET"}, {"method": "PUT"}, False),
        ({"type": "console", "args": ["a"]}, {"tabId": 2}, False),
        ({"type": "console", "level": "error", "args": [{"a": 1}]}, {"args": [{"a": 2}]}, False),
    ],
)
def test_errors_are_alike_by_what_they_are_about(
    lab: Page, entry: dict[str, Any], other: dict[str, Any], *, alike: bool
) -> None:
    first = {"level": "error", "tabId": 1, **entry}

    admitted = lab.evaluate(
        """([first, second]) => {
            const groups = new lab.Groups();
            groups.admit(first, 0);
            return groups.admit(second, 0);
        }""",
        [first, {**first, **other}],
    )

    assert (admitted is None) is alike


@pytest.mark.parametrize(("others", "is_repeat"), [(99, True), (100, False)])
def test_a_hundred_errors_are_told_apart_and_none_is_lost(
    lab: Page, others: int, *, is_repeat: bool
) -> None:
    again, counted = lab.evaluate(
        f"""others => {{
            const groups = new lab.Groups(), entry = text => {ERROR};
            groups.admit(entry('first'), 0);
            groups.admit(entry('first'), 0);
            for (let n = 0; n < others; n++) groups.admit(entry('number ' + n), 0);
            const kept = lab.Groups.restore(JSON.parse(JSON.stringify(groups.stored)));
            const again = kept.admit(entry('first'), 0) === null;
            const counted = kept.collect(5000);
            return [again, counted.map(({{message, _aggregatedCount: n}}) => [message, n])];
        }}""",
        others,
    )

    assert again is is_repeat
    assert counted == [["first", 2 if is_repeat else 1]]


@pytest.mark.parametrize(("after_ms", "known"), [(3_600_000, True), (3_600_001, False)])
def test_an_error_is_forgotten_after_an_hour(lab: Page, after_ms: int, *, known: bool) -> None:
    kept = lab.evaluate(
        f"""after => {{
            const groups = new lab.Groups(), entry = text => {ERROR};
            groups.admit(entry('old'), 0);
            groups.collect(after);
            return Object.keys(groups.stored.known).length;
        }}""",
        after_ms,
    )

    assert (kept == 1) is known


DELIVERY = """() => {
    window.tries = [];
    window.works = false;
    window.lost = 0;
    const request = async () => {
        tries.push(Date.now());
        if (!works) throw new Error('nobody there');
        return new Response('{}');
    };
    const debugLog = new lab.DebugLog(async () => false);
    window.delivery = new lab.Delivery({request}, debugLog, () => lost++);
    window.results = [];
    window.send = () => void delivery.post('/logs', '{}').then(result => results.push(result));
}"""


def test_a_batch_is_tried_again_after_100_500_and_2000_ms(lab: Page) -> None:
    lab.evaluate(DELIVERY)
    lab.evaluate("send()")

    lab.clock.run_for(10_000)

    tries = lab.evaluate("tries")
    assert [later - earlier for earlier, later in pairwise(tries)] == [100, 500, 2000]
    assert lab.evaluate("[results, lost, delivery.isPaused]") == [[False], 1, False]


def test_the_fifth_failure_pauses_everybody_for_30_seconds_and_then_one_goes_ahead(
    lab: Page,
) -> None:
    lab.evaluate(DELIVERY)
    lab.evaluate("send()")
    lab.clock.run_for(10_000)
    lab.evaluate("send()")
    lab.clock.run_for(1)
    assert lab.evaluate("[tries.length, delivery.isPaused]") == [5, True]

    lab.clock.run_for(29_998)
    lab.evaluate("send()")
    lab.clock.run_for(0)
    assert lab.evaluate("[tries.length, delivery.isPaused]") == [5, True]

    lab.clock.run_for(1)
    lab.evaluate("works = true; send(); send()")
    lab.clock.run_for(10)
    assert lab.evaluate("[tries.length, delivery.isPaused]") == [6, False]
    assert lab.evaluate("results") == [False, False, False, False, True]

    lab.evaluate("send()")
    lab.clock.run_for(10)
    assert lab.evaluate("tries.length") == 7


@pytest.mark.parametrize(
    ("status", "taken"),
    [(200, True), (400, True), (413, True), (401, False), (429, False), (500, False)],
)
def test_only_what_may_change_is_tried_again(lab: Page, status: int, *, taken: bool) -> None:
    lab.evaluate(DELIVERY)
    lab.evaluate(
        """status => {
            delivery.server.request = async () => {
                tries.push(0);
                return new Response('{}', {status});
            };
            send();
        }""",
        status,
    )

    lab.clock.run_for(10_000)

    assert lab.evaluate("[results[0], tries.length]") == [taken, 1 if taken else 4]


KEEP = """async ([count, chars, pressure]) => {
    const waiting = new lab.Waiting();
    for (let n = 0; n < count; n++) {
        const body = String(n).padEnd(chars, ' ');
        await waiting.keep({route: '/logs', body}, pressure);
    }
    const next = new lab.Waiting(), told = [];
    await next.deliver(async letter => told.push(letter.body.trim()) > 0);
    return [told.length, told[0], await next.count()];
}"""


@pytest.mark.parametrize(
    ("kept", "chars", "pressure", "limit"),
    [
        (1000, 10, "normal", 1000),
        (1001, 10, "normal", 1000),
        (500, 10, "soft", 500),
        (501, 10, "soft", 500),
        (8, 500_000, "normal", 8),
        (9, 500_000, "normal", 8),
        (5, 500_000, "hard", 4),
    ],
)
def test_what_waits_for_the_server_is_bounded_and_the_oldest_gives_way(
    lab: Page, kept: int, chars: int, pressure: str, limit: int
) -> None:
    told = lab.evaluate(KEEP, [kept, chars, pressure])

    assert told == [limit, str(kept - limit), 0]


@pytest.mark.parametrize(
    ("chars", "errors", "is_heavy"),
    [(20_478, 3, False), (20_479, 3, True), (20_479, 2, False)],
)
def test_three_errors_heavy_with_annotations_are_worth_a_warning(
    lab: Page, chars: int, errors: int, *, is_heavy: bool
) -> None:
    heavy = lab.evaluate(
        """([chars, errors]) => {
            window.size = new lab.ContextSize();
            for (let n = 0; n < errors; n++) size.see({_context: 'x'.repeat(chars)});
            return size.heavyBytes;
        }""",
        [chars, errors],
    )

    assert (heavy > 0) is is_heavy
    lab.clock.run_for(60_000)
    assert lab.evaluate("size.heavyBytes") == 0


def test_the_debug_log_keeps_its_newest_200_lines(lab: Page) -> None:
    lines = lab.evaluate(
        """async () => {
            const log = new lab.DebugLog(async () => true);
            for (let n = 1; n <= 201; n++) log.note('line', String(n));
            while ((await log.read()).at(-1)?.detail !== '201')
                await chrome.storage.session.get('debugLog');
            const lines = await log.read();
            return [lines.length, lines[0].detail];
        }"""
    )

    assert lines == [200, "2"]


@pytest.mark.parametrize(
    ("held", "level", "lost"),
    [(10_000, "all", 0), (10_003, "all", 3), (10_003, "error", 1)],
)
def test_what_comes_before_the_settings_is_held_and_what_finds_no_room_is_counted(
    lab: Page, held: int, level: str, lost: int
) -> None:
    told = lab.evaluate(
        """([held, logLevel]) => {
            let passed = 0;
            const gate = new lab.Gate();
            const admits = (kind, like) => lab.isAdmitted(kind, like, {...lab.DEFAULTS, logLevel});
            for (let n = 1; n < held; n++)
                gate.see('log', {type: 'console', level: 'log'}, () => passed++);
            gate.see('log', {type: 'console', level: 'error'}, () => passed++);
            gate.open((kind, payload, pass) => admits(kind, payload) && pass(payload), admits);
            return [passed, gate.lost];
        }""",
        [held, level],
    )

    assert told == [10_000 if level == "all" else 0, lost]


PHOTOGRAPH = """() => {
    window.taken = 0;
    const settings = async () => ({...lab.DEFAULTS, screenshotsEnabled: true});
    const request = async () => { taken++; return new Response('{"filename": "x.jpg"}'); };
    window.screenshots = new lab.Screenshots({request}, settings, async () => {});
    window.occur = async () => {
        const tab = await chrome.tabs.getCurrent();
        await screenshots.occur(tab.id, {trigger: 'error', errorId: 'err_1'});
        return taken;
    };
}"""


def occur(lab: Page, after_ms: int) -> int:
    """An error some time after the last one: how many pictures there are then."""
    lab.clock.run_for(after_ms)
    taken: int = lab.evaluate("occur()")
    return taken


def test_automatic_pictures_are_five_seconds_apart(lab: Page) -> None:
    lab.evaluate(PHOTOGRAPH)

    assert [occur(lab, 0), occur(lab, 4_999), occur(lab, 1)] == [1, 1, 2]


def test_ten_automatic_pictures_a_minute_are_enough(lab: Page) -> None:
    lab.evaluate(PHOTOGRAPH)

    assert [occur(lab, 5_000) for _ in range(11)] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10]
    assert occur(lab, 60_000 - 50_000 - 1) == 10
    assert occur(lab, 1) == 11


@pytest.mark.parametrize(
    ("area", "ratio", "zoom", "clip"),
    [
        # width, height, pixels of the screen for one of the page's, zoom -> width, height, scale
        ((1280, 800), 1, 1, (1280, 800, 1)),
        ((1281, 800), 1, 1, (1281, 800, 1280 / 1281)),
        ((1280, 800), 2, 1, (1280, 800, 0.5)),
        ((400, 16_384), 3, 1, (400, 16_384, 1 / 3)),
        ((1280, 16_385), 1, 1, (1280, 16_384, 1)),
        ((640, 400), 3, 1.5, (960, 600, 2 / 3)),
    ],
)
def test_a_clip_never_makes_a_picture_larger_than_the_server_keeps(
    lab: Page,
    area: tuple[int, int],
    ratio: float,
    zoom: float,
    clip: tuple[float, float, float],
) -> None:
    made = lab.evaluate(
        """([[width, height], ratio, zoom]) =>
            lab.clipOf({x: 10, y: 20, width, height}, ratio, zoom)""",
        [area, ratio, zoom],
    )

    assert (made["width"], made["height"]) == clip[:2]
    assert (made["x"], made["y"]) == (10 * zoom, 20 * zoom)
    assert made["scale"] == pytest.approx(clip[2])


LIGHTEN = """async ([width, height, noisy]) => {
    const canvas = new OffscreenCanvas(width, height), context = canvas.getContext('2d');
    const pixels = context.createImageData(width, height);
    const words = new Uint32Array(pixels.data.buffer);
    let word = 1;
    for (let n = 0; n < words.length; n++) {
        word = Math.imul(word, 1664525) + 1013904223 | 0;
        words[n] = noisy ? word | 0xff000000 : 0xff0000ff;
    }
    context.putImageData(pixels, 0, 0);
    const bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
    const sent = 'data:image/png;base64,' + bytes.toBase64();
    const made = await lab.lighten(sent);
    const {dataUrl, width: w, height: h} = made;
    const head = dataUrl.slice(0, 15);
    return {same: dataUrl === sent, head, chars: dataUrl.length, width: w, height: h};
}"""


def test_a_picture_of_1280_pixels_goes_as_it_is(lab: Page) -> None:
    made = lab.evaluate(LIGHTEN, [1280, 400, False])

    assert (made["same"], made["width"], made["height"]) == (True, 1280, 400)


def test_a_wider_one_is_drawn_smaller(lab: Page) -> None:
    made = lab.evaluate(LIGHTEN, [2560, 400, False])

    assert (made["same"], made["head"]) == (False, "data:image/png;")
    assert (made["width"], made["height"]) == (1280, 200)


def test_one_too_large_for_the_server_becomes_a_jpeg_that_is_not(lab: Page) -> None:
    made = lab.evaluate(LIGHTEN, [1280, 3000, True])

    assert made["head"] == "data:image/jpeg"
    assert made["chars"] <= 4_500_000


DEFAULTS = {
    "serverUrl": "http://localhost:7890",
    "serverToken": "",
    "logLevel": "error",
    "webSocketCaptureEnabled": False,
    "webSocketCaptureMode": "lifecycle",
    "networkWaterfallEnabled": False,
    "performanceMarksEnabled": False,
    "performanceSnapshotEnabled": True,
    "actionReplayEnabled": True,
    "networkBodyCaptureEnabled": True,
    "deferralEnabled": True,
    "debugMode": False,
    "screenshotsEnabled": False,
    "screenshotOnError": True,
    "screenshotOnNavigation": False,
    "screenshotOnAction": False,
    "aiContextEnabled": True,
    "aiContextSourceSnippets": True,
    "aiContextComponentTree": True,
    "aiContextStateSnapshot": False,
    "enhancedSelectorsEnabled": True,
    "reproductionBufferSize": 50,
    "domainFilters": [],
    "trackedTabId": None,
}


def test_what_is_not_set_or_set_wrongly_is_the_default(lab: Page) -> None:
    wrong = {name: {"not": "a setting"} for name in DEFAULTS}

    assert lab.evaluate("() => lab.readSettings({})") == DEFAULTS
    assert lab.evaluate("wrong => lab.readSettings(wrong)", wrong) == DEFAULTS


@pytest.mark.parametrize(("typed", "kept"), [(0, 1), (1, 1), (50, 50), (51, 50), (2.4, 2)])
def test_one_to_fifty_actions_are_remembered(lab: Page, typed: float, kept: int) -> None:
    read = "size => lab.readSettings({reproductionBufferSize: size}).reproductionBufferSize"

    assert lab.evaluate(read, typed) == kept
