"""Writes planned runs as bundles below the results directory, each as a whole or not at all."""

import os
import shutil
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Literal

from msgspec.structs import replace

from perfpress.base.problems import Problem
from perfpress.base.slugs import slug
from perfpress.host.importing.benchmark_steps import benchmark_steps
from perfpress.host.importing.computed_metrics import with_computed
from perfpress.host.importing.copying import BrokenOff, TooLarge, copy_without_secrets
from perfpress.host.importing.file_rules import stored_name
from perfpress.host.importing.map_file import Use, operation_of
from perfpress.host.importing.measured import files_of, holds, measured
from perfpress.host.importing.plan import PlannedRun
from perfpress.host.importing.rates import (
    Findings,
    findings_of,
    several_rates,
    unread_logs,
)
from perfpress.host.importing.start import start_of
from perfpress.input.bundles.discover import (
    ADDING,
    Spellings,
    discover,
    place_of,
    spelling_problems,
    spellings,
)
from perfpress.input.bundles.read import Bundle, read_bundle
from perfpress.input.bundles.schema import Run, Step
from perfpress.input.bundles.variant import variant_of
from perfpress.input.bundles.write import write_run
from perfpress.input.logs.named_benchmarks import step_name
from perfpress.input.logs.read import read_log


@dataclass(frozen=True)
class Outcome:
    """The outcome of one planned run."""

    planned: PlannedRun
    what: Literal["written", "there already", "replaced", "refused"]
    place: Path | None = None
    steps: tuple[str, ...] = ()
    findings: Findings = field(default_factory=Findings)
    redacted: Counter[str] = field(default_factory=Counter)
    problems: tuple[Problem, ...] = ()
    from_tables: int = 0
    """Metrics that were computed elsewhere."""
    confirmed: int = 0
    """Numbers of tables that a log has too."""


@dataclass(frozen=True)
class _Prepared:
    """A bundle under a temporary name; `None` where it could not be made."""

    bundle: Bundle | None
    directory: Path
    redacted: Counter[str]
    problems: tuple[Problem, ...]
    findings: Findings = field(default_factory=Findings)
    confirmed: int = 0


