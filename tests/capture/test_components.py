"""Which components an error happened in, for every framework that says so."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.apps.running import Framework, Mode, running_app, running_dev_server
from tests.capture.capturing import LOGS, ROOT, Captured

Capture = Callable[..., Captured]
Components = list[dict[str, Any]]

BUILDS = {"development": "development.js", "production": "production.min.js"}


def ancestry_of(entry: dict[str, Any]) -> dict[str, Any]:
    ancestry: dict[str, Any] = entry["_aiContext"]["componentAncestry"]
    return ancestry


def names(components: Components) -> list[str]:
    return [component["name"] for component in components]


def error_of(captured: Captured) -> dict[str, Any]:
    seen: list[dict[str, Any]] = []
    while not (found := [entry for entry in seen if "_aiContext" in entry]):
        seen = captured.wait_for(LOGS, len(seen) + 1)
    return found[0]


def load_react(page: Page, version: int, mode: str) -> None:
    for package in (f"react{version}/umd/react", f"react-dom{version}/umd/react-dom"):
        page.add_script_tag(path=ROOT / "node_modules" / f"{package}.{BUILDS[mode]}")


SHOP = """() => {
  const h = React.createElement, Session = React.createContext(null);
  class Account extends React.Component { constructor(props) { super(props); this.state = {user: 'ada', token: 'not-for-anyone'} }
    render() { return h(Session.Provider, {value: {user: 'ada', logOut() {}}}, this.props.children) } }
  const Row = React.memo(function Row({item, onBuy}) { const [count, setCount] = React.useState(0); return h(Button, {kind: 'buy', onBuy}) }, () => false);
  const Button = React.forwardRef(function Button(props, ref) { return h('button', {id: 'buy', ref, onClick: () => { throw new Error('sold out') }}, 'Buy') });
  Button.displayName = 'BuyButton';
  const Anonymous = (() => () => h(Row, {item: {secret: 'not-for-anyone'}, onBuy() {}}))();
  const app = h(Account, {theme: 'dark'}, h('main', null, h(Anonymous)));
  document.body.appendChild(document.createElement('div')).id = 'app';
  const root = document.getElementById('app');
  if (ReactDOM.createRoot) ReactDOM.createRoot(root).render(app); else ReactDOM.render(app, root) }"""


@pytest.mark.parametrize("mode", BUILDS)
@pytest.mark.parametrize("version", [16, 17, 18])
def test_older_react_tells_its_components_with_their_keys_and_no_values(
    capture: Capture, version: int, mode: str
) -> None:
    captured = capture()
    load_react(captured.page, version, mode)
    captured.run(SHOP)

    captured.page.click("#buy")
    entry = error_of(captured)

    assert ancestry_of(entry) == {
        "framework": "react",
        "components": [
            {
                "name": "Account",
                "propKeys": ["theme"],
                "hasState": True,
                "stateKeys": ["user", "token", "user", "logOut"],
            },
            {"name": "Anonymous"},
            {"name": "Row", "propKeys": ["item", "onBuy"], "hasState": True},
            {"name": "BuyButton", "propKeys": ["kind", "onBuy"]},
        ],
    }
    assert "aiContext" in entry["_enrichments"]
    assert "not-for-anyone" not in str(entry)


APPS: list[tuple[Framework, Mode, list[str]]] = [
    ("vue", "development", ["App", "OrderCard"]),
    ("vue", "production", ["App", "OrderCard"]),
    ("svelte", "development", ["App", "OrderCard"]),
]


@pytest.mark.parametrize(("framework", "mode", "path"), APPS)
def test_a_built_app_tells_where_it_failed(
    capture: Capture, framework: Framework, mode: Mode, path: list[str]
) -> None:
    with running_app(framework, mode) as app:
        captured = capture(url=app.url)
        captured.page.get_by_role("button", name="Load order").click()
        captured.page.get_by_role("button", name="Show total").click()

        ancestry = ancestry_of(error_of(captured))

    assert ancestry["framework"] == framework
    assert names(ancestry["components"]) == path


def test_react_as_it_is_developed_tells_the_names(capture: Capture) -> None:
    with running_dev_server("react") as app:
        captured = capture(url=app.url)
        captured.page.get_by_role("button", name="Load order").click()
        captured.page.get_by_role("button", name="Show total").click()

        ancestry = ancestry_of(error_of(captured))

    assert names(ancestry["components"]) == ["Provider", "App", "OrderCard"]


def test_react_in_production_keeps_the_depth_and_the_keys(capture: Capture) -> None:
    with running_app("react", "production") as app:
        captured = capture(url=app.url)
        captured.page.get_by_role("button", name="Load order").click()
        captured.page.get_by_role("button", name="Show total").click()

        components = ancestry_of(error_of(captured))["components"]

    assert [component.get("propKeys") for component in components] == [
        ["store"],
        ["title"],
        ["order", "onRemove"],
    ]


def test_vue_tells_props_data_and_what_a_setup_made(capture: Capture) -> None:
    with running_app("vue", "development") as app:
        captured = capture(url=app.url)
        captured.page.get_by_role("button", name="Load order").click()
        captured.page.get_by_role("button", name="Show total").click()

        components = ancestry_of(error_of(captured))["components"]

    assert components == [
        {
            "name": "App",
            "propKeys": ["title"],
            "hasState": True,
            "stateKeys": ["orders", "receipt"],
        },
        {"name": "OrderCard", "propKeys": ["order"], "hasState": True, "stateKeys": ["total"]},
    ]


def test_a_component_that_fails_while_it_is_drawn_takes_its_tree_away_but_is_told(
    capture: Capture,
) -> None:
    with running_app("react", "production") as app:
        captured = capture(url=app.url)
        captured.page.get_by_role("button", name="Load order").click()
        captured.page.get_by_role("button", name="Show receipt").click()

        components = ancestry_of(error_of(captured))["components"]

    assert len(components) >= 1


def test_an_element_of_no_framework_has_no_components(capture: Capture) -> None:
    captured = capture("<button id=go onclick=\"throw new Error('plain')\">Go</button>")

    captured.page.click("#go")

    (entry,) = captured.wait_for(LOGS)
    assert "_aiContext" not in entry
    assert "aiContext" not in entry["_enrichments"]


LIMITS = """([depth, keys]) => { const h = React.createElement; const props = Object.fromEntries(Array.from({length: keys}, (_, n) => ['k' + n, n]));
  class Leaf extends React.Component { constructor(props) { super(props); this.state = props } render() { return h('button', {id: 'go', onClick: () => { throw new Error('deep') }}, 'Go') } }
  let tree = h(Leaf, props); for (let n = 1; n < depth; n++) { const inner = tree; const Layer = {['Layer' + n]: () => inner}['Layer' + n]; tree = h(Layer) }
  const root = document.body.appendChild(document.createElement('div')); ReactDOM.createRoot(root).render(tree) }"""


@pytest.mark.parametrize(
    ("made", "shown"),
    [
        ((10, 10), (10, 10, 10)),
        ((11, 11), (10, 11, 10)),
        ((9, 20), (9, 20, 10)),
        ((9, 21), (9, 20, 10)),
    ],
)
def test_depth_and_keys_are_limited(
    capture: Capture, made: tuple[int, int], shown: tuple[int, int, int]
) -> None:
    captured = capture()
    load_react(captured.page, 18, "production")
    captured.run(LIMITS, list(made))

    captured.page.click("#go")
    components = ancestry_of(error_of(captured))["components"]

    leaf = components[-1]
    assert (len(components), len(leaf["propKeys"]), len(leaf["stateKeys"])) == shown


def test_all_of_it_is_limited(capture: Capture) -> None:
    captured = capture()
    load_react(captured.page, 18, "production")
    captured.run(
        """() => { const h = React.createElement; const wide = n => Object.fromEntries(Array.from({length: 20}, (_, k) => [`${n}_${k}_${'x'.repeat(100)}`, 1]));
          let tree = h('button', {id: 'go', onClick: () => { throw new Error('wide') }}, 'Go');
          for (let n = 0; n < 10; n++) { const inner = tree; tree = h(() => inner, wide(n)) }
          const root = document.body.appendChild(document.createElement('div')); ReactDOM.createRoot(root).render(tree) }"""
    )

    captured.page.click("#go")
    components = ancestry_of(error_of(captured))["components"]

    assert len(str(components)) < 5500
    assert 1 <= len(components) < 10


def test_what_react_writes_beside_an_error_is_read(capture: Capture) -> None:
    captured = capture()

    captured.run(
        """console.error('The above error occurred in the <Cart> component:\\n\\n    at Cart (http://a/b.js:1:1)\\n    at div\\n    at App (http://a/b.js:2:1)')"""
    )

    assert names(ancestry_of(error_of(captured))["components"]) == ["App", "Cart"]


def test_hostile_internals_do_no_harm(capture: Capture) -> None:
    captured = capture(
        """<button id=go>Go</button><script>
        const ring = {type: () => 1, get memoizedProps() { throw new Error('mine') }}; ring.return = ring;
        go.__reactFiber$x = ring; go.onclick = () => { throw new Error('after all') }</script>"""
    )

    captured.page.click("#go")

    entry = error_of(captured)
    assert entry["message"] == "Uncaught Error: after all"
    assert len(ancestry_of(entry)["components"]) == 10
