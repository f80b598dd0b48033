"""A report, complete: its author's definitions, with the defaults filled in from the bundles."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from pipeline.corrections.corrected import CorrectedRun
from pipeline.problems import Problem
from pipeline.report.front_matter import (
    FILE_NAME,
    CallTreeDefinition,
    DiffPair,
    DrilldownDefinition,
    Front,
    FrontMatter,
    Release,
    StepGroup,
    read_front,
    with_renames,
)
from pipeline.report.mentions import Mentions
from pipeline.report.version_order import version_key
from pipeline.slug import collisions, reserved, slug
from pipeline.toml.lines import KeyPath
from pipeline.toml.read import Document
from pipeline.toml.words import nearest, shown_value

MOST_NAMED = 8
"""Names that a message lists."""


@dataclass(frozen=True)
class Report:
    """One study, complete: what the author left open is filled in from the bundles."""

    id: str
    """The slug that directories and addresses use."""
    title: str
    base: str
    """A release's id."""
    default_variant: str
    """A variant's slug."""
    releases: tuple[Release, ...]
    """All, in order; those that only bundles know come last, by version."""
    variants: Mapping[str, str]
    """The names of all variants, by slug: the default one first, then those with most runs."""
    steps: tuple[str, ...]
    """The names of all steps, in order."""
    default_branch: str | None = None
    """What releases are of that state no branch."""
    unreadable: bool = False
    """No page can be made of that text; the report is shown without it."""
    summary: str = ""
    draft: bool = False
    step_groups: tuple[StepGroup, ...] = ()
    thread_aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    function_aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    function_kinds: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By what functions do: the patterns that the author adds."""
    drilldowns: tuple[DrilldownDefinition, ...] = ()
    calltrees: tuple[CallTreeDefinition, ...] = ()
    diffs: tuple[DiffPair, ...] = ()
    twin_variants: tuple[tuple[str, ...], ...] = ()
    """Groups of variants whose differences are noise."""
    same_code: tuple[tuple[str, ...], ...] = ()
    """Groups of releases whose differences are noise."""
    mentions: Mentions = field(default_factory=Mentions)
    """What its text names."""
    document: Document | None = field(default=None, repr=False, compare=False)
    """For the lines of messages: `report.document.line("drilldowns", 0, "columns", 1, "path")`."""

    @property
    def aliases(self) -> dict[str, tuple[str, ...]]:
        """The names that are the same thread or function, by the name that is shown."""
        return {
            name: (*self.thread_aliases.get(name, ()), *self.function_aliases.get(name, ()))
            for name in (*self.thread_aliases, *self.function_aliases)
        }

    def release(self, release_id: str) -> Release:
        """Return a release.

        Raises:
            KeyError: there is none of that id.
        """
        return self._by_id[release_id]

    def previous(self, release_id: str) -> Release | None:
        """Return the release before this one on the same branch.

        Raises:
            KeyError: there is none of that id.
        """
        return self._previous[release_id]

    # Pages ask these for each of thousands of cells.
    @cached_property
    def _by_id(self) -> Mapping[str, Release]:
        return {each.id: each for each in reversed(self.releases)}

    @cached_property
    def _previous(self) -> Mapping[str, Release | None]:
        last: dict[str | None, Release] = {}
        found = {}
        for each in self.releases:
            branch = self._branch(each)
            found[each.id] = last.get(branch)
            last[branch] = each
        return found

    @property
    def of_default_branch(self) -> tuple[Release, ...]:
        """The releases of the default branch, in order."""
        return tuple(each for each in self.releases if self._branch(each) == self.default_branch)

    def _branch(self, release: Release) -> str | None:
        return release.branch or self.default_branch


def text_of(report_id: str) -> str:
    """Return where a report's text stands, below the directory of all texts."""
    return f"reports/{report_id}/{FILE_NAME}"


