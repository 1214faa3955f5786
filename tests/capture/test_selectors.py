"""Six ways to point at an element."""

from typing import Any

import pytest
from playwright.sync_api import Page

OF = "([html, selector = '#t']) => { document.body.innerHTML = html; return lab.selectorsOf(document.querySelector(selector)) }"


def selectors_of(lab: Page, html: str, selector: str = "#t") -> dict[str, Any]:
    found: dict[str, Any] = lab.evaluate(OF, [html, selector])
    return found


def test_all_six_are_found_with_whether_each_is_unique(lab: Page) -> None:
    found = selectors_of(lab, '<button id="t" data-testid="go" aria-label="Go on">Go</button>')

    assert found == {
        "testId": "go",
        "ariaLabel": "Go on",
        "role": {"role": "button", "name": "Go on"},
        "id": "t",
        "text": "Go",
        "cssPath": "#t",
        "unique": {"testId": True, "ariaLabel": True, "role": True, "id": True, "text": True, "cssPath": True},
    }  # fmt: skip


def test_selectors_that_match_twice_say_so(lab: Page) -> None:
    twin = '<button data-testid="go" aria-label="Go on" id="same">Go</button>'

    found = selectors_of(lab, twin * 2, "button")

    assert found["unique"] == {
        "testId": False,
        "ariaLabel": False,
        "role": False,
        "text": False,
        "cssPath": True,
    }
    assert "id" not in found
    assert found["cssPath"] == "button:nth-child(1)"


def test_a_bare_element_still_has_a_path(lab: Page) -> None:
    assert selectors_of(lab, "<p><span>a</span><span>b</span></p>", "span + span") == {
        "cssPath": "p > span:nth-child(2)",
        "unique": {"cssPath": True},
    }


@pytest.mark.parametrize(
    ("attributes", "test_id"),
    [
        ("data-testid=a data-test-id=b data-cy=c", "a"),
        ("data-test-id=b data-cy=c", "b"),
        ("data-cy=c", "c"),
        ("data-testid='' data-cy=c", "c"),
        ("", None),
    ],
)
def test_the_first_test_id_present_counts(lab: Page, attributes: str, test_id: str | None) -> None:
    assert selectors_of(lab, f"<i id=t {attributes}></i>").get("testId") == test_id


@pytest.mark.parametrize(
    ("html", "role"),
    [
        ("<button id=t>n</button>", "button"),
        ("<a id=t href=/x>n</a>", "link"),
        ("<a id=t>n</a>", None),
        ("<input id=t type=checkbox aria-label=n>", "checkbox"),
        ("<input id=t type=radio aria-label=n>", "radio"),
        ("<input id=t aria-label=n>", "textbox"),
        ("<input id=t type=text aria-label=n>", "textbox"),
        ("<input id=t type=email aria-label=n>", "textbox"),
        ("<input id=t type=password aria-label=n>", "textbox"),
        ("<input id=t type=never-heard aria-label=n>", "textbox"),
        ("<input id=t type=date aria-label=n>", "textbox"),
        ("<input id=t type=search aria-label=n>", "searchbox"),
        ("<input id=t type=number aria-label=n>", "spinbutton"),
        ("<textarea id=t aria-label=n></textarea>", "textbox"),
        ("<select id=t aria-label=n></select>", "combobox"),
        ("<img id=t alt=n>", "img"),
        ("<nav id=t aria-label=n></nav>", "navigation"),
        ("<main id=t aria-label=n></main>", "main"),
        ("<header id=t aria-label=n></header>", "banner"),
        ("<footer id=t aria-label=n></footer>", "contentinfo"),
        ("<div id=t role=tab>n</div>", "tab"),
        ("<div id=t role='  switch checkbox' aria-label=n>n</div>", "switch"),
        ("<div id=t aria-label=n></div>", None),
        ("<x-thing id=t aria-label=n></x-thing>", None),
        ("<button id=t></button>", None),
    ],
)
def test_the_role_is_the_explicit_or_the_implicit_one(
    lab: Page, html: str, role: str | None
) -> None:
    expected = None if role is None else {"role": role, "name": "n"}

    assert selectors_of(lab, html).get("role") == expected


