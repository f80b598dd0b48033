"""Summarizes the verdicts on a release, for pages about many steps."""

from collections.abc import Sequence
from math import log

from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import Study
from perfpress.analysis.verdicts.mean_of_steps import FEWEST_STEPS
from perfpress.analysis.verdicts.states import State
from perfpress.analysis.verdicts.verdicts import Verdict
from perfpress.base.display import plural, ratio_text, short_name
from perfpress.input.report.report import Report
from perfpress.site.addresses import release_address
from perfpress.site.cell_pages import cell_url
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Phrase, Sentence
from perfpress.site.words.all_steps import mean_words, response_time_words
from perfpress.site.words.level_changes import capitalized
from perfpress.site.words.measured import variant_has_rates

MOST_NAMED = 5
"""Steps of a kind that a sentence names; the table below it has all."""
MOST_VARIANTS = 3
"""Most variants that get a sentence, the default one first."""

QUIET = tuple(
    state for state in State if state.row.tone in ("same", "unknown") and not state.is_change
)
"""States whose steps are not named when there are many."""


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
    where = f"{_apart(report, variant)}: against " if named else "Against "
    return tuple(
        (
            Phrase(text=where),
            Phrase(text=study.label(base), url=release_address(report, base))
            if base in study.measured
            else Phrase(text=study.label(base)),
            Phrase(text=", " if base in usual else f", {_last_measured(verdicts)}, "),
            *_counted(figures, verdicts),
            *_mean(figures, verdicts),
            *_response_times(figures, verdicts),
        )
        for base in (*usual, *_other_bases(study, release, variant, usual))
        if (verdicts := _verdicts(figures, release, variant, base))
    )


def _other_bases(study: Study, release: str, variant: str, usual: Sequence[str]) -> Sequence[str]:
    """Return the releases that steps are compared with which the release before did not run."""
    cells = [CellKey(release, variant, step) for step in study.steps_with(release, variant)]
    found = {base for cell in cells for base in study.bases_of(cell)} - {*usual}
    return [each for each in study.measured if each in found]


def _last_measured(verdicts: Sequence[Verdict]) -> str:
    return f"the last release before that ran {'it' if len(verdicts) == 1 else 'them'}"


def _apart(report: Report, variant: str) -> str:
    """Return what a variant has that the default one has not: `8 clients` of `lab, c8, 8 clients`.

    Its whole name where that is nothing.
    """
    known = report.variants[report.default_variant].split(", ")
    own = report.variants[variant].split(", ")
    return short_name(", ".join(part for part in own if part not in known) or ", ".join(own))


def _profiles_alone(figures: Figures, release: str, variant: str, *, named: bool) -> Sentence:
    """Return the steps that have profiles, of a release without throughput."""
    study = figures.study
    cells = [CellKey(release, variant, step) for step in study.steps_with(release, variant)]
    profiled = [cell for cell in cells if study.profiles.get(cell)]
    where = f"{_apart(study.report, variant)}: " if named else ""
    if not profiled:
        return (Phrase(text=capitalized(f"{where}no throughput and no profiles.")),)
    phrases: list[Phrase] = [Phrase(text=capitalized(f"{where}profiles only, no throughput: "))]
    for at, cell in enumerate(profiled[:MOST_NAMED]):
        phrases += [Phrase(text=", ")] if at else []
        phrases.append(_step(figures, cell))
    more = len(profiled) - MOST_NAMED
    return (*phrases, Phrase(text=f" and {more} more." if more > 0 else "."))


def headline(figures: Figures, variant: str) -> Sentence:
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
        Phrase(text=", the newest release, against "),
        *_against_base(figures, base, verdicts),
    )


def release_headline(figures: Figures, release: str, variant: str) -> Sentence:
    """Return the same of any release; of one that is not compared, how many steps it has.

    `Against 10.2.30: 26 of 37 steps are slower, 11 faster. Geometric mean of 37 steps: ×0.822.`
    """
    base = figures.study.base_of(variant)
    verdicts = _verdicts(figures, release, variant, base)
    if verdicts and variant_has_rates(figures, variant):
        return (Phrase(text="Against "), *_against_base(figures, base, verdicts))
    measured = len(figures.study.steps_with(release, variant))
    is_base = "; others are compared with it" if release == base else ""
    return (Phrase(text=f"{plural(measured, 'step')} measured{is_base}."),)


