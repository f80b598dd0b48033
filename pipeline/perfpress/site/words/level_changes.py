"""Describes level changes, of one step and of all steps that change at one release."""

from collections.abc import Iterable, Sequence
from math import expm1

from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import Study
from perfpress.analysis.verdicts.level_changes import ChangeGroup, Fluke, LevelChange, SeriesLevels
from perfpress.base.display import (
    PERCENT,
    decimals_for,
    fixed,
    number,
    percent_change,
    plural,
    plural_of,
    short_name,
)
from perfpress.input.logs.metric_names import unit_of
from perfpress.site.report_figures import Figures
from perfpress.site.words.common_functions import CommonFunctions

SCATTERS = 0.05
"""From this standard deviation on a series without lasting change scatters."""
MOST_CHANGES = 8
"""That the sentence names, the newest."""
MOST_FLUKES = 4
"""That a sentence names; the table has all."""
MOST_SENTENCES = 2
"""Level changes with a sentence each; more are one sentence of releases and sizes."""


def level_sentences(figures: Figures, variant: str, step: str) -> tuple[str, ...]:
    """Return the level changes of throughput in sentences; none if the series is too short."""
    levels = figures.levels["throughput"].get((variant, step))
    if levels is None:
        return ()
    study = figures.study
    name = capitalized(metric_name(levels.metric))
    flukes = _flukes(study, levels.flukes)
    if not levels.changes:
        first = f"{name} shows no lasting change over {len(levels.releases)} releases"
        return (f"{first}{_scatter(levels)}{f'; {flukes}' if flukes else ''}.",)
    unit = unit_words(study, levels.metric, step)
    if len(levels.changes) > MOST_SENTENCES:
        sentences = [f"{name} changed its level {_at_releases(study, levels.changes)}."]
    else:
        sentences = [f"{_sentence(study, name, each, unit)}." for each in levels.changes]
    return (*sentences, f"{flukes}.") if flukes else tuple(sentences)


def since_words(figures: Figures, variant: str, step: str, base: str, release: str) -> str:
    """Return `since 10.5.29`, the release from which on the levels differ; empty without one."""
    levels = figures.levels["throughput"].get((variant, step))
    change = levels.since(base, release) if levels else None
    return f"since {figures.study.label(change.release)}" if change else ""


def fluke_words(figures: Figures, cell: CellKey, releases: Iterable[str]) -> str:
    """Return `8.0.33 alone was 49.3 % lower`, of those of some releases that are flukes."""
    levels = figures.levels["throughput"].get((cell.variant, cell.step))
    return _flukes(figures.study, levels.flukes_of(releases)) if levels else ""


def mark(change: LevelChange) -> str:
    """Return the label of a change in a chart: `level −7.2 % from here on`."""
    return f"level {change_text(change)} from here on"


def change_text(change: LevelChange | Fluke) -> str:
    """Return the size of a change: `−7.2 %`; of a count that was zero before `0 → 12`."""
    if change.ratio is not None:
        return percent_change(change.ratio)
    before, after = _sides(change)
    return f"{number(before)} → {number(after)}"


def metric_name(metric: str) -> str:
    """Return what a metric is called within a sentence: `p95 response time`."""
    if metric.startswith("latency_p"):
        return f"{metric.removeprefix('latency_')} response time"
    return metric.replace("_", " ").replace("cpu", "CPU")


def unit_words(study: Study, metric: str, step: str) -> str:
    """Return the unit of a metric's numbers: `inserts per second`."""
    if metric == "throughput":
        return f"{plural_of(study.operation(step))} per second"
    return unit_of(metric) or ""


def capitalized(text: str) -> str:
    """Return a text as a sentence begins."""
    return f"{text[:1].upper()}{text[1:]}"


def p_text(p: float) -> str:
    """Return `p < 0.0001` or `p = 0.0021`."""
    return "p < 0.0001" if p < 0.0001 else f"p = {p:.4f}"


def group_title(study: Study, group: ChangeGroup) -> str:
    """Return `8 steps dropped at 10.5.29, by 12 % to 63 %`."""
    return f"{group_steps(group)} {_verb(group)} at {study.label(group.release)}, {_sizes(group)}"


def group_change(group: ChangeGroup) -> str:
    """Return `8 steps dropped`."""
    return f"{plural(len(group.changes), 'step')} {_verb(group)}"


def group_steps(group: ChangeGroup) -> str:
    """Return `8 steps`, or the name of the only one."""
    if len(group.changes) == 1:
        return short_name(next(iter(group.changes)))
    return plural(len(group.changes), "step")


