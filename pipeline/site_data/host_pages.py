"""The pages of hosts: what ran there, newest first."""

from collections.abc import Sequence
from datetime import UTC, datetime

from pipeline.corrections.corrected import CorrectedRun
from pipeline.display import NO_VALUE, brief, plural, short_name
from pipeline.site_data.addresses import HOSTS, host_address, release_address, report_address
from pipeline.site_data.host_shapes import HostPage, HostsPage
from pipeline.site_data.page_shapes import Place
from pipeline.site_data.shapes import Cell, Column, Fact, Link, Row, Table
from pipeline.slug import slug
from pipeline.study.study import Study

MOST_RUNS = 200
"""Rows of a host's runs; the pages of the releases have all."""

HostRun = tuple[Study, CorrectedRun]


def host_pages(studies: Sequence[Study]) -> list[HostPage | HostsPage]:
    """Return the page of every host, and the list of all; nothing where nothing ran.

    Hosts whose names have one slug are one.
    """
    by_host: dict[str, list[HostRun]] = {}
    for study in studies:
        for run in study.runs:
            by_host.setdefault(slug(run.bundle.run.host), []).append((study, run))
    if not by_host:
        return []
    hosts = {host: sorted(runs, key=_newest_first) for host, runs in sorted(by_host.items())}
    return [_hosts_page(hosts), *(_host_page(runs) for runs in hosts.values())]


def _newest_first(each: HostRun) -> tuple[float, str, int, str]:
    """Return what sorts runs: undated ones come last, as the releases of their report stand."""
    study, run = each
    started = run.bundle.run.started
    releases = [release.id for release in study.report.releases]
    return (
        -started.timestamp() if started else 0.0,
        study.report.id,
        -releases.index(run.bundle.run.release),
        run.bundle.run_id,
    )


def _undated(runs: Sequence[HostRun]) -> tuple[str, ...]:
    dated = all(run.bundle.run.started for _, run in runs)
    return () if dated else ("Runs without a date come last, those of newer releases first.",)


def _hosts_page(hosts: dict[str, list[HostRun]]) -> HostsPage:
    return HostsPage(
        place=Place(
            path=HOSTS,
            title="Hosts",
            heading="Hosts",
            description="The machines that the benchmarks ran on.",
        ),
        hosts=Table(
            id="hosts",
            caption="The machines that the benchmarks ran on",
            row_head="Host",
            columns=(
                Column(key="reports", label="Reports"),
                Column(key="releases", label="Releases"),
                Column(key="runs", label="Runs"),
                Column(key="newest", label="Newest run", unit="UTC", numeric=False),
            ),
            rows=tuple(
                Row(
                    key=host,
                    label=short_name(_name(runs)),
                    url=host_address(_name(runs)),
                    cells=(
                        _count(len({study.report.id for study, _ in runs})),
                        _count(len({_release_of(each) for each in runs})),
                        _count(len(runs)),
                        _started(runs[0][1]),
                    ),
                )
                for host, runs in hosts.items()
            ),
        ),
    )


def _host_page(runs: Sequence[HostRun]) -> HostPage:
    name = short_name(_name(runs))
    return HostPage(
        place=Place(
            path=host_address(_name(runs)),
            title=f"Host {name}",
            heading=name,
            description=f"What ran on {name}: its reports, releases and runs, newest first.",
            breadcrumbs=(Link(label="Hosts", url=HOSTS),),
        ),
        facts=_facts(runs),
        machine=_machine_table(runs),
        releases=_releases_table(runs),
        runs=_runs_table(runs),
    )


def _name(runs: Sequence[HostRun]) -> str:
    return runs[0][1].bundle.run.host


def _release_of(each: HostRun) -> tuple[str, str]:
    study, run = each
    return study.report.id, run.bundle.run.release


def _facts(runs: Sequence[HostRun]) -> tuple[Fact, ...]:
    dated = [run for _, run in runs if run.bundle.run.started]
    facts = [Fact(label="Runs", value=plural(len(runs), "run"))]
    if dated:
        facts.append(Fact(label="Newest", value=f"{_started(dated[0]).text} UTC"))
        facts.append(Fact(label="Oldest", value=f"{_started(dated[-1]).text} UTC"))
    return tuple(facts)


