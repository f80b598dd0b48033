"""Serves a built site on this machine; pages that are open load again after each build."""

import http
import http.server
import sys
import threading
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

RELOAD_SCRIPT = "perfpress-serve/reload.js"
BUILDS = "perfpress-serve/builds"
"""Addresses below that of the site. The second answers with the number of builds, as soon as it is
another than the one asked with."""

PATIENCE = 20.0
"""Seconds until an answer without news."""

RELOAD = f"""\
const builds = new URL("../{BUILDS}", import.meta.url);
let known = "";
for (;;) {{
  builds.search = "known=" + known;
  const answer = await fetch(builds).catch(() => null);
  const count = answer?.ok ? await answer.text() : known;
  if (known && count !== known) location.reload();
  known = count;
  if (!answer?.ok) await new Promise((resume) => setTimeout(resume, 1000));
}}
"""


class SiteServer(http.server.ThreadingHTTPServer):
    """Serves a directory below the path of an address, as on the web."""

    daemon_threads = True

    def __init__(self, directory: Path, base_url: str, port: int) -> None:
        """Listen on a port of localhost.

        Raises:
            OSError: the port is taken.
        """
        self.base_path = urlsplit(base_url).path
        self._builds = 0
        self._news = threading.Condition()
        super().__init__(("127.0.0.1", port), partial(_Handler, directory=str(directory)))

    def announce_build(self) -> None:
        """Have open pages load again."""
        with self._news:
            self._builds += 1
            self._news.notify_all()

    def builds(self, known: str) -> int:
        """Return the number of builds, when it is another than `known` or after some time."""
        with self._news:
            self._news.wait_for(lambda: str(self._builds) != known, PATIENCE)
            return self._builds

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Stay quiet about pages that leave while they wait."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class _Handler(http.server.SimpleHTTPRequestHandler):
    server: SiteServer

    def do_GET(self) -> None:
        """Answer with a file; with a page and the script that loads it again."""
        address = urlsplit(self.path)
        base = self.server.base_path
        file = Path(self.translate_path(self.path))
        if address.path == f"{base}{RELOAD_SCRIPT}":
            self._answer(RELOAD.encode(), "text/javascript")
        elif address.path == f"{base}{BUILDS}":
            count = self.server.builds(address.query.removeprefix("known="))
            self._answer(str(count).encode(), "text/plain")
        elif address.path.endswith("/") and (file / "index.html").is_file():
            self._answer(self._page(file / "index.html"), "text/html; charset=utf-8")
        else:
            super().do_GET()

    def _page(self, file: Path) -> bytes:
        script = f'<script type="module" src="{self.server.base_path}{RELOAD_SCRIPT}"></script>'
        return file.read_bytes().replace(b"</body>", f"{script}</body>".encode())

    def _answer(
        self, content: bytes, kind: str, status: http.HTTPStatus = http.HTTPStatus.OK
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def end_headers(self) -> None:
        """Have browsers ask each time: files change within the second that they compare."""
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def translate_path(self, path: str) -> str:
        """Return the file for an address; what lies outside the base path does not exist."""
        if not path.startswith(self.server.base_path):
            return str(Path(self.directory) / "outside the base path")
        return super().translate_path("/" + path.removeprefix(self.server.base_path))

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer with the site's own page where there is nothing at an address."""
        page = Path(self.directory) / "404.html"
        if code != http.HTTPStatus.NOT_FOUND or not page.is_file():
            super().send_error(code, message, explain)
            return
        self._answer(self._page(page), "text/html; charset=utf-8", http.HTTPStatus.NOT_FOUND)

    def log_message(self, format: str, *args: object) -> None:
        """Stay quiet: the terminal is for builds."""
