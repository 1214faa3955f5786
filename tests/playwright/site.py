"""A small site that the suites visit; its policy forbids pages to post to anybody else."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

LOOPBACK = "127.0.0.1"
POLICY = "default-src 'self'; script-src 'self' 'unsafe-inline'"

# Says what the address asks it to, and asks for something that fails if told so.
PAGE = """<!doctype html><title>Said</title><h1>Said</h1>
<script>
const asked = new URLSearchParams(location.search);
if (asked.has('say')) console.error(asked.get('say'));
const done = () => document.body.append('done');
if (asked.has('fetch')) fetch('/broken?for=' + asked.get('fetch')).then(done);
</script>
"""


def refusal(whom: str | int) -> str:
    """What /broken answers."""
    return json.dumps({"error": f"no room for {whom}"})


class _Pages(BaseHTTPRequestHandler):
    # Head and body leave together: a busy machine may take long between two writes.
    wbufsize = 1 << 16

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        if address.path == "/broken":
            whom = parse_qs(address.query).get("for", ["nobody"])[0]
            status, content = HTTPStatus.INTERNAL_SERVER_ERROR, refusal(whom)
        else:
            status, content = HTTPStatus.OK, PAGE
        body = content.encode()
        self.send_response(status)
        self.send_header("content-type", "text/html" if status == HTTPStatus.OK else "text/json")
        self.send_header("content-length", str(len(body)))
        self.send_header("content-security-policy", POLICY)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments: object) -> None:
        """Nobody reads it."""


@contextmanager
def running_site() -> Iterator[str]:
    """Serve in a thread until the block ends; gives the site's address."""
    with ThreadingHTTPServer((LOOPBACK, 0), _Pages) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield f"http://{LOOPBACK}:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
