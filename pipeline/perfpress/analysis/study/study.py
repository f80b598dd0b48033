"""A report with everything that was measured for it: what the pages are made from."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache, partial
from pathlib import Path
from types import MappingProxyType

from perfpress.analysis.study.cached_bundles import read_cached
from perfpress.analysis.study.cached_readings import ReadRun, read_all_logs
from perfpress.analysis.study.checked import without_refused
from perfpress.analysis.study.measured import Measurement
from perfpress.analysis.study.outline import Outline
from perfpress.analysis.study.profiles import (
    CaptureFile,
    CellKey,
    CellProfile,
    StepKey,
    fold_and_merge,
)
from perfpress.base.cache import Cache, key_of
from perfpress.base.defects import attempt
from perfpress.base.groups import grouped
from perfpress.base.kept_results import KeptResults
from perfpress.base.problems import Problem
from perfpress.base.slugs import slug
from perfpress.input.bundles.archived import fetched
from perfpress.input.bundles.discover import discover
from perfpress.input.bundles.read import Bundle
from perfpress.input.bundles.schema import Step
from perfpress.input.corrections.corrected import CorrectedRun, Exclusion, apply_corrections
from perfpress.input.corrections.files import Correction, read_corrections
from perfpress.input.logs.readings import LogReading
from perfpress.input.report.report import NO_REPORT, Report, read_reports, same_config_in


@dataclass(frozen=True, slots=True)
class StepRun:
    """One step of one run, with what its logs say."""

    cell: CellKey
    run: CorrectedRun
    step: Step
    readings: Sequence[LogReading]
    """One a log, read from the cache on demand: what all runs are asked for is in the outline."""
    measured: Mapping[str, Measurement]
    outline: Outline
    """What the logs hold, in short."""

    @property
    def bundle(self) -> Bundle:
        """The bundle that holds it."""
        return self.run.bundle

    @property
    def exclusion(self) -> Exclusion | None:
        """Why it is excluded from all figures; `None` if it counts."""
        return self.run.exclusion(self.step.name) if self.run.exclusions else None


@dataclass(frozen=True)
class Study:
    """One report, its runs and its profiles."""

    report: Report
    runs: tuple[CorrectedRun, ...]
    """All, excluded ones too, in order of their places."""
    step_runs: tuple[StepRun, ...]
    """All steps of all runs, in order of cell and run."""
    profiles: Mapping[CellKey, tuple[CellProfile, ...]]
    """By cell: one profile an event."""
    corrections: tuple[Correction, ...]
    kept: KeptResults = field(default_factory=KeptResults)
    """What earlier builds made of it."""

    def of_cell(self, cell: CellKey) -> tuple[StepRun, ...]:
        """Return the runs of one release, variant and step."""
        return self._runs_of_cells.get(cell, ())

    def step_runs_of(self, release: str) -> Iterator[StepRun]:
        """Yield the steps of all runs of a release, in order of cell and run."""
        for cell in self.cells_of_release(release):
            yield from self.of_cell(cell)

    def runs_of(self, release: str) -> tuple[CorrectedRun, ...]:
        """Return the runs of a release, those that do not count too, in order of their places."""
        return self._runs_of_releases.get(release, ())

    def runs_key(self, *releases: str) -> str:
        """Return the hash of the runs of some releases."""
        return key_of([run.key for release in releases for run in self.runs_of(release)])

    def valid_bundles(self, release: str, variant: str) -> list[Bundle]:
        """Return the bundles of a release and variant that count as a whole."""
        runs = [run for run in self.runs_of(release) if run.status == "valid"]
        return [run.bundle for run in runs if run.bundle.variant.slug == variant]

    @cached_property
    def measured(self) -> tuple[str, ...]:
        """The releases that have runs, in the report's order."""
        return tuple(each.id for each in self.report.releases if self.runs_of(each.id))

    @cached_property
    def cells(self) -> tuple[CellKey, ...]:
        """What has runs, in order."""
        return tuple(sorted(self._runs_of_cells))

    def cells_of_release(self, release: str) -> tuple[CellKey, ...]:
        """Return what has runs of a release, in order."""
        return self._cells_of_releases.get(release, ())

    @cached_property
    def ran(self) -> frozenset[tuple[str, str]]:
        """Releases with variants that they have runs of."""
        return frozenset((each.cell.release, each.cell.variant) for each in self.step_runs)

    def previous(self, release: str, variants: Sequence[str]) -> str | None:
        """Return the release before on the same branch that has runs of one of some variants."""
        return self._last_before(
            release, lambda id: any((id, each) in self.ran for each in variants)
        )

    def previous_of(self, cell: CellKey) -> str | None:
        """Return the release before on the same branch that has runs of a cell's variant and step.

        It is an earlier one than `previous` where that did not run the step.
        """
        return self._last_before(cell.release, lambda id: bool(self.of_cell(cell.in_release(id))))

    def _last_before(self, release: str, has_runs: Callable[[str], bool]) -> str | None:
        before = self.report.previous(release)
        while before is not None and not has_runs(before.id):
            before = self.report.previous(before.id)
        return before.id if before else None

    def next(self, release: str, variant: str) -> str | None:
        """Return the first release that has runs of a variant and compares with one before it."""
        return self._next.get((release, variant))

    def base_of(self, variant: str) -> str:
        """Return the report's base; of a variant that it did not run, the first release that did.

        So engines with configurations of their own are each compared with their own first release.
        """
        return self._bases.get(variant, self.report.base)

    def is_base(self, release: str, variant: str) -> bool:
        """Return whether other releases that ran a variant are compared with this one."""
        others = (each for each in self.measured if each != release)
        return release == self.base_of(variant) and any(
            (each, variant) in self.ran for each in others
        )

    def compared_with(self, release: str, variant: str) -> tuple[str, ...]:
        """Return what a release is compared with: the base and previous, each if it is another."""
        return self._compared_with(release, variant)

    def bases_of(self, cell: CellKey) -> tuple[str, ...]:
        """Return what a cell that has runs is compared with: as its release, and `previous_of`."""
        bases = self.compared_with(cell.release, cell.variant)
        if bases and self.of_cell(cell.in_release(bases[-1])):  # the previous one, if there is one
            return bases
        own = self.previous_of(cell)
        return (*bases, own) if own and own not in bases else bases

    def label(self, release: str) -> str:
        """Return the name of a release for readers."""
        return self.report.release(release).label or release

    def operation(self, step: str) -> str:
        """Return what a step counts, in the singular."""
        return self._operations[step]

    def releases_with(self, variant: str, step: str) -> tuple[str, ...]:
        """Return the releases, in the report's order, that have runs of a variant and step."""
        return self._releases_of_steps.get((variant, step), ())

    def steps_with(self, release: str, variant: str) -> tuple[str, ...]:
        """Return the steps, in the report's order, that have runs of a release and variant."""
        steps = self.report.steps
        return tuple(step for step in steps if self.of_cell(CellKey(release, variant, step)))

    # Pages ask these for each of thousands of cells.
    @cached_property
    def _compared_with(self) -> Callable[[str, str], tuple[str, ...]]:
        def found(release: str, variant: str) -> tuple[str, ...]:
            previous = self.previous(release, (variant,))
            bases = dict.fromkeys((self.base_of(variant), *((previous,) if previous else ())))
            return tuple(base for base in bases if base != release)

        return cache(found)

    @cached_property
    def _next(self) -> Mapping[tuple[str, str], str]:
        found: dict[tuple[str, str], str] = {}
        for variant in self.report.variants:
            for later in self.measured:
                if before := self.previous(later, (variant,)):
                    found.setdefault((before, variant), later)
        return found

    @cached_property
    def _bases(self) -> Mapping[str, str]:
        found: dict[str, str] = {}
        for release in (self.report.base, *self.measured):
            for variant in self.report.variants:
                if (release, variant) in self.ran:
                    found.setdefault(variant, release)
        return found

    @cached_property
    def _runs_of_cells(self) -> Mapping[CellKey, tuple[StepRun, ...]]:
        return grouped(self.step_runs, lambda each: each.cell)

    @cached_property
    def _cells_of_releases(self) -> Mapping[str, tuple[CellKey, ...]]:
        return grouped(self.cells, lambda cell: cell.release)

    @cached_property
    def _releases_of_steps(self) -> Mapping[StepKey, tuple[str, ...]]:
        order = [release.id for release in self.report.releases]
        cells = (cell for release in order for cell in self.cells_of_release(release))
        of_steps = grouped(cells, lambda cell: cell.step_key)
        return {key: tuple(cell.release for cell in own) for key, own in of_steps.items()}

    @cached_property
    def _runs_of_releases(self) -> Mapping[str, tuple[CorrectedRun, ...]]:
        return grouped(self.runs, lambda run: run.bundle.run.release)

    @cached_property
    def _operations(self) -> Mapping[str, str]:
        return {each.step.name: each.step.operation for each in reversed(self.step_runs)}


