"""Runs git, and reports its errors as problems."""

import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Thread
from typing import BinaryIO, NamedTuple, Self
from urllib.parse import urlsplit

from perfpress.base.limits import limit_this_process
from perfpress.base.problems import BadInput, bad_input
from perfpress.base.secrets.redact import redact

NO_LIMIT = 1 << 60
"""Bytes: more than there are."""


class Budget(NamedTuple):
    """What a call of git may take."""

    seconds: float
    file_bytes: int = NO_LIMIT
    """Of one file that it writes."""
    memory_bytes: int = NO_LIMIT

    def within(self, other: Self) -> Self:
        """Return the smaller of each."""
        return type(self)(
            min(self.seconds, other.seconds),
            min(self.file_bytes, other.file_bytes),
            min(self.memory_bytes, other.memory_bytes),
        )


ANY = Budget(seconds=3600)
OF_STRANGERS = Budget(seconds=240, file_bytes=4_000_000_000, memory_bytes=1_000_000_000)
"""For what strangers pushed: a delta of a few bytes may make a file of any size, in memory."""
LISTING = Budget(seconds=20, memory_bytes=500_000_000)
"""For the branches of a remote: a million of them, and what git itself maps."""
LONGEST_COMPLAINT = 100_000
"""Bytes: what git says, and what a server says through it without end."""

SETTINGS = {
    # Bytes are stored as they are, whatever the host's own settings make of lines and large files.
    "core.autocrlf": "false",
    "core.attributesFile": os.devnull,
    # Larger files are copied in pieces, and never compared with others to store a difference.
    "core.bigFileThreshold": "32m",
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    # Memory that is limited holds no pack as a whole.
    "core.packedGitLimit": "256m",
    "core.packedGitWindowSize": "32m",
    "core.protectHFS": "true",
    "core.protectNTFS": "true",
    "gc.auto": "0",
    # A connection that carries less than 1 kB/s for a minute is given up.
    "http.lowSpeedLimit": "1000",
    "http.lowSpeedTime": "60",
}

OPTIONS = tuple(word for key, value in SETTINGS.items() for word in ("-c", f"{key}={value}"))

WITHOUT_CONFIGURATION = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
"""Keeps git from the configuration of the user and of the system."""