def _machine_table(runs: Sequence[HostRun]) -> Table | None:
    """Return each fact with the value of the newest run that tells it, and what it was before."""
    values: dict[str, list[str]] = {}
    for _, run in runs:
        for fact, value in run.bundle.run.machine.items():
            text = str(value).lower() if isinstance(value, bool) else str(value)
            told = values.setdefault(fact, [])
            if text not in told:
                told.append(text)
    if not values:
        return None
    return Table(
        id="machine",
        caption="The machine, as its newest run tells it",
        row_head="Fact",
        columns=(
            Column(key="now", label="Now", numeric=False),
            Column(key="before", label="In earlier runs", numeric=False),
        ),
        rows=tuple(
            Row(
                key=slug(fact),
                label=short_name(fact),
                cells=(_text(now), _text("; ".join(before)) if before else Cell(text="the same")),
            )
            for fact, (now, *before) in sorted(values.items())
        ),
    )


def _text(value: str) -> Cell:
    shown = brief(short_name(value))
    return Cell(text=shown, note=short_name(value) if shown != value else "")


def _releases_table(runs: Sequence[HostRun]) -> Table:
    by_release: dict[tuple[str, str], list[HostRun]] = {}
    for each in runs:
        by_release.setdefault(_release_of(each), []).append(each)
    return Table(
        id="releases",
        caption="The releases measured here, newest run first",
        row_head="Release",
        columns=(
            Column(key="report", label="Report", numeric=False),
            Column(key="runs", label="Runs"),
            Column(key="newest", label="Newest run", unit="UTC", numeric=False),
        ),
        rows=tuple(
            _release_row(own[0][0], release, own) for (_, release), own in by_release.items()
        ),
        notes=_undated(runs),
    )


def _release_row(study: Study, release: str, runs: Sequence[HostRun]) -> Row:
    report = study.report
    return Row(
        key=f"{report.id}-{slug(release)}",
        label=short_name(study.label(release)),
        url=release_address(report, release),
        cells=(
            Cell(text=report.title, url=report_address(report)),
            _count(len(runs)),
            _started(runs[0][1]),
        ),
    )


def _runs_table(runs: Sequence[HostRun]) -> Table:
    more = len(runs) - MOST_RUNS
    return Table(
        id="runs",
        caption="The runs, newest first",
        row_head="Run",
        columns=(
            Column(key="started", label="Started", unit="UTC", numeric=False),
            Column(key="release", label="Release", numeric=False),
            Column(key="variant", label="Variant", numeric=False),
            Column(key="steps", label="Steps"),
            Column(key="status", label="Status", numeric=False),
        ),
        rows=tuple(_run_row(study, run) for study, run in runs[:MOST_RUNS]),
        notes=(
            *((f"{plural(more, 'older run')} on the pages of the releases.",) if more > 0 else ()),
            *_undated(runs),
        ),
    )


def _run_row(study: Study, run: CorrectedRun) -> Row:
    bundle, report = run.bundle, study.report
    address = release_address(report, bundle.run.release)
    return Row(
        key=f"{report.id}-{bundle.run_id}",
        label=bundle.run_id,
        url=f"{address}#runs.{bundle.run_id}",
        cells=(
            _started(run),
            Cell(text=short_name(study.label(bundle.run.release)), url=address),
            Cell(text=report.variants[bundle.variant.slug]),
            _count(len(bundle.steps)),
            Cell(text=run.status),
        ),
    )


def _count(count: int) -> Cell:
    return Cell(text=f"{count:,}", sort=count)


def _started(run: CorrectedRun) -> Cell:
    started: datetime | None = run.bundle.run.started
    if started is None:
        return Cell(text=NO_VALUE)
    return Cell(text=f"{started.astimezone(UTC):%Y-%m-%d %H:%M}", sort=started.timestamp())
