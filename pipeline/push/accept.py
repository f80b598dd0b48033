"""Takes what hosts have pushed into the main branch, after the checks: nothing else gets there."""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TypeVar

from pipeline.bundle.read import Bundle
from pipeline.commands.add import add, addresses
from pipeline.problems import BadInput, Problem
from pipeline.push.arrivals import Arrival, arrivals_in, checked_arrival
from pipeline.push.branches import Branch, read_branches
from pipeline.push.deliver import ATTEMPTS, pause
from pipeline.push.git import GitFailed, shown_address, told
from pipeline.push.repository import NO_TREES, Place, Repository, message
from pipeline.push.store import Store

AUTHOR = "perfpress"
Read = TypeVar("Read")


@dataclass
class Accepted:
    """What became of all that had arrived."""

    new: list[Bundle] = field(default_factory=list)
    there: int = 0
    """Bundles that had been accepted before."""
    problems: list[Problem] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        """Yield what to print."""
        for bundle in self.new:
            yield f"{bundle.shown_as}: accepted"
            yield from addresses(bundle)
        yield f"{len(self.new)} accepted, {self.there} there already"


class Source(NamedTuple):
    """Where hosts push to."""

    address: str
    is_store: bool
    host: str = ""
    """The only one that may speak there, as `owner` spells it; "" where any may."""


@dataclass(frozen=True)
class Acceptance:
    """From where to where, and with what to compare."""

    sources: Sequence[Source]
    into: str
    results: Path
    """The results of the main branch, checked out."""


def accept(asked: Acceptance, wait: Callable[[int], None] = pause) -> Accepted:
    """Move the main branch to a commit that adds what is good; remove branches that are empty then.

    One commit, whose only parent is the main branch: what a branch held before its last commit does
    not get into the history.

    Raises:
        BadInput: the main branch could not be read, or not be moved.
    """
    for attempt in range(ATTEMPTS):
        if attempt:
            wait(attempt)
        with tempfile.TemporaryDirectory(prefix="perfpress-accept-") as temporary:
            try:
                accepted = _Attempt(asked, Path(temporary)).accepted()
            except GitFailed as failure:
                raise told(failure, asked.into) from None
        if accepted is not None:
            return accepted
    found = f"the main branch moved {ATTEMPTS} times meanwhile"
    raise BadInput(Problem(path=shown_address(asked.into), found=found, do="call it again"))


class _Attempt:
    """One attempt, which fails where somebody else moves a branch meanwhile."""

    def __init__(self, asked: Acceptance, directory: Path) -> None:
        self.asked = asked
        self.directory = directory
        self.target = Repository.beside(asked.into, directory / "target")
        self.main, heads = self.target.branches()
        if not self.main:
            expected, do = "the repository of a site", "push its main branch, or correct --into"
            shown = shown_address(asked.into)
            raise BadInput(Problem(path=shown, found="no main branch", expected=expected, do=do))
        self.at = heads[self.main]
        self.target.fetch([self.at], NO_TREES)
        self.added = directory / "files" / "data" / "results"
        self.places: list[Place] = []
        self.outcome = Accepted()

    def accepted(self) -> Accepted | None:
        """Accept all; return `None` where another was faster."""
        emptied: list[Branch] = []
        for source in self.asked.sources:
            if source.is_store:
                for arrival in self._told(self._arrivals, source.address):
                    self._take(arrival, source.host)
                continue
            for branch in self._told(self._branches, source.address):
                self.outcome.problems += branch.problems
                good = [self._take(arrival, source.host) for arrival in branch.arrivals]
                if all(good) and not branch.problems and source.address == self.asked.into:
                    emptied.append(branch)
        commits = {branch.name: "" for branch in emptied}
        leased = {branch.name: branch.commit for branch in emptied}
        if self.places:
            tree = self.target.tree_of(self.added, self.places)
            said = message("Accept {runs}", self.places)
            commits[self.main] = self.target.commit(tree, self.at, AUTHOR, said)
            leased[self.main] = self.at
        if commits and not self.target.push(commits, leased):
            return None
        return self.outcome

    def _told(self, read: Callable[[str], list[Read]], address: str) -> list[Read]:
        """Return what a source holds; where it cannot be read, tell, and go on to the others."""
        try:
            return read(address)
        except BadInput as failure:
            self.outcome.problems += failure.problems
            return []

    def _arrivals(self, address: str) -> list[Arrival]:
        found = arrivals_in(Store(address))
        if found is None:
            do = "correct the address, if a host has pushed there"
            told = Problem(path=address, found="nothing is there", do=do, severity="warning")
            self.outcome.problems.append(told)
        return found or []

    def _branches(self, address: str) -> list[Branch]:
        if address == self.asked.into:
            return read_branches(self.target)
        beside = Path(tempfile.mkdtemp(dir=self.directory)) / "source"
        try:
            return read_branches(Repository.beside(address, beside))
        except GitFailed as failure:
            raise told(failure, address) from None

    def _take(self, arrival: Arrival, only_host: str) -> bool:
        """Add an arrival to what will be accepted; return whether it is there or will be."""
        if only_host and arrival.host != only_host:
            found = f"pushed as the host {arrival.host}"
            expected = f"only {only_host}, the one host that may push there"
            do = "remove it, and ask who has that host's key; or correct $PERFPRESS_ACCEPT_FROM"
            self.outcome.problems.append(
                Problem(path=arrival.shown_as, found=found, expected=expected, do=do)
            )
            return False
        there = self.target.run_at(self.at, arrival.place)
        if there is not None:
            if arrival.tree in (None, there):
                self.outcome.there += 1
                return True
            found = "a bundle of this name was accepted, with other files"
            do = "a bundle is never changed: push the other one as a run of its own"
            self.outcome.problems.append(Problem(path=arrival.shown_as, found=found, do=do))
            return False
        copy = Path(tempfile.mkdtemp(dir=self.directory)) / "bundle"
        bundle, problems = checked_arrival(arrival, copy, self.asked.results)
        self.outcome.problems += problems
        if bundle is None:
            return False
        try:
            add(bundle, self.added)
        except BadInput as clash:
            self.outcome.problems += clash.problems
            return False
        if arrival.place not in self.places:
            self.places.append(arrival.place)
            self.outcome.new.append(bundle)
        return True
