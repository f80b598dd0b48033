"""What the pages of a report, and of releases, are made from: equal hashes, equal pages.

A report's has its definitions, runs and corrections. A release's has the runs of the release and of
those that it is compared with; of what follows from the whole report it has the results, verdicts
and sentences: noise of other releases that moves no number of the page leaves it as it is.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields

from msgspec.structs import replace as replace_fields

from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.report_inputs import ReportInputs
from perfpress.base.cache import key_of, node_version_key, python_version_key
from perfpress.input.report.report import Report
from perfpress.site.addresses import Identity
from perfpress.site.pages.variant import SomeReleases
from perfpress.site.report_parts import ReportParts
from perfpress.site.tables.overview import Overview
from perfpress.site.words.level_changes import (
    fluke_words,
    release_level_sentences,
    since_words,
)
from perfpress.site.words.measured import variant_has_rates

OF_RELEASES = ("releases", "mentions", "document")
"""What of a report is in no page of a release but that of the releases it names, or in its text."""
OF_MESSAGES = ("drilldowns", "rates")
"""The parts of a report's definitions whose lines problems name that are found with its pages."""


def report_key(inputs: ReportInputs, identity: Identity) -> str:
    """Return the key of all pages of a report; its title is put into them later."""
    report, document = inputs.report, inputs.report.document
    names = {each.name for each in fields(report)} - {"title", "matter", "document"}
    return key_of(
        _of_site(identity),
        {name: getattr(report, name) for name in names},
        replace_fields(report.matter, title=None),
        document and (document.shown_as, document.lines_below(*OF_MESSAGES)),
        [run.key for run in inputs.runs],
        inputs.corrections,
    )


def release_keys(parts: ReportParts, identity: Identity) -> Mapping[str, str]:
    """Return the keys of all releases that have runs."""
    study = parts.study
    of_all = key_of(
        _of_site(identity),
        _decisions(study.report),
        {step: study.operation(step) for step in study.report.steps},
    )
    runs = {release: study.runs_key(release) for release in study.measured}
    return {
        release: key_of(of_all, list(_of_release(parts, release, runs)))
        for release in study.measured
    }


def some_releases_key(
    parts: ReportParts, some: SomeReleases, of_releases: Mapping[str, str]
) -> str:
    """Return the key of a page of some releases of a variant.

    Args:
        parts: of the report.
        some: what the page has.
        of_releases: the keys of the releases, from `release_keys`.
    """
    study, variant = parts.study, some.variant
    overview = Overview(study, variant, some.releases)
    like, levels = overview.like, parts.figures.levels["throughput"]
    family = like.family(variant)
    before = [study.previous(release, family) for release in some.releases]
    compared = dict.fromkeys((overview.base, *filter(None, before)))
    changes = {
        step: [
            each.release for each in levels[variant, step].changes if each.release in some.releases
        ]
        for step in overview.steps
        if (variant, step) in levels
    }
    return key_of(
        (some, overview.note, before, changes),
        [of_releases[release] for release in some.releases],
        [study.runs_key(each) for each in compared if each not in some.releases],
        [(each, study.label(each)) for each in compared],
        [(each, like.of_release(each, variant)) for each in (*some.releases, *compared)],
        [(each, like.config(each)) for each in family],
        [(step, bool(study.releases_with(variant, step))) for step in overview.steps],
    )


def _of_site(identity: Identity) -> tuple[str, ...]:
    return python_version_key(), node_version_key(), identity.title, identity.base_url


def _decisions(report: Report) -> dict[str, object]:
    """Return what holds for all releases of a report."""
    names = (each.name for each in fields(report))
    of_all = {name: getattr(report, name) for name in names if name not in OF_RELEASES}
    return of_all | {"matter": replace_fields(report.matter, releases=(), title=None)}


def _of_release(parts: ReportParts, release: str, runs: Mapping[str, str]) -> Iterator[object]:
    figures, study = parts.figures, parts.study
    cells = study.cells_of_release(release)
    variants = dict.fromkeys(cell.variant for cell in cells)
    bases = dict.fromkeys(
        (
            *(base for variant in variants for base in study.compared_with(release, variant)),
            *(base for cell in cells for base in study.bases_of(cell)),
        )
    )
    at = study.measured.index(release)
    beside = (*study.measured[max(0, at - 1) : at], *study.measured[at + 1 : at + 2])
    yield from map(study.report.release, (release, *bases, *beside))
    yield [(base, runs.get(base)) for base in (release, *bases)]
    yield figures.verdict_digests(release)
    bases_of = {cell: study.bases_of(cell) for cell in cells}
    for variant in variants:
        steps = study.steps_with(release, variant)
        yield variant, study.base_of(variant), variant_has_rates(figures, variant)
        own = [cell for cell in cells if cell.variant == variant]
        means = [
            figures.mean_of_steps([cell for cell in own if base in bases_of[cell]], base)
            for base in bases
        ]
        yield [
            (mean, study.label(mean.since.release) if mean.since else "") for mean in means if mean
        ]
        yield parts.functions_table(variant, steps, {release, *bases})
    for cell in cells:
        yield from _of_cell(parts, cell, bases_of[cell])
    yield release_level_sentences(figures, release, parts.common_functions)
    yield sorted(
        (key.cell, key.base, drawn.key)
        for key, drawn in parts.drawings.diffs.items()
        if key.cell.release == release
    )


def _of_cell(parts: ReportParts, cell: CellKey, bases: Sequence[str]) -> Iterator[object]:
    """Yield what a cell has beside numbers, and its profiles, with those of its bases."""
    figures, study = parts.figures, parts.study
    near = (cell, *map(cell.in_release, bases))
    yield cell, bases, [figures.has_page(each) for each in near]
    yield fluke_words(figures, cell, (cell.release, *bases))
    yield [since_words(figures, *cell.step_key, base, cell.release) for base in bases]
    if cell.step_key in figures.events:
        yield figures.events[cell.step_key], figures.author_rates.get(cell.step_key)
        for each in near:
            profiles = study.profiles.get(each, ())
            yield [(made.event, made.unit, made.profile.key) for made in profiles]
            yield [parts.drawings.flamegraphs.get((each, made.event)) is None for made in profiles]