@dataclass(frozen=True)
class StudyInputs:
    """The inputs of all reports except logs and captures, which take longest to read."""

    runs: tuple[CorrectedRun, ...]
    corrections: tuple[Correction, ...]
    reports: tuple[Report, ...]
    problems: tuple[Problem, ...]

    def runs_of(self, report: Report) -> tuple[CorrectedRun, ...]:
        """Return the runs of a report."""
        return tuple(run for run in self.runs if slug(run.bundle.run.report) == report.id)

    def corrections_of(self, report: Report) -> tuple[Correction, ...]:
        """Return the corrections of a report."""
        return tuple(each for each in self.corrections if each.report == report.id)


def read_inputs(
    results: Path,
    corrections: Path,
    content: Path,
    cache: Cache,
    processes: int,
    progress: Callable[[str], None],
    states: Mapping[str, str] = MappingProxyType({}),
) -> StudyInputs:
    """Read all bundles, corrections and texts; what cannot be read becomes a problem.

    Args:
        results: the directory of all bundles.
        corrections: the directory of all corrections.
        content: the texts.
        cache: knows what was read before.
        processes: how many may read.
        progress: called with each stage.
        states: of the bundles' directories, as for `read_cached`.
    """
    progress("reading bundles")
    read = partial(read_cached, cache, states=states)
    bundles, problems = discover(results, results.name, read) if results.is_dir() else ((), [])
    here, found = fetched(bundles, cache.root, progress)
    problems += found
    bundles, found = without_refused(here, cache, processes, progress)
    problems += found
    made, found = read_corrections(corrections, corrections.name)
    problems += found
    runs = tuple(_corrected(bundles, made, content, problems))
    reports, found = read_reports(content, content.name, runs)
    problems += found
    runs = tuple(
        report.with_variant(run)
        for run in runs
        if (report := reports.get(slug(run.bundle.run.report)))
    )
    return StudyInputs(runs, tuple(made), tuple(reports.values()), tuple(problems))


