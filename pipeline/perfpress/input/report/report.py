"""A report, complete: its author's definitions, with the defaults filled in from the bundles."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path

from perfpress.base.defects import attempt
from perfpress.base.groups import grouped
from perfpress.base.problems import Problem
from perfpress.base.slugs import slug
from perfpress.input.bundles.same_config import SameConfigs, same_configs
from perfpress.input.corrections.corrected import CorrectedRun
from perfpress.input.report.front_matter import (
    FILE_NAME,
    Release,
    ReportText,
    StepGroup,
    read_front,
    with_renames,
)
from perfpress.input.report.rates import Rates, relative_rates, renamed_rates
from perfpress.input.report.references import (
    ReportNames,
    misnamed,
    reference_problems,
    without_results,
)
from perfpress.input.report.version_order import original_of, version_key

NO_REPORT = "the site lacks the report"
"""What a defect that is met in a report costs."""


@dataclass(frozen=True, kw_only=True)
class Report(ReportText):
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
    """The branch of releases that state none."""
    twin_variants: tuple[tuple[str, ...], ...] = ()
    """Groups of variants whose differences are noise."""
    same_configs: SameConfigs = field(default_factory=SameConfigs)
    rates: Rates = field(default_factory=dict)
    """Relative rates of releases, by step and variant where they differ."""

    @property
    def aliases(self) -> dict[str, tuple[str, ...]]:
        """The names that are the same thread or function, by the name that is shown."""
        threads, functions = self.matter.thread_aliases, self.matter.function_aliases
        return {
            name: (*threads.get(name, ()), *functions.get(name, ()))
            for name in (*threads, *functions)
        }

    @property
    def variants_in_text(self) -> Mapping[str, str]:
        """The variants that the text shows, by the slugs that it names them with."""
        names = (*self.variants, *self.same_configs.variants)
        return {
            name: self.same_configs.variant_slug(name) for name in names if name in self.mentions
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

    def relative_rates(self, variant: str, step: str) -> Mapping[str, float]:
        """Return the author's rates by release, relative to the base; empty without any."""
        return relative_rates(self.rates, variant, step, self.base)

    def with_variant(self, run: CorrectedRun) -> CorrectedRun:
        """Return a run of this report with the variant that it counts for."""
        return replace(run, bundle=self.same_configs.in_variant(run.bundle))

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
    """Return the path of a report's text, below the directory of all texts."""
    return f"reports/{report_id}/{FILE_NAME}"


def same_config_in(content: Path, report_id: str) -> Sequence[Sequence[str]]:
    """Return the configurations that a report declares to be the same."""
    path = content / text_of(report_id)
    front, _ = read_front(path, path.name) if path.is_file() else (ReportText(), [])
    return front.matter.same_config


def read_reports(
    content: Path, shown_as: str, runs: Sequence[CorrectedRun]
) -> tuple[dict[str, Report], list[Problem]]:
    """Return all reports that have bundles or a text, by id, and what is wrong with their texts.

    Args:
        content: the directory of the texts, which may lack `reports/`.
        shown_as: its name in messages.
        runs: all, those that do not count too: their pages say why.
    """
    by_report = grouped(runs, lambda run: slug(run.bundle.run.report))
    written = {path.parent.name: path for path in (content / "reports").glob(f"*/{FILE_NAME}")}
    reports: dict[str, Report] = {}
    problems: list[Problem] = []
    for report_id in sorted(by_report.keys() | written.keys()):
        front = ReportText()
        if path := written.get(report_id):
            front, found = read_front(path, f"{shown_as}/{text_of(report_id)}")
            problems += found
            problems += misnamed(report_id, f"{shown_as}/reports/{report_id}")
            if report_id not in by_report:
                problems.append(
                    without_results(report_id, f"{shown_as}/{text_of(report_id)}", by_report)
                )
        make = partial(complete, report_id, front, by_report.get(report_id, []))
        if made := attempt(make, f"reports/{report_id}", NO_REPORT, problems):
            reports[report_id], found = made
            problems += found
    return reports, problems