@pytest.mark.parametrize(
    ("html", "name"),
    [
        ("<label for=t>Mail</label><input id=t>", "Mail"),
        ("<label>Mail <input id=t></label>", "Mail"),
        ("<b id=l>Long name</b><input id=t aria-labelledby=l>", "Long name"),
        ("<input id=t placeholder=Search>", "Search"),
        ("<button id=t title=Close></button>", "Close"),
        ("<button id=t><img alt=Save></button>", "Save"),
        ("<input id=t type=submit value=Send>", "Send"),
    ],
)
def test_the_name_is_the_accessible_one(lab: Page, html: str, name: str) -> None:
    assert selectors_of(lab, html)["role"]["name"] == name


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<button id=t>  Add \n to <b>cart</b> </button>", "Add to cart"),
        (f"<button id=t>{'x' * 50}</button>", "x" * 50),
        (f"<button id=t>{'x' * 51}</button>", None),
        (f"<button id=t>{'x' * 50} y</button>", None),
        ("<div id=t>not clickable</div>", None),
        ("<div id=t onclick=1>clickable</div>", "clickable"),
        ("<div id=t role=button>clickable</div>", "clickable"),
        ("<input id=t type=submit value=Send>", "Send"),
        ("<input id=t value=typed>", None),
        ("<button id=t></button>", None),
    ],
)
def test_text_is_for_what_can_be_clicked_and_short(lab: Page, html: str, text: str | None) -> None:
    assert selectors_of(lab, html).get("text") == text


@pytest.mark.parametrize(
    ("html", "selector", "path"),
    [
        ("<ul class='cart-list main_list third-one'><li class=css-1ab><b>x</b></li></ul>", "b", "ul.cart-list.main_list > li > b"),
        ("<ul><li>a</li><li>b</li></ul>", "li + li", "ul > li:nth-child(2)"),
        ("<p>x</p><div>y</div>", "div", "div"),
        ("<div id=root><p><b>x</b></p></div>", "b", "#root > p > b"),
        ("<div id=d></div><div id=d><b>x</b></div>", "b", "div:nth-child(2) > b"),
        ("<i><i><i><i><i><i><b>x</b></i></i></i></i></i></i>", "b", "i > i > i > i > b"),
        ("<div id='1:a b.c'><b>x</b></div>", "b", "#\\31 \\:a\\ b\\.c > b"),
        ("<b class='md:flex w-1/2'>x</b>", "b", "b.md\\:flex.w-1\\/2"),
        ("<b class='button active header x1'>x</b>", "b", "b.x1"),
        ("<b class='css-x sc-y emotion-z styled-a chakra-b keep-me'>x</b>", "b", "b.keep-me"),
        ("<b class='abcd abcde abcdefgh abcdefghi'>x</b>", "b", "b.abcd.abcdefghi"),
        ("<b class='Upper'>x</b>", "b", "b.Upper"),
        ("<svg><linearGradient class='grad-1'/></svg>", "linearGradient", "svg > linearGradient.grad-1"),
        ("", "body", "body"),
        ("", "html", "html"),
    ],
)  # fmt: skip
def test_the_path_has_tags_stable_classes_and_positions(
    lab: Page, html: str, selector: str, path: str
) -> None:
    found = selectors_of(lab, html, selector)

    assert found["cssPath"] == path
    assert lab.evaluate("([path, selector]) => document.querySelector(path) === document.querySelector(selector)", [path, selector])  # fmt: skip


def test_an_element_in_a_shadow_root_is_known_by_what_nothing_outside_it_has_too(lab: Page) -> None:
    found = lab.evaluate(
        """() => { document.body.innerHTML = '<x-a></x-a><p><b id=t></b></p>';
          const root = document.querySelector('x-a').attachShadow({mode: 'open'});
          root.innerHTML = '<div><button id=t data-testid=go>Go</button></div>';
          return lab.selectorsOf(root.querySelector('button')) }"""
    )

    assert found == {
        "testId": "go",
        "role": {"role": "button", "name": "Go"},
        "text": "Go",
        "cssPath": "x-a > div > button",
        "unique": {"testId": True, "role": True, "text": True, "cssPath": False},
    }


def test_an_element_without_a_parent_is_not_unique(lab: Page) -> None:
    found = lab.evaluate(
        "() => { const b = document.createElement('b'); b.className = 'one-class'; return lab.selectorsOf(b) }"
    )

    assert found == {"cssPath": "b.one-class", "unique": {"cssPath": False}}


