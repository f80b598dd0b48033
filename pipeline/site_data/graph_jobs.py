"""The jobs that draw flame graphs and diffs."""

from dataclasses import dataclass
from typing import Any

from pipeline.analysis.cost import Unknown
from pipeline.jobs import Job, Output
from pipeline.profiles import CellKey, CellProfile
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


def flamegraph_jobs(study: Study) -> dict[tuple[CellKey, str], Job]:
    """Return the flame graphs of all profiles, by cell and event."""
    jobs = {}
    for cell, profiles in study.profiles.items():
        title = f"{study.label(cell.release)}, {cell.step}"
        for profile in profiles:
            request = {
                "profile": profile.profile,
                "title": title,
                "subtitle": f"{study.report.title} · {study.report.variants[cell.variant]}",
                "out": Output("flamegraph.svg"),
                "inline": {"out": Output("inline.svg")},
            }
            jobs[cell, profile.event] = Job("flamegraph", title, request)
    return jobs


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
    work = figures.works[after.cell, after.event], figures.works[base.cell, base.event]
    basis: dict[str, Any] = {"basis": "share"}
    if not isinstance(work[0], Unknown) and not isinstance(work[1], Unknown):
        basis = {
            "basis": "cost_per_operation",
            "after_factor": 1 / work[0].operations,
            "base_factor": 1 / work[1].operations,
        }
    labels = study.label(pair.cell.release), study.label(pair.base)
    title = f"{labels[0]} against {labels[1]}, {pair.cell.step}"
    request = {
        "base": base.profile,
        "after": after.profile,
        "title": title,
        "base_label": labels[1],
        "after_label": labels[0],
        "aliases": study.report.aliases,
        "out_svg": Output("diff.svg"),
        "out_inline": Output("inline.svg"),
        "out_json": Output("diff.json"),
        "out_folded": Output("diff.folded.gz"),
        **basis,
    }
    return Job("diff", title, request)