def complete(
    report_id: str, front: ReportText, runs: Sequence[CorrectedRun]
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
    same = same_configs(matter.same_config, (run.bundle.variant for run in runs))
    runs = [replace(run, bundle=same.in_variant(run.bundle)) for run in runs]
    bundles = [run.bundle for run in runs]
    runs_with_steps = [run for run in runs if run.steps] or runs
    number = Counter(run.bundle.variant.slug for run in runs_with_steps)
    labels = {bundle.variant.slug: bundle.variant.label for bundle in bundles} | dict(same.labels)
    names = {same.variant_slug(variant): name for variant, name in matter.variants.items()}
    by_runs = sorted(labels, key=lambda variant: (-number[variant], variant))
    steps = {step.name for run in runs_with_steps for step in run.steps or run.bundle.steps}
    measured = {run.bundle.run.release for run in runs_with_steps}
    found = {bundle.run.release for bundle in bundles}
    now = {rename.old: rename.new for rename in renames if rename.what == "release"}
    releases = _in_order(matter.releases, found, now)
    ids = [release.id for release in releases]
    first = [run.bundle.variant.slug for run in sorted(runs_with_steps, key=_start)]
    default_variant = _chosen(same.variant_slug(matter.default_variant or ""), by_runs, first)
    report = Report(
        **vars(front),
        id=report_id,
        title=matter.title or min((bundle.run.report for bundle in bundles), default=report_id),
        base=_chosen(matter.base, ids, [each for each in ids if each in measured]),
        default_variant=default_variant,
        releases=releases,
        variants={
            variant: names.get(variant, labels[variant])
            for variant in sorted(by_runs, key=lambda variant: variant != default_variant)
        },
        steps=_step_order(steps, matter.step_groups),
        default_branch=_default_branch(releases, matter.releases),
        twin_variants=tuple(
            tuple(dict.fromkeys(map(same.variant_slug, group))) for group in matter.twin_variants
        ),
        same_configs=same,
        rates=renamed_rates(matter.rates, str, same.variant_slug),
    )
    if not bundles:
        return report, []
    known = {bundle.run.release for bundle in bundles}
    configs = [each.run.config for each in bundles if each.run.config is not None]
    there = ReportNames(
        [each for each in ids if each in known],
        [*report.variants, *same.variants],
        report.steps,
        list(dict.fromkeys(configs)),
    )
    return report, list(reference_problems(front, there))


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
    return [release for release in releases if release in written][-1].branch


def _in_order(
    written: Sequence[Release], found: Iterable[str], now: Mapping[str, str]
) -> tuple[Release, ...]:
    """Return the author's releases in the author's order, then the others by version.

    What was measured again, `8.4.5v2`, follows what it is called after, whose name may be another
    one `now`.
    """

    def original(name: str) -> str:
        called_after = original_of(name)
        return now.get(called_after, called_after)

    numbered = list(enumerate(written, start=1))
    numbered.sort(key=lambda item: (item[0] if item[1].order is None else item[1].order, item[0]))
    ordered = [release for _, release in numbered]
    known = {release.id: release for release in written}
    for each in sorted(set(found) - known.keys(), key=version_key):
        if first := known.get(original(each)):
            place = max(
                at
                for at, release in enumerate(ordered)
                if first.id in (release.id, original(release.id))
            )
            ordered.insert(place + 1, Release(id=each, branch=first.branch))
        else:
            ordered.append(Release(id=each))
    return tuple(ordered)


def _step_order(found: Iterable[str], groups: Sequence[StepGroup]) -> tuple[str, ...]:
    """Return the steps in the order of their groups, then the others by name."""
    left = set(found)
    grouped = [step for group in groups for step in group.steps if step in left]
    ordered = list(dict.fromkeys(grouped))
    return (*ordered, *sorted(left.difference(ordered), key=version_key))
