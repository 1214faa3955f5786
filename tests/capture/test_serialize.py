"""Any value of a page as plain data."""

import json
from typing import Any

import pytest
from playwright.sync_api import Page

VALUES: list[tuple[str, Any]] = [
    ("null", None),
    ("'text'", "text"),
    ("''", ""),
    ("'x'.repeat(10240)", "x" * 10240),
    ("'x'.repeat(10241)", "x" * 10240 + "... [truncated]"),
    ("'x'.repeat(300000)", "x" * 10240 + "... [truncated]"),
    ("1.5", 1.5),
    ("-0", 0),
    ("NaN", "NaN"),
    ("Infinity", "Infinity"),
    ("-Infinity", "-Infinity"),
    ("true", True),
    ("function named() {}", "[Function: named]"),
    ("() => 1", "[Function: anonymous]"),
    ("class Cart {}", "[Function: Cart]"),
    ("Object.defineProperty(() => 1, 'name', {get() { throw 1 }})", "[Function: anonymous]"),
    ("Symbol('tag')", "Symbol(tag)"),
    ("12345678901234567890n", "12345678901234567890n"),
    ("/a+/gi", "/a+/gi"),
    ("new Date(0)", "1970-01-01T00:00:00.000Z"),
    ("new Date(NaN)", "Invalid Date"),
    ("new URL('http://a.example/b?c')", "http://a.example/b?c"),
    ("new URLSearchParams({a: 1})", "a=1"),
    ("Object(1)", 1),
    ("Object('text')", "text"),
    ("Object(false)", False),
    ("[1, [2, [3]]]", [1, [2, [3]]]),
    ("[undefined, () => 1]", [None, "[Function: anonymous]"]),
    ("[, 1]", [None, 1]),
    ("Array.from({length: 150}, (_, i) => i)", list(range(100))),
    ("({a: 1, b: {c: [2]}})", {"a": 1, "b": {"c": [2]}}),
    ("({a: undefined})", {}),
    ("Object.assign(Object.create(null), {a: 1})", {"a": 1}),
    ("JSON.parse('{\"__proto__\": {\"x\": 1}, \"a\": 2}')", {"__proto__": {"x": 1}, "a": 2}),
    ("({constructor: 1, toString: 2, hasOwnProperty: 3})", {"constructor": 1, "toString": 2, "hasOwnProperty": 3}),
    ("Object.fromEntries(Array.from({length: 60}, (_, i) => ['k' + i, i]))", {f"k{i}": i for i in range(50)}),
    ("new (class Cart { total = 3; #hidden = 4 })", {"total": 3}),
    ("new Map([['a', 1], [{k: 1}, [2]], [3, 'x']])", {"[Map]": {"a": 1, '{"k":1}': [2], "3": "x"}}),
    ("new Set([1, 'a', {b: 2}])", {"[Set]": [1, "a", {"b": 2}]}),
    ("new Set(Array.from({length: 500}, (_, i) => i))", {"[Set]": list(range(100))}),
    ("new WeakMap()", "[WeakMap]"),
    ("new WeakSet()", "[WeakSet]"),
    ("Promise.resolve(1)", "[Promise]"),
    ("window", "[Window]"),
    ("new Headers({a: 'b'})", "[Headers]"),
    ("new Response('x')", "[Response]"),
    ("(function* () {})()", "[Generator]"),
    ("new (class Empty {})", {}),
    ("(function () { return arguments })(1, 'a')", {"0": 1, "1": "a"}),
    ("new Uint8Array(5)", "[Uint8Array: 5 bytes]"),
    ("new ArrayBuffer(9)", "[ArrayBuffer: 9 bytes]"),
    ("new DataView(new ArrayBuffer(4))", "[DataView: 4 bytes]"),
    ("new Blob(['abc'])", "[Blob: 3 bytes]"),
    ("document.createElement('button')", "[HTMLButtonElement: BUTTON]"),
    ("document.createTextNode('x')", "[Text: #text]"),
    ("document.createComment('x')", "[Comment: #comment]"),
    ("document", "[HTMLDocument: #document]"),
    ("document.createElementNS('http://www.w3.org/2000/svg', 'linearGradient')", "[SVGLinearGradientElement: linearGradient]"),
    ("document.createElementNS('http://www.w3.org/2000/svg', 'circle').r", "[SVGAnimatedLength]"),
    ("document.documentElement.children", {"0": "[HTMLHeadElement: HEAD]", "1": "[HTMLBodyElement: BODY]"}),
    ("document.createElement('x-cart')", "[HTMLElement: X-CART]"),
    ("document.createDocumentFragment()", "[DocumentFragment: #document-fragment]"),
    ("({toJSON() { throw new Error('no') }, a: 1})", {"toJSON": "[Function: toJSON]", "a": 1}),
    ("({toJSON: () => 'else', a: 1})", {"toJSON": "[Function: toJSON]", "a": 1}),
    ("({get bad() { throw new Error('no') }, good: 1})", {"bad": "[unserializable]", "good": 1}),
    ("({get fine() { return 7 }})", {"fine": 7}),
    ("new Proxy({}, {ownKeys() { throw 1 }})", "[unserializable]"),
    ("new Proxy({a: 1}, {get() { throw 1 }})", {"a": "[unserializable]"}),
    ("new Proxy({a: 1}, {has() { throw 1 }})", {"a": 1}),
    ("new Proxy({a: 1}, {getPrototypeOf() { throw 1 }})", "[unserializable]"),
    ("new Proxy([1, 2], {get(t, k) { if (k === '1') throw 1; return t[k] }})", [1, "[unserializable]"]),
    ("new Proxy({a: 1}, {})", {"a": 1}),
    ("(() => { const p = Proxy.revocable({}, {}); p.revoke(); return p.proxy })()", "[unserializable]"),
    ("(() => { const p = Proxy.revocable([], {}); p.revoke(); return [1, p.proxy, 2] })()", [1, "[unserializable]", 2]),
    ("({get [Symbol.toStringTag]() { throw 1 }})", {}),
    ("new (class { get [Symbol.toStringTag]() { throw 1 } })", "[unserializable]"),
    ("new (class { [Symbol.toStringTag] = 'Map' })", {"[Map]": {}}),
    ("(() => { const a = {n: 1}; a.self = a; return a })()", {"n": 1, "self": "[Circular]"}),
    ("(() => { const a = []; a.push(a); return a })()", ["[Circular]"]),
    ("(() => { const m = new Map(); m.set('me', m); return m })()", {"[Map]": {"me": "[Circular]"}}),
    ("(() => { const s = {n: 1}; return [s, s, {s}] })()", [{"n": 1}, {"n": 1}, {"s": {"n": 1}}]),
]  # fmt: skip


