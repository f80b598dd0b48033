"""Says how fast a step still is at the end of its runs, where throughput falls within them."""

from perfpress.analysis.metrics.run_stability import StartAndEnd, levels_of, stability_of_runs
from perfpress.analysis.study.profiles import CellKey
from perfpress.base.display import PERCENT, number, plural, plural_of, short_name
from perfpress.site.cell_pages import cell_url
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Phrase, Sentence

COLLAPSED = 0.5
"""A last tenth below this part of the first: the mean of such a run describes no moment of it."""


def decay_sentences(figures: Figures, release: str, variant: str) -> tuple[Sentence, ...]:
    """Return a sentence for each step that collapses within its runs on a release or on its base.

    `At the end of its runs, block is at 412 blocks per second on unbounded, 5 % of the start, and
    at 78,100 on bounded, 84 % of the start (last and first tenth, medians of 3 runs).`
    """
    study = figures.study
    found = []
    for step in study.steps_with(release, variant):
        cells = [
            CellKey(each, variant, step)
            for each in dict.fromkeys((study.base_of(variant), release))
        ]
        levels = {
            cell: each for cell in cells if (each := levels_of(stability_of_runs(study, cell)))
        }
        if any(each.end < COLLAPSED * each.start for each in levels.values()):
            found.append(_sentence(figures, step, levels))
    return tuple(found)


def _sentence(figures: Figures, step: str, levels: dict[CellKey, StartAndEnd]) -> Sentence:
    study = figures.study
    phrases = [Phrase(text=f"At the end of its runs, {short_name(step)} is")]
    noun = f" {plural_of(study.operation(step))} per second"
    for cell, each in levels.items():
        joint = " and" if len(phrases) > 1 else ""
        share = f"{100 * each.end / each.start:.0f}{PERCENT} of the start" if each.start else ""
        phrases += [
            Phrase(text=f"{joint} at {number(each.end)}{noun} on "),
            Phrase(text=short_name(study.label(cell.release)), url=cell_url(study, cell)),
            *([Phrase(text=f", {share}")] if share else []),
        ]
        noun = ""
    runs = plural(min(each.runs for each in levels.values()), "run")
    return (*phrases, Phrase(text=f" (last and first tenth, medians of {runs})."))
