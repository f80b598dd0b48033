"""The pages of hosts: what the newest releases changed there, and what ran, newest first."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from itertools import islice
from typing import Any

import msgspec

from perfpress.base.defects import attempt
from perfpress.base.display import NO_VALUE, brief, plural, short_name
from perfpress.base.groups import grouped
from perfpress.base.problems import Problem
from perfpress.base.slugs import slug
from perfpress.site.addresses import (
    HOSTS,
    host_address,
    release_address,
    report_address,
    variant_address,
)
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Cell, Fact, Link, Phrase, Row, Sentence, Table
from perfpress.site.shapes.pages import HostPage, HostsPage, Place
from perfpress.site.tables.columns import Column, filled
from perfpress.site.tables.runs import start_cell, variant_cell
from perfpress.site.words.verdict_sentences import brief_counts, plain

MOST_RUNS = 200
"""Rows of a host's runs; the pages of the releases have all."""

MOST_RELEASES = 100
"""Rows of a host's releases; the pages of the reports lead to all."""

MOST_REPORTS = 5
"""Reports that a host's page opens with; the table of releases has all."""


class HostRun(msgspec.Struct, frozen=True, kw_only=True):
    """A run of a report, as the page of its host shows it."""

    host: str
    report: str
    """The report's slug."""
    report_cell: Cell
    release: str
    release_at: int
    """In the report's order."""
    release_cell: Cell
    run: str
    started: datetime | None
    status: str
    machine: dict[str, Any]
    steps: int
    variant: str
    """The variant's slug."""
    variant_at: int
    """In the report's order."""
    variant_cell: Cell
    variant_url: str
    against_base: str
    """How many steps of the release and variant have each verdict."""


def host_runs(figures: Figures) -> Iterator[HostRun]:
    """Yield the runs of a report."""
    study = figures.study
    report = study.report
    releases = {release.id: at for at, release in enumerate(report.releases)}
    variants = {variant: at for at, variant in enumerate(report.variants)}
    counts: dict[tuple[str, str], str] = {}
    for each in study.runs:
        run, variant = each.bundle.run, each.bundle.variant.slug
        key = run.release, variant
        if key not in counts:
            counts[key] = brief_counts(figures, *key, study.base_of(variant))
        url = release_address(report, run.release)
        yield HostRun(
            host=run.host,
            report=report.id,
            report_cell=Cell(text=report.title, url=report_address(report)),
            release=run.release,
            release_at=releases[run.release],
            release_cell=Cell(text=short_name(study.label(run.release)), url=url),
            run=each.bundle.run_id,
            started=run.started,
            status=each.status,
            machine=dict(run.machine),
            steps=len(each.bundle.steps),
            variant=variant,
            variant_at=variants.get(variant, len(variants)),
            variant_cell=variant_cell(study, each),
            variant_url=variant_address(report, variant),
            against_base=counts[key],
        )


def host_pages(
    runs: Sequence[HostRun], openings: Mapping[str, Sentence]
) -> tuple[list[HostPage | HostsPage], list[Problem]]:
    """Return the page of every host, and the list of hosts; none without runs.

    Hosts whose names have one slug are one. One that a defect of ours stops is left out.

    Args:
        runs: of all reports.
        openings: what the pages of variants open with, by address.
    """
    hosts: dict[str, list[HostRun]] = {}
    pages: list[HostPage] = []
    problems: list[Problem] = []
    for host, found in sorted(grouped(runs, lambda run: slug(run.host)).items()):
        make = partial(_sorted_with_page, found, openings)
        if made := attempt(make, f"hosts/{host}", "the site lacks the page of the host", problems):
            hosts[host], page = made
            pages.append(page)
    return ([_hosts_page(hosts), *pages] if hosts else []), problems


def _sorted_with_page(
    found: Sequence[HostRun], openings: Mapping[str, Sentence]
) -> tuple[list[HostRun], HostPage]:
    runs = sorted(found, key=_newest_first)
    return runs, _host_page(runs, openings)


def _newest_first(each: HostRun) -> tuple[float, str, int, str]:
    """Return the sort key of a run: undated runs last, in the order of releases."""
    started = each.started.timestamp() if each.started else 0.0
    return -started, each.report, -each.release_at, each.run


