"""Summarizes the verdicts on a release, for pages about many steps."""

import re
from collections.abc import Mapping, Sequence
from math import log

from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import Study
from perfpress.analysis.verdicts.states import State
from perfpress.analysis.verdicts.verdicts import Verdict
from perfpress.base.display import plural, short_name
from perfpress.input.report.report import Report
from perfpress.site.addresses import release_address
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Phrase, Sentence
from perfpress.site.words.all_steps import mean_words
from perfpress.site.words.level_changes import capitalized
from perfpress.site.words.measured import variant_has_rates
from perfpress.site.words.other_evidence import other_evidence, other_sentence
from perfpress.site.words.verdict_phrases import (
    MOST_NAMED,
    common_since,
    counted,
    counts,
    step_phrase,
)
from perfpress.site.words.verdicts import release_verdicts

SIZES = re.compile(r" \([^)]*\)")
"""How far response times changed: it is not the same against any two releases."""
MOST_VARIANTS = 3
"""Most variants that get a sentence, the default one first."""


def release_sentences(figures: Figures, release: str) -> tuple[Sentence, ...]:
    """Return the verdicts on a release, against the base and against the release before.

    A sentence a variant and release compared with; the default variant comes first.
    """
    study = figures.study
    if withdrawn := why_none_counts(study, release):
        return ((Phrase(text=withdrawn),),)
    ran = [variant for variant in study.report.variants if study.steps_with(release, variant)]
    default = study.report.default_variant
    found = [
        sentence
        for variant in ran[:MOST_VARIANTS]
        for sentence in variant_sentences(figures, release, variant, named=variant != default)
    ]
    more = len(ran) - MOST_VARIANTS
    if more > 0:
        noun = "variant" if more == 1 else "variants"
        found.append((Phrase(text=f"{more} more {noun}: in the tables below."),))
    return tuple(found)


def why_none_counts(study: Study, release: str) -> str:
    """Return that no run of a release counts, and why; an empty text where one does."""
    runs = study.runs_of(release)
    if not runs or any(run.status == "valid" for run in runs):
        return ""
    reasons = dict.fromkeys(
        each.reason.rstrip(".") for run in runs for each in run.exclusions if each.step is None
    )
    return f"No run of {study.label(release)} counts: {'; '.join(reasons)}."


def variant_sentences(
    figures: Figures, release: str, variant: str, *, named: bool
) -> tuple[Sentence, ...]:
    """Return the verdicts on a release and variant, against the base and the release before.

    Args:
        figures: of the report.
        release: its id.
        variant: its slug.
        named: whether the sentences name the variant.
    """
    study = figures.study
    report = study.report
    if not variant_has_rates(figures, variant):
        return (_profiles_alone(figures, release, variant, named=named),)
    usual = study.compared_with(release, variant)
    where = f"{_apart(report, variant, report.default_variant)}: against " if named else "Against "
    found: list[Sentence] = []
    of_base: list[Verdict] = []
    for base in (*usual, *_other_bases(study, release, variant, usual)):
        if verdicts := _verdicts(figures, release, variant, base):
            are_same = len(verdicts) > 1 and _states(verdicts) == _states(of_base)
            found.append(
                (
                    Phrase(text=where),
                    _link_to(study, base),
                    Phrase(text=", " if base in usual else f", {_last_measured(verdicts)}, "),
                    *(
                        _same_verdicts(figures, of_base, verdicts)
                        if are_same
                        else _all_evidence(figures, verdicts)
                    ),
                )
            )
            of_base = of_base or verdicts
    return tuple(found)


def _states(verdicts: Sequence[Verdict]) -> dict[str, State]:
    return {each.cell.step: each.state for each in verdicts}


def _link_to(study: Study, release: str) -> Phrase:
    """Return the label of a release, which leads to its page where it has one."""
    url = release_address(study.report, release) if release in study.measured else ""
    return Phrase(text=study.label(release), url=url)


def _all_evidence(figures: Figures, verdicts: Sequence[Verdict]) -> Sentence:
    """Return what follows a release: the verdicts on the steps, their mean, what else differs."""
    return (
        *counted(figures, verdicts),
        *_mean(figures, verdicts),
        *_others(other_evidence(figures, verdicts)),
    )


