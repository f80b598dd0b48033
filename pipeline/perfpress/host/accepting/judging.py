"""Judges one run that a stranger has pushed, in a process that has nothing to lose.

It has an empty home, no credentials and hard limits; `judge` reads one answer from it.
It confines itself to reading that run and the accepted ones before it looks into any.
What it answers can at worst be a lie about this one run.
"""

import resource
import sys
from pathlib import Path

import msgspec

from perfpress.base.checkout import PACKAGE
from perfpress.base.confinement import confine_this_process
from perfpress.base.limits import limit_this_process
from perfpress.base.problems import BadInput, Problem
from perfpress.host.pushing.deliver import owner
from perfpress.host.pushing.repository import RunPath
from perfpress.input.bundles.adding import addresses, check_claims
from perfpress.input.bundles.checking import checked
from perfpress.input.bundles.discover import place_of, spellings
from perfpress.input.bundles.read import Bundle
from perfpress.input.bundles.schema import FILE_NAME

PROGRAM = [PACKAGE.parent, *map(Path, (sys.prefix, sys.base_prefix, "/usr", "/lib", "/lib64"))]
"""Where this program and its libraries are, which are loaded when they are needed."""
MOST_PROBLEMS = 200
"""Of one run, in an answer."""


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which run is to be judged."""

    directory: str
    place: RunPath
    shown_as: str
    results: str
    cpu_seconds: int
    memory_bytes: int
    answer_bytes: int


class CheckOutcome(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The outcome of a check."""

    names: tuple[str, str, str] | None
    """Its report, release and variant as it spells them; `None` where it is refused."""
    host: str
    """Which measured it, as `owner` spells it; "" where it is refused."""
    addresses: list[str]
    """The lines to print of what its pages will be."""
    problems: list[Problem]


def main() -> None:
    """Answer the question on stdin."""
    question = msgspec.json.decode(sys.stdin.buffer.read(), type=Question)
    limit_this_process(
        {
            resource.RLIMIT_CPU: question.cpu_seconds,
            resource.RLIMIT_AS: question.memory_bytes,
            resource.RLIMIT_FSIZE: question.answer_bytes,
            resource.RLIMIT_NOFILE: 64,
            resource.RLIMIT_NPROC: 0,
            resource.RLIMIT_CORE: 0,
        }
    )
    confine_this_process([*PROGRAM, Path(question.directory), Path(question.results)])
    sys.stdout.buffer.write(msgspec.json.encode(answer(question)))


def answer(question: Question) -> CheckOutcome:
    """Return the judgement of a run in a directory."""
    try:
        bundle, problems = checked(Path(question.directory), question.shown_as)
        if bundle is not None:
            misplaced = _misplaced(question, bundle)
            problems += misplaced
            if not misplaced:
                check_claims(bundle, Path(question.results))
                report, release, variant = (each.name for each in spellings(bundle).values())
                host = owner(bundle.run.host)
                return CheckOutcome((report, release, variant), host, addresses(bundle), problems)
    except BadInput as failure:
        problems = list(failure.problems)
    return CheckOutcome(None, "", [], problems[:MOST_PROBLEMS])


def _misplaced(question: Question, bundle: Bundle) -> list[Problem]:
    """Return what is wrong with the place of a bundle."""
    if place_of(bundle) == question.place:
        return []
    return [
        Problem(
            path=f"{question.shown_as}/{FILE_NAME}",
            found=f"is at {'/'.join(question.place)}",
            expected="/".join(place_of(bundle)),
            do="push it with: perfpress push DIR",
        )
    ]
