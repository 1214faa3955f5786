"""Which name of an element a careful tester would use."""

from typing import Any

import msgspec
import pytest

from gasoline.generation.script.browsing import locate
from gasoline.generation.script.locator import Locator, Within, choose_locator, is_made_up
from gasoline.generation.script.spelling import PYTHON, TYPESCRIPT
from gasoline.records.action import Selectors

EVERYTHING = {
    "testId": "go",
    "role": {"role": "button", "name": "Go on"},
    "ariaLabel": "Go",
    "text": "Go!",
    "id": "go-button",
    "cssPath": "form > button",
}
IN_ORDER = {
    "testId": "page.getByTestId('go')",
    "role": "page.getByRole('button', { name: 'Go on' })",
    "ariaLabel": "page.getByLabel('Go')",
    "text": "page.getByText('Go!')",
    "id": "page.locator('#go-button')",
    "cssPath": "page.locator('form > button')",
}


def chosen(**fields: Any) -> Locator | None:
    return choose_locator(msgspec.convert(fields, Selectors))


def written(**fields: Any) -> str:
    locator = chosen(**fields)
    assert locator
    return locate(locator, TYPESCRIPT)


@pytest.mark.parametrize("first", list(IN_ORDER))
def test_the_best_name_that_there_is_comes_first(first: str) -> None:
    left = list(EVERYTHING)[list(EVERYTHING).index(first) :]

    assert written(**{name: EVERYTHING[name] for name in left}) == IN_ORDER[first]


def test_a_name_that_matches_twice_is_passed_over() -> None:
    unique = {"testId": False, "role": False, "ariaLabel": True}

    assert written(**EVERYTHING, unique=unique) == "page.getByLabel('Go', { exact: true })"


@pytest.mark.parametrize(
    ("unique", "expected"),
    [
        ({"role": True}, "{ name: 'Cart 3' }"),
        ({"role": False, "roleExact": True}, "{ name: 'Cart 3', exact: true }"),
        ({"role": True, "roleCounted": True}, r"{ name: /^Cart \d+$/ }"),
    ],
)
def test_a_role_says_how_much_of_its_name_is_needed(unique: dict[str, bool], expected: str) -> None:
    fields = {"role": {"role": "link", "name": "Cart 3"}, "cssPath": "a", "unique": unique}

    assert written(**fields) == f"page.getByRole('link', {expected})"


def test_one_among_its_likes_is_found_by_the_part_that_holds_it() -> None:
    fields = {
        "role": {"role": "button", "name": "Buy"},
        "cssPath": "li:nth-child(2) > button",
        "unique": {"role": False, "cssPath": True},
        "scope": {"css": "li", "text": "Mug"},
    }

    assert written(**fields) == (
        "page.locator('li').filter({ hasText: 'Mug' })"
        ".getByRole('button', { name: 'Buy', exact: true })"
    )


def test_a_part_that_is_the_element_itself_is_enough() -> None:
    fields = {"cssPath": "li:nth-child(2)", "scope": {"css": "li", "text": "Mug", "own": True}}

    assert chosen(**fields) == Locator(by="cssPath", within=Within("li", "Mug"))


def test_another_attribute_for_test_ids_is_named() -> None:
    assert written(testId="go", testIdAttribute="data-cy") == "page.locator('[data-cy=\"go\"]')"


@pytest.mark.parametrize(
    "identifier",
    [":r1:", "radix-17", "headlessui-menu-button-3", "mui-4921", "ember301", "a1b2c3d4e5", "«r2»",
     "7f9c24e8-3b12-4f1a-9c55-0a1b2c3d4e5f", "input-42"],
)  # fmt: skip
def test_an_id_made_by_a_machine_is_not_used(identifier: str) -> None:
    assert is_made_up(identifier)
    assert written(id=identifier, cssPath="form > input") == "page.locator('form > input')"


@pytest.mark.parametrize("identifier", ["email", "login-form", "userName", "main_nav"])
def test_an_id_made_by_a_person_is(identifier: str) -> None:
    assert not is_made_up(identifier)


def test_a_role_that_no_tool_knows_is_no_name() -> None:
    assert written(role={"role": "legend", "name": "Size"}, id="size") == "page.locator('#size')"


def test_a_path_that_matches_twice_is_narrowed_by_what_the_element_says() -> None:
    locator = choose_locator(
        Selectors(css_path="div > p", unique={"cssPath": False}), said="Only here"
    )

    assert locator
    assert (
        locate(locator, TYPESCRIPT)
        == "page.locator('div > p').filter({ hasText: 'Only here' }).first()"
    )


def test_hashes_of_svelte_are_left_out_of_paths() -> None:
    assert written(cssPath="p.svelte-1abc2 > b") == "page.locator('p > b')"


def test_without_any_name_there_is_no_locator() -> None:
    assert chosen() is None


def test_a_slash_does_not_end_a_pattern_in_a_selector() -> None:
    counted = chosen(role={"role": "button", "name": "a/b 5"}, unique={"roleCounted": True})

    assert counted
    assert r're.compile("^a\\/b \\d+$")' in locate(counted, PYTHON)


def test_frames_in_frames_are_entered_one_after_the_other() -> None:
    selectors = msgspec.convert({"testId": "go"}, Selectors)

    inner = choose_locator(selectors, frame='iframe[id="a"] >> iframe[title="in\\ ner"]')

    assert inner
    assert locate(inner, TYPESCRIPT) == (
        "page.frameLocator('iframe[id=\"a\"]').frameLocator('iframe[title=\"in\\\\ ner\"]')"
        ".getByTestId('go')"
    )