def test_a_form_whose_fields_shadow_its_properties_is_described(lab: Page) -> None:
    html = "<form id=f><input name=id><input name=tagName><input name=classList><input name=parentElement></form>"

    assert selectors_of(lab, html, "form")["id"] == "f"


def test_quotes_and_backslashes_in_values_are_escaped(lab: Page) -> None:
    html = """<button data-testid='a"b\\c]' aria-label='x"\ny'>Go</button>"""

    assert selectors_of(lab, html, "button")["unique"]["testId"]
    assert selectors_of(lab, html, "button")["unique"]["ariaLabel"]


def test_a_test_id_of_another_attribute_names_the_attribute(lab: Page) -> None:
    assert selectors_of(lab, "<p id=t data-cy=c>")["testIdAttribute"] == "data-cy"


def test_a_name_that_is_part_of_another_is_unique_only_as_a_whole(lab: Page) -> None:
    found = selectors_of(lab, "<button id=t>Add</button><button>Add to cart</button>")

    assert found["unique"] | {"role": False, "roleExact": True} == found["unique"]


@pytest.mark.parametrize(
    ("html", "counted"),
    [
        ("<button id=t>Cart 3</button><button>Pay</button>", [True]),
        ("<button id=t>Size 41</button><button>Size 42</button>", []),
        ("<button id=t>Cart</button>", []),
    ],
)
def test_a_number_is_a_counter_unless_it_tells_elements_apart(
    lab: Page, html: str, counted: list[bool]
) -> None:
    unique = selectors_of(lab, html)["unique"]

    assert [said for key, said in unique.items() if key == "roleCounted"] == counted


@pytest.mark.parametrize(
    ("html", "scope"),
    [
        ("<ul><li>Mug <button>Buy</button><li>Lamp <button>Buy</button></ul>", {"css": "li", "text": "Mug"}),
        ("<div data-testid=a><button>Buy</button></div><div data-testid=b><button>Buy</button></div>", {"css": '[data-testid="a"]'}),
        ("<table><tr><td>7<td>HL-7<td><button>Buy</button><tr><td>8<td>HL-8<td><button>Buy</button></table>", {"css": "tr", "text": "HL-7"}),
        ("<ul><li>Mug <button>Buy</button><button>Buy</button></ul>", None),
        ("<button>Buy</button>", None),
    ],
)  # fmt: skip
def test_an_element_among_its_likes_is_found_by_the_part_that_holds_it(
    lab: Page, html: str, scope: dict[str, Any] | None
) -> None:
    assert selectors_of(lab, html, "button").get("scope") == scope


def test_a_nameless_element_is_known_by_what_only_it_says(lab: Page) -> None:
    found = selectors_of(lab, "<ul><li>Mug</li><li>Lamp</li></ul>", "li + li")

    assert found["scope"] == {"css": "li", "text": "Lamp", "own": True}


IN_SHADOW = """([selector, ...path]) => {
  document.body.innerHTML = '<my-item></my-item><my-item></my-item><button>Save</button>'
  const [one, two] = document.querySelectorAll('my-item')
  for (const [item, name] of [[one, 'One'], [two, 'Two']])
    item.attachShadow({mode: 'open'}).innerHTML = `<div><i>${name}</i><button>Remove</button><button>Save ${name}</button></div>`
  const root = path.length ? document.querySelector(path[0]).shadowRoot : document
  return lab.selectorsOf(root.querySelector(selector))
}"""


def test_likes_in_other_shadow_roots_are_likes(lab: Page) -> None:
    found = lab.evaluate(IN_SHADOW, ["button", "my-item + my-item"])

    assert found["unique"] == {"cssPath": False, "role": False, "text": False}
    assert found["scope"] == {"css": "my-item", "text": "Two"}
    assert found["cssPath"] == "my-item:nth-child(2) > div > button:nth-child(2)"


def test_a_name_is_compared_with_those_in_shadow_roots(lab: Page) -> None:
    found = lab.evaluate(IN_SHADOW, ["body > button"])

    assert found["unique"] == {"cssPath": False, "role": False, "roleExact": True, "text": True}


def test_a_number_tells_rows_apart_where_no_word_does(lab: Page) -> None:
    row = "<tr><td>{}</td><td>open</td><td><button>Edit</button></td></tr>"
    html = f"<table>{row.format(10023)}{row.format(10024)}</table>"

    assert selectors_of(lab, html, "tr + tr button")["scope"] == {"css": "tr", "text": "10024"}
