"""Notifies a repository on GitHub of new bundles in an object store."""

import http.client
import json
import os
from urllib.parse import urlsplit

from perfpress.base.problems import Problem

TOKEN = "PERFPRESS_DISPATCH_TOKEN"
EVENT = "results"
"""What the workflow listens to: `repository_dispatch: types: [results]`."""
LONGEST_WAIT = 30
"""Seconds."""


def dispatch(repository: str | None) -> list[Problem]:
    """Start the workflow of a repository, `owner/name`; return why that failed, if it did.

    The token is read from the environment and never printed. It goes to the one address only: a
    redirection is not followed.
    """
    if repository is None:
        return []
    token = os.environ.get(TOKEN, "")
    if not token:
        return [_later(repository, f"${TOKEN} is empty", "set it, or leave --dispatch out")]
    if not (token.isascii() and token.isprintable()):
        return [_later(repository, f"${TOKEN} holds other characters than a token", "correct it")]
    api = urlsplit(os.environ.get("GITHUB_API_URL") or "https://api.github.com")
    connect = http.client.HTTPSConnection if api.scheme == "https" else http.client.HTTPConnection
    # http only to a server on this host, as tests have one: it would show the token to the network.
    if api.scheme != "https" and api.hostname not in ("localhost", "127.0.0.1"):
        return [_later(repository, f"$GITHUB_API_URL is {api.scheme}://…", "write https://…")]
    connection = connect(api.netloc, timeout=LONGEST_WAIT)
    try:
        connection.request(
            "POST",
            f"{api.path.rstrip('/')}/repos/{repository}/dispatches",
            json.dumps({"event_type": EVENT}),
            {
                "Accept": "application/vnd.github+json",
                "Authorization": f"Bearer {token}",
                "User-Agent": "perfpress",
            },
        )
        status = connection.getresponse().status
    except (OSError, http.client.HTTPException) as error:
        why = getattr(error, "strerror", None) or type(error).__name__
        return [_later(repository, f"cannot be reached ({why})", "nothing, or try again")]
    finally:
        connection.close()
    if status == 204:
        return []
    do = {
        401: f"${TOKEN} is wrong or has expired: make a new one",
        403: "give the token the permission Contents: write on that repository",
        404: "correct the name, or give the token access to the repository",
    }.get(status, "try again later")
    return [_later(repository, f"answered {status}", do)]


def _later(repository: str, found: str, do: str) -> Problem:
    return Problem(
        path=repository,
        found=f"its workflow was not started: {found}",
        do=f"{do}; the bundles have arrived, and the workflow finds them on its schedule",
        severity="warning",
    )