def group_evidence(group: ChangeGroup) -> str:
    """Return how sure a group is: what its levels rest on."""
    if not group.is_lasting:
        return "only the newest release has the new level"
    changes = group.changes.values()
    before = min(each.releases_before for each in changes)
    after = min(each.releases_after for each in changes)
    p = max(each.p for each in changes)
    sizes = {(each.releases_before, each.releases_after) for each in changes}
    least = "" if len(sizes) == 1 else "at least "
    return f"levels of {least}{before} and {plural(after, 'release')}, {p_text(p)}"


def release_level_sentences(
    figures: Figures, release: str, common_functions: CommonFunctions
) -> tuple[str, ...]:
    """Return the level changes that begin with a release, a group at a time.

    `Throughput of 8 steps dropped at this release, by 12 % to 63 %: levels of 7 and 9 releases,
    p < 0.0001. In 5 of these steps btr_cur_search costs more.`
    """
    study = figures.study
    default = study.report.default_variant
    sentences = []
    for group in figures.groups_by_release.get(release, ()):
        name = study.report.variants[group.variant]
        where = "" if group.variant == default else f" on {short_name(name)}"
        common = common_functions.get(group.key)
        sentences.append(
            f"Throughput of {group_steps(group)} {_verb(group)} at this release{where}, "
            f"{_sizes(group)}: {group_evidence(group)}."
            f"{f' {common.sentence}' if common else ''}"
        )
    return tuple(sentences)


def _verb(change: LevelChange | ChangeGroup) -> str:
    return "rose" if change.is_rise else "dropped"


def _sizes(group: ChangeGroup) -> str:
    """Return `by 63 %`, or from the smallest to the largest."""
    ratios = [each.ratio for each in group.changes.values() if each.ratio is not None]
    sizes = [_bare(percent_change(ratio)) for ratio in (ratios[-1], ratios[0])]
    return f"by {' to '.join(dict.fromkeys(sizes))}"


def _bare(percent: str) -> str:
    return percent.lstrip("+\N{MINUS SIGN}")


def _sentence(study: Study, name: str, change: LevelChange, unit: str) -> str:
    before, after = _sides(change)
    decimals = decimals_for([before, after])
    evidence = (
        f"levels of {change.releases_before} and {plural(change.releases_after, 'release')}"
        if change.is_lasting
        else f"only the newest release, after {plural(change.releases_before, 'release')}"
    )
    size = "" if change.ratio is None else f"{_bare(change_text(change))} "
    in_full = f" (in full at {study.label(change.in_full)})" if change.in_full else ""
    return (
        f"{name} {_verb(change)} {size}at {study.label(change.release)}{in_full}: from "
        f"{fixed(before, decimals)} to {fixed(after, decimals)} {unit} "
        f"({evidence}, {p_text(change.p)})"
    )


def _at_releases(study: Study, changes: Sequence[LevelChange]) -> str:
    """Return `in 3 releases: 10.5.6 −21.7 %, 10.6.5 +36.6 %, 10.11.4 −16.0 %`."""
    last = changes[-MOST_CHANGES:]
    named = ", ".join(f"{study.label(each.release)} {change_text(each)}" for each in last)
    newest = f", last in {len(last)}" if len(last) < len(changes) else ""
    return f"in {plural(len(changes), 'release')}{newest}: {named}"


def _flukes(study: Study, flukes: Sequence[Fluke]) -> str:
    """Return `10.4.8 alone was 55 % lower, 10.8.8 alone 12 % higher`; empty without flukes."""
    named = [
        f"{study.label(each.release)} alone {'was ' if at == 0 else ''}{_difference(each)}"
        for at, each in enumerate(flukes[:MOST_FLUKES])
    ]
    more = len(flukes) - MOST_FLUKES
    return ", ".join((*named, *((f"and {more} more differ alone",) if more > 0 else ())))


def _difference(fluke: Fluke) -> str:
    way = "higher" if fluke.value > fluke.level else "lower"
    if fluke.ratio is None:
        return f"{way} ({change_text(fluke)})"
    return f"{_bare(percent_change(fluke.ratio))} {way}"


def _sides(change: LevelChange | Fluke) -> tuple[float, float]:
    if isinstance(change, Fluke):
        return change.level, change.value
    return change.before, change.after


def _scatter(levels: SeriesLevels) -> str:
    if levels.scatter < SCATTERS:
        return ""
    scatter = fixed(100 * expm1(levels.scatter), 0)
    return f", which scatter by {scatter}{PERCENT} (standard deviation)"
