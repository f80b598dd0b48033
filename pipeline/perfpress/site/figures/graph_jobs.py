"""The jobs that draw flame graphs and diffs."""

from collections.abc import Iterable, Mapping
from statistics import median

from msgspec import UNSET

from perfpress.analysis.profiles.captures import RunCaptures, captured_runs, seconds_of_weight
from perfpress.analysis.profiles.cost import Unknown
from perfpress.analysis.study.profiles import CellKey, CellProfile
from perfpress.analysis.study.study import Study
from perfpress.base.groups import grouped
from perfpress.base.node.jobs import Done, Job
from perfpress.base.node.messages.findings import Basis
from perfpress.base.node.messages.graphs import (
    CardFile,
    DiffGraphRequest,
    DiffRequest,
    Factors,
    FlamegraphRequest,
    InlineGraph,
    Work,
)
from perfpress.base.node.messages.message import Answer, Output
from perfpress.base.node.messages.profiles import CapturePart, CapturesAnswer, CapturesRequest
from perfpress.site.report_figures import DiffKey, Figures
from perfpress.site.words.diff_headline import headline_lines
from perfpress.site.words.step_headline import step_headline, verdict_line
from perfpress.site.words.verdict_sentences import plain

COST: Basis = "cost_per_operation"
RELATIVE: Basis = "relative_cost"
CAPTURES = "captures.json.gz"
DIFF = "diff.json"
FINDINGS = "findings.json"


def diffs_by_cell(diffs: Iterable[DiffKey]) -> dict[CellKey, tuple[DiffKey, ...]]:
    """Return what each cell is compared with, in the order given."""
    return grouped(diffs, lambda key: key.cell)


def flamegraph_jobs(figures: Figures) -> dict[tuple[CellKey, str], Job[FlamegraphRequest]]:
    """Return the flame graphs of all profiles, by cell and event."""
    study = figures.study
    jobs = {}
    for cell, profiles in study.profiles.items():
        title = f"{study.label(cell.release)}, {cell.step}"
        about = study.report.variants[cell.variant]
        for profile in profiles:
            request = FlamegraphRequest(
                profile=profile.profile,
                title=title,
                subtitle=about,
                work=work_done(figures, profile),
                out=Output("flamegraph.svg"),
                inline=InlineGraph(Output("inline.svg")),
                card=CardFile(Output("flamegraph.png"), about, _throughput_line(figures, cell)),
            )
            jobs[cell, profile.event] = Job(title, request)
    return jobs


def work_done(figures: Figures, made: CellProfile) -> Work | None:
    """Return the operations that a profile covers, where they are known."""
    work = figures.works[made.cell, made.event]
    if isinstance(work, Unknown):
        return None
    return Work(work.operations, figures.cost_unit(made).text)


def _throughput_line(figures: Figures, cell: CellKey) -> str:
    """Return the line that a picture of a profile is shown with, if there is a rate."""
    has_rate = cell in figures.summaries["throughput"]
    return plain((step_headline(figures, cell),)) if has_rate else ""


def captures_jobs(figures: Figures) -> dict[tuple[CellKey, str], Job[CapturesRequest]]:
    """Return the jobs that weigh the captures of each profile, by cell and event.

    Diffs that are made in a browser estimate their noise from it.
    """
    return {
        (cell, made.event): Job(
            f"{figures.study.label(cell.release)}, {cell.step}",
            CapturesRequest(profile=made.profile, captures=captures, out=Output(CAPTURES)),
        )
        for cell, profiles in figures.study.profiles.items()
        for made in profiles
        if (captures := _captures(figures, made))
    }


def overdispersions(
    captures: Mapping[tuple[CellKey, str], Done[CapturesAnswer]],
) -> dict[str, float]:
    """Return the overdispersion of captures by event: the median of the report's cells.

    Profiles of a single capture are taken to have it.
    """
    found: dict[str, list[float]] = {}
    for (_, event), weighed in captures.items():
        if weighed.result.overdispersion is not None:
            found.setdefault(event, []).append(weighed.result.overdispersion)
    # Rounded, so that another run of captures does not make every diff anew.
    return {event: round(median(factors), 1) for event, factors in found.items()}


def diff_jobs(
    figures: Figures, overdispersion: Mapping[str, float]
) -> dict[DiffKey, Job[DiffRequest]]:
    """Return the diffs against base and previous, and those that the author defined.

    Args:
        figures: of the report.
        overdispersion: of its captures, by event.
    """
    study = figures.study
    pairs = (DiffKey(cell, base) for cell in study.profiles for base in _bases(figures, cell))
    return {
        pair: _diff_job(figures, pair, *profiles, overdispersion.get(profiles[0].event))
        for pair in sorted({*pairs})
        if (profiles := figures.common_profile(pair.cell, pair.base_cell)) is not None
    }