class Importer:
    """Puts bundles into a results directory, and knows which runs are there already."""

    def __init__(self, results: Path, replacing: bool) -> None:
        self._results = results
        self._replacing = replacing
        there: Sequence[Bundle] = ()
        if results.is_dir():
            there, _ = discover(results, str(results))
        self._spelled: Spellings = {}
        self._by_file: dict[str, Bundle] = {}
        self._by_cell: dict[tuple[str, ...], list[Bundle]] = defaultdict(list)
        self._planned: Counter[tuple[str, ...]] = Counter()
        self._written: set[str] = set()
        self._seen: set[str] = set()
        """Runs of this archive, whether new or there already."""
        self._replaced: list[Path] = []
        for bundle in there:
            self._note(bundle)

    def place_all(
        self, planned: Sequence[PlannedRun], operations: Mapping[str, str], jobs: int
    ) -> Iterator[Outcome]:
        """Write runs in their order, several at once; yield the outcome of each."""
        prepare = partial(_prepare, operations=operations)
        self._planned = Counter(_cell_of(each.run) for each in planned)
        numbered = [(run, self._beside(run.run, number)) for number, run in enumerate(planned)]
        with ProcessPoolExecutor(max_workers=jobs) as pool:
            try:
                for (run, _), prepared in zip(
                    numbered, pool.map(prepare, *zip(*numbered, strict=True)), strict=True
                ):
                    yield self._place(run, prepared)
            finally:
                pool.shutdown(cancel_futures=True)
                for directory in (*self._replaced, *(each for _, each in numbered)):
                    _remove(directory, self._results)

    def _beside(self, run: Run, number: int) -> Path:
        """Return a temporary name at the place of a future run."""
        return self._results.joinpath(*_cell_of(run), f"{ADDING}{os.getpid()}-{number}")

    def _place(self, planned: PlannedRun, prepared: _Prepared) -> Outcome:
        bundle = prepared.bundle
        if bundle is None:
            return Outcome(planned, "refused", problems=prepared.problems)
        steps = tuple(step.name for step in bundle.steps)
        outcome = partial(
            Outcome,
            planned,
            steps=steps,
            findings=prepared.findings,
            redacted=prepared.redacted,
            problems=prepared.problems,
            from_tables=sum(bool(m.file) for s in bundle.steps for m in s.metrics.values()),
            confirmed=prepared.confirmed,
        )
        target = self._results.joinpath(*place_of(bundle))
        if target.exists():
            self._seen.add(bundle.run_id)
            return outcome("there already", target)
        if clashes := spelling_problems(bundle.shown_as, spellings(bundle), self._spelled):
            return outcome("refused", problems=(*prepared.problems, *clashes))
        other = self._same_measurements(bundle)
        again = planned.run.started is None
        if other and place_of(other)[:-1] == place_of(bundle)[:-1] and holds(other, bundle, again):
            self._seen.add(other.run_id)
            return outcome("there already", self._results.joinpath(*place_of(other)))
        if other is None and (beside := self._unsaid_repeats(planned, bundle)):
            other = beside[0]
            if not self._replacing or len(beside) > 1:
                unsaid = self._unsaid(planned, other)
                return outcome("refused", problems=(*prepared.problems, unsaid))
        if other and (not self._replacing or other.run_id in self._written):
            twice = self._twice(planned, other)
            return outcome("refused", problems=(*prepared.problems, twice))
        prepared.directory.rename(target)
        self._note(bundle)
        self._written.add(bundle.run_id)
        self._seen.add(bundle.run_id)
        if other is None:
            return outcome("written", target)
        self._by_cell[place_of(other)[:-1]].remove(other)
        # Removed at the end: another process may be writing there too.
        self._replaced.append(self._results.joinpath(*place_of(other)))
        return outcome("replaced", target)

    def _same_measurements(self, bundle: Bundle) -> Bundle | None:
        """Return a bundle that holds half of the logs and captures of this one, or more.

        Of one that has numbers of tables only: all of them, as two runs may share some.
        """
        hashes = measured(bundle)
        found = [other for each in hashes if (other := self._by_file.get(each))]
        counts = Counter(other.run_id for other in found)
        run_id, count = counts.most_common(1)[0] if counts else ("", 0)
        if 2 * count < len(hashes) or (count < len(hashes) and not files_of(bundle)):
            return None
        return next((other for other in found if other.run_id == run_id), None)

    def _unsaid_repeats(self, planned: PlannedRun, bundle: Bundle) -> list[Bundle]:
        """Return runs of the same cell that are of no directory of the archive, as far as is known.

        A directory that was measured again holds other files, and its old run is still there. None
        where the map says that there are as many.
        """
        cell = place_of(bundle)[:-1]
        steps = {step.name for step in bundle.steps}
        beside = [
            each
            for each in self._by_cell[cell]
            if not steps.isdisjoint(step.name for step in each.steps)
        ]
        said = planned.repeat if isinstance(planned.repeat, int) else len(beside) + 1
        if len(beside) < max(self._planned[cell], said):
            return []
        return [each for each in beside if each.run_id not in self._seen]

    def _unsaid(self, planned: PlannedRun, other: Bundle) -> Problem:
        place = self._results.joinpath(*place_of(other))
        return Problem(
            path=planned.source.name,
            found=f"of the release and variant of {place}, and of other files",
            expected="each run once, or what distinguishes the two",
            do="say repeat = 2 in the map if both count; if this one counts instead, import again "
            "with --replace, or, once the other was published, say repeat = 2 and call "
            "perfpress amend supersede",
        )

    def _twice(self, planned: PlannedRun, other: Bundle) -> Problem:
        place = self._results.joinpath(*place_of(other))
        if other.run_id in self._written:
            found, do = f"a copy of the source of {place}", 'write leave_out = "a copy" in the map'
        else:
            moved = place_of(other)[:-1] != _cell_of(planned.run)
            how = "under other names, " if moved else "when some of its files were others, "
            found = f"already imported {how}as {place}"
            do = (
                "if that was published, perfpress amend corrects it; "
                "else import again with --replace, which removes it"
            )
        return Problem(path=planned.source.name, found=found, expected="each run once", do=do)

    def _note(self, bundle: Bundle) -> None:
        self._spelled |= spellings(bundle)
        self._by_file |= dict.fromkeys(measured(bundle), bundle)
        self._by_cell[place_of(bundle)[:-1]].append(bundle)


def _cell_of(run: Run) -> tuple[str, ...]:
    """Return the directories that the runs of a cell are in."""
    return slug(run.report), slug(run.release), variant_of(run).slug


def _remove(directory: Path, results: Path) -> None:
    """Remove a bundle and the directories above it that are empty then."""
    shutil.rmtree(directory, ignore_errors=True)
    for above in directory.parents:
        if above == results or not above.is_dir() or any(above.iterdir()):
            return
        above.rmdir()