def _corrected(
    bundles: Sequence[Bundle],
    corrections: Sequence[Correction],
    content: Path,
    problems: list[Problem],
) -> Iterator[CorrectedRun]:
    """Yield the bundles as they count, one report after the other; no correction is of two."""
    own: dict[str, tuple[list[Bundle], list[Correction]]] = {}
    for bundle in bundles:
        own.setdefault(slug(bundle.run.report), ([], []))[0].append(bundle)
    for correction in corrections:
        own.setdefault(correction.report, ([], []))[1].append(correction)
    for report, of_report in own.items():
        apply = partial(apply_corrections, *of_report, same_config_in(content, report))
        made = attempt(apply, f"reports/{report}", NO_REPORT, problems)
        runs, found = made or ((), [])
        problems += found
        yield from runs


def read_studies(
    results: Path,
    corrections: Path,
    content: Path,
    cache: Cache,
    processes: int,
    progress: Callable[[str], None],
) -> tuple[tuple[Study, ...], list[Problem]]:
    """Read all bundles, corrections, texts, logs and captures.

    What cannot be read becomes a problem; the rest is still read.
    """
    inputs = read_inputs(results, corrections, content, cache, processes, progress)
    return studies_of(inputs, cache, processes, progress)


def studies_of(
    inputs: StudyInputs,
    cache: Cache,
    processes: int,
    progress: Callable[[str], None],
) -> tuple[tuple[Study, ...], list[Problem]]:
    """Read all logs and captures; what cannot be read becomes a problem beside those of before."""
    problems = list(inputs.problems)
    studies = []
    for report in inputs.reports:
        make = partial(study_of, inputs, report, cache, processes, progress)
        if made := attempt(make, f"reports/{report.id}", NO_REPORT, problems):
            studies.append(made[0])
            problems += made[1]
    return tuple(studies), problems