CREDENTIALS = ("GIT_ASKPASS", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_SSL_CAINFO")
"""Variables by which git gets credentials, or knows a server."""
CREDENTIAL_SETTING = re.compile(r"credential\.|http\.(.*\.)?extraheader$", re.IGNORECASE)

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
"""What git says, how it is reported, and what to do."""


class GitFailed(Exception):
    """A failed call of git; the text is git's message."""


class OverBudget(GitFailed):
    """What others left to a call of git was not enough: of time, or of room."""


def git(
    directory: Path,
    *words: str,
    given: bytes = b"",
    variables: Mapping[str, str] | None = None,
    budget: Budget = ANY,
) -> bytes:
    """Call git in a directory; return what it printed.

    Args:
        directory: where.
        words: its arguments.
        given: its input.
        variables: all environment variables that it sees, if not those of `environment`.
        budget: what it may take.

    Raises:
        GitFailed: git failed.
        BadInput: there is no git.
    """
    # What waits for a stranger is ended with all that it started. (In a terminal it may have to ask
    # somebody for a password, which a session of its own could not.)
    own_session = budget != ANY and not sys.stdin.isatty()
    try:
        process = subprocess.Popen(
            ["git", *OPTIONS, *words],
            cwd=directory,
            env=environment() if variables is None else variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=partial(limit, budget) if budget != ANY else None,
            start_new_session=own_session,
        )
    except FileNotFoundError:
        do = "install it: sudo apt-get install -y git"
        raise bad_input(path="git", found="not installed", do=do) from None
    complaint = _Complaint(process)
    try:
        out, _ = process.communicate(given, timeout=budget.seconds)
    except subprocess.TimeoutExpired:
        raise OverBudget(f"error: git took more than {budget.seconds:.0f} s") from None
    finally:
        if process.returncode != 0:
            _end(process, own_session=own_session)
    if process.returncode:
        raise GitFailed(complaint.text() or f"git {words[0]} failed")
    return out


class _Complaint:
    """What a process says on stderr: the beginning is kept, and all of it read."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stderr is not None
        self.stream: BinaryIO = process.stderr  # type: ignore[assignment]
        process.stderr = None  # communicate would keep all of it
        self.kept = b""
        self.reader = Thread(target=self._read, daemon=True)
        self.reader.start()

    def text(self) -> str:
        self.reader.join(timeout=1)
        return self.kept.decode(errors="replace")

    def _read(self) -> None:
        with self.stream:
            self.kept = self.stream.read(LONGEST_COMPLAINT)
            while self.stream.read(LONGEST_COMPLAINT):
                pass


def _end(process: subprocess.Popen[bytes], *, own_session: bool) -> None:
    """End a process with all that it started, which may outlive it."""
    if own_session:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


def limit(budget: Budget) -> None:
    """Limit this process, which will be git."""
    limit_this_process(
        {
            resource.RLIMIT_AS: budget.memory_bytes,
            resource.RLIMIT_FSIZE: budget.file_bytes,
            resource.RLIMIT_CORE: 0,
        }
    )


def environment() -> dict[str, str]:
    """Return this process's environment, without what would lead git to another repository."""
    leads_elsewhere = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY")
    kept = {key: value for key, value in os.environ.items() if key not in leads_elsewhere}
    kept["LC_ALL"] = "C"
    if not sys.stdin.isatty():
        kept["GIT_TERMINAL_PROMPT"] = "0"  # nobody would answer
    return kept


def environment_of_strangers() -> dict[str, str]:
    """Return the environment of a git that connects to get what strangers pushed.

    It has the credentials that this process was given by variables, and nobody's configuration:
    of all variables that git reads, and of all settings in them, only what gives credentials.
    """
    variables = {
        key: value
        for key, value in environment().items()
        if not key.startswith("GIT_") or key in CREDENTIALS
    }
    given = int(text) if (text := os.environ.get("GIT_CONFIG_COUNT", "")).isdecimal() else 0
    settings = {
        number: os.environ.get(f"GIT_CONFIG_KEY_{number}", "") for number in range(min(given, 100))
    }
    kept = [number for number, key in settings.items() if CREDENTIAL_SETTING.match(key)]
    for new, number in enumerate(kept):
        variables[f"GIT_CONFIG_KEY_{new}"] = settings[number]
        variables[f"GIT_CONFIG_VALUE_{new}"] = os.environ.get(f"GIT_CONFIG_VALUE_{number}", "")
    return (
        variables
        | WITHOUT_CONFIGURATION
        | {
            "GIT_ALLOW_PROTOCOL": "file:git:http:https:ssh",
            "GIT_CONFIG_COUNT": str(len(kept)),
            # A server that only hands out files would be asked for what is missing without end.
            "GIT_NO_LAZY_FETCH": "1",
            "GIT_NO_REPLACE_OBJECTS": "1",
        }
    )


def environment_of_none() -> dict[str, str]:
    """Return the environment of a git that connects to nothing: it holds nothing worth taking."""
    return WITHOUT_CONFIGURATION | {
        "PATH": os.environ.get("PATH", os.defpath),
        "TMPDIR": tempfile.gettempdir(),
        "HOME": os.devnull,
        "LC_ALL": "C",
        "GIT_ALLOW_PROTOCOL": "",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_TERMINAL_PROMPT": "0",
    }


def as_bad_input(failure: GitFailed, address: str) -> BadInput:
    """Return git's message about a remote as bad input, without the secrets of the address."""
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
    return bad_input(path=shown_address(address), found=found, do=do)


def shown_address(address: str) -> str:
    """Return an address without the name and password in it: `https://token@host/x`."""
    if "://" not in address:
        return address
    parts = urlsplit(address)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