@pytest.mark.parametrize(("expression", "expected"), VALUES)
def test_every_kind_of_value_has_its_form(lab: Page, expression: str, expected: Any) -> None:
    assert json.loads(lab.evaluate(f"JSON.stringify(lab.serialize({expression}))")) == expected


def test_undefined_stays_undefined(lab: Page) -> None:
    assert lab.evaluate("lab.serialize(undefined) === undefined")


def test_an_error_has_name_message_stack_and_cause(lab: Page) -> None:
    error = lab.evaluate("lab.serialize(new TypeError('bad', {cause: 'worse'}))")

    assert {**error, "stack": error["stack"].splitlines()[0]} == {
        "name": "TypeError",
        "message": "bad",
        "stack": "TypeError: bad",
        "cause": "worse",
    }


@pytest.mark.parametrize(
    "error",
    [
        "new frame.Error('far')",
        "new DOMException('far', 'Error')",
        "new (class extends Error {})('far')",
        "new AggregateError([], 'far')",
    ],
)
def test_an_error_of_any_making_is_an_error(lab: Page, error: str) -> None:
    lab.evaluate(
        "window.frame = document.body.appendChild(document.createElement('iframe')).contentWindow"
    )

    told = lab.evaluate(f"lab.serialize({error})")

    assert told["message"] == "far"
    assert "stack" in told


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("new frame.Date(0)", "1970-01-01T00:00:00.000Z"),
        ("new frame.RegExp('a')", "/a/"),
        ("new frame.Map([['a', 1]])", {"[Map]": {"a": 1}}),
        ("new frame.Set([1])", {"[Set]": [1]}),
        ("frame.document.createElement('p')", "[HTMLParagraphElement: P]"),
        ("new frame.Array(1, 2)", [1, 2]),
        ("new frame.Object()", {}),
        ("frame", "[Window]"),
    ],
)
def test_values_of_another_frame_read_like_our_own(
    lab: Page, expression: str, expected: Any
) -> None:
    lab.evaluate(
        "window.frame = document.body.appendChild(document.createElement('iframe')).contentWindow"
    )

    assert lab.evaluate(f"lab.serialize({expression})") == expected


