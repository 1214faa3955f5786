"""Asking the page's own server, and nobody else."""

import pytest

from gasoline.analysis.source_map import MAP_BYTES
from gasoline.sources.fetch import CannotFetchError, fetch
from tests.servers import free_port
from tests.sources.site import Site, running_site


def test_a_file_of_the_page_s_origin_is_got_with_its_headers(site: Site) -> None:
    site.files["/a.js"] = b"code()"
    site.headers["/a.js"] = {"SourceMap": "a.map"}

    fetched = fetch(f"{site.url}/a.js?t=1", site.origin)

    assert (fetched.body, fetched.headers["sourcemap"]) == (b"code()", "a.map")
    assert site.asked == ["GET /a.js?t=1"]


def test_a_file_of_another_origin_is_not_asked_for(site: Site) -> None:
    with running_site() as other, pytest.raises(CannotFetchError, match="own origin"):
        fetch(f"{other.url}/a.js", site.origin)

    assert other.asked == []


@pytest.mark.parametrize("origin", ["http://192.0.2.1:80", "http://example.com:80"])
def test_a_page_beyond_this_machine_is_not_asked(origin: str) -> None:
    with pytest.raises(CannotFetchError, match="only pages on this machine"):
        fetch(f"{origin}/a.js", origin)


def test_a_redirect_within_the_origin_is_followed(site: Site) -> None:
    site.moved = {"/a.js": "/b.js", "/b.js": f"{site.url}/c.js"}
    site.files["/c.js"] = b"code()"

    assert fetch(f"{site.url}/a.js", site.origin).url == f"{site.url}/c.js"


def test_a_redirect_to_another_origin_is_not_followed(site: Site) -> None:
    with running_site() as other:
        site.moved["/a.js"] = f"{other.url}/private"
        with pytest.raises(CannotFetchError, match="own origin"):
            fetch(f"{site.url}/a.js", site.origin)

    assert other.asked == []


def test_redirects_in_a_circle_end(site: Site) -> None:
    site.moved["/a.js"] = "/a.js"

    with pytest.raises(CannotFetchError, match="circles"):
        fetch(f"{site.url}/a.js", site.origin)

    assert len(site.asked) == 4


def test_a_file_at_the_limit_is_read_and_a_longer_one_is_not(site: Site) -> None:
    site.files["/at"] = b"x" * MAP_BYTES
    site.files["/over"] = b"x" * (MAP_BYTES + 1)

    assert len(fetch(f"{site.url}/at", site.origin).body) == MAP_BYTES
    with pytest.raises(CannotFetchError, match="over the limit of 16 MB"):
        fetch(f"{site.url}/over", site.origin)


def test_a_server_that_does_not_answer_is_given_up(site: Site) -> None:
    site.hold.clear()

    with pytest.raises(CannotFetchError, match="took over 2 s"):
        fetch(f"{site.url}/a.js", site.origin, timeout_s=0.05)


@pytest.mark.parametrize(
    ("path", "reason"),
    [("/missing.js", "answered 404"), ("/a b\r\nX: y", "did not answer"), ("/\x00", "did not")],
)
def test_what_cannot_be_had_says_why(site: Site, path: str, reason: str) -> None:
    with pytest.raises(CannotFetchError, match=reason):
        fetch(f"{site.url}{path}", site.origin)


def test_a_port_that_nobody_listens_on_says_so() -> None:
    origin = f"http://localhost:{free_port()}"

    with pytest.raises(CannotFetchError, match="did not answer"):
        fetch(f"{origin}/a.js", origin)
