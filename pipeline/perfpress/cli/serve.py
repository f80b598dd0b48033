"""`perfpress serve`: build, serve, and build again whenever an input changes."""

import argparse
import sys
import threading

from perfpress.base.console import print_problems
from perfpress.base.problems import BadInput
from perfpress.cli import build as build_verb
from perfpress.cli.arguments import port

SECONDS_BETWEEN_LOOKS = 0.5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    build_verb.add_arguments(parser)
    parser.add_argument("--port", type=port, default=8000, help="port on localhost (default: 8000)")
    parser.set_defaults(base_url=None)


def run(arguments: argparse.Namespace) -> int:
    """Serve until interrupted; a build that fails leaves the last good site in place."""
    from perfpress.build.local_server import SiteServer
    from perfpress.build.request import watched

    if arguments.base_url is None:
        arguments.base_url = f"http://localhost:{arguments.port}/"
    request = build_verb.request_of(arguments)
    seen = watched(request).key
    _build(arguments)
    try:
        server = SiteServer(request.out, request.base_url, arguments.port)
    except OSError as error:
        print(f"port {arguments.port}: {error.strerror}; choose one with --port", file=sys.stderr)
        return 1
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"Serving {request.base_url} until you press Ctrl-C.", flush=True)
    pause = threading.Event()
    try:
        while not pause.wait(SECONDS_BETWEEN_LOOKS):
            now = watched(request).key
            if now != seen:
                seen = now
                if _build(arguments):
                    server.announce_build()
    except KeyboardInterrupt:
        server.shutdown()
    return 0


def _build(arguments: argparse.Namespace) -> bool:
    """Build; report errors, and keep serving the last good site.

    Returns:
        Whether there is a new site.
    """
    try:
        build_verb.run(arguments)
    except BadInput as failure:
        print_problems(failure.problems)
        return False
    return True
