"""The JSON of captured bodies."""

import pytest

from gasoline.analysis.json_body import LONGEST_COMPARED, read_success
from gasoline.records import NetworkBody


@pytest.mark.parametrize(
    ("body", "status"), [("not json", 200), ("[" * 100_000, 200), ('{"a":1}', 500), (None, 200)]
)
def test_only_json_of_a_success_is_read(body: str | None, status: int) -> None:
    assert read_success(NetworkBody(response_body=body, status=status)) is None


@pytest.mark.parametrize(("beyond", "is_read"), [(0, True), (1, False)])
def test_a_long_answer_is_not_compared(beyond: int, *, is_read: bool) -> None:
    text = "x" * (LONGEST_COMPARED - 2 + beyond)

    answer = read_success(NetworkBody(response_body=f'"{text}"', status=200))

    assert answer == (text if is_read else None)
