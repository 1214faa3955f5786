"""Which of an element's names a careful tester would use to find it again."""

import re
from collections.abc import Callable

import msgspec
from msgspec import Struct

from gasoline.analysis.identifier import is_identifier
from gasoline.generation.script.literal import pattern_of
from gasoline.records.action import Selectors

LONGEST_NAME = 100
USUAL_TEST_ID = "data-testid"
# The capture writes it between the selectors of frames in frames; within one it would be escaped.
BETWEEN_FRAMES = " >> "
# The roles that a locator may ask for; what else a page calls a role finds nothing.
ROLES = frozenset(
    re.findall(
        r"\w+",
        "alert alertdialog application article banner blockquote button caption cell "
        "checkbox code columnheader combobox complementary contentinfo definition dialog "
        "directory document emphasis feed figure form generic grid gridcell group heading "
        "img insertion link list listbox listitem log main marquee math menu menubar "
        "menuitem menuitemcheckbox menuitemradio meter navigation none note option "
        "paragraph presentation progressbar radio radiogroup region row rowgroup "
        "rowheader scrollbar search searchbox separator slider spinbutton status strong "
        "subscript superscript switch tab table tablist tabpanel term textbox time timer "
        "toolbar tooltip tree treegrid treeitem ",
    )
)
# Ids that frameworks count or invent at every start.
_MADE_UP = re.compile(
    r"[:«»]|\d{3,}|^(?:radix|headlessui|mui|ember|react-aria|react-select|downshift|rc|ext-gen|cdk"
    r"|mat|ng|yui|chakra|tippy|popper|reka|bits|melt|el-id|svelte|vue|input|field|id)[-_]?.*\d$",
    re.IGNORECASE,
)
_HASHED_CLASS = re.compile(r"\.svelte-[a-z0-9]+")


class Within(Struct, frozen=True):
    """The part of the page in which to look."""

    css: str
    text: str | None = None
    # Numbers in the text are whole ones: 1 is not found in 10.
    whole: bool = False

    @property
    def pattern(self) -> str | None:
        """The text as a pattern, where as a text it would find others too."""
        if not self.whole or not self.text:
            return None
        words = r"\s+".join(pattern_of(word) for word in self.text.split())
        return rf"(?<!\d){words}(?!\d)"


class Locator(Struct, frozen=True, kw_only=True):
    """One way to point at one element, in the words of no language yet."""

    by: str
    value: str = ""
    role: str = ""
    # The one that holds the test id, where it is not the usual one.
    attribute: str = ""
    # As a whole, not as a part of a longer name.
    exact: bool = False
    # Numbers in the name are counters: any number will do.
    counted: bool = False
    within: Within | None = None
    # From the outermost inwards.
    frames: tuple[str, ...] = ()
    # Several match, and which one it was is not known.
    first: bool = False


Accepts = Callable[[Locator], bool]


def accept_any(_locator: Locator) -> bool:
    return True


def choose_locator(
    selectors: Selectors,
    *,
    frame: str | None = None,
    said: str | None = None,
    accepts: Accepts = accept_any,
) -> Locator | None:
    """The best name of an element that points at nothing else, as far as that is known."""
    best_first = (
        _by_test_id(selectors),
        _by_role(selectors),
        _by_label(selectors),
        _by_text(selectors),
        _by_id(selectors),
        _by_part(selectors),
        _by_path(selectors, said),
    )
    located = next((found for found in best_first if found and accepts(found)), None)
    frames = tuple(frame.split(BETWEEN_FRAMES)) if frame else ()
    return msgspec.structs.replace(located, frames=frames) if located else None


def is_made_up(identifier: str) -> bool:
    """Whether an id is a machine's, and another one tomorrow."""
    return bool(_MADE_UP.search(identifier)) or any(
        is_identifier(piece) for piece in re.split(r"[-_]", identifier)
    )


def _by_test_id(selectors: Selectors, *, among_likes: bool = False) -> Locator | None:
    test_id = selectors.test_id
    if not test_id or not (among_likes or selectors.unique.get("testId", True)):
        return None
    attribute = selectors.test_id_attribute
    if attribute and attribute != USUAL_TEST_ID:
        return Locator(by="testId", attribute=attribute, value=test_id)
    return Locator(by="testId", value=test_id)


def _by_role(selectors: Selectors, *, among_likes: bool = False) -> Locator | None:
    role, unique = selectors.role, selectors.unique
    if role is None or not role.name or role.role not in ROLES or len(role.name) > LONGEST_NAME:
        return None
    if unique.get("roleCounted"):
        return Locator(by="role", role=role.role, value=role.name, counted=True)
    if among_likes or unique.get("roleExact"):
        return Locator(by="role", role=role.role, value=role.name, exact=True)
    return Locator(by="role", role=role.role, value=role.name) if unique.get("role", True) else None


def _by_label(selectors: Selectors) -> Locator | None:
    label = selectors.aria_label
    if not label or len(label) > LONGEST_NAME or not selectors.unique.get("ariaLabel", True):
        return None
    return Locator(by="ariaLabel", value=label, exact="ariaLabel" in selectors.unique)


def _by_text(selectors: Selectors, *, among_likes: bool = False) -> Locator | None:
    text = selectors.text
    if not text or not (among_likes or selectors.unique.get("text", True)):
        return None
    # Proven as a whole, so take no element that merely contains it.
    return Locator(by="text", value=text, exact="text" in selectors.unique)


def _by_id(selectors: Selectors) -> Locator | None:
    if not selectors.id or is_made_up(selectors.id):
        return None
    return Locator(by="id", value=selectors.id)


def _by_part(selectors: Selectors) -> Locator | None:
    """The element among its likes, by the part of the page that holds it alone."""
    scope = selectors.scope
    if scope is None or not scope.css:
        return None
    part = Within(scope.css, scope.text, scope.whole)
    if scope.own:
        return Locator(by="cssPath", within=part)
    named = (
        _by_test_id(selectors, among_likes=True)
        or _by_role(selectors, among_likes=True)
        or _by_text(selectors, among_likes=True)
    )
    if named is None:
        return None
    return msgspec.structs.replace(named, within=part)


def _by_path(selectors: Selectors, said: str | None) -> Locator | None:
    path = _HASHED_CLASS.sub("", selectors.css_path or "")
    if not path:
        return None
    if selectors.unique.get("cssPath", True):
        return Locator(by="cssPath", value=path)
    part = Within(path, said) if said else None
    return Locator(by="cssPath", value="" if part else path, within=part, first=True)