def _same_verdicts(
    figures: Figures, of_base: Sequence[Verdict], verdicts: Sequence[Verdict]
) -> Sentence:
    """Return that the steps have the verdicts that they have against the base, and what has not.

    `the verdicts on all 6 steps are the same as against 8.0.28, and so is what else differs.
    Geometric mean of 6 steps: ×0.884, …`
    """
    count = len(verdicts)
    steps = "both steps" if count == 2 else f"all {count:,} steps"
    known, others = (other_evidence(figures, each) for each in (of_base, verdicts))
    are_same = others and _unsized(others) == _unsized(known)
    return (
        Phrase(text=f"the verdicts on {steps} are the same as against "),
        _link_to(figures.study, of_base[0].base),
        Phrase(text=", and so is what else differs." if are_same else "."),
        *_mean(figures, verdicts),
        *_others(() if are_same else others),
    )


def _unsized(evidence: Sequence[str]) -> list[str]:
    return [SIZES.sub("", each) for each in evidence]


def _other_bases(study: Study, release: str, variant: str, usual: Sequence[str]) -> Sequence[str]:
    """Return the releases that steps are compared with which the release before did not run."""
    cells = [CellKey(release, variant, step) for step in study.steps_with(release, variant)]
    found = {base for cell in cells for base in study.bases_of(cell)} - {*usual}
    return [each for each in study.measured if each in found]


def _last_measured(verdicts: Sequence[Verdict]) -> str:
    return f"the last release before that ran {'it' if len(verdicts) == 1 else 'them'}"


def _apart(report: Report, variant: str, other: str) -> str:
    """Return what a variant has that another one has not: `8 clients` of `lab, c8, 8 clients`.

    Its whole name where that is nothing.
    """
    known = report.variants[other].split(", ")
    own = report.variants[variant].split(", ")
    return short_name(", ".join(part for part in own if part not in known) or ", ".join(own))


def _profiles_alone(figures: Figures, release: str, variant: str, *, named: bool) -> Sentence:
    """Return the steps that have profiles, of a release without throughput."""
    study = figures.study
    cells = [CellKey(release, variant, step) for step in study.steps_with(release, variant)]
    profiled = [cell for cell in cells if study.profiles.get(cell)]
    where = f"{_apart(study.report, variant, study.report.default_variant)}: " if named else ""
    if not profiled:
        return (Phrase(text=capitalized(f"{where}no throughput and no profiles.")),)
    phrases: list[Phrase] = [Phrase(text=capitalized(f"{where}profiles only, no throughput: "))]
    for at, cell in enumerate(profiled[:MOST_NAMED]):
        phrases += [Phrase(text=", ")] if at else []
        phrases.append(step_phrase(figures, cell))
    more = len(profiled) - MOST_NAMED
    return (*phrases, Phrase(text=f" and {more} more." if more > 0 else "."))


def headline(figures: Figures, variant: str, *, names_steps: bool = True) -> Sentence:
    """Return one sentence on the newest release of a variant against the base.

    `12.1.1, the newest release, against 10.2.30: 26 of 37 steps are slower, 11 faster. Geometric
    mean of 37 steps: ×0.822.` Which steps changed most, the picture below it shows.
    """
    report, base = figures.study.report, figures.study.base_of(variant)
    newest = newest_release(figures, variant)
    verdicts = _verdicts(figures, newest, variant, base) if newest else []
    if newest is None or not verdicts or not variant_has_rates(figures, variant):
        opening, *more = newest_sentences(figures, variant) or ((),)
        return (*opening, Phrase(text=" "), *more[0]) if more else opening
    return (
        Phrase(text=figures.study.label(newest), url=release_address(report, newest)),
        Phrase(text=f", the newest release{_of_variant(figures.study, newest, variant)}, against "),
        *_against_base(figures, base, verdicts, names_steps=names_steps),
    )


def _of_variant(study: Study, newest: str, variant: str) -> str:
    """Return which variant a release is the newest of, where others ran newer ones."""
    newer = study.measured[study.measured.index(newest) + 1 :]
    others = (
        each for each in study.report.variants if any((one, each) in study.ran for one in newer)
    )
    other = next(others, None)
    return f" with {_apart(study.report, variant, other)}" if other else ""


def release_headline(
    figures: Figures, release: str, variant: str, *, names_steps: bool = True
) -> Sentence:
    """Return the same of any release; of one that is not compared, how many steps it has.

    `Against 10.2.30: 26 of 37 steps are slower, 11 faster. Geometric mean of 37 steps: ×0.822.`
    """
    base = figures.study.base_of(variant)
    verdicts = _verdicts(figures, release, variant, base)
    if verdicts and variant_has_rates(figures, variant):
        against = _against_base(figures, base, verdicts, names_steps=names_steps)
        return (Phrase(text="Against "), *against)
    measured = len(figures.study.steps_with(release, variant))
    steps = plural(measured, "step")
    if figures.study.is_base(release, variant):
        return (Phrase(text=f"The base that other releases are compared with, in {steps}."),)
    return (Phrase(text=f"{steps} measured."),)


