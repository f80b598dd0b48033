"""Finds the commit that made a benchmark slower or faster; `git bisect` chooses what to measure.

Each commit is measured in turns with the good one, as a machine is faster at one time than at
another, until the interval of their ratio lies on one side of half the change between the ends: a
commit that changes little on the way is not taken for the one that changed most.

Whatever was measured stays in the output directory, and counts the next time.
"""

from collections.abc import Callable, Mapping
from math import inf, log, sqrt
from pathlib import Path
from typing import NamedTuple

from perfpress.base.problems import BadInput, Problem, bad_input
from perfpress.base.toml.words import shown_value
from perfpress.host.comparing.alternate import CHANGES, Job, alternate, build, is_decided
from perfpress.host.comparing.printed_comparison import COUNTED, PrintedComparison, PrintedVerdict
from perfpress.host.comparing.worktrees import Worktrees, git

RATE = "throughput"

BENCHMARK = "benchmark.txt"
"""Says what was run, once the ends are measured."""

FAILED = "failed.txt"
"""Says why a commit cannot be measured, so that it is not tried again."""


class Search(NamedTuple):
    """What is looked for."""

    repository: Path
    good: str
    bad: str
    build: str
    command: str
    capturing: tuple[str, ...]
    """Further arguments of `perfpress capture`."""
    step: str | None
    """None: the one that changed most between the ends."""
    out: Path
    most: int
    """Runs of a commit."""


class MetricChange(NamedTuple):
    """A metric of a step that differs between the ends."""

    step: str
    metric: str
    ratio: float
    """Bad ÷ good."""

    def has_happened(self, record: PrintedComparison) -> bool | None:
        """Return whether a commit has the change; None where that is not decided."""
        judged = verdicts(record).get((self.step, self.metric))
        if judged is None or judged.ratio is None:
            return None
        is_exact = judged.evidence == COUNTED
        interval = (judged.ratio, judged.ratio) if is_exact else judged.interval
        halfway = sqrt(self.ratio)
        if interval is None or interval[0] <= halfway <= interval[1]:
            return None
        return (interval[0] > halfway) == (self.ratio > 1)

    def is_seen(self, record: PrintedComparison) -> bool:
        """Return whether a comparison shows a change of this direction."""
        judged = verdicts(record).get((self.step, self.metric))
        return (
            judged is not None
            and judged.verdict in CHANGES
            and judged.ratio is not None
            and (judged.ratio > 1) == (self.ratio > 1)
        )


class Found(NamedTuple):
    """Where the change is."""

    commits: tuple[str, ...]
    """One; several where those before it could not be judged."""
    change: MetricChange
    ends: str
    """How the ends differ, as `perfpress compare` says it."""
    headline: str
    """How the commit differs from its parent; empty where that was not measured."""
    is_confirmed: bool
    """Whether it differs from its parent, beyond noise."""
    measured: int
    """Commits."""
    skipped: tuple[str, ...]
    """Commits that could not be measured, or not be judged."""


def verdicts(record: PrintedComparison) -> Mapping[tuple[str, str], PrintedVerdict]:
    """Return the verdicts that can be followed, by step and metric: rates and exact counts."""
    found = {(step.step, RATE): step.rate for step in record.steps if step.rate}
    found |= {
        (step.step, each.metric): each.verdict
        for step in record.steps
        for each in step.numbers
        if each.verdict and each.verdict.evidence == COUNTED
    }
    return found


def bisect(search: Search, show: Callable[[str], None]) -> Found:
    """Return where the change is.

    Args:
        search: what is looked for.
        show: tells of each commit.

    Raises:
        BadInput: the repository has no such commits, they cannot be measured, or do not differ.
    """
    good, bad = (_commit(search.repository, each) for each in (search.good, search.bad))
    _check(search, good, bad)
    _check_benchmark(search)
    with Worktrees(search.repository, search.out / "checkouts", (good, bad)) as worktrees:
        return _Bisection(search, worktrees, show).run(good, bad)


def _commit(repository: Path, name: str) -> str:
    commit = git(
        repository, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}", may_fail=True
    )
    if not commit:
        do = "check --repository, and fetch the commit where the clone is shallow"
        raise bad_input(path=str(repository), found=f"no commit {shown_value(name)}", do=do)
    return commit


def _check(search: Search, good: str, bad: str) -> None:
    if good == bad:
        raise bad_input(path=search.bad, found=f"the same commit as {search.good}", do="name two")
    base = git(search.repository, "merge-base", good, bad, may_fail=True)
    if base != good:
        do = f"name {base} as the good one" if base else "name commits of one history"
        raise bad_input(path=search.good, found=f"no ancestor of {search.bad}", do=do)


def _check_benchmark(search: Search) -> None:
    """Refuse a directory that holds runs of something else: they would be taken for these."""
    kept = search.out / BENCHMARK
    if kept.is_file() and kept.read_text(encoding="utf-8") != _benchmark(search):
        found = "runs of another --command, --build, --log or --format"
        raise bad_input(path=str(search.out), found=found, do="name another directory with --out")


def _benchmark(search: Search) -> str:
    return "".join(f"{each}\n" for each in (search.build, search.command, *search.capturing))


class _Unmeasured(Exception):
    """A commit does not build, or its benchmark fails."""