def _prepare(planned: PlannedRun, directory: Path, operations: Mapping[str, str]) -> _Prepared:
    """Write a bundle under a temporary name; runs in a process of its own."""
    redacted: Counter[str] = Counter()
    problems: list[Problem] = []
    directory.mkdir(parents=True)
    for name in planned.files:
        use: Use = "attachment" if name in planned.run.attachments else "log"
        target = directory / stored_name(name, use)
        shown = f"{planned.source.name}/{name}"
        _copy(planned.source.path / name, target, shown, redacted, problems)
    if any(problem.severity == "error" for problem in problems):
        return _Prepared(None, directory, redacted, tuple(problems))
    run, confirmed = planned.run, 0
    if planned.summaries:
        steps = _summarised_steps(directory, planned.summaries, operations)
        if not steps:
            problems.append(_no_summary(f"{planned.source.name}"))
            return _Prepared(None, directory, redacted, tuple(problems))
        run = replace(run, steps=steps)
    if planned.computed:
        run, tables, confirmed, more = with_computed(run, planned, directory)
        problems += more
        for name, path in tables.items():
            _copy(path, directory / name, name, redacted, problems)
        if not run.steps:
            problems.append(_no_number(planned.source.name))
            return _Prepared(None, directory, redacted, tuple(problems))
    if run.started is None:
        logs = [name for name in planned.files if name not in run.attachments]
        start = start_of(
            directory, [stored_name(name, "log") for name in logs], planned.source.name
        )
        run = replace(run, started=start.moment)
        problems += start.problems
    write_run(run, directory / "run.toml")
    bundle, found = read_bundle(directory, planned.source.name)
    if bundle and (several := list(several_rates(bundle))):
        return _Prepared(None, directory, redacted, (*problems, *several))
    findings = findings_of(bundle) if bundle else Findings()
    if bundle and (steps := benchmark_steps(bundle, findings.rates)):
        write_run(replace(run, steps=steps), directory / "run.toml")
        bundle, found = read_bundle(directory, planned.source.name)
        findings = findings_of(bundle) if bundle else Findings()
    if bundle:
        known = {problem.found for problem in problems}
        of_logs = (each for each in findings.problems if each.found not in known)
        problems += (*unread_logs(bundle), *of_logs)
    return _Prepared(bundle, directory, redacted, (*problems, *found), findings, confirmed)


def _copy(
    source: Path, target: Path, shown: str, redacted: Counter[str], problems: list[Problem]
) -> None:
    """Copy a file into a bundle; note what was redacted, and what is wrong with it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        copied = copy_without_secrets(source, target)
    except (OSError, TooLarge, BrokenOff) as failure:
        problems.append(_uncopied(shown, failure))
        return
    redacted += copied.redacted
    if copied.broken:
        problems.append(_broken(shown, copied.broken))


def _summarised_steps(
    directory: Path, logs: Sequence[str], operations: Mapping[str, str]
) -> tuple[Step, ...]:
    """Return a step for each line of the summaries, as their parser names them."""
    of_step: dict[str, dict[str, None]] = {}
    for log in logs:
        for benchmark in read_log(directory / log, log).benchmarks:
            of_step.setdefault(step_name(benchmark.name), {})[log] = None
    return tuple(
        Step(name=name, operation=operation_of(name, operations), logs=tuple(own))
        for name, own in of_step.items()
    )


def _uncopied(shown: str, failure: OSError | TooLarge | BrokenOff) -> Problem:
    if isinstance(failure, TooLarge):
        found, expected = f"unpacks to more than {failure}", "a smaller file"
    elif isinstance(failure, BrokenOff):
        found, expected = str(failure), "a whole file, or one without secrets"
    else:
        found, expected = f"cannot be read ({failure.strerror})", "a readable file"
    do = 'fix it, or add a [[file]] with as = "leave out" to the map, above the one that takes it'
    return Problem(path=shown, found=found, expected=expected, do=do)


def _broken(shown: str, broken: str) -> Problem:
    do = "copy it again from where it was written; what could be read was imported, and breaks off"
    return Problem(path=shown, found=broken, expected="a whole file", do=do, severity="warning")


def _no_summary(shown: str) -> Problem:
    return Problem(
        path=shown,
        found="no line of it is one of a known step",
        expected="a summary with its header and a line for each step",
        do='say leave_out = "why" in the map, or fix the file',
    )


def _no_number(shown: str) -> Problem:
    return Problem(
        path=shown,
        found="no log, and no number of a table that can be used",
        expected="a number of a test",
        do='say leave_out = "why" in the map',
    )