def test_a_window_of_another_origin_shows_nothing(lab: Page) -> None:
    lab.evaluate(
        'document.body.innerHTML = \'<iframe sandbox="allow-scripts" srcdoc="x"></iframe>\''
    )

    assert lab.evaluate("JSON.stringify(lab.serialize(frames[0]))") == "{}"


def test_an_error_whose_parts_throw_still_has_the_others(lab: Page) -> None:
    error = lab.evaluate(
        """lab.serialize(Object.defineProperties(new Error('kept'), {
          stack: {get() { throw 1 }}, cause: {get() { throw 2 }}}))"""
    )

    assert error == {
        "name": "Error",
        "message": "kept",
        "stack": "[unserializable]",
        "cause": "[unserializable]",
    }


def test_a_form_whose_fields_shadow_its_properties_is_still_a_form(lab: Page) -> None:
    shown = lab.evaluate(
        """() => { document.body.innerHTML = '<form><input name=nodeName><input name=tagName></form>';
          return lab.serialize(document.forms[0]) }"""
    )

    assert shown == "[HTMLFormElement: FORM]"


def test_objects_end_at_depth_ten(lab: Page) -> None:
    deep = lab.evaluate(
        "() => { let v = 'end'; for (let i = 0; i < 1000; i++) v = {v}; return lab.serialize(v) }"
    )

    for _ in range(10):
        deep = deep["v"]
    assert deep == "[max depth reached]"


@pytest.mark.parametrize(
    "huge",
    [
        "Array.from({length: 1e6}, (_, i) => ({i}))",
        "Object.fromEntries(Array.from({length: 1e6}, (_, i) => [i, i]))",
        "new Array(1e9)",
        "Array(100).fill(Array(100).fill(Array(100).fill(Array(100).fill('x'.repeat(9999)))))",
        "Array(100).fill(Object.fromEntries(Array.from({length: 50}, (_, i) => ['k'.repeat(5000) + i, i])))",
        "(() => { const wide = {}; for (let i = 0; i < 50; i++) wide[i] = wide; return [wide, wide] })()",
        "(() => { let v = {}; for (let i = 0; i < 9; i++) v = Array(100).fill(v); return v })()",
        "new Proxy({}, {ownKeys: () => Array.from({length: 1e5}, (_, i) => 'k' + i), getOwnPropertyDescriptor: () => ({enumerable: true, configurable: true})})",
        "new Map(Array.from({length: 1e5}, (_, i) => ['k'.repeat(1e3) + i, 'v'.repeat(1e4)]))",
    ],
)  # fmt: skip
def test_the_size_of_the_result_is_bounded_whatever_the_shape(lab: Page, huge: str) -> None:
    size = lab.evaluate(f"JSON.stringify(lab.serialize({huge})).length")

    assert size < 1_000_000


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("'verbatim'", "verbatim"),
        ("new TypeError('bad')", "TypeError: bad"),
        ("{a: [1]}", '{"a":[1]}'),
        ("undefined", "undefined"),
        ("null", "null"),
        ("NaN", "NaN"),
        ("7", "7"),
        ("new URL('http://a.example/')", "http://a.example/"),
        ("document.body", "[HTMLBodyElement: BODY]"),
        ("new Proxy({}, {getPrototypeOf() { throw 1 }})", "[unserializable]"),
        ("(() => { const p = Proxy.revocable({}, {}); p.revoke(); return p.proxy })()", "[unserializable]"),
        ("Object.defineProperty(new Error('m'), 'name', {get() { throw 1 }})", "[unserializable]: m"),
    ],
)  # fmt: skip
def test_a_message_shows_a_value_in_one_line(lab: Page, expression: str, expected: str) -> None:
    assert lab.evaluate(f"lab.toText({expression})") == expected
