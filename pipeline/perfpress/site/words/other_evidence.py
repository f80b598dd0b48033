"""Words on what changed beside the throughput: response times, plans, environment."""

from collections.abc import Sequence

from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.verdicts.level_changes import ChangeGroup
from perfpress.analysis.verdicts.verdicts import Verdict
from perfpress.base.display import fixed, plural, short_name
from perfpress.site.report_figures import Figures
from perfpress.site.words.all_steps import response_time_words
from perfpress.site.words.level_changes import capitalized
from perfpress.site.words.plans import plans_by_step

MOST_FACTS = 3
"""Names of facts of the environment that a sentence holds; the page's table has all."""
MOST_STEPS = 2
"""Steps that are named beside a plan."""


def other_evidence(figures: Figures, verdicts: Sequence[Verdict]) -> tuple[str, ...]:
    """Return what else differs from the release compared with, by weight; empty where nothing does.

    Of one step `p95 of response times ×2.9`, `EXPLAIN differs for 1 statement` and `also different:
    kernel`; of several how many have it: `the 95th percentile of response times is longer in 3 of 6
    steps (up to ×2.90)`.

    Args:
        figures: of the report.
        verdicts: on the throughput of steps of one release and variant, against one other release.
    """
    found = (_response_times(figures, verdicts), _plans(figures, verdicts), _environment(verdicts))
    return tuple(filter(None, found))


def other_sentence(evidence: Sequence[str]) -> str:
    """Return ` EXPLAIN differs for 1 statement in scan; also different: kernel.` or nothing."""
    return f" {capitalized('; '.join(evidence))}." if evidence else ""


def beside_level_change(figures: Figures, group: ChangeGroup) -> str:
    """Return what else came with the release of a level change, as a sentence; else nothing."""
    before = next(iter(group.changes.values())).last_before
    cells = (CellKey(group.release, group.variant, step) for step in group.changes)
    verdicts = [found for cell in cells if (found := figures.verdicts.get((cell, before)))]
    return other_sentence(other_evidence(figures, verdicts)) if verdicts else ""


def _response_times(figures: Figures, verdicts: Sequence[Verdict]) -> str:
    """Return how the percentile changed, where the verdict on it is that it did."""
    found = (figures.response_time_verdicts.get((each.cell, each.base)) for each in verdicts)
    compared = [each for each in found if each and each.comparison]
    if len(verdicts) > 1:
        return response_time_words(compared)
    for verdict in compared:
        if verdict.comparison and verdict.state.is_change:
            one_run = " in one run" if verdict.state.row.is_one_run else ""
            ratio = fixed(verdict.comparison.ratio, 2)
            return f"p95 of response times ×{ratio}{one_run}"
    return ""


def _plans(figures: Figures, verdicts: Sequence[Verdict]) -> str:
    """Return `EXPLAIN differs for 2 statements`, of several steps also in which."""
    cell, base = verdicts[0].cell, verdicts[0].base
    step = cell.step if len(verdicts) == 1 else None
    plans = plans_by_step(figures.study, cell.release, base, cell.variant, step)
    found = {name: {each.query for each in of.differences} for name, of in plans.items()}
    statements = {query for queries in found.values() for query in queries}
    if not statements:
        return ""
    words = f"EXPLAIN differs for {plural(len(statements), 'statement')}"
    if step is not None:
        return words
    steps = [short_name(name) for name, queries in found.items() if queries]
    where = " and ".join(steps) if len(steps) <= MOST_STEPS else plural(len(steps), "step")
    return f"{words} in {where}"


def _environment(verdicts: Sequence[Verdict]) -> str:
    """Return `also different: kernel, compiler`: what else than the release may be the cause."""
    names = [*dict.fromkeys(name for each in verdicts for name in each.environment)]
    more = len(names) - MOST_FACTS
    shown = (*names[:MOST_FACTS], *((plural(more, "more fact"),) if more > 0 else ()))
    return f"also different: {', '.join(shown)}" if names else ""
