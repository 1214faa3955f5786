"""What a page writes to its console."""

import json
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page

from tests.capture.capturing import Captured

Capture = Callable[..., Captured]


def test_every_level_is_captured_with_its_fields(capture: Capture) -> None:
    captured = capture()

    captured.run(
        "['log', 'warn', 'error', 'info', 'debug'].forEach(level => console[level]('said', {n: 1}))"
    )

    entries = captured.logs()
    assert [entry["level"] for entry in entries] == ["log", "warn", "error", "info", "debug"]
    for entry in entries:
        assert entry.pop("ts") == entry.pop("timestamp")
        # Only what went wrong is named, so that more can be said about it.
        assert (entry.pop("_errorId", None) is not None) == (entry.pop("level") == "error")
        assert entry == {
            "type": "console",
            "source": "console",
            "url": captured.page.url,
            "message": 'said {"n":1}',
            "args": ["said", {"n": 1}],
        }


def test_format_specifiers_are_applied_to_the_message_only(capture: Capture) -> None:
    captured = capture()

    captured.run("console.log('%s has %d items%c', 'cart', 3, 'color:red')")

    (entry,) = captured.logs()
    assert (entry["message"], entry["args"]) == (
        "cart has 3 items",
        ["%s has %d items%c", "cart", 3, "color:red"],
    )


def test_a_failed_assertion_is_an_error_and_a_passed_one_is_nothing(capture: Capture) -> None:
    captured = capture()

    captured.run(
        """() => { console.assert(true, 'fine'); console.assert(false, 'total is %d', 3);
          console.assert(0); console.assert('', {n: 1}) }"""
    )

    assert [(entry["level"], entry["method"], entry["message"]) for entry in captured.logs()] == [
        ("error", "assert", "Assertion failed: total is 3"),
        ("error", "assert", "Assertion failed"),
        ("error", "assert", 'Assertion failed {"n":1}'),
    ]


def test_a_trace_carries_the_callers_stack_and_none_of_ours(capture: Capture) -> None:
    captured = capture(
        "<script>function deep() { console.trace('here') }\nfunction top2() { deep() }</script>"
    )

    captured.run("top2()")

    (entry,) = captured.logs()
    assert (entry["level"], entry["message"]) == ("log", "here")
    lines = entry["stack"].splitlines()
    assert lines[0] == "Trace"
    assert lines[1].strip().startswith("at deep ")
    assert lines[2].strip().startswith("at top2 ")


def test_the_original_gets_the_same_arguments_and_receiver(
    context: BrowserContext, capture: Capture
) -> None:
    context.add_init_script(
        """window.calls = [];
        console.log = function log(...args) { window.calls.push([this === console, args]); return 'native' };"""
    )
    captured = capture()

    answer = captured.run(
        "() => { const thing = {n: 1}; const said = console.log('a', thing); return [said, calls[0][0], calls[0][1][1] === thing] }"
    )

    assert answer == ["native", True, True]


def test_an_original_that_throws_still_throws(context: BrowserContext, capture: Capture) -> None:
    context.add_init_script("console.log = () => { throw new RangeError('native') }")
    captured = capture()

    assert (
        captured.run("() => { try { console.log(1) } catch (e) { return e.message } }") == "native"
    )


def test_the_methods_look_as_before(capture: Capture, plain: Page) -> None:
    look = """() => ['log', 'warn', 'error', 'info', 'debug', 'trace', 'assert'].map(name => [
      console[name].name, console[name].length, typeof console[name], console[name].toString().includes('[native code]'),
      Object.keys(console[name]).length, 'prototype' in console[name],
      JSON.stringify(Object.getOwnPropertyDescriptor(console, name))])"""

    assert capture().run(look) == plain.evaluate(look)


def test_a_method_works_apart_from_its_object(capture: Capture) -> None:
    captured = capture()

    captured.run("() => { const {log} = console; log('apart'); [1].forEach(console.warn) }")

    assert captured.messages() == ["apart", "1 0 [1]"]


def test_values_that_break_naive_serializers_are_written_down(capture: Capture) -> None:
    captured = capture()

    captured.run(
        """() => { console.log(new Date(NaN)); console.log(new Proxy({}, {ownKeys() { throw 1 }}));
          console.log(new Map([['a', 1]]), new Set([2])); console.log(new URL('http://a.example/'));
          console.log(Object.create(null)); console.log(Symbol('s'), 1n, undefined) }"""
    )

    assert captured.messages() == [
        "Invalid Date",
        "[unserializable]",
        '{"[Map]":{"a":1}} {"[Set]":[2]}',
        "http://a.example/",
        "{}",
        "Symbol(s) 1n undefined",
    ]


def test_a_call_with_ten_thousand_arguments_costs_no_more_than_one_value(
    capture: Capture,
) -> None:
    captured = capture()

    captured.run("console.log('first', ...Array(10_000).fill({text: 'x'.repeat(5_000)}))")

    (entry,) = captured.logs()
    assert (entry["args"][0], len(entry["args"])) == ("first", 100)
    assert entry["message"].startswith('first {"text":"xxx')
    assert len(json.dumps(entry)) < 300_000


def test_a_getter_that_logs_the_object_it_is_in_ends(capture: Capture) -> None:
    captured = capture()

    captured.run(
        "() => { const a = {get b() { console.log('inner', a); return 1 }}; console.log('outer', a) }"
    )

    assert captured.messages() == ['outer {"b":1}']


def test_an_error_entry_carries_context_and_actions(capture: Capture) -> None:
    captured = capture("<button id=pay class=btn>Pay</button>")
    captured.page.click("#pay")

    captured.run(
        "() => { __gasoline.annotate('flow', {step: 2}); console.error('failed'); console.log('no') }"
    )

    error, log = captured.logs()
    (action,) = error["_actions"]
    assert error["_enrichments"] == ["context", "userActions"]
    assert error["_context"] == {"flow": {"step": 2}}
    assert (action["type"], action["target"], action["text"]) == ("click", "button#pay.btn", "Pay")
    assert {"ts", "x", "y"} <= action.keys()
    assert "_actions" not in log
