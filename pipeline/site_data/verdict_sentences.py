"""The verdicts on a release in words: the sentences that pages about many steps say first."""

from collections.abc import Mapping, Sequence
from math import log

from pipeline.analysis.verdicts import State, Verdict
from pipeline.display import fixed, plural, short_name
from pipeline.site_data.addresses import release_address, step_address
from pipeline.site_data.figures import Figures
from pipeline.site_data.profile_cells import variant_tells_rates
from pipeline.site_data.rate_cells import RATIO_DECIMALS
from pipeline.site_data.shapes import Phrase, Sentence
from pipeline.study.profiles import CellKey

MOST_NAMED = 5
"""Steps of a kind that a sentence names; the table below it has all."""
MOST_VARIANTS = 3
"""Variants that are told in words, the default one first."""

FIRST: tuple[State, ...] = ("slower", "faster")
"""What a reader asks first: these are told even where no step is so."""

KINDS: tuple[tuple[State, str], ...] = (
    ("slower", "slower"),
    ("faster", "faster"),
    ("slower, one run", "slower in one run"),
    ("faster, one run", "faster in one run"),
    ("no change seen", "with no change seen"),
    ("noisy", "too noisy to tell"),
    ("cannot tell", "cannot be told"),
    ("failed", "failed"),
    ("missing", "missing"),
)
"""The states in the order of a sentence, with the words for several steps."""

OF_ONE: dict[State, str] = {
    "slower": "{step} is slower",
    "faster": "{step} is faster",
    "slower, one run": "{step} is slower in one run",
    "faster, one run": "{step} is faster in one run",
    "no change seen": "no change was seen in {step}",
    "noisy": "{step} is too noisy to tell",
    "cannot tell": "whether {step} changed cannot be told",
    "failed": "{step} failed",
    "missing": "{step} is missing",
}
"""What is said of a step that is the only one: nothing is counted."""


OF_ALL: dict[State, str] = {
    "slower": "{all} are slower",
    "faster": "{all} are faster",
    "slower, one run": "{all} are slower in one run",
    "faster, one run": "{all} are faster in one run",
    "no change seen": "no change was seen in {any}",
    "noisy": "{all} are too noisy to tell",
    "cannot tell": "whether {any} changed cannot be told",
    "failed": "{all} failed",
    "missing": "{all} are missing",
}
"""What is said where all steps are in one state."""

QUIET: tuple[State, ...] = ("no change seen", "noisy", "cannot tell")
"""Where many steps are so, none of them is named: nobody looks for them first."""


def release_sentences(figures: Figures, release: str) -> tuple[Sentence, ...]:
    """Return the verdicts on a release, against the base and against the release before.

    A sentence a variant and release compared with; the default variant comes first.
    """
    study = figures.study
    ran = [variant for variant in study.report.variants if study.steps_with(release, variant)]
    found = [
        sentence
        for variant in ran[:MOST_VARIANTS]
        for sentence in variant_sentences(figures, release, variant, named=len(ran) > 1)
    ]
    more = len(ran) - MOST_VARIANTS
    if more > 0:
        found.append((Phrase(text=f"{plural(more, 'more variant')}: in the tables below."),))
    return tuple(found)


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
    if not variant_tells_rates(figures, variant):
        return (_profiles_alone(figures, release, variant, named=named),)
    where = f"On {short_name(report.variants[variant])}, against " if named else "Against "
    previous = report.previous(release)
    bases = dict.fromkeys((report.base, *([previous.id] if previous else [])))
    return tuple(
        (
            Phrase(text=where),
            Phrase(text=study.label(base), url=release_address(report, base))
            if base in study.measured
            else Phrase(text=study.label(base)),
            Phrase(text=", "),
            *_counted(figures, verdicts),
        )
        for base in bases
        if base != release and (verdicts := _verdicts(figures, release, variant, base))
    )


def _profiles_alone(figures: Figures, release: str, variant: str, *, named: bool) -> Sentence:
    """Return where to look where no log tells a rate: the steps that have profiles."""
    study = figures.study
    cells = [CellKey(release, variant, step) for step in study.steps_with(release, variant)]
    profiled = [cell for cell in cells if study.profiles.get(cell)]
    where = f"On {short_name(study.report.variants[variant])}, no" if named else "No"
    if not profiled:
        return (Phrase(text=f"{where} log tells how fast a step was, and there is no profile."),)
    told: list[Phrase] = [
        Phrase(text=f"{where} log tells how fast a step was; profiles tell where the time went: ")
    ]
    for at, cell in enumerate(profiled[:MOST_NAMED]):
        told += [Phrase(text=", ")] if at else []
        told.append(_step(figures, cell))
    more = len(profiled) - MOST_NAMED
    return (*told, Phrase(text=f" and {more} more." if more > 0 else "."))


