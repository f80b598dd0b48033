"""The jobs that draw flame graphs and diffs."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pipeline.analysis.captured import Captured, captured_runs, seconds_of_weight
from pipeline.analysis.cost import Unknown
from pipeline.node.jobs import Job, Output
from pipeline.site_data.diff_headline import headline_lines
from pipeline.site_data.figures import Figures
from pipeline.site_data.verdict_words import rate_words, short_words
from pipeline.study.profiles import CellKey, CellProfile
from pipeline.study.study import Study

COST = "cost_per_operation"
CAPTURES = "captures.json.gz"


@dataclass(frozen=True, order=True)
class DiffKey:
    """Which two profiles are compared: a cell's, and that of another release."""

    cell: CellKey
    base: str

    @property
    def base_cell(self) -> CellKey:
        """The cell compared against."""
        return CellKey(self.base, self.cell.variant, self.cell.step)


def diffs_by_cell(diffs: Iterable[DiffKey]) -> dict[CellKey, tuple[DiffKey, ...]]:
    """Return what each cell is compared with, in the order given."""
    by_cell: dict[CellKey, tuple[DiffKey, ...]] = {}
    for key in diffs:
        by_cell[key.cell] = (*by_cell.get(key.cell, ()), key)
    return by_cell


def flamegraph_jobs(figures: Figures) -> dict[tuple[CellKey, str], Job]:
    """Return the flame graphs of all profiles, by cell and event."""
    study = figures.study
    jobs = {}
    for cell, profiles in study.profiles.items():
        title = f"{study.label(cell.release)}, {cell.step}"
        about = _about(study, cell)
        for profile in profiles:
            request = {
                "profile": profile.profile,
                "title": title,
                "subtitle": about,
                "work": work_done(figures, profile),
                "out": Output("flamegraph.svg"),
                "inline": {"out": Output("inline.svg")},
                "card": {
                    "out": Output("flamegraph.png"),
                    "about": about,
                    "line": _throughput_line(figures, cell),
                },
            }
            jobs[cell, profile.event] = Job("flamegraph", title, request)
    return jobs


def work_done(figures: Figures, made: CellProfile) -> dict[str, Any] | None:
    """Return the operations that a profile's weight stands for, where they are known."""
    work = figures.works[made.cell, made.event]
    if isinstance(work, Unknown):
        return None
    return {"operations": work.operations, "operation": figures.study.operation(made.cell.step)}


def _about(study: Study, cell: CellKey) -> str:
    return f"{study.report.title} · {study.report.variants[cell.variant]}"


def _throughput_line(figures: Figures, cell: CellKey) -> str:
    """Return the number that a picture of a profile is shown with, if there is one."""
    if cell not in figures.summaries["throughput"]:
        return ""
    study = figures.study
    verdict = figures.verdicts.get((cell, study.report.base))
    words = f"; {short_words(study, verdict)}" if verdict else ""
    return f"{rate_words(figures, cell)}{words}"


def captures_jobs(figures: Figures) -> dict[tuple[CellKey, str], Job]:
    """Return what the captures of all profiles weigh, by cell and event.

    The noise of diffs that are made in a browser comes of it.
    """
    return {
        (cell, made.event): Job(
            "captures",
            f"{figures.study.label(cell.release)}, {cell.step}",
            {"profile": made.profile, "captures": captures, "out": Output(CAPTURES)},
        )
        for cell, profiles in figures.study.profiles.items()
        for made in profiles
        if (captures := _captures(figures, made))
    }


def diff_jobs(figures: Figures) -> dict[DiffKey, Job]:
    """Return the diffs against base, against previous, and the author's own."""
    study = figures.study
    pairs = (DiffKey(cell, base) for cell in study.profiles for base in _bases(study, cell))
    return {
        pair: _diff_job(figures, pair, *profiles)
        for pair in sorted({*pairs})
        if (profiles := figures.common_profile(pair.cell, pair.base_cell)) is not None
    }


def _bases(study: Study, cell: CellKey) -> list[str]:
    """Return the releases that a cell is compared against; some may have no profile."""
    report = study.report
    previous = report.previous(cell.release)
    bases = [report.base, *([previous.id] if previous else [])]
    bases += [
        pair.base
        for pair in report.diffs
        if pair.release == cell.release and (not pair.steps or cell.step in pair.steps)
    ]
    return [base for base in bases if base != cell.release]


def _diff_job(figures: Figures, pair: DiffKey, after: CellProfile, base: CellProfile) -> Job:
    """Compare by cost per operation where both sides tell it, else by share."""
    study = figures.study
    bases = _known_bases(figures, after, base)
    labels = study.label(pair.cell.release), study.label(pair.base)
    title = f"{labels[0]} against {labels[1]}, {pair.cell.step}"
    request = {
        "base": base.profile,
        "after": after.profile,
        "base_captures": _captures(figures, base),
        "after_captures": _captures(figures, after),
        "title": title,
        "base_label": labels[1],
        "after_label": labels[0],
        "basis": COST if COST in bases else "share",
        "bases": bases,
        "headline": headline_lines(figures, pair.cell, pair.base_cell),
        "aliases": study.report.aliases,
        "card": {
            "out": Output("diff.png"),
            "about": _about(study, pair.cell),
            "line": _verdict_line(figures, pair),
        },
        "out_svg": Output("diff.svg"),
        "out_inline": Output("inline.svg"),
        "out_json": Output("diff.json"),
        "out_folded": Output("diff.folded.gz"),
        "out_suspects": Output("suspects.json"),
    }
    return Job("diff", title, request)


def _verdict_line(figures: Figures, pair: DiffKey) -> str:
    verdict = figures.verdicts.get((pair.cell, pair.base))
    return short_words(figures.study, verdict) if verdict else ""


def _known_bases(
    figures: Figures, after: CellProfile, base: CellProfile
) -> dict[str, dict[str, float]]:
    """Return by what a diff can be compared besides shares: 1 ÷ the operations or the seconds."""
    sides = {"base": base, "after": after}
    bases = {}
    works = {side: figures.works[made.cell, made.event] for side, made in sides.items()}
    operations = {
        side: work.operations for side, work in works.items() if not isinstance(work, Unknown)
    }
    seconds = {
        side: length for side, made in sides.items() if (length := seconds_captured(figures, made))
    }
    for name, known in ((COST, operations), ("weight_per_second", seconds)):
        if len(known) == len(sides):
            bases[name] = {side: 1 / amount for side, amount in known.items()}
    return bases


def seconds_captured(figures: Figures, made: CellProfile) -> float | None:
    """Return the seconds that a profile's weight stands for, where they are known."""
    return seconds_of_weight(_captured(figures, made))


def _captures(figures: Figures, made: CellProfile) -> list[dict[str, Any]]:
    """Return the single captures of a profile, and how long each lasted beside the others."""
    seconds = {
        capture.file: each.step_run.step.capture.seconds
        for each in _captured(figures, made)
        for capture in each.captures
    }
    told = all(seconds.values())
    files = sorted({capture.file for capture in figures.read(made).captures})
    if len(files) != len(made.captures):
        return []
    return [
        {"profile": artifact, "exposure": seconds.get(file) or 1 if told else 1}
        for file, artifact in zip(files, made.captures, strict=True)
    ]


def _captured(figures: Figures, made: CellProfile) -> list[Captured]:
    return captured_runs(figures.read(made), figures.study.of_cell(made.cell))
