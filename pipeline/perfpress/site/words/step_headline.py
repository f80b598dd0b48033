"""The headline of a cell: change of rate, response times, plans and environment."""

import re
from collections.abc import Sequence

from perfpress.analysis.metrics.throughput import CellComparison
from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.verdicts.verdicts import Verdict
from perfpress.base.display import PERCENT, percent_change, ratio_text, short_name
from perfpress.site.addresses import release_address
from perfpress.site.cell_pages import cell_url
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Phrase, Sentence
from perfpress.site.words.level_changes import capitalized, fluke_words
from perfpress.site.words.other_evidence import other_evidence
from perfpress.site.words.verdict_sentences import plain
from perfpress.site.words.verdicts import interval_words, rate_words, since_words


def step_headline(figures: Figures, cell: CellKey, *, begins: bool = True) -> Sentence:
    """Return what changed against the base and against the release before.

    `12.9 % slower than 10.2.30 (ratio 0.871; 95 % interval 0.858 to 0.884), 8.3 % slower than
    10.5.6 (ratio 0.917; …); p95 of response times ×2.9; EXPLAIN differs for 1 statement; also
    different: kernel.`
    The base, and what cannot be compared, have their rate alone. `begins`: the line begins a
    sentence.
    """
    study = figures.study
    compared = [
        verdict
        for base in study.bases_of(cell)
        if (verdict := figures.verdicts.get((cell, base))) and verdict.comparison
    ]
    if not compared:
        is_base = study.is_base(cell.release, cell.variant)
        more = "; other releases are compared with it" if is_base else ""
        return (Phrase(text=f"{capitalized(rate_words(figures, cell))}{more}."),)
    return pair_headline(figures, compared, begins=begins)


def cell_sentence(figures: Figures, cell: CellKey) -> Sentence:
    """Return the line with what it is about: `update on 18: 60.2 % faster than 12 …`."""
    study = figures.study
    text = f"{short_name(cell.step)} on {short_name(study.label(cell.release))}"
    about = Phrase(text=text, url=cell_url(study, cell))
    if not figures.summaries["throughput"]:
        return (about, Phrase(text=": profiles only."))
    return (about, Phrase(text=": "), *step_headline(figures, cell, begins=False))


def cell_words(figures: Figures, cell: CellKey) -> str:
    """Return `cell_sentence` unfinished, for descriptions and for pictures that cannot be seen."""
    return plain((cell_sentence(figures, cell),)).removesuffix(".")


def pair_words(figures: Figures, cell: CellKey, base: str) -> str:
    """Return `what changed in update from 12 to 18. 60.2 % faster than 12 (…)`, unfinished."""
    study = figures.study
    step, *labels = map(short_name, (cell.step, study.label(base), study.label(cell.release)))
    changed = f"what changed in {step} from {labels[0]} to {labels[1]}"
    verdict = figures.verdicts.get((cell, base))
    if verdict is None or verdict.comparison is None:
        return changed
    return f"{changed}. {verdict_line(figures, verdict).removesuffix('.')}"


def verdict_line(figures: Figures, verdict: Verdict) -> str:
    """Return the line of one verdict without links; of what cannot be compared, why."""
    if verdict.comparison is None:
        base = short_name(figures.study.label(verdict.base))
        words = verdict.state.row.against.format(base=base)
        return f"{capitalized(words)}: {verdict.why}."
    return plain((pair_headline(figures, [verdict]),))


def pair_headline(
    figures: Figures, verdicts: Sequence[Verdict], *, begins: bool = True
) -> Sentence:
    """Return the line of verdicts on one cell; other facts are against the first verdict's base."""
    phrases = [
        phrase
        for at, verdict in enumerate(verdicts)
        for phrase in (
            *([Phrase(text=", ")] if at else []),
            *_rate(figures, verdict, first=begins and not at),
        )
    ]
    others = other_evidence(figures, verdicts[:1])
    return (*phrases, *(Phrase(text=f"; {words}") for words in others), Phrase(text="."))


def _rate(figures: Figures, verdict: Verdict, *, first: bool) -> Sentence:
    """Return `63 % slower than 10.2.44 since 10.5.29 (ratio 0.371; 95 % interval …)`."""
    study, comparison = figures.study, verdict.comparison
    assert comparison is not None
    row = verdict.state.row
    words, after = row.against.split("{base}")
    if verdict.state.is_change:
        words, after = f"{_size(comparison)} {row.direction} than ".lstrip(), ""
    details = [
        "one run" if row.is_one_run else "",
        f"ratio {ratio_text(comparison.ratio)}",
        f"within ±{100 * verdict.within:.2g}{PERCENT}"
        if row.has_limit and verdict.within is not None
        else interval_words(verdict),
    ]
    if verdict.state.is_change:
        details.append(fluke_words(figures, verdict.cell, (verdict.base, verdict.cell.release)))
    if verdict.accepted:
        details.append(f"accepted: {verdict.accepted}")
    return (
        Phrase(text=capitalized(words) if first else words),
        Phrase(
            text=short_name(study.label(verdict.base)),
            url=release_address(study.report, verdict.base),
        ),
        Phrase(text=f"{after}{since_words(study, verdict)} ({'; '.join(filter(None, details))})"),
    )


def _size(comparison: CellComparison) -> str:
    """Return `12.9 %`; empty where it rounds to nothing."""
    size = percent_change(comparison.ratio).lstrip("+\N{MINUS SIGN}")
    return size if re.search("[1-9]", size) else ""