def study_of(
    inputs: StudyInputs,
    report: Report,
    cache: Cache,
    processes: int,
    progress: Callable[[str], None],
) -> tuple[Study, list[Problem]]:
    """Read the logs and captures of a report; what cannot be read becomes a problem."""
    runs = inputs.runs_of(report)
    progress(f"reading the logs of {len(runs)} runs")
    readings = read_all_logs([run.bundle for run in runs], cache, progress, processes)
    included = [
        each for run, own in zip(runs, readings, strict=True) for each in step_runs_of(run, own)
    ]
    profiles, problems = fold_and_merge(cache, _capture_files(included), processes, progress)
    study = Study(
        report=report,
        runs=runs,
        step_runs=tuple(sorted(included, key=lambda each: (each.cell, each.bundle.run_id))),
        profiles=grouped(profiles, lambda profile: profile.cell),
        corrections=inputs.corrections_of(report),
        kept=KeptResults(cache),
    )
    return study, [*_log_problems(included), *problems]


def step_runs_of(run: CorrectedRun, read: ReadRun) -> list[StepRun]:
    """Return the steps of a run with what its logs say."""
    return [
        StepRun(cell_of(run.bundle, step), run, step, readings, *own)
        for step, own, readings in zip(run.bundle.steps, *read, strict=True)
    ]


def _log_problems(step_runs: Iterable[StepRun]) -> list[Problem]:
    """Return what is wrong with the logs; a problem of a log that several steps read is one."""
    return list(dict.fromkeys(problem for each in step_runs for problem in each.outline.problems))


def _capture_files(step_runs: Sequence[StepRun]) -> list[CaptureFile]:
    """Return the captures of the runs that count."""
    return [
        capture
        for each in step_runs
        if each.exclusion is None
        for capture in captures_of(each.bundle, each.step)
    ]


def cell_of(bundle: Bundle, step: Step) -> CellKey:
    """Return the cell that a step of a bundle belongs to."""
    return _cell(bundle.run.release, bundle.variant.slug, step.name)


_cell = lru_cache(maxsize=8192)(CellKey)
"""Returns one object for the repeats of a cell, which are read one after the other."""


def captures_of(bundle: Bundle, step: Step) -> list[CaptureFile]:
    """Return the captures of a step with their settings from run.toml."""
    if not step.captures:  # facts of files are made when they are asked for
        return []
    checksums = {file.name: file.sha256 for file in bundle.files}
    return [
        CaptureFile(
            cell=cell_of(bundle, step),
            path=bundle.directory / name,
            shown_as=bundle.shown(name),
            sha256=checksums[name],
            event=step.capture.event,
            format=step.formats.get(name),
            labels=step.capture.labels,
        )
        for name in step.captures
    ]
