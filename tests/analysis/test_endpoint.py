"""The same request whatever ids it carries."""

import pytest

from gasoline.analysis.endpoint import path_template


@pytest.mark.parametrize(
    ("url", "template"),
    [
        ("http://app/users/123/posts", "/users/:id/posts"),
        ("/a/1/2", "/a/:id/:id"),
        ("/orders/123E4567-e89b-12d3-a456-426614174000", "/orders/:id"),
        ("/blob/deadbeef01?x=1", "/blob/:id"),
        ("/facade/feedface", "/facade/feedface"),
        ("http://app", "/"),
        ("http://[broken", "http://[broken"),
        ("", "/"),
    ],
)
def test_ids_are_replaced_segment_by_segment(url: str, template: str) -> None:
    assert path_template(url) == template
