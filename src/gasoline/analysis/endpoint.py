"""An endpoint: the same request whatever ids it carries."""

from urllib.parse import unquote, urlsplit

from gasoline.analysis.identifier import is_identifier
from gasoline.redaction.marks import is_mark


def path_template(url: str) -> str:
    """The path of a URL with its ids replaced, segment by segment: `/users/:id/posts`."""
    try:
        path = urlsplit(url).path or "/"
    except ValueError:
        return url
    return "/".join(segment_template(segment) for segment in path.split("/"))


def path_of(url: str) -> str:
    """The path, without origin, query and fragment; the text itself when it is no URL."""
    try:
        return urlsplit(url).path or "/"
    except ValueError:
        return url


def segment_template(segment: str) -> str:
    """An id replaced by a mark; any other word as it is."""
    plain = unquote(segment)
    return ":id" if is_identifier(plain) or is_mark(plain) else segment
