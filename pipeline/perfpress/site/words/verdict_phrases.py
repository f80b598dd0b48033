"""Phrases that count the verdicts on steps, and name the steps: `2 of 4 steps are faster (…)`."""

from collections.abc import Sequence

from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.verdicts.states import State
from perfpress.analysis.verdicts.verdicts import Verdict
from perfpress.base.display import plural, ratio_text, short_name
from perfpress.site.cell_pages import cell_url
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Phrase, Sentence
from perfpress.site.words.verdicts import since_words

MOST_NAMED = 5
"""Steps of a kind that a sentence names; the table below it has all."""

QUIET = tuple(
    state for state in State if state.row.tone in ("same", "unknown") and not state.is_change
)
"""States whose steps are not named when there are many."""


def counted(figures: Figures, verdicts: Sequence[Verdict]) -> Sentence:
    """Return what follows a name: `2 of 4 steps are faster (update ×1.602), none slower`.

    Where many changed, the largest changes of either direction come after the counts.
    """
    if len(verdicts) == 1:
        return _of_one(figures, verdicts[0])
    if len({each.state for each in verdicts}) == 1:
        return (*_of_all(figures, verdicts), Phrase(text="."))
    changed = [each for each in verdicts if each.state.is_change]
    if len(changed) <= MOST_NAMED:
        return counts(figures, verdicts, are_named=True)
    found = [*counts(figures, verdicts, are_named=False), Phrase(text=" The largest changes: ")]
    return (*found, *_listed(figures, changed), Phrase(text="."))


def counts(figures: Figures, verdicts: Sequence[Verdict], *, are_named: bool) -> Sentence:
    """Return how many steps changed, verdicts of one run included, and then how many did not.

    `1 of 4 steps is faster (one run: update ×1.602), none slower, no change was seen in 3.`
    """
    of = f" of {plural(len(verdicts), 'step')}"
    phrases: list[Phrase] = []
    directions = {
        word: [each for each in verdicts if each.state.row.direction == word]
        for word in ("slower", "faster")
    }
    if any(directions.values()):
        for word, own in sorted(directions.items(), key=lambda each: not each[1]):
            is_first = f"{of} {'is' if len(own) == 1 else 'are'}"
            opening = f", {len(own) or 'none'}" if phrases else f"{len(own)}{is_first}"
            phrases.append(Phrase(text=f"{opening} {word}"))
            one_run = sum(each.state.row.is_one_run for each in own)
            words = f"{one_run} in one run"
            if one_run == len(own):
                words = "one run" if one_run == 1 else "one run each"
            phrases += [Phrase(text=since)] if (since := common_since(figures, own)) else []
            if own and are_named:
                phrases += _named(figures, own, f"{words}: " if one_run == len(own) else "")
            elif one_run:
                phrases.append(Phrase(text=f" ({words})"))
    for state in State:
        own = [each for each in verdicts if each.state is state]
        if own and not state.is_change:
            count = f"{len(own)}{'' if phrases else of}"
            verb = "is" if len(own) == 1 else "are"
            clause = state.row.clause.format_map({"all": count, "any": count, "is": verb})
            phrases.append(Phrase(text=f", {clause}" if phrases else clause))
            # Beside steps that changed, those that did not are a number.
            is_quiet = state.row.tone == "same" and any(directions.values())
            phrases += _named(figures, own) if are_named and not is_quiet else []
    return (*phrases, Phrase(text="."))


def common_since(figures: Figures, verdicts: Sequence[Verdict]) -> str:
    """Return ` since 10.5.29` where the levels of all these steps differ since one release."""
    found = {since_words(figures.study, each) for each in verdicts}
    return found.pop() if len(found) == 1 else ""


def _of_all(figures: Figures, verdicts: Sequence[Verdict]) -> Sentence:
    """Return the phrase for the steps in one state: `all 4 steps are faster (update ×1.602, …)`."""
    count = len(verdicts)
    text = verdicts[0].state.row.clause.format_map(
        {
            "all": "both steps" if count == 2 else f"all {count:,} steps",
            "any": "either step" if count == 2 else f"any of {count:,} steps",
            "is": "are",
        }
    )
    since = common_since(figures, verdicts)
    return (Phrase(text=f"{text}{since}"), *_named(figures, verdicts))


def _of_one(figures: Figures, verdict: Verdict) -> Sentence:
    clause = verdict.state.row.clause.replace("{any}", "{all}").replace("{is}", "is")
    before, after = clause.split("{all}")
    ratio = _changed(verdict)
    phrases = (
        Phrase(text=before),
        step_phrase(figures, verdict.cell),
        Phrase(text=f"{after}, {ratio}." if ratio else f"{after}."),
    )
    return tuple(phrase for phrase in phrases if phrase.text)


def _named(figures: Figures, verdicts: Sequence[Verdict], opening: str = "") -> list[Phrase]:
    """Return the steps in parentheses, each a link, with the ratios of those that changed."""
    if len(verdicts) > MOST_NAMED and verdicts[0].state in QUIET:
        return []
    more = len(verdicts) - MOST_NAMED
    return [
        Phrase(text=f" ({opening}"),
        *_listed(figures, verdicts),
        Phrase(text=f" and {more} more)" if more > 0 else ")"),
    ]


def _listed(figures: Figures, verdicts: Sequence[Verdict]) -> list[Phrase]:
    """Return the first steps with ratios: `scan ×0.335, delete ×3.161, one run; insert ×0.351`.

    Which rest on one run is in the list where some verdicts do and others do not.
    """
    are_mixed = len({each.state.row.is_one_run for each in verdicts}) > 1
    found: list[Phrase] = []
    end = ""
    for verdict in verdicts[:MOST_NAMED]:
        found += [Phrase(text=end)] if end else []
        found.append(step_phrase(figures, verdict.cell))
        is_marked = are_mixed and verdict.state.row.is_one_run
        ratio = f" {changed}" if (changed := _changed(verdict)) else ""
        if words := f"{ratio}{', one run' if is_marked else ''}":
            found.append(Phrase(text=words))
        end = "; " if is_marked else ", "
    return found


def step_phrase(figures: Figures, cell: CellKey) -> Phrase:
    """Return the name of a step, with a link where it was measured."""
    # What is missing has neither a page nor a row.
    is_measured = bool(figures.study.of_cell(cell))
    url = cell_url(figures.study, cell) if is_measured else ""
    return Phrase(text=short_name(cell.step), url=url)


def _changed(verdict: Verdict) -> str:
    """Return the ratio of what is slower or faster, as in tables: `×1.602`; empty for others."""
    if not verdict.comparison or not verdict.state.is_change:
        return ""
    accepted = ", accepted" if verdict.accepted else ""
    return f"×{ratio_text(verdict.comparison.ratio)}{accepted}"