def _undated(runs: Sequence[HostRun]) -> tuple[str, ...]:
    dated = {bool(run.started) for run in runs}
    if len(dated) == 1:
        return ()
    return ("Runs without a date come last, those of newer releases first.",)


def _order(runs: Sequence[HostRun]) -> str:
    """Return by what the runs are in order."""
    dated = any(run.started for run in runs)
    return "newest run first" if dated else "newest release first"


def _hosts_page(hosts: dict[str, list[HostRun]]) -> HostsPage:
    return HostsPage(
        place=Place(
            path=HOSTS,
            title="Hosts",
            heading="Hosts",
            description="The machines that the benchmarks ran on.",
        ),
        hosts=filled(
            Table(id="hosts", caption="The machines that the benchmarks ran on", row_head="Host"),
            HOST_COLUMNS,
            (
                (
                    Row(key=host, label=short_name(_name(runs)), url=host_address(_name(runs))),
                    runs,
                )
                for host, runs in hosts.items()
            ),
        ),
    )


def _host_page(runs: Sequence[HostRun], openings: Mapping[str, Sentence]) -> HostPage:
    name = short_name(_name(runs))
    opening = _opening(runs, openings)
    return HostPage(
        place=Place(
            path=host_address(_name(runs)),
            title=f"Host {name}",
            heading=name,
            description=plain(opening[:1])
            or f"What ran on {name}: its reports, releases and runs, newest first.",
            breadcrumbs=(Link(label="Hosts", url=HOSTS),),
        ),
        opening=opening,
        facts=_facts(runs),
        machine=_machine_table(runs),
        releases=_releases_table(runs),
        runs=_runs_table(runs),
    )


def _opening(runs: Sequence[HostRun], openings: Mapping[str, Sentence]) -> tuple[Sentence, ...]:
    """Return what the newest release of each report changed here, the newest report first."""
    reports = list(dict.fromkeys(each.report for each in runs))
    found = (
        _of_report([each for each in runs if each.report == report], openings)
        for report in reports[:MOST_REPORTS]
    )
    return tuple(sentence for sentence in found if sentence)


def _of_report(runs: Sequence[HostRun], openings: Mapping[str, Sentence]) -> Sentence:
    """Return the report and what the page of its first variant that ran here opens with."""
    first = _first_variant(runs)
    sentence = openings.get(first.variant_url, ())
    if not sentence:
        return ()
    return (
        Phrase(text=first.report_cell.text, url=first.report_cell.url),
        Phrase(text=". "),
        *sentence,
    )


def _first_variant(runs: Sequence[HostRun]) -> HostRun:
    """Return a run of the variant of a report's runs that its page lists first."""
    return min(runs, key=lambda each: each.variant_at)


def _name(runs: Sequence[HostRun]) -> str:
    return runs[0].host


def _release_of(each: HostRun) -> tuple[str, str]:
    return each.report, each.release


def _facts(runs: Sequence[HostRun]) -> tuple[Fact, ...]:
    dated = [run.started for run in runs if run.started]
    facts = [Fact(label="Measured", value=plural(len(runs), "run"))]
    if dated:
        facts.append(Fact(label="Newest", value=f"{start_cell(dated[0]).text} UTC"))
        facts.append(Fact(label="Oldest", value=f"{start_cell(dated[-1]).text} UTC"))
    return tuple(facts)


def _machine_table(runs: Sequence[HostRun]) -> Table | None:
    """Return each fact with its newest value, and its earlier ones."""
    values: dict[str, list[str]] = {}
    for run in runs:
        for fact, value in run.machine.items():
            text = str(value).lower() if isinstance(value, bool) else str(value)
            found = values.setdefault(fact, [])
            if text not in found:
                found.append(text)
    if not values:
        return None
    return filled(
        Table(id="machine", caption="The machine, from its newest run", row_head="Fact"),
        MACHINE_COLUMNS,
        (
            (Row(key=slug(fact), label=short_name(fact)), found)
            for fact, found in sorted(values.items())
        ),
    )


