"""Bundles that hosts have pushed: each is checked as if a stranger had sent it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pipeline.bundle.discover import place_of
from pipeline.bundle.read import Bundle
from pipeline.bundle.schema import FILE_NAME
from pipeline.commands.add import check_spelling
from pipeline.commands.check import checked
from pipeline.problems import BadInput, Problem
from pipeline.push.deliver import owner
from pipeline.push.repository import Place
from pipeline.push.store import Store, download
from pipeline.toml.words import shown_value


@dataclass(frozen=True)
class Arrival:
    """A bundle where a host left it."""

    host: str
    """Who owns that place, as `owner` spells it."""
    place: Place
    shown_as: str
    tree: str | None
    """The git tree that it is, where it is in git."""
    copy: Callable[[Path], None]
    """Writes it into a directory that is not there yet; raises BadInput where it must not."""


def arrivals_in(store: Store) -> list[Arrival] | None:
    """Return the bundles in an object store; `None` where nothing is at its address.

    Raises:
        BadInput: it cannot be read.
    """
    stored_there = store.stored()
    if stored_there is None:
        return None
    return [
        Arrival(
            host=stored.host,
            place=stored.place,
            shown_as=f"{store.address}/{stored.host}/{'/'.join(stored.place)}",
            tree=None,
            copy=partial(download, store, stored),
        )
        for stored in stored_there
    ]


def checked_arrival(
    arrival: Arrival, directory: Path, results: Path
) -> tuple[Bundle | None, list[Problem]]:
    """Return a bundle that may be accepted, copied into a directory, and all that is wrong.

    Args:
        arrival: the bundle.
        directory: where to copy it; not there yet.
        results: the accepted bundles, whose names it must spell as they do.
    """
    try:
        arrival.copy(directory)
        bundle, problems = checked(directory, arrival.shown_as)
        if bundle is None:
            return None, problems
        foreign = _foreign(arrival, bundle)
        if not foreign:
            check_spelling(bundle, results)
    except BadInput as failure:
        return None, list(failure.problems)
    return (None if foreign else bundle), problems + foreign


def _foreign(arrival: Arrival, bundle: Bundle) -> list[Problem]:
    """Return what a bundle claims to be and is not."""
    path = f"{arrival.shown_as}/{FILE_NAME}"
    problems = []
    if owner(bundle.run.host) != arrival.host:
        problems.append(
            Problem(
                path=path,
                found=f"a run of the host {shown_value(bundle.run.host)}",
                expected=f"one of {arrival.host}, which pushed it",
                do="push it from its own host",
            )
        )
    if place_of(bundle) != arrival.place:
        problems.append(
            Problem(
                path=path,
                found=f"stands at {'/'.join(arrival.place)}",
                expected="/".join(place_of(bundle)),
                do="push it with: perfpress push DIR",
            )
        )
    return problems