class _Bisection:
    """Measures commits against others, in two work trees."""

    def __init__(self, search: Search, worktrees: Worktrees, show: Callable[[str], None]) -> None:
        self._search = search
        self._worktrees = worktrees
        self._show = show
        self._built: dict[Path, str] = {}

    def run(self, good: str, bad: str) -> Found:
        search, head = self._search, self._worktrees.head
        try:
            ends = self._compared(good, bad, is_decided)
        except _Unmeasured as failure:
            found, _, last_lines = str(failure).partition("\n")
            do = "name ends that can be measured"
            problem = Problem(path=str(search.out), found=found, do=do, excerpt=last_lines)
            raise BadInput(problem) from None
        (search.out / BENCHMARK).write_text(_benchmark(search), encoding="utf-8")
        change = _change(search, ends)
        records = {bad: ends}
        skipped: list[str] = []
        git(head, "bisect", "start", "--no-checkout", bad, good)
        while len(left := self._candidates()) > 1 and set(left[1:]) - {*skipped}:
            commit = git(head, "rev-parse", "BISECT_HEAD")
            answer = None
            try:
                records[commit] = self._compared(
                    good, commit, lambda record, _: change.has_happened(record) is not None
                )
                answer = change.has_happened(records[commit])
            except _Unmeasured as failure:
                self._show(str(failure).partition("\n")[0])
                (self._folder(good, commit) / FAILED).write_text(str(failure), encoding="utf-8")
            if answer is None:
                skipped.append(commit)
            word = {True: "bad", False: "good", None: "skip"}[answer]
            self._show(f"{self._named(commit)}: {word}")
            git(head, "bisect", word, commit, may_fail=True)
        first = left[0]
        headline, is_confirmed = "", False
        if len(left) == 1:
            headline, is_confirmed = self._confirmed(change, good, first, records)
        commits = tuple(reversed(left))
        measured = len(records)
        return Found(
            commits, change, ends.headline, headline, is_confirmed, measured, tuple(skipped)
        )

    def _candidates(self) -> list[str]:
        """Return the commits that may be the first bad one, the one known to be bad first."""
        head = self._worktrees.head
        goods = git(head, "for-each-ref", "--format=%(objectname)", "refs/bisect/good-*").split()
        return git(head, "rev-list", "refs/bisect/bad", "--not", *goods).split()

    def _confirmed(
        self, change: MetricChange, good: str, first: str, records: Mapping[str, PrintedComparison]
    ) -> tuple[str, bool]:
        """Return how a commit differs from its parent, and whether it has the change."""
        parent = git(self._worktrees.head, "rev-parse", f"{first}^")
        try:
            record = records[first] if parent == good else self._compared(parent, first, is_decided)
        except _Unmeasured:
            return "", False
        return record.headline, change.is_seen(record)

    def _compared(
        self, base: str, commit: str, is_enough: Callable[[PrintedComparison, int], bool]
    ) -> PrintedComparison:
        """Measure two commits in turns.

        Raises:
            _Unmeasured: one does not build, or the benchmark fails.
        """
        names = self._named(base), self._named(commit)
        out = self._folder(base, commit)
        failed = out / FAILED
        if failed.is_file():
            raise _Unmeasured(failed.read_text(encoding="utf-8"))
        trees = (self._worktrees.base, self._worktrees.head)
        search = self._search
        job = Job(trees, names, search.command, search.capturing, out, inf, search.most)

        def prepare() -> None:
            for tree, each, name in zip(trees, (base, commit), names, strict=True):
                if self._built.get(tree) != each:
                    git(tree, "checkout", "--quiet", "--force", "--detach", each)
                    build(search.build, tree, name)
                    self._built[tree] = each

        try:
            return alternate(
                job, prepare, is_enough, lambda text: self._show(f"{names[1]}: {text}")
            )
        except BadInput as failure:
            [problem] = failure.problems
            text = "\n".join((problem.found, *problem.excerpt.splitlines()))
            raise _Unmeasured(text) from None

    def _folder(self, base: str, commit: str) -> Path:
        return self._search.out / f"{self._named(base)}..{self._named(commit)}"

    def _named(self, commit: str) -> str:
        return git(self._search.repository, "rev-parse", "--short=10", commit)


def _change(search: Search, ends: PrintedComparison) -> MetricChange:
    """Return what changed between the ends: growth first, rates before counts, the largest.

    Raises:
        BadInput: nothing did, or not the step that is asked for.
    """
    asked = {key: each for key, each in verdicts(ends).items() if search.step in (None, key[0])}
    if not asked:
        steps = ", ".join(dict.fromkeys(shown_value(step.step) for step in ends.steps))
        found = f"no rate and no exact count of {search.step or 'any step'}"
        raise bad_input(path=str(search.out), found=found, expected=f"one of {steps}")
    changes = [
        (
            each.verdict == "slower",
            key[1] == RATE,
            abs(log(each.ratio)),
            MetricChange(*key, each.ratio),
        )
        for key, each in asked.items()
        if each.verdict in CHANGES and each.ratio
    ]
    if not changes:
        raise BadInput(
            Problem(
                path=f"{search.good} and {search.bad}",
                found=ends.headline,
                expected="ends that differ beyond noise",
                do="name an earlier good commit, or allow more runs with --most",
            )
        )
    return max(changes)[-1]
