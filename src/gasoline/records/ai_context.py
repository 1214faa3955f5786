"""What an error comes with: the code, the component and the state around it, in one sentence."""

from typing import Any

from msgspec import Struct


class SnippetLine(Struct, frozen=True, rename="camel", omit_defaults=True):
    """A line of code; the one that threw is marked."""

    line: int
    text: str
    is_error: bool = False


class SourceSnippet(Struct, frozen=True):
    """The code around one call of a stack, as its author wrote it."""

    file: str
    line: int
    column: int
    snippet: list[SnippetLine]


class Component(Struct, frozen=True, rename="camel", omit_defaults=True):
    """A component of the page: names of its props and state, never their values."""

    name: str = ""
    prop_keys: list[str] = []
    has_state: bool = False
    state_keys: list[str] = []


class ComponentAncestry(Struct, frozen=True, omit_defaults=True):
    """The components that an error happened in, outermost first."""

    framework: str = ""
    components: list[Component] = []


class StateSnapshot(Struct, frozen=True, rename="camel", omit_defaults=True):
    """The keys of the page's store, and the few values that may matter."""

    source: str = ""
    keys: dict[str, Any] = {}
    relevant_slice: dict[str, Any] = {}


class AiContext(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """Everything that explains one error."""

    summary: str = ""
    source_snippets: list[SourceSnippet] = []
    component_ancestry: ComponentAncestry | None = None
    state_snapshot: StateSnapshot | None = None
    # Why there is no source, where the server looked for it.
    source_note: str = ""

    @property
    def place(self) -> SourceSnippet | None:
        """Where to look first: the innermost call that is not in somebody else's package."""
        own = [one for one in self.source_snippets if "node_modules/" not in one.file]
        return next(iter(own or self.source_snippets), None)
