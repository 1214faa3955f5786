"""Every place of a JSON document by its path, as one writes it: `items[].price.amount`."""

from collections.abc import Iterator
from typing import Any


def walk_fields(
    value: Any, *, depth: int, elements: int | None = None, path: str = ""
) -> Iterator[tuple[str, Any]]:
    """Each path with its value, the whole first; of a list only the first elements, if so told."""
    yield path, value
    if isinstance(value, dict) and depth:
        for key, inner in value.items():
            below = f"{path}.{key}" if path else key
            yield from walk_fields(inner, depth=depth - 1, elements=elements, path=below)
    elif isinstance(value, list) and depth:
        for inner in value[:elements]:
            yield from walk_fields(inner, depth=depth - 1, elements=elements, path=f"{path}[]")
