"""Judges what hosts have pushed, each run on its own, for the main branch."""

import os
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path
from threading import Lock
from typing import NamedTuple, TypeVar

import msgspec

from perfpress.base.groups import grouped
from perfpress.base.problems import BadInput, Problem
from perfpress.host.accepting.arrivals import Arrival, arrivals_in
from perfpress.host.accepting.branches import Branch, read_branches
from perfpress.host.accepting.judge import Judges, shown_hosts
from perfpress.host.accepting.judging import CheckOutcome
from perfpress.host.accepting.land import Landing
from perfpress.host.accepting.patience import Patience, within
from perfpress.host.accepting.turns import in_turn, one_by_one
from perfpress.host.pushing.git import (
    GitFailed,
    OverBudget,
    as_bad_input,
    environment_of_strangers,
    shown_address,
)
from perfpress.host.pushing.repository import NO_TREES, Repository
from perfpress.host.pushing.store import Store
from perfpress.input.bundles.discover import Spellings, spelling_problems, spellings_at
from perfpress.input.bundles.safety import unfit_name

WORKERS = 2 + (os.cpu_count() or 1)
"""Runs judged at once: more than processors, so that one that takes long holds up few."""
Read = TypeVar("Read")


@dataclass
class Accepted:
    """The outcome for everything that had arrived."""

    new: dict[str, list[str]] = field(default_factory=dict)
    """The lines to print of what the pages of new runs will be."""
    there: set[str] = field(default_factory=set)
    """Bundles that had been accepted before."""
    spelled: Spellings = field(default_factory=dict)
    """How the new ones spell their reports, releases and variants."""
    problems: list[Problem] = field(default_factory=list)
    """Of the last call."""
    is_late: bool = False
    """The last call left something out that took too long."""

    def lines(self) -> Iterator[str]:
        """Yield what to print."""
        for shown_as, addresses in self.new.items():
            yield f"{shown_as}: accepted"
            yield from addresses
        yield f"{len(self.new)} accepted, {len(self.there)} there already"


class PushSource(NamedTuple):
    """Where hosts push to."""

    address: str
    is_store: bool
    host: str = ""
    """The only one that may speak there, as `owner` spells it; "" where any may."""


@dataclass(frozen=True)
class Acceptance:
    """From where to where, and with what to compare."""

    sources: Sequence[PushSource]
    into: str
    results: Path
    """The results of the main branch, checked out."""
    turn: int
    """Another one in each call: who comes first when there is not time enough for all."""
    patience: Patience
    pushed_now: str = ""
    """The branch of the site's repository that the call was started for."""


class JudgedRun(NamedTuple):
    """One run, judged."""

    tree: str
    """Holds it, from the root on; "" where it is refused, or there already."""
    is_there: bool
    answer: CheckOutcome


class ArrivedRuns(NamedTuple):
    """Runs that arrived together."""

    branch: Branch | None
    """Where they are to be removed from when all are accepted."""
    only_host: str
    arrivals: Sequence[Arrival]


Turn = tuple[ArrivedRuns, Arrival]


def target(into: str, directory: Path) -> Repository:
    """Return a repository beside that of the site."""
    return Repository.beside(into, directory / "target", environment_of_strangers())


def prepare(
    asked: Acceptance, repository: Repository, directory: Path, outcome: Accepted
) -> Landing:
    """Judge all that has arrived; return what may land, its objects in the repository.

    Only new files are in it, from no commit: what a branch held before its last commit does not get
    into the history.

    Args:
        asked: from where to where.
        repository: as of `target`.
        directory: for what is judged.
        outcome: what became of all in a call before, to which this one is added.

    Raises:
        BadInput: there is no main branch.
        GitFailed: the repository could not be read.
    """
    outcome.problems, outcome.is_late = [], False
    return _Preparation(asked, repository, directory, outcome).prepared()