def _bases(figures: Figures, cell: CellKey) -> list[str]:
    """Return the releases that a cell is compared against; some may have no profile."""
    study = figures.study
    bases = [figures.profile_base(cell), *study.compared_with(cell.release, cell.variant)]
    bases += [
        pair.base
        for pair in study.report.matter.diffs
        if pair.release == cell.release and (not pair.steps or cell.step in pair.steps)
    ]
    return [base for base in bases if base != cell.release]


def _diff_job(
    figures: Figures,
    pair: DiffKey,
    after: CellProfile,
    base: CellProfile,
    overdispersion: float | None,
) -> Job[DiffRequest]:
    """Compare by cost where it is known of both sides, else by share."""
    cost_unit = figures.cost_unit(after)
    cost = RELATIVE if cost_unit.base else COST
    bases = _known_bases(figures, after, base)
    request = DiffRequest(
        base=base.profile,
        after=after.profile,
        base_captures=_captures(figures, base),
        after_captures=_captures(figures, after),
        overdispersion=overdispersion or UNSET,
        basis=cost if cost in bases else "share",
        bases=bases,
        cost_of=cost_unit.one_of_base if cost_unit.base else UNSET,
        aliases=figures.study.report.aliases,
        out_diff=Output(DIFF),
        out_findings=Output(FINDINGS),
        out_folded=Output("diff.folded.gz"),
    )
    return Job(_title(figures.study, pair), request)


def diff_graph_jobs(
    figures: Figures, compared: Mapping[DiffKey, Done[Answer]]
) -> dict[DiffKey, Job[DiffGraphRequest]]:
    """Return the drawings of diffs, with the words of the report above them."""
    study = figures.study
    jobs = {}
    for pair, done in compared.items():
        line = _verdict_line(figures, pair)
        request = DiffGraphRequest(
            diff=done.artifact(DIFF),
            findings=done.artifact(FINDINGS),
            base_label=study.label(pair.base),
            after_label=study.label(pair.cell.release),
            out_json=Output(DIFF),
            out_suspects=Output("suspects.json"),
            title=_title(study, pair),
            headline=headline_lines(figures, pair.cell, pair.base_cell),
            out=Output("diff.svg"),
            inline=InlineGraph(Output("inline.svg")),
            card=CardFile(Output("diff.png"), study.report.variants[pair.cell.variant], line),
        )
        jobs[pair] = Job(request.title, request)
    return jobs


def _title(study: Study, pair: DiffKey) -> str:
    return f"{study.label(pair.cell.release)} against {study.label(pair.base)}, {pair.cell.step}"


def _verdict_line(figures: Figures, pair: DiffKey) -> str:
    verdict = figures.verdicts.get((pair.cell, pair.base))
    return verdict_line(figures, verdict) if verdict else ""


def _known_bases(figures: Figures, after: CellProfile, base: CellProfile) -> dict[Basis, Factors]:
    """Return the bases besides share that both sides have, with 1 ÷ operations or seconds."""
    sides = {"base": base, "after": after}
    bases: dict[Basis, Factors] = {}
    works = {side: figures.works[made.cell, made.event] for side, made in sides.items()}
    operations = {
        side: work.operations for side, work in works.items() if not isinstance(work, Unknown)
    }
    seconds = {
        side: length for side, made in sides.items() if (length := seconds_captured(figures, made))
    }
    by: tuple[tuple[Basis, Mapping[str, float]], ...] = (
        (RELATIVE if figures.cost_unit(after).base else COST, operations),
        ("weight_per_second", seconds),
    )
    for name, known in by:
        if len(known) == len(sides):
            bases[name] = Factors(1 / known["base"], 1 / known["after"])
    return bases


def seconds_captured(figures: Figures, made: CellProfile) -> float | None:
    """Return the seconds that a profile covers, where they are known."""
    return seconds_of_weight(_captured(figures, made))


def _captures(figures: Figures, made: CellProfile) -> tuple[CapturePart, ...]:
    """Return the single captures of a profile, and how long each lasted relative to the others."""
    seconds = {
        capture.file: each.step_run.step.capture.seconds
        for each in _captured(figures, made)
        for capture in each.captures
    }
    all_known = all(seconds.values())
    files = sorted({capture.file for capture in figures.read(made).captures})
    if len(files) != len(made.captures):
        return ()
    return tuple(
        CapturePart(artifact, seconds.get(file) or 1 if all_known else 1)
        for file, artifact in zip(files, made.captures, strict=True)
    )


def _captured(figures: Figures, made: CellProfile) -> list[RunCaptures]:
    return captured_runs(figures.read(made), figures.study.of_cell(made.cell))
