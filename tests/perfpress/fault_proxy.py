"""An HTTP proxy in front of an object store that does to answers what networks do."""

import http.client
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Fault = Callable[["Handler", http.client.HTTPResponse, bytes], None]

ERROR = "<?xml version='1.0'?><Error><Code>{}</Code><Message>{}</Message></Error>"


class Proxy(ThreadingHTTPServer):
    """Forwards requests; the fault comes to those that it is asked for."""

    daemon_threads = True
    fault: Fault | None
    wanted: Callable[[str, str, int], bool]
    """Which requests: by method, path, and how many of these there were since `fault` was set.

    Counted by method and path, so that what fails does not depend on which of several requests
    that wait comes first.
    """
    counts: Counter[tuple[str, str]]
    store: tuple[str, int]

    def set(self, fault: Fault | None, wanted: Callable[[str, str, int], bool]) -> None:
        """Do that to those requests from now on."""
        self.fault, self.wanted, self.counts = fault, wanted, Counter()


class Handler(BaseHTTPRequestHandler):
    """Answers one connection."""

    protocol_version = "HTTP/1.1"
    server: Proxy

    def forward(self) -> None:
        """Pass the request on, and the answer back."""
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        asked = (self.command, self.path)
        self.server.counts[asked] += 1
        fault = self.server.fault
        if fault and not self.server.wanted(*asked, self.server.counts[asked]):
            fault = None
        if fault in (busy, skewed):
            fault(self, None, b"")
            return
        connection = http.client.HTTPConnection(*self.server.store)
        connection.request(self.command, self.path, body, dict(self.headers))
        answer = connection.getresponse()
        content = answer.read()
        (fault or whole)(self, answer, content)
        connection.close()

    do_GET = do_PUT = do_POST = do_HEAD = do_DELETE = forward

    def begin(self, answer: http.client.HTTPResponse, length: int) -> None:
        """Write the head of an answer, with a length of its own."""
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("content-length", "connection", "transfer-encoding"):
                self.send_header(name, value)
        stated = answer.getheader("Content-Length")
        self.send_header("Content-Length", stated or "0" if self.command == "HEAD" else str(length))
        self.end_headers()

    def refuse(self, status: int, code: str, text: str) -> None:
        """Answer with an error as S3 writes it."""
        content = b"" if self.command == "HEAD" else ERROR.format(code, text).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/xml")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Stay quiet."""


def whole(handler: Handler, answer: http.client.HTTPResponse, content: bytes) -> None:
    """Give the answer as it is."""
    handler.begin(answer, len(content))
    handler.wfile.write(content)


def busy(handler: Handler, _: object, __: bytes) -> None:
    """Say that there are too many requests."""
    handler.refuse(503, "SlowDown", "Please reduce your request rate.")


def skewed(handler: Handler, _: object, __: bytes) -> None:
    """Say that the clock of the host is wrong."""
    text = "The difference between the request time and the current time is too large."
    handler.refuse(403, "RequestTimeTooSkewed", text)


def cut(handler: Handler, answer: http.client.HTTPResponse, content: bytes) -> None:
    """End the connection in the middle of the answer; the store has done what it was asked."""
    handler.begin(answer, len(content) + 100)
    handler.wfile.write(content[: len(content) // 2])
    handler.close_connection = True


def too_long(handler: Handler, answer: http.client.HTTPResponse, content: bytes) -> None:
    """Answer with bytes that nobody stored."""
    handler.begin(answer, len(content) + 7)
    handler.wfile.write(content + b"garbage")


def too_short(handler: Handler, answer: http.client.HTTPResponse, content: bytes) -> None:
    """Answer with less than was stored, as if it were all."""
    handler.begin(answer, len(content[:-7]))
    handler.wfile.write(content[:-7])


@contextmanager
def proxy_before(host: str, port: int) -> Iterator[Proxy]:
    """Serve on loopback what an address serves."""
    proxy = Proxy(("127.0.0.1", 0), Handler)
    proxy.store = host, port
    proxy.set(None, lambda *_: False)
    thread = threading.Thread(target=proxy.serve_forever, daemon=True)
    thread.start()
    try:
        yield proxy
    finally:
        proxy.shutdown()
        proxy.server_close()
