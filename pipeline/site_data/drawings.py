"""Everything that Node draws for a report: flame graphs, diffs and charts, as one batch of jobs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.analysis.cost import Unknown
from pipeline.cache import Cache
from pipeline.node import CHARTS, FLAMEGRAPH, Done, Job, Output, run_jobs
from pipeline.profiles import CellKey, CellProfile
from pipeline.readings import Series
from pipeline.site_data.display import plural_of
from pipeline.site_data.figures import Figures
from pipeline.study import Study


@dataclass(frozen=True, order=True)
class DiffKey:
    """Which two profiles are compared: a cell's, and that of another release."""

    cell: CellKey
    base: str

    @property
    def base_cell(self) -> CellKey:
        """The cell compared against."""
        return CellKey(self.base, self.cell.variant, self.cell.step)


@dataclass(frozen=True)
class Drawings:
    """What was drawn, by what it is of."""

    flamegraphs: Mapping[tuple[CellKey, str], Done]
    """By cell and event."""
    diffs: Mapping[DiffKey, Done]
    throughput: Mapping[CellKey, Done]
    """Throughput over time as the cell's page shows it: its own release stands out."""
    throughput_of_step: Mapping[tuple[str, str], Done]
    """By variant and step: all releases alike."""


def draw(figures: Figures, cache: Cache, processes: int, tell: Callable[[str], None]) -> Drawings:
    """Draw what is not in the cache yet."""
    study = figures.study
    graphs = [(cell, each) for cell, many in study.profiles.items() for each in many]
    pairs = diff_pairs(study)
    jobs = [_flamegraph_job(study, cell, each) for cell, each in graphs]
    jobs += [_diff_job(figures, pair) for pair in pairs]
    done = run_jobs(
        cache,
        FLAMEGRAPH,
        jobs,
        processes,
        lambda missing: tell(f"render: {missing} of {len(jobs)} graphs and diffs are new"),
    )
    charts = _chart_jobs(study)
    drawn = run_jobs(
        cache,
        CHARTS,
        list(charts.values()),
        processes,
        lambda missing: tell(f"render: {missing} of {len(charts)} charts are new"),
    )
    by_chart = dict(zip(charts, drawn, strict=True))
    return Drawings(
        flamegraphs={
            (cell, each.event): made
            for (cell, each), made in zip(graphs, done[: len(graphs)], strict=True)
        },
        diffs=dict(zip(pairs, done[len(graphs) :], strict=True)),
        throughput={key: made for key, made in by_chart.items() if isinstance(key, CellKey)},
        throughput_of_step={key: made for key, made in by_chart.items() if isinstance(key, tuple)},
    )


def diff_pairs(study: Study) -> list[DiffKey]:
    """Return the diffs that are built: against base, against previous, and the author's own."""
    report = study.report
    pairs: set[DiffKey] = set()
    for cell in study.profiles:
        previous = report.previous(cell.release)
        bases = [report.base, *([previous.id] if previous else [])]
        bases += [
            pair.base
            for pair in report.diffs
            if pair.release == cell.release and (not pair.steps or cell.step in pair.steps)
        ]
        pairs |= {
            DiffKey(cell, base)
            for base in bases
            if base != cell.release and DiffKey(cell, base).base_cell in study.profiles
        }
    return sorted(pairs)


def _flamegraph_job(study: Study, cell: CellKey, profile: CellProfile) -> Job:
    request = {
        "profile": profile.profile,
        "title": f"{study.label(cell.release)}, {cell.step}",
        "subtitle": f"{study.report.title} · {study.report.variants[cell.variant]}",
        "out": Output("flamegraph.svg"),
        "inline": {"out": Output("inline.svg")},
    }
    return Job("flamegraph", request)


def _diff_job(figures: Figures, pair: DiffKey) -> Job:
    """Compare by cost per operation where both sides tell it, else by share."""
    study = figures.study
    after, base = figures.work[pair.cell], figures.work[pair.base_cell]
    basis: dict[str, Any] = {"basis": "share"}
    if not isinstance(after, Unknown) and not isinstance(base, Unknown):
        basis = {
            "basis": "cost_per_operation",
            "after_factor": 1 / after.operations,
            "base_factor": 1 / base.operations,
        }
    names = f"{study.label(pair.cell.release)} against {study.label(pair.base)}"
    request = {
        "base": study.profiles[pair.base_cell][0].profile,
        "after": study.profiles[pair.cell][0].profile,
        "title": f"{names}, {pair.cell.step}",
        "base_label": study.label(pair.base),
        "after_label": study.label(pair.cell.release),
        "out_svg": Output("diff.svg"),
        "out_inline": Output("inline.svg"),
        "out_json": Output("diff.json"),
        "out_folded": Output("diff.folded"),
        **basis,
    }
    return Job("diff", request)


def _chart_jobs(study: Study) -> dict[CellKey | tuple[str, str], Job]:
    """Return the charts of all cells and steps that have interval series."""
    jobs: dict[CellKey | tuple[str, str], Job] = {}
    for variant in study.report.variants:
        for step in study.report.steps:
            series = _throughput_series(study, variant, step)
            if not series:
                continue
            jobs[variant, step] = _throughput_job(study, step, series, current=None)
            for release in series:
                cell = CellKey(release, variant, step)
                jobs[cell] = _throughput_job(study, step, series, current=release)
    return jobs


def _throughput_series(study: Study, variant: str, step: str) -> dict[str, list[Series]]:
    """Return, by release in order, the throughput over time of the repeats."""
    found = {
        release: [
            series
            for each in study.of_cell(CellKey(release, variant, step))
            if each.is_repeat
            for series in throughput_series(each.readings)
        ]
        for release in study.releases_with(variant, step)
    }
    return {release: series for release, series in found.items() if series}


def throughput_series(readings: Sequence[Any]) -> list[Series]:
    """Return the first throughput over time that the logs of a step hold, if any."""
    return [
        series for reading in readings for series in reading.series if series.name == "throughput"
    ][:1]


def _throughput_job(
    study: Study, step: str, series: Mapping[str, list[Series]], current: str | None
) -> Job:
    runs = max(len(many) for many in series.values())
    request = {
        "series": [
            {
                "label": study.label(release),
                "current": release == current,
                "runs": [{"seconds": each.seconds, "values": each.values} for each in many],
            }
            for release, many in series.items()
        ],
        "unit": f"{plural_of(study.operation(step))} per second",
        "title": f"Throughput over time, {step}",
        "description": (
            f"One line a release: {', '.join(study.label(each) for each in series)}; "
            f"the median of up to {runs} runs, with the runs themselves behind it."
        ),
        "out": Output("chart.svg"),
    }
    return Job("throughput", request)