def newest_sentences(figures: Figures, variant: str) -> tuple[Sentence, ...]:
    """Return where things stand: the verdicts on the newest release that a variant has."""
    study = figures.study
    report = study.report
    newest = next(
        (
            release.id
            for release in reversed(report.releases)
            if study.steps_with(release.id, variant)
        ),
        None,
    )
    if newest is None:
        return ()
    opening: Sentence = (
        Phrase(text="The newest release here is "),
        Phrase(text=study.label(newest), url=release_address(report, newest)),
        Phrase(text="."),
    )
    return (opening, *variant_sentences(figures, newest, variant, named=False))


def plain(sentences: Sequence[Sentence]) -> str:
    """Return sentences as text, without their links."""
    return " ".join("".join(phrase.text for phrase in sentence) for sentence in sentences)


def brief_counts(figures: Figures, release: str, variant: str, base: str) -> str:
    """Return the counts alone: `1 slower, 2 faster, 3 with no change seen`; empty without any."""
    if not variant_tells_rates(figures, variant):
        return ""
    verdicts = _verdicts(figures, release, variant, base)
    found = [
        f"{count} {words}"
        for state, words in KINDS
        if (count := sum(each.state == state for each in verdicts))
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
    """Return what follows a name: `2 of 4 steps are faster (update ×1.602), none slower`."""
    if len(verdicts) == 1:
        return _of_one(figures, verdicts[0])
    if len({each.state for each in verdicts}) == 1:
        return (*_of_all(figures, verdicts), Phrase(text="."))
    of_state = {state: [each for each in verdicts if each.state == state] for state, _ in KINDS}
    told = [Phrase(text=_beginning(of_state, len(verdicts)))]
    for state, words in KINDS:
        own = of_state[state]
        if state == _leading(of_state):
            told[1:1] = _named(figures, own)
        elif own:
            told += [Phrase(text=f", {len(own)} {words}"), *_named(figures, own)]
        elif state in FIRST and _leading(of_state):
            told.append(Phrase(text=f", none {words}"))
    return (*told, Phrase(text="."))


def _of_all(figures: Figures, verdicts: Sequence[Verdict]) -> Sentence:
    """Return what is said of steps in one state: `all 4 steps are faster (update ×1.602, …)`."""
    count = len(verdicts)
    text = OF_ALL[verdicts[0].state].format(
        all="both steps" if count == 2 else f"all {count:,} steps",
        any="either step" if count == 2 else f"any of {count:,} steps",
    )
    return (Phrase(text=text), *_named(figures, verdicts))


def _leading(of_state: Mapping[State, Sequence[Verdict]]) -> State | None:
    return next((state for state in FIRST if of_state[state]), None)


def _beginning(of_state: Mapping[State, Sequence[Verdict]], steps: int) -> str:
    state = _leading(of_state)
    if state is None:
        return f"none of {steps:,} steps is seen to be slower or faster"
    count = len(of_state[state])
    return f"{count} of {steps:,} steps {'is' if count == 1 else 'are'} {state}"


def _of_one(figures: Figures, verdict: Verdict) -> Sentence:
    before, after = OF_ONE[verdict.state].split("{step}")
    ratio = _changed(verdict)
    told = (
        Phrase(text=before),
        _step(figures, verdict.cell),
        Phrase(text=f"{after}, {ratio}." if ratio else f"{after}."),
    )
    return tuple(phrase for phrase in told if phrase.text)


def _named(figures: Figures, verdicts: Sequence[Verdict]) -> list[Phrase]:
    """Return the steps in parentheses, each a link, with the ratios of those that changed."""
    if not verdicts or (len(verdicts) > MOST_NAMED and verdicts[0].state in QUIET):
        return []
    found = [Phrase(text=" (")]
    for at, verdict in enumerate(verdicts[:MOST_NAMED]):
        if at:
            found.append(Phrase(text=", "))
        found.append(_step(figures, verdict.cell))
        if ratio := _changed(verdict):
            found.append(Phrase(text=f" {ratio}"))
    more = len(verdicts) - MOST_NAMED
    return [*found, Phrase(text=f" and {more} more)" if more > 0 else ")")]


def _step(figures: Figures, cell: CellKey) -> Phrase:
    url = step_address(figures.study.report, cell.release, cell.step, cell.variant)
    return Phrase(text=short_name(cell.step), url=url)


def _changed(verdict: Verdict) -> str:
    """Return the ratio of what is slower or faster, as in tables: `×1.602`; empty for others."""
    if not verdict.comparison or not (verdict.is_slower or verdict.state.startswith("faster")):
        return ""
    accepted = ", accepted" if verdict.accepted else ""
    return f"×{fixed(verdict.comparison.ratio, RATIO_DECIMALS)}{accepted}"


def _size(verdict: Verdict) -> float:
    return abs(log(verdict.comparison.ratio)) if verdict.comparison else 0.0