class _Preparation:
    def __init__(
        self, asked: Acceptance, repository: Repository, directory: Path, outcome: Accepted
    ) -> None:
        self.asked = asked
        self.target = repository
        self.directory = directory
        self.one_at_a_time = Lock()
        """Of what asks the repository of the site."""
        main, heads = repository.branches()
        if not main:
            expected, do = "the repository of a site", "push its main branch, or correct --into"
            shown = shown_address(asked.into)
            raise BadInput(Problem(path=shown, found="no main branch", expected=expected, do=do))
        self.at = heads[main]
        repository.fetch([self.at], NO_TREES)
        self.outcome = outcome
        self.end = 0.0
        """When no more is judged."""
        self.judges = Judges()
        self.trees: dict[str, str] = {}
        """Of the new runs, by their places."""

    def prepared(self) -> Landing:
        """Return what may land."""
        # One that is slow holds up no other.
        with ThreadPoolExecutor(max(1, len(self.asked.sources))) as readers:
            read = list(readers.map(self._groups, self.asked.sources))
        groups = list(chain.from_iterable(read))
        queue = self._in_order(list(one_by_one(map(self._turns, read))), len(read))
        judged = self._all_judged(queue)
        good = {id(group): True for group in groups}
        for (group, arrival), result in zip(queue, judged, strict=True):
            good[id(group)] &= self._taken(arrival, result)
        done = {
            name: group.branch.commit
            for group in groups
            if group.branch is not None and good[id(group)]
            for name in group.branch.names
        }
        tree = self.target.joined(self.trees.values()) if self.trees else ""
        return Landing(tree, done)

    def _turns(self, groups: Sequence[ArrivedRuns]) -> Iterator[Turn]:
        """Yield the runs of a source in the order in which they are judged.

        The first of each host or branch comes before the second of any, and which are the first
        changes with every call.
        """
        after = self.asked.turn // max(1, len(groups))
        return one_by_one(
            [(group, each) for each in in_turn(group.arrivals, after)] for group in groups
        )

    def _groups(self, source: PushSource) -> list[ArrivedRuns]:
        if source.is_store:
            arrivals = self._read_from(self._arrivals, source.address)
            by_host = grouped(arrivals, lambda arrival: arrival.hosts)
            hosts = in_turn([*by_host.values()], self.asked.turn)
            return [ArrivedRuns(None, source.host, arrivals) for arrivals in hosts]
        groups = []
        for branch in self._read_from(self._branches, source.address):
            self.outcome.problems += (
                self._late(*branch.problems) if branch.is_late else branch.problems
            )
            may_go = source.address == self.asked.into and not branch.problems
            groups.append(ArrivedRuns(branch if may_go else None, source.host, branch.arrivals))
        return groups

    def _read_from(self, read: Callable[[str], list[Read]], address: str) -> list[Read]:
        """Return what a source holds; report one that cannot be read, and go on to the others."""
        try:
            return read(address)
        except BadInput as failure:
            self.outcome.problems += failure.problems
        except OverBudget as failure:
            do = "call it again; if it stays so, ask who runs that server"
            found = as_bad_input(failure, address).problems
            slow = [msgspec.structs.replace(each, do=do) for each in found]
            self.outcome.problems += self._late(*slow)
        except GitFailed as failure:
            self.outcome.problems += as_bad_input(failure, address).problems
        return []

    def _arrivals(self, address: str) -> list[Arrival]:
        found = within(self.asked.patience.reading, lambda: arrivals_in(Store(address)))
        if found is None:
            do = "correct the address, if a host has pushed there"
            warning = Problem(path=address, found="nothing is there", do=do, severity="warning")
            self.outcome.problems.append(warning)
        return found or []

    def _branches(self, address: str) -> list[Branch]:
        # One of its own, even where it is the site's: nobody else uses it meanwhile.
        beside = Path(tempfile.mkdtemp(dir=self.directory)) / "source"
        end = time.monotonic() + self.asked.patience.reading
        repository = Repository.beside(address, beside, environment_of_strangers(), end)
        pushed_now = self.asked.pushed_now if address == self.asked.into else ""
        branches, unfit = read_branches(
            repository, self.asked.turn, self.asked.patience, pushed_now
        )
        self.outcome.problems += unfit
        return branches

    def _in_order(self, turns: list[Turn], sources: int) -> list[Turn]:
        """Return runs in the order in which they are judged: in a quick call the smallest first.

        The first of each source keep their place, and so do those of about the same size.
        """
        if self.asked.patience.is_last:
            return turns
        rounds: dict[int, int] = defaultdict(int)
        keys = []
        for group, arrival in turns:
            keys.append((rounds[id(group)], arrival.bytes.bit_length()))
            rounds[id(group)] += 1
        others = sorted(range(sources, len(turns)), key=lambda at: keys[at])
        return turns[:sources] + [turns[at] for at in others]

    def _all_judged(self, queue: Sequence[Turn]) -> list[JudgedRun]:
        """Judge all runs: a little time for each, then more for those that need it."""
        self.end = time.monotonic() + self.asked.patience.judging
        judged: dict[int, JudgedRun] = {}
        with self.judges, ThreadPoolExecutor(WORKERS) as workers:
            for seconds in self.asked.patience.run:
                waiting = [at for at in range(len(queue)) if at not in judged]
                answers = workers.map(
                    partial(self._judged, seconds=seconds), (queue[at] for at in waiting)
                )
                judged |= {
                    at: answer for at, answer in zip(waiting, answers, strict=True) if answer
                }
        return [judged.get(at) or self._put_off(arrival) for at, (_, arrival) in enumerate(queue)]

    def _judged(self, turn: Turn, seconds: float) -> JudgedRun | None:
        """Judge a run; return `None` where so many seconds were not enough, or none were left."""
        group, arrival = turn
        if group.only_host and group.only_host not in arrival.hosts:
            found = f"pushed as the host {shown_hosts(arrival)}"
            expected = f"only {group.only_host}, the one host that may push there"
            do = "remove it, and ask who has that host's key; or correct $PERFPRESS_ACCEPT_FROM"
            return _refused(arrival, found, expected, do)
        if group.only_host:
            arrival = replace(arrival, hosts=frozenset([group.only_host]))
        # Before it becomes a path: a key of an object store may be `host/../../x`.
        if unfit := next(filter(None, map(unfit_name, arrival.place)), ""):
            found = f"a place of {unfit}"
            return _refused(arrival, found, "<report>/<release>/<variant>/<run>", "remove it")
        now = time.monotonic()
        if now > self.end:
            return None
        try:
            return self._copied_and_judged(arrival, now + seconds)
        except BadInput as failure:
            return JudgedRun("", False, CheckOutcome(None, "", [], list(failure.problems)))
        except OverBudget:
            return None
        except (GitFailed, OSError) as failure:
            return _refused(arrival, str(failure), "", "push it again")

    def _put_off(self, arrival: Arrival) -> JudgedRun:
        run, judging = self.asked.patience.run[-1], self.asked.patience.judging
        found = f"not judged in time: {run:.0f} s for it, {judging:.0f} s for all"
        do = "call it again; if it stays so, split the run"
        problems = self._late(Problem(path=arrival.shown_as, found=found, do=do))
        return JudgedRun("", False, CheckOutcome(None, "", [], problems))

    def _late(self, *problems: Problem) -> list[Problem]:
        """Return the problems of what took too long: errors once no other call follows."""
        self.outcome.is_late = True
        if self.asked.patience.is_last:
            return [*problems]
        follows = "a patient call follows"
        return [msgspec.structs.replace(each, do=follows, severity="warning") for each in problems]

    def _copied_and_judged(self, arrival: Arrival, end: float) -> JudgedRun:
        with self.one_at_a_time:
            there = self.target.run_at(self.at, arrival.place)
        if there is not None and arrival.tree in (None, there):
            return JudgedRun("", True, CheckOutcome(None, "", [], []))
        # What is left to itself may still write there.
        beside = tempfile.TemporaryDirectory(dir=self.directory, ignore_cleanup_errors=True)
        with beside as name:
            results = Path(name) / "data" / "results"
            copy = results.joinpath(*arrival.place)
            copy.parent.mkdir(parents=True)

            def stored() -> str:
                arrival.copy(copy, end)
                # Before anything looks into the files: what is judged is what lands.
                left = end - time.monotonic()
                return self.target.tree_of(results, [arrival.place], left)

            tree = within(end - time.monotonic(), stored)
            if there is not None:
                # Git may have kept it with other modes, or with empty directories.
                if self.target.run_in(tree, arrival.place) == there:
                    return JudgedRun("", True, CheckOutcome(None, "", [], []))
                found = "a bundle of this name was accepted, with other files"
                do = "a bundle is never changed: push the other one as a run of its own"
                return _refused(arrival, found, "", do)
            left = end - time.monotonic()
            answer = self.judges.judge(arrival, copy, self.asked.results, left)
            return JudgedRun(tree if answer.names else "", False, answer)

    def _taken(self, arrival: Arrival, judged: JudgedRun) -> bool:
        """Take a judged run into the outcome; return whether it is there or will be."""
        self.outcome.problems += judged.answer.problems
        if judged.is_there:
            # Or by a call before this one, where the source keeps what was accepted.
            self.outcome.there |= {arrival.shown_as} - {*self.outcome.new}
            return True
        if not judged.tree or judged.answer.names is None:
            return False
        names = spellings_at(arrival.place, judged.answer.names, arrival.shown_as)
        if clashes := spelling_problems(arrival.shown_as, names, self.outcome.spelled):
            self.outcome.problems += clashes
            return False
        place = "/".join(arrival.place)
        if place not in self.trees:
            self.trees[place] = judged.tree
            self.outcome.spelled = names | self.outcome.spelled
            self.outcome.new[arrival.shown_as] = judged.answer.addresses
        elif self.trees[place] != judged.tree:
            found, do = "another bundle of this name arrived, with other files", "push it again"
            self.outcome.problems.append(Problem(path=arrival.shown_as, found=found, do=do))
            return False
        return True


def _refused(arrival: Arrival, found: str, expected: str, do: str) -> JudgedRun:
    problem = Problem(path=arrival.shown_as, found=found, expected=expected, do=do)
    return JudgedRun("", False, CheckOutcome(None, "", [], [problem]))