def _against_base(figures: Figures, base: str, verdicts: Sequence[Verdict]) -> Sentence:
    """Return `10.2.30: 26 of 37 steps are slower, 11 faster. Geometric mean …`."""
    report = figures.study.report
    many = sum(each.state.is_change for each in verdicts) > MOST_NAMED
    return (
        Phrase(text=figures.study.label(base), url=release_address(report, base)),
        Phrase(text=": "),
        *(_counts(figures, verdicts, are_named=False) if many else _counted(figures, verdicts)),
        *_mean(figures, verdicts),
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
    verdicts = _verdicts(figures, release, variant, base)
    found = [
        f"{count} {state.row.counted}"
        for state in State
        if (count := sum(each.state is state for each in verdicts))
    ]
    return ", ".join(found)


def _verdicts(figures: Figures, release: str, variant: str, base: str) -> list[Verdict]:
    """Return the verdicts on the steps of a release and variant, the largest change first."""
    found = (
        figures.verdicts.get((CellKey(release, variant, step), base))
        for step in figures.study.report.steps
    )
    return sorted((each for each in found if each is not None), key=_size, reverse=True)


def _counted(figures: Figures, verdicts: Sequence[Verdict]) -> Sentence:
    """Return what follows a name: `2 of 4 steps are faster (update ×1.602), none slower`.

    Where many changed, the largest changes of either direction come after the counts.
    """
    if len(verdicts) == 1:
        return _of_one(figures, verdicts[0])
    if len({each.state for each in verdicts}) == 1:
        return (*_of_all(figures, verdicts), Phrase(text="."))
    changed = [each for each in verdicts if each.state.is_change]
    if len(changed) <= MOST_NAMED:
        return _counts(figures, verdicts, are_named=True)
    found = [*_counts(figures, verdicts, are_named=False), Phrase(text=" The largest changes: ")]
    return (*found, *_listed(figures, changed), Phrase(text="."))


def _counts(figures: Figures, verdicts: Sequence[Verdict], *, are_named: bool) -> Sentence:
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
            phrases += _named(figures, own) if are_named else []
    return (*phrases, Phrase(text="."))


def _mean(figures: Figures, verdicts: Sequence[Verdict]) -> Sentence:
    """Return the mean change of all steps; nothing for one or two, whose ratios are named.

    ` Geometric mean of 38 steps: ×0.702, slower beyond noise (p = 0.0004, one run).`
    """
    found = figures.mean_of_steps([each.cell for each in verdicts], verdicts[0].base)
    if found is None:
        return ()
    since = figures.study.label(found.since.release) if found.since else ""
    words = mean_words(found, [each.state for each in verdicts], since=since)
    return (Phrase(text=f" Geometric mean of {plural(found.steps, 'step')}: {words}"),)


def _response_times(figures: Figures, verdicts: Sequence[Verdict]) -> Sentence:
    """Return in how many steps response times changed; nothing for one or two steps."""
    found = [figures.response_time_verdicts.get((each.cell, each.base)) for each in verdicts]
    compared = [each for each in found if each and each.comparison]
    if len(compared) < FEWEST_STEPS or not (words := response_time_words(compared)):
        return ()
    return (Phrase(text=f" {words}"),)


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
    return (Phrase(text=text), *_named(figures, verdicts))


def _of_one(figures: Figures, verdict: Verdict) -> Sentence:
    clause = verdict.state.row.clause.replace("{any}", "{all}").replace("{is}", "is")
    before, after = clause.split("{all}")
    ratio = _changed(verdict)
    phrases = (
        Phrase(text=before),
        _step(figures, verdict.cell),
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
        found.append(_step(figures, verdict.cell))
        is_marked = are_mixed and verdict.state.row.is_one_run
        ratio = f" {changed}" if (changed := _changed(verdict)) else ""
        if words := f"{ratio}{', one run' if is_marked else ''}":
            found.append(Phrase(text=words))
        end = "; " if is_marked else ", "
    return found


def _step(figures: Figures, cell: CellKey) -> Phrase:
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


def _size(verdict: Verdict) -> float:
    return abs(log(verdict.comparison.ratio)) if verdict.comparison else 0.0
