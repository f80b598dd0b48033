"""Calls git, and tells what it complains of as problems."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from pipeline.bundle.secrets import redact
from pipeline.problems import BadInput, Problem

LONGEST_CALL = 3600
"""Seconds."""

SETTINGS = {
    # Bytes are stored as they are, whatever the host's own settings make of lines and large files.
    "core.autocrlf": "false",
    "core.attributesFile": os.devnull,
    "core.hooksPath": os.devnull,
    "gc.auto": "0",
    # A connection that carries less than 1 kB/s for a minute is given up.
    "http.lowSpeedLimit": "1000",
    "http.lowSpeedTime": "60",
}

COMPLAINTS = (
    (
        re.compile(r"GH001|exceeds .*size|no space left", re.IGNORECASE),
        "too large: {complaint}",
        "fold the captures, leave raw ones out, or make room",
    ),
    (
        re.compile(r"host key verification failed", re.IGNORECASE),
        "an unknown server: {complaint}",
        "connect to it once by ssh, compare its fingerprint, and call it again",
    ),
    (
        re.compile(
            r"permission to .* denied|permission denied|error: 403|authentication failed"
            r"|could not read (?:username|password)|protected branch|declined|GH0\d\d"
            r"|insufficient permission|unable to create temporary object directory|read.only",
            re.IGNORECASE,
        ),
        "no permission: {complaint}",
        "use a key that may push there",
    ),
    (
        re.compile(
            r"could not resolve host|connection (?:refused|timed out|reset|closed)|unreachable"
            r"|operation too slow|remote end hung up|early eof|unable to access",
            re.IGNORECASE,
        ),
        "the connection failed: {complaint}",
        "call it again: what has arrived is not sent twice",
    ),
    (
        re.compile(
            r"does not appear to be a git repository|repository .*not found|does not exist",
            re.IGNORECASE,
        ),
        "no git repository: {complaint}",
        "correct the address",
    ),
)
"""What git says, how it is told, and what to do."""


class GitFailed(Exception):
    """A call of git that ended badly; the text is what git said."""


def git(
    directory: Path, *words: str, given: bytes = b"", settings: Mapping[str, str] | None = None
) -> bytes:
    """Call git in a directory; return what it printed.

    Args:
        directory: where.
        words: its arguments.
        given: its input.
        settings: environment variables for this call.

    Raises:
        GitFailed: git said no.
        BadInput: there is no git.
    """
    options = [word for key, value in SETTINGS.items() for word in ("-c", f"{key}={value}")]
    try:
        done = subprocess.run(
            ["git", *options, *words],
            cwd=directory,
            env=environment() | dict(settings or {}),
            input=given,
            capture_output=True,
            timeout=LONGEST_CALL,
            check=False,
        )
    except FileNotFoundError:
        do = "install it: sudo apt-get install -y git"
        raise BadInput(Problem(path="git", found="not installed", do=do)) from None
    except subprocess.TimeoutExpired:
        raise GitFailed(f"git {words[0]}: no end after {LONGEST_CALL} s") from None
    if done.returncode:
        raise GitFailed(done.stderr.decode(errors="replace") or f"git {words[0]} failed")
    return done.stdout


def environment() -> dict[str, str]:
    """Return this process's environment, without what would lead git to another repository."""
    leads_elsewhere = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY")
    kept = {key: value for key, value in os.environ.items() if key not in leads_elsewhere}
    kept["LC_ALL"] = "C"
    if not sys.stdin.isatty():
        kept["GIT_TERMINAL_PROMPT"] = "0"  # nobody would answer
    return kept


def told(failure: GitFailed, address: str) -> BadInput:
    """Return what git said of a remote as bad input, without the secrets of the address."""
    text = str(failure).replace(address, shown_address(address))
    text = re.sub(r"(?<=//)[^/@\s]+@", "", redact(text)[0])
    lines = [
        re.sub(r"^(remote: |fatal: |error: )*", "", line, flags=re.IGNORECASE).strip()
        for line in text.splitlines()
    ]
    for pattern, found, do in COMPLAINTS:
        for line in lines:
            if pattern.search(line):
                return _bad(address, found.format(complaint=line), do)
    first = next((line for line in lines if line), "git failed")
    return _bad(address, first, "call it again; if it stays so, try git push by hand")


def _bad(address: str, found: str, do: str) -> BadInput:
    return BadInput(Problem(path=shown_address(address), found=found, do=do))


def shown_address(address: str) -> str:
    """Return an address without the name and password in it: `https://token@host/x`."""
    if "://" not in address:
        return address
    parts = urlsplit(address)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