def read_reports(
    content: Path, shown_as: str, runs: Sequence[CorrectedRun]
) -> tuple[dict[str, Report], list[Problem]]:
    """Return all reports that have bundles or a text, by id, and what is wrong with their texts.

    Args:
        content: the directory of the texts, which may lack `reports/`.
        shown_as: its name in messages.
        runs: all, those that do not count too: their pages say why.
    """
    by_report: dict[str, list[CorrectedRun]] = {}
    for run in runs:
        by_report.setdefault(slug(run.bundle.run.report), []).append(run)
    written = {path.parent.name: path for path in (content / "reports").glob(f"*/{FILE_NAME}")}
    reports: dict[str, Report] = {}
    problems: list[Problem] = []
    for report_id in sorted(by_report.keys() | written.keys()):
        front = Front()
        if path := written.get(report_id):
            front, found = read_front(path, f"{shown_as}/{text_of(report_id)}")
            problems += found
            problems += _misnamed(report_id, f"{shown_as}/reports/{report_id}")
            if report_id not in by_report:
                problems.append(
                    _without_results(report_id, f"{shown_as}/{text_of(report_id)}", by_report)
                )
        reports[report_id], found = complete(report_id, front, by_report.get(report_id, []))
        problems += found
    return reports, problems


def complete(
    report_id: str, front: Front, runs: Sequence[CorrectedRun]
) -> tuple[Report, list[Problem]]:
    """Fill in what the author left open, and name what refers to nothing.

    The runs that count decide, where there are any. Without the author's word the default variant
    is that of the run which was started first: later runs then never change what an address means.
    A base or default variant that is not there is replaced by the default one; other references to
    nothing are passed over by those who use them.
    """
    renames = dict.fromkeys(rename for run in runs for rename in run.renames)
    front = replace(front, matter=with_renames(front.matter, renames))
    matter = front.matter
    bundles = [run.bundle for run in runs]
    counted = [run for run in runs if run.steps] or runs
    number = Counter(run.bundle.variant.slug for run in counted)
    labels = {bundle.variant.slug: bundle.variant.label for bundle in bundles}
    by_runs = sorted(labels, key=lambda variant: (-number[variant], variant))
    steps = {step.name for run in counted for step in run.steps or run.bundle.steps}
    measured = {run.bundle.run.release for run in counted}
    releases = _in_order(matter.releases, (bundle.run.release for bundle in bundles))
    ids = [release.id for release in releases]
    first = [run.bundle.variant.slug for run in sorted(counted, key=_start)]
    default_variant = _chosen(matter.default_variant, by_runs, first)
    report = Report(
        id=report_id,
        title=matter.title or min((bundle.run.report for bundle in bundles), default=report_id),
        base=_chosen(matter.base, ids, [each for each in ids if each in measured]),
        default_variant=default_variant,
        releases=releases,
        variants={
            variant: matter.variants.get(variant, labels[variant])
            for variant in sorted(by_runs, key=lambda variant: variant != default_variant)
        },
        steps=_step_order(steps, matter.step_groups),
        default_branch=_default_branch(releases, matter.releases),
        unreadable=front.unreadable,
        summary=matter.summary,
        draft=matter.draft,
        step_groups=matter.step_groups,
        thread_aliases=matter.thread_aliases,
        function_aliases=matter.function_aliases,
        function_kinds=matter.function_kinds.by_kind(),
        drilldowns=matter.drilldowns,
        calltrees=matter.calltrees,
        diffs=matter.diffs,
        twin_variants=matter.twin_variants,
        same_code=matter.same_code,
        mentions=front.mentions,
        document=front.document,
    )
    return report, list(_reference_problems(front, report)) if bundles else []


def _chosen(wanted: str | None, there: Sequence[str], otherwise: Sequence[str]) -> str:
    """Return what the author wants if it is there, else the first of the others, else ""."""
    if wanted is not None and wanted in there:
        return wanted
    return next(iter(otherwise), "")


def _start(run: CorrectedRun) -> tuple[bool, float, str]:
    """Return what runs are sorted by: those that state their start first, by it."""
    started = run.bundle.run.started
    return started is None, started.timestamp() if started else 0.0, run.bundle.variant.slug


def _default_branch(releases: Sequence[Release], written: Sequence[Release]) -> str | None:
    """Return the branch of releases that state none.

    Where the author gives a branch to every release, one that only bundles know follows the last.
    """
    if not written or any(release.branch is None for release in written):
        return None
    return releases[len(written) - 1].branch


def _in_order(written: Sequence[Release], found: Iterable[str]) -> tuple[Release, ...]:
    """Return the author's releases in the author's order, then the others by version."""
    numbered = list(enumerate(written, start=1))
    numbered.sort(key=lambda item: (item[0] if item[1].order is None else item[1].order, item[0]))
    known = {release.id for release in written}
    rest = sorted(set(found) - known, key=version_key)
    return (*(release for _, release in numbered), *(Release(id=each) for each in rest))


