"""A small site to watch: pages with and without a policy, an API, and a WebSocket."""

import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection, serve

LOOPBACK = "127.0.0.1"
STRICT = {"Content-Security-Policy": "default-src 'none'; script-src 'unsafe-inline'"}

PLAIN = """<!doctype html><title>Shop</title><h1>Shop</h1>
<form id="login" onsubmit="return false">
  <input id="mail" name="mail" type="email"><input id="pin" name="password" type="password">
</form>
<button id="pay" data-testid="pay">Pay now</button><img id="hero" src="data:,">"""

# What the page itself can see of us: every message, and every global it did not make.
LISTENING = """<!doctype html><script>
  window.heard = [];
  for (const name of ['message', 'messageerror', 'gasoline:channel', 'gasoline:channel-wanted'])
    addEventListener(name, event => heard.push([name, String(event.data)]), true);
</script><title>Listening</title><script>console.error('said while listening')</script>"""

FRAMES = """<!doctype html><title>Frames</title>
<iframe id="srcdoc" srcdoc="<script>console.error('in srcdoc')</script>"></iframe>
<iframe id="blank"></iframe><iframe id="framed" src="/framed"></iframe>
<iframe id="sandboxed" sandbox="allow-scripts"
  srcdoc="<script>console.error('in a sandbox')</script>"></iframe>
<script>document.getElementById('blank').contentWindow.console.error('in about:blank')</script>"""

PAGES = {
    "/": PLAIN,
    "/strict": PLAIN + "<script>console.error('under a strict policy')</script>",
    "/listening": LISTENING,
    "/frames": FRAMES,
    "/framed": "<!doctype html><script>console.error('in a frame')</script>",
    "/early": "<!doctype html><script>console.error('the first thing')</script>",
    "/flood": "<!doctype html><script>for (let n = 0; n < 10005; n++) console.log(n)</script>",
    "/red": '<!doctype html><style>body{height:3000px;background:red}</style><b id="x">x</b>',
}


class Site(NamedTuple):
    """Where it is."""

    url: str
    websocket: str


class Pages(http.server.BaseHTTPRequestHandler):
    """Answers what a test asks for."""

    def do_GET(self) -> None:  # the name http.server looks for
        if self.path == "/api/ok":
            self._answer(200, '{"ok":true}', "application/json")
        elif self.path.startswith("/api/"):
            self._answer(500, '{"error":"broken"}', "application/json")
        elif self.path in PAGES:
            self._answer(200, PAGES[self.path], "text/html;charset=utf-8")
        else:
            self._answer(404, "nothing", "text/plain")

    def do_POST(self) -> None:  # the name http.server looks for
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self._answer(200, '{"ok":true}', "application/json")

    def _answer(self, status: int, content: str, media_type: str) -> None:
        body = content.encode()
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body)))
        for name, value in (STRICT if self.path == "/strict" else {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_args: object) -> None:
        pass


def echo(connection: ServerConnection) -> None:
    """Answer every message with itself."""
    try:
        for message in connection:
            connection.send(message)
    except ConnectionClosed:
        pass


@contextmanager
def running_site() -> Iterator[Site]:
    """Serve the pages and the echo on free ports."""
    with (
        http.server.ThreadingHTTPServer((LOOPBACK, 0), Pages) as pages,
        serve(echo, LOOPBACK, 0) as sockets,
    ):
        for server in (pages, sockets):
            threading.Thread(target=server.serve_forever, daemon=True).start()
        port = sockets.socket.getsockname()[1]
        yield Site(f"http://{LOOPBACK}:{pages.server_port}", f"ws://{LOOPBACK}:{port}/feed")
        pages.shutdown()
        sockets.shutdown()
