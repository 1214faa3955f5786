"""Roles and accessible names: the same as the library that is made for them says."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playwright.sync_api import Page

HOLLOW = ["area", "hr", "img", "link"]
TAGS = ["a", "abbr", "article", "aside", "b", "button", "caption", "code", "datalist", "dd", "details", "dialog", "div", "dt", "em", "fieldset", "figure", "footer", "form", "h1", "h6", "header", "i", "legend", "li", "main", "menu", "meter", "nav", "ol", "optgroup", "option", "output", "p", "progress", "section", "select", "span", "strong", "sub", "summary", "table", "tbody", "td", "textarea", "tfoot", "th", "thead", "tr", "ul", "x-card"]  # fmt: skip
INPUT_TYPES = ["button", "checkbox", "color", "date", "email", "file", "hidden", "image", "number", "password", "radio", "range", "reset", "search", "submit", "tel", "text", "url", "week"]  # fmt: skip
ROLES = ["button", "checkbox", "combobox", "generic", "heading", "link", "listbox", "menu", "menuitem", "none", "option", "presentation", "slider", "switch", "tab", "textbox", "unknown"]  # fmt: skip

BOTH = """html => { document.body.innerHTML = html; const all = [...document.body.querySelectorAll('*')];
  const of = (role, name) => all.map(element => [element.outerHTML, role(element), name(element)]);
  return [of(lab.getRole, lab.computeName), of(lab.standard.getRole, lab.standard.computeAccessibleName)] }"""

texts = st.sampled_from(["", " ", "Pay now", "two\n words", "Zahlen"])
ids = st.sampled_from(["a", "b", "c"])
SAID = {
    **dict.fromkeys(["aria-label", "title", "alt", "value", "href", "placeholder"], texts),
    **dict.fromkeys(["hidden", "multiple", "list"], st.just("")),
    "role": st.sampled_from(ROLES),
    "aria-hidden": st.sampled_from(["true", "false"]),
    "style": st.sampled_from(["display: none", "visibility: hidden", "display: block"]),
}
POINTING = {
    "aria-labelledby": st.lists(ids, min_size=1, max_size=2, unique=True).map(" ".join),
    "aria-owns": ids,
}
POINTED_AT = {"id": ids}


def some_of(attributes: dict[str, st.SearchStrategy[str]]) -> st.SearchStrategy[str]:
    pairs = [values.map(f'{name}="{{}}"'.format) for name, values in attributes.items()]
    return st.lists(st.one_of(pairs), max_size=3).map(" ".join)


def elements_with(attributes: dict[str, st.SearchStrategy[str]]) -> st.SearchStrategy[str]:
    written = some_of(SAID | attributes)
    inputs = st.builds('<input type="{}" {}>'.format, st.sampled_from(INPUT_TYPES), written)
    hollow = st.builds("<{} {}>".format, st.sampled_from(HOLLOW), written)

    def around(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        holding = st.builds("<{0} {1}>{2}</{0}>".format, st.sampled_from(TAGS), written, inner)
        return st.lists(st.one_of(holding, inputs, hollow), min_size=1, max_size=3).map("".join)

    return st.recursive(texts, around, max_leaves=6)


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(elements_with(POINTING), elements_with(POINTED_AT))
def test_any_page_is_called_as_the_library_calls_it(lab: Page, named: str, naming: str) -> None:
    ours, theirs = lab.evaluate(BOTH, named + naming)

    assert ours == theirs


@pytest.mark.parametrize(
    "html",
    [
        *(f'<input type="{kind}"><input type="{kind}" list="l">' for kind in INPUT_TYPES),
        "<svg><title>Chart</title><path></path></svg><svg>plain</svg><math>x</math>",
        '<label for="d">Your <b>name</b></label><label for="d">in full</label><input id="d">',
        "<label>Size <select><option>S</option><option selected>M</option></select></label>",
        '<label>Volume <input type="range" value="3" aria-valuetext="quiet"></label>',
        '<label>Rows <input type="number" value="7"> a page</label>',
        "<button><select multiple><option selected>A</option><option selected>B</option></select></button>",
        '<button>Show <span role="listbox"><i role="option" aria-selected="true">ten</i></span></button>',
        '<select size="2"></select><select multiple></select><select></select>',
        '<img alt=""><img alt="" aria-label="Logo"><img><a>no</a><a href="">yes</a>',
        "<table><caption>Orders</caption><tr><td>1</td></tr></table>",
        "<fieldset><legend>Address</legend><input></fieldset>",
    ],
)
def test_what_stands_together_is_called_as_the_library_calls_it(lab: Page, html: str) -> None:
    ours, theirs = lab.evaluate(BOTH, html)

    assert ours == theirs


def name_of(lab: Page, html: str) -> Any:
    return lab.evaluate(
        "html => { document.body.innerHTML = html; return lab.computeName(document.getElementById('t')) }",
        html,
    )


def test_a_field_inside_what_names_it_is_part_of_its_name_by_its_value(lab: Page) -> None:
    html = '<label id="l">Delay of <input id="t" aria-labelledby="l" value="5"> seconds</label>'

    assert name_of(lab, html) == "Delay of 5 seconds"


def test_a_button_may_name_itself_and_what_it_is_for(lab: Page) -> None:
    html = '<p id="file">notes.txt</p><button id="t" aria-labelledby="t file">Delete</button>'

    assert name_of(lab, html) == "Delete notes.txt"


def test_names_that_point_at_each_other_end(lab: Page) -> None:
    html = '<p id="a" aria-labelledby="t">one</p><button id="t" aria-labelledby="a"><b aria-labelledby="a t">two</b></button>'

    assert name_of(lab, html) == "one"


def test_what_fills_a_slot_is_part_of_a_name(lab: Page) -> None:
    name = lab.evaluate(
        """() => { document.body.innerHTML = '<x-button>Save</x-button>';
        const root = document.querySelector('x-button').attachShadow({mode: 'open'});
        root.innerHTML = '<button><slot>none</slot> all</button>'; return lab.computeName(root.querySelector('button')) }"""
    )

    assert name == "Save all"
