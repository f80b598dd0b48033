"""Finds the function that changed in most of the steps of a level change."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.verdicts.level_changes import ChangeGroup, GroupKey
from perfpress.base.display import brief_function
from perfpress.base.node.messages.findings import Change, Findings
from perfpress.site.report_figures import DiffKey, Figures

LARGEST = 5
"""Changes of a diff among which a function is looked for: as many as a text lists."""


@dataclass(frozen=True)
class CommonFunction:
    """A function that is among the largest changes of most steps of a group."""

    name: str
    sentence: str
    """`In 5 of these steps btr_cur_search costs more.`"""
    steps: tuple[str, ...]
    """Those that have it, the step whose level changed most first."""
    diff: DiffKey
    """Of that step."""


CommonFunctions = Mapping[GroupKey, CommonFunction]
"""Those of the level changes of throughput that have one."""


def common_functions(figures: Figures, findings: Mapping[DiffKey, Findings]) -> CommonFunctions:
    """Return the functions that the level changes of a report have in common."""
    if not findings:  # many level changes, of logs alone
        return {}
    found = {
        group.key: _common_function(figures, group, findings) for group in figures.change_groups
    }
    return {key: each for key, each in found.items() if each}


def _common_function(
    figures: Figures, group: ChangeGroup, findings: Mapping[DiffKey, Findings]
) -> CommonFunction | None:
    """Return the function that most steps of a group have in common, if there is one.

    A drop is explained by what adds cost, a rise by what saves some. Diffs list only changes beyond
    noise, so that each step counted has one of its own. It takes two steps, and more than half of
    those with profiles on both levels.
    """
    diffs = _diffs(figures, group, findings)
    found: dict[str, dict[DiffKey, Change]] = {}
    for key in diffs:
        changes = findings[key].savings if group.is_better else findings[key].additions
        for each in changes[:LARGEST]:
            found.setdefault(each.function, {})[key] = each
    if not found:
        return None
    function = min(found, key=lambda each: (-len(found[each]), -_size(found[each], findings), each))
    own = found[function]
    if len(own) < 2 or 2 * len(own) <= len(diffs):
        return None
    name = next(iter(own.values())).name
    all_have = len(diffs) == len(group.changes)
    steps = "these steps" if all_have else f"the {len(diffs)} steps with profiles"
    is_share = any(findings[key].basis == "share" for key in own)
    way = ("less", "a smaller") if group.is_better else ("more", "a larger")
    verb = f"takes {way[1]} share" if is_share else f"costs {way[0]}"
    sentence = f"In {len(own)} of {steps} {brief_function(name)} {verb}."
    steps_with_it = tuple(key.cell.step for key in own)
    return CommonFunction(name, sentence, steps_with_it, next(iter(own)))


def _diffs(
    figures: Figures, group: ChangeGroup, findings: Mapping[DiffKey, Findings]
) -> tuple[DiffKey, ...]:
    """Return for each step the diff of the two levels whose releases are nearest to the change."""
    found = []
    for step, change in group.changes.items():
        levels = figures.levels[group.metric][group.variant, step]
        before, after = levels.beside(change)
        pairs = product(after, reversed(before))
        keys = (DiffKey(CellKey(each, group.variant, step), base) for each, base in pairs)
        found.append(next((key for key in keys if key in findings), None))
    return tuple(key for key in found if key is not None)


def _size(changes: Mapping[DiffKey, Change], findings: Mapping[DiffKey, Findings]) -> float:
    """Return how large the changes of a function are together, each relative to its step's cost."""
    return sum(
        abs(each.net) / findings[key].base.whole
        for key, each in changes.items()
        if findings[key].base.whole > 0
    )