def _step_order(found: Iterable[str], groups: Sequence[StepGroup]) -> tuple[str, ...]:
    """Return the steps in the order of their groups, then the others by name."""
    left = set(found)
    grouped = [step for group in groups for step in group.steps if step in left]
    ordered = list(dict.fromkeys(grouped))
    return (*ordered, *sorted(left.difference(ordered), key=version_key))


def _misnamed(directory: str, shown_as: str) -> Iterator[Problem]:
    if slug(directory) != directory:
        yield Problem(
            path=shown_as,
            found="a directory name that no bundle's report leads to",
            expected=slug(directory),
            do="rename the directory",
        )


def _without_results(report_id: str, shown_as: str, known: Iterable[str]) -> Problem:
    near = nearest(report_id, known)
    return Problem(
        path=shown_as,
        found=f"no run is of the report {shown_value(report_id)}",
        expected="results for every text",
        do=f"did you mean {shown_value(near)}? rename the directory" if near else "add bundles",
        severity="warning",
    )


def _reference_problems(front: Front, report: Report) -> Iterator[Problem]:
    """Yield what the author names twice, or names although no bundle has it."""
    document, matter = front.document, front.matter
    if document is None:
        return
    releases = [release.id for release in report.releases]
    for kind, name, known, path in _references(matter, releases, report):
        if name not in known:
            near = nearest(name, known)
            yield Problem(
                path=document.shown_as,
                line=document.line(*path),
                found=f"no run is of the {kind} {shown_value(name)}",
                expected=f"one of {_some(known)}",
                do=f"did you mean {shown_value(near)}?" if near else "correct or remove it",
                severity="warning",
            )
    drilldowns = [drilldown.name for drilldown in matter.drilldowns]
    calltrees = [calltree.name for calltree in matter.calltrees]
    for key, names in (
        ("releases", releases),
        ("drilldowns", drilldowns),
        ("calltrees", calltrees),
    ):
        for address, positions in collisions(names).items():
            yield Problem(
                path=document.shown_as,
                line=document.line(key, positions[-1]),
                found=f"{len(positions)} {key} have the address {address}",
                expected="one",
                do="name each only once",
            )
    for index, release in enumerate(matter.releases):
        if reserved(release.id, "release"):
            yield Problem(
                path=document.shown_as,
                line=document.line("releases", index, "id"),
                found=f"a release may not be called {shown_value(release.id)}",
                expected="a name that no other page has",
                do="choose another name",
            )


def _references(
    matter: FrontMatter, releases: Sequence[str], report: Report
) -> Iterator[tuple[str, str, Collection[str], KeyPath]]:
    """Yield what the author refers to: its kind, its name, the names there are, and the key."""
    variants = list(report.variants)
    if matter.base is not None:
        yield "release", matter.base, releases, ("base",)
    if matter.default_variant is not None:
        yield "variant", matter.default_variant, variants, ("default_variant",)
    for variant in matter.variants:
        yield "variant", variant, variants, ("variants", variant)
    for index, group in enumerate(matter.step_groups):
        for step in group.steps:
            yield "step", step, report.steps, ("step_groups", index, "steps")
    for index, drilldown in enumerate(matter.drilldowns):
        for step in drilldown.steps:
            yield "step", step, report.steps, ("drilldowns", index, "steps")
    for index, calltree in enumerate(matter.calltrees):
        for step in calltree.steps:
            yield "step", step, report.steps, ("calltrees", index, "steps")
    for index, pair in enumerate(matter.diffs):
        yield "release", pair.release, releases, ("diffs", index, "release")
        yield "release", pair.base, releases, ("diffs", index, "base")
        for step in pair.steps:
            yield "step", step, report.steps, ("diffs", index, "steps")
    for index, twins in enumerate(matter.twin_variants):
        for variant in twins:
            yield "variant", variant, variants, ("twin_variants", index)
    for index, same in enumerate(matter.same_code):
        for release in same:
            yield "release", release, releases, ("same_code", index)


def _some(names: Collection[str]) -> str:
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(map(shown_value, list(names)[:MOST_NAMED])) + more