def _against_base(
    figures: Figures, base: str, verdicts: Sequence[Verdict], *, names_steps: bool
) -> Sentence:
    """Return `10.2.30: 26 of 37 steps are slower, 11 faster. Geometric mean …`."""
    report = figures.study.report
    changed = sum(each.state.is_change for each in verdicts)
    is_brief = changed > MOST_NAMED or (changed and not names_steps and len(verdicts) > 1)
    return (
        Phrase(text=figures.study.label(base), url=release_address(report, base)),
        Phrase(text=": "),
        *(counts(figures, verdicts, are_named=False) if is_brief else counted(figures, verdicts)),
        *_mean(figures, verdicts),
        *_others(other_evidence(figures, verdicts)),
    )


def newest_release(figures: Figures, variant: str) -> str | None:
    """Return the newest release that a variant was measured on."""
    study = figures.study
    found = (each.id for each in reversed(study.report.releases))
    return next((release for release in found if study.steps_with(release, variant)), None)


def newest_sentences(figures: Figures, variant: str) -> tuple[Sentence, ...]:
    """Return the verdicts on the newest release of a variant."""
    study = figures.study
    report = study.report
    newest = newest_release(figures, variant)
    if newest is None:
        return ()
    opening: Sentence = (
        Phrase(text="The newest release here is "),
        Phrase(text=study.label(newest), url=release_address(report, newest)),
        Phrase(text="."),
    )
    verdicts = variant_sentences(figures, newest, variant, named=False)
    return (opening, *(verdicts or _base_elsewhere(study, variant)))


def _base_elsewhere(study: Study, variant: str) -> tuple[Sentence, ...]:
    """Return where the base was measured, if not on this variant; variants are never compared."""
    report, base = study.report, study.report.base
    measured = [each for each in report.variants if study.steps_with(base, each)]
    if variant in measured or not measured:
        return ()
    others = "; ".join(short_name(report.variants[each]) for each in measured)
    text = f"No comparison with {study.label(base)}, which was measured elsewhere: on {others}."
    return ((Phrase(text=text),),)


def plain(sentences: Sequence[Sentence]) -> str:
    """Return sentences as text, without their links."""
    return " ".join("".join(phrase.text for phrase in sentence) for sentence in sentences)


def brief_counts(figures: Figures, release: str, variant: str, base: str) -> str:
    """Return the counts alone: `1 slower, 2 faster, 3 with no change seen`; empty without any."""
    if not variant_has_rates(figures, variant):
        return ""
    counts: Mapping[State, int] = figures.verdicts.counts.get((release, variant, base), {})
    return ", ".join(f"{counts[state]} {state.row.counted}" for state in State if state in counts)


def _mean(figures: Figures, verdicts: Sequence[Verdict]) -> Sentence:
    """Return the mean change of all steps; nothing for one or two, whose ratios are named.

    ` Geometric mean of 38 steps: ×0.702, slower beyond noise (p = 0.0004, one run).`
    """
    found = figures.mean_of_steps([each.cell for each in verdicts], verdicts[0].base)
    if found is None:
        return ()
    since = figures.study.label(found.since.release) if found.since else ""
    way = ("slower", "faster")[found.ratio > 1]
    of_steps = common_since(figures, [each for each in verdicts if each.state.row.direction == way])
    # Of the steps it is said already, and the release that the page is about is none to name.
    is_known = of_steps == f" since {since}" or since == figures.study.label(
        verdicts[0].cell.release
    )
    since = "" if is_known else since
    words = mean_words(found, [each.state for each in verdicts], since=since)
    return (Phrase(text=f" Geometric mean of {plural(found.steps, 'step')}: {words}"),)


def _others(evidence: Sequence[str]) -> Sentence:
    words = other_sentence(evidence)
    return (Phrase(text=words),) if words else ()


def _verdicts(figures: Figures, release: str, variant: str, base: str) -> list[Verdict]:
    """Return the verdicts on the steps of a release and variant, the largest change first."""
    return sorted(release_verdicts(figures, release, variant, base), key=_size, reverse=True)


def _size(verdict: Verdict) -> float:
    return abs(log(verdict.comparison.ratio)) if verdict.comparison else 0.0
