"""`perfpress serve`: build, serve, and build again whenever an input changes."""

import argparse
import functools
import http
import http.server
import sys
import threading
from pathlib import Path
from urllib.parse import urlsplit

from perfpress.base.console import print_problems
from perfpress.base.problems import BadInput
from perfpress.cli import build as build_verb
from perfpress.cli.arguments import port

SECONDS_BETWEEN_LOOKS = 1.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    build_verb.add_arguments(parser)
    parser.add_argument("--port", type=port, default=8000, help="port on localhost (default: 8000)")
    parser.set_defaults(base_url=None)


def run(arguments: argparse.Namespace) -> int:
    """Serve until interrupted; a build that fails leaves the last good site in place."""
    from perfpress.build.stages import watched_files

    if arguments.base_url is None:
        arguments.base_url = f"http://localhost:{arguments.port}/"
    request = build_verb.request_of(arguments)
    seen = watched_files(request)
    _build(arguments)
    base_path = urlsplit(request.base_url).path
    handler = functools.partial(_Handler, base_path=base_path, directory=str(request.out))
    try:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", arguments.port), handler)
    except OSError as error:
        print(f"port {arguments.port}: {error.strerror}; choose one with --port", file=sys.stderr)
        return 1
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"Serving {request.base_url} until you press Ctrl-C.", flush=True)
    pause = threading.Event()
    try:
        while not pause.wait(SECONDS_BETWEEN_LOOKS):
            now = watched_files(request)
            if now != seen:
                seen = now
                _build(arguments)
    except KeyboardInterrupt:
        server.shutdown()
    return 0


def _build(arguments: argparse.Namespace) -> None:
    """Build; report errors, and go on serving the last good site."""
    try:
        build_verb.run(arguments)
    except BadInput as failure:
        print_problems(failure.problems)


class _Handler(http.server.SimpleHTTPRequestHandler):
    """Serves the site below its base path, as on the web."""

    def __init__(self, *args: object, base_path: str, directory: str) -> None:
        self._base_path = base_path
        super().__init__(*args, directory=directory)  # type: ignore[arg-type]

    def translate_path(self, path: str) -> str:
        """Return the file for an address; what lies outside the base path does not exist."""
        if not path.startswith(self._base_path):
            return str(Path(self.directory) / "outside the base path")
        return super().translate_path("/" + path.removeprefix(self._base_path))

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer with the site's own page where there is nothing at an address."""
        page = Path(self.directory) / "404.html"
        if code != http.HTTPStatus.NOT_FOUND or not page.is_file():
            super().send_error(code, message, explain)
            return
        content = page.read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Stay quiet: the terminal is for builds."""