def _before(values: Sequence[str]) -> Cell:
    return _text("; ".join(values[1:])) if values[1:] else Cell(text="the same")


def _text(value: str) -> Cell:
    shown = brief(short_name(value))
    return Cell(text=shown, note=short_name(value) if shown != value else "")


def _releases_table(runs: Sequence[HostRun]) -> Table:
    by_release = grouped(runs, _release_of)
    several = len({report for report, _ in by_release}) > 1
    more = len(by_release) - MOST_RELEASES
    older = (f"{plural(more, 'release')} more on the pages of the reports.",) if more > 0 else ()
    by_release = dict(islice(by_release.items(), MOST_RELEASES))
    has_rates = any(_against_base(own) for own in by_release.values())
    columns = tuple(
        column
        for column in RELEASE_COLUMNS
        if (several or column.key != "report") and (has_rates or column.key != "base")
    )
    rows = (
        (
            Row(
                key=f"{report}-{slug(release)}",
                label=own[0].release_cell.text,
                url=own[0].release_cell.url,
            ),
            own,
        )
        for (report, release), own in by_release.items()
    )
    return filled(
        Table(
            id="releases",
            caption=f"The releases measured here, {_order(runs)}",
            row_head="Release",
            notes=(*older, *_undated(runs)),
        ),
        columns,
        rows,
    )


def _against_base(runs: Sequence[HostRun]) -> str:
    """Return how many steps of a release have each verdict against the base."""
    return _first_variant(runs).against_base


def _runs_table(runs: Sequence[HostRun]) -> Table:
    more = len(runs) - MOST_RUNS
    older = (f"{plural(more, 'older run')} on the pages of the releases.",) if more > 0 else ()
    rows = (
        (
            Row(
                key=f"{run.report}-{run.run}",
                label=run.run,
                url=f"{run.release_cell.url}#runs.{run.run}",
            ),
            run,
        )
        for run in runs[:MOST_RUNS]
    )
    return filled(
        Table(
            id="runs",
            caption=f"The runs, {_order(runs)}",
            row_head="Run",
            notes=(*older, *_undated(runs)),
        ),
        RUN_COLUMNS,
        rows,
    )


def _count(count: int) -> Cell:
    return Cell(text=f"{count:,}", sort=count)


HOST_COLUMNS: tuple[Column[Sequence[HostRun]], ...] = (
    Column(
        "reports",
        "Reports",
        lambda runs: _count(len({run.report for run in runs})),
    ),
    Column("releases", "Releases", lambda runs: _count(len(set(map(_release_of, runs))))),
    Column("runs", "Runs", lambda runs: _count(len(runs))),
    Column(
        "newest", "Newest run", lambda runs: start_cell(runs[0].started), unit="UTC", numeric=False
    ),
)
"""Of a host's runs, the newest first."""

MACHINE_COLUMNS: tuple[Column[Sequence[str]], ...] = (
    Column("now", "Now", lambda values: _text(values[0]), numeric=False),
    Column("before", "In earlier runs", _before, numeric=False),
)
"""Of a fact's values, the newest first."""

RELEASE_COLUMNS: tuple[Column[Sequence[HostRun]], ...] = (
    Column(
        "base",
        "Steps against the base",
        lambda runs: Cell(text=_against_base(runs) or NO_VALUE),
        numeric=False,
    ),
    Column("report", "Report", lambda runs: runs[0].report_cell, numeric=False),
    Column("runs", "Runs", lambda runs: _count(len(runs))),
    Column(
        "newest", "Newest run", lambda runs: start_cell(runs[0].started), unit="UTC", numeric=False
    ),
)
"""Of a release's runs, the newest first."""

RUN_COLUMNS: tuple[Column[HostRun], ...] = (
    Column("started", "Started", lambda each: start_cell(each.started), unit="UTC", numeric=False),
    Column("release", "Release", lambda each: each.release_cell, numeric=False),
    Column("variant", "Variant", lambda each: each.variant_cell, numeric=False),
    Column("steps", "Steps", lambda each: _count(each.steps)),
    Column("status", "Status", lambda each: Cell(text=each.status), numeric=False),
)
