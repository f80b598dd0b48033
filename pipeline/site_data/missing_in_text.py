"""What a text names that is known and has nothing to show: the notice that stands in its place."""

from collections.abc import Mapping

from pipeline.site_data.figures import SHOWN_METRICS, Figures
from pipeline.site_data.named_in_text import NamedInText
from pipeline.site_data.rate_cells import missing_cell
from pipeline.site_data.shapes import CallTree, Chart, Drilldown, Graph


def missing_charts(
    named: NamedInText,
    throughput: Mapping[str, Chart],
    latency: Mapping[str, Chart],
    percentiles: Mapping[str, Chart],
) -> dict[str, str]:
    """Return why there is no chart of a step, by shortcode and step."""
    return {
        f"{shortcode} {step}": f"no log of {step} that counts tells {what}"
        for shortcode, there, what in (
            ("chart", throughput, "its throughput over time"),
            ("latency", latency, "its latency over time"),
            ("percentiles", percentiles, "two percentiles of its latency"),
        )
        for step in named.steps
        if step not in there
    }


def missing_profiles(
    figures: Figures,
    named: NamedInText,
    drilldowns: Mapping[str, Drilldown],
    calltrees: Mapping[str, CallTree],
) -> dict[str, str]:
    """Return what the author defined that no profile is for, by shortcode and name."""
    report = figures.study.report
    defined = (
        *(("drilldown", each.name, each.title, drilldowns.keys()) for each in report.drilldowns),
        *(("calltree", each.name, each.title, calltrees.keys()) for each in report.calltrees),
    )
    return {
        f"{shortcode} {name}": f"no profile for {title or own}"
        for shortcode, own, title, there in defined
        for name in (own, *(f"{own}/{step}" for step in named.steps))
        if name not in there
    }


def missing_of_cells(
    figures: Figures,
    named: NamedInText,
    graphs: Mapping[str, Graph],
    diffs: Mapping[str, Graph],
    traces: Mapping[str, Chart],
) -> dict[str, str]:
    """Return what cannot be shown of a release and step, by shortcode and name."""
    study = figures.study
    found = {}
    for cell in named.cells:
        name = f"{cell.release}/{cell.step}"
        label = study.label(cell.release)
        if name not in graphs:
            found[f"flamegraph {name}"] = f"no profile of {cell.step} on {label}"
        if name not in traces:
            found[f"trace {name}"] = f"no log of {cell.step} on {label} holds a trace"
        if not study.of_cell(cell):
            found[f"verdicts {name}"] = f"no run of {cell.step} on {label}"
        if cell.release not in study.measured:
            found[f"verdicts {cell.release}"] = f"no run of {label}"
        for base in named.releases:
            if base != cell.release and f"{name}/vs/{base}" not in diffs:
                found[f"diff {name}/vs/{base}"] = (
                    f"no diff of {cell.step}, {label} against {study.label(base)}: a profile "
                    "is missing, or the pair is neither with the base, nor with the release "
                    "before, nor under diffs"
                )
        for metric in SHOWN_METRICS:
            if cell not in figures.summaries[metric]:
                reason = missing_cell(study, cell, metric).note
                found[f"cell {name}/{metric}"] = f"no {metric} of {cell.step} on {label}: {reason}"
        if figures.cost(cell) is None:
            found[f"cell {name}/cost"] = f"no cost of {cell.step} on {label}"
    return found
