"""Describes where the time went: the largest changes of functions, in cost or in share."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain, takewhile

from perfpress.base.display import NO_VALUE, brief_function, percent_change, plural
from perfpress.base.groups import grouped
from perfpress.base.node.messages.findings import Change, Findings
from perfpress.base.units import WAITS, noun, whole_unit
from perfpress.site.addresses import diff_address, diff_graph_id, frame_link, release_address
from perfpress.site.report_figures import DiffKey, Figures
from perfpress.site.shapes.blocks import Phrase, Sentence
from perfpress.site.words.author_rates import relative_cost_sentence
from perfpress.site.words.level_changes import capitalized
from perfpress.site.words.suspects import EVEN_WORTH_SAYING, change_words, points

MOST_STEPS = 3
"""Steps that a sentence names for a change; the table has all."""
MOST_GROUPS = 3
"""Groups of steps that changed alike, the largest changes first."""
MOST_NAMED = 2
"""Functions of each direction."""
MOST_COSTS = 3
"""Parts of a change in cost; the waterfall has more."""
NO_RATES = "Profiles only, no throughput."
NO_PROFILES = "No profiles: nothing shows where the time went."


def cost_change_sentence(
    figures: Figures, key: DiffKey, found: Findings, step: str = ""
) -> Sentence:
    """Return the largest changes in cost, which lead to their frames; empty without costs of logs.

    `Where the time went: memcpy +5.2 %, memcmp −3.1 %, all code evenly +21.6 %; in all +23.7 % of
    the cost of one query on 16.` Functions in the direction of the whole change come first.
    Where the rate fell and so did the cost, `The profile does not explain it: …`, and the other way
    round. `step` is named where the page is not about it.
    """
    whole = found.base.whole
    if found.basis not in {"cost_per_operation", "weight_per_second"} or whole <= 0:
        return ()
    study = figures.study
    page = diff_address(study.report, key.cell, key.base)
    graph = diff_graph_id(key.cell, key.base)
    parts = [
        (each.part, brief_function(each.name), page + frame_link(graph, each.path))
        for each in (*found.additions, *found.savings)
    ]
    verdict = figures.verdicts.get((key.cell, key.base))
    explained_by = "slower" if found.change.whole > 0 else "faster"
    direction = verdict.state.row.direction if verdict and parts else ""
    is_explained = direction in {"", explained_by}
    subject, end = (
        ("Where the time went", ": ") if is_explained else ("The profile", " does not explain it: ")
    )
    about = (
        (
            Phrase(text=f"{subject} {'in' if is_explained else 'of'} "),
            Phrase(text=step, url=page),
            Phrase(text=end),
        )
        if step
        else (Phrase(text=f"{subject}{end}"),)
    )
    if not parts:
        evenly = f"spread evenly over all code, {percent_change(found.even)}"
        words = evenly if found.spread_evenly else "no function changed beyond noise"
        return (*about, Phrase(text=f"{words}."))
    parts.sort(key=lambda each: abs(each[0]), reverse=True)
    parts = sorted(parts[:MOST_COSTS], key=lambda each: each[0] * found.change.whole < 0)
    if abs(found.even - 1) >= EVEN_WORTH_SAYING:
        parts.append((found.change.even, "all code evenly", ""))
    named = [
        phrase
        for part, name, url in parts
        for phrase in (
            Phrase(text=", "),
            Phrase(text=name, url=url, is_function=bool(url)),
            Phrase(text=f" {percent_change(1 + part / whole)}"),
        )
    ][1:]
    cost = noun(found.unit) if whole_unit(found.unit) == WAITS else "cost"
    of = (
        f"the {cost} of one {study.operation(key.cell.step)}"
        if found.basis == "cost_per_operation"
        else "the weight per second"
    )
    change = percent_change(1 + found.change.whole / whole)
    total = Phrase(text=f"; in all {change} of {of} on {study.label(key.base)}.")
    return (*about, *named, total)


def release_cost_change(
    figures: Figures, release: str, variant: str, findings: Mapping[DiffKey, Findings]
) -> tuple[Sentence, ...]:
    """Return where the time went in the step whose cost changed most against the base; of steps
    without known costs, how the shares of functions changed.

    Steps that are slower or faster come first, then others with a rate, then those that were made
    for their profile alone: the sentence before is about rates. Where the report has no profiles
    this says so.
    """
    if release == figures.study.base_of(variant):
        return ()
    if not figures.study.profiles:
        return ((Phrase(text=NO_PROFILES),),)
    own = {
        key: found
        for key, found in findings.items()
        if (key.cell.release, key.cell.variant) == (release, variant)
        and figures.is_against_base(key)
        and found.base.whole > 0
    }

    def rank(key: DiffKey) -> tuple[bool, bool, float]:
        verdict = figures.verdicts.get((key.cell, figures.study.base_of(variant)))
        has_rates = verdict is not None and verdict.comparison is not None
        is_change = verdict is not None and verdict.state.is_change
        return not has_rates, not is_change, -abs(own[key].change.whole / own[key].base.whole)

    changed = sorted(own, key=rank)
    sentences = (cost_change_sentence(figures, key, own[key], key.cell.step) for key in changed)
    shares = (
        _sentence(figures, key, own[key])
        for key in sorted(own, key=lambda key: -_largest(own[key]))
        if own[key].basis == "share" and not rank(key)[0]
    )
    largest = next(filter(None, chain(sentences, shares)), None)
    return (largest,) if largest else ()


def largest_share_changes(
    figures: Figures,
    release: str,
    variant: str,
    findings: Mapping[DiffKey, Findings],
    *,
    named: bool = True,
) -> Sentence:
    """Return the largest changes of a release's steps in both directions; nothing without a diff.

    `Against 5.6, largest net changes in share of cycles, beyond noise: memcpy +3.1 to +4.2 points
    in scan and sort, since 5.7; log +2.0 points, memcmp −2.2 points in insert. Profiles only, no
    throughput.` What changed in the same steps is named together.

    Args:
        figures: of the report.
        release: its id.
        variant: its slug.
        findings: of all diffs.
        named: whether the sentence names the release, for pages that are not about it.
    """
    report = figures.study.report
    own = _of_shares(figures, release, variant, findings)
    if not own:
        return ()
    [(base, _)] = Counter(key.base for key in own).most_common(1)
    own = {key: found for key, found in own.items() if key.base == base}
    about = (
        (
            Phrase(text=figures.study.label(release), url=release_address(report, release)),
            Phrase(text=" against "),
        )
        if named
        else (Phrase(text="Against "),)
    )
    pair = (*about, Phrase(text=figures.study.label(base), url=release_address(report, base)))
    unit = next(iter(own.values())).unit
    # By function and direction the steps of whose changes it is the largest.
    changed: dict[tuple[str, bool], dict[DiffKey, Change]] = {}
    for key in sorted(own, key=lambda key: -_largest(own[key])):
        for changes in (own[key].additions, own[key].savings):
            for each in changes[:1]:
                changed.setdefault((each.function, each.net > 0), {})[key] = each
    if not changed:
        words = f": no function’s share of {noun(unit)} changed beyond noise. {NO_RATES}"
        return (*pair, Phrase(text=words))
    together = grouped(changed.values(), lambda function: (*function,))
    parts: list[Phrase] = []
    for keys, functions in list(together.items())[:MOST_GROUPS]:
        parts += [Phrase(text="; ")] if parts else []
        for at, function in enumerate(functions):
            parts += [Phrase(text=", ")] if at else []
            name = brief_function(next(iter(function.values())).name)
            parts.append(Phrase(text=name, is_function=True))
            parts.append(Phrase(text=f" {_range([*function.values()], own[keys[0]])}"))
        parts += _in_steps(figures, keys, len(own))
        since = {_since(figures, findings, keys[0], each[keys[0]]) for each in functions}
        if len(since) == 1 and (first := since.pop()):
            parts.append(Phrase(text=f", since {figures.study.label(first)}"))
    return (
        *pair,
        Phrase(text=f", largest net changes in share of {noun(unit)}, beyond noise: "),
        *parts,
        Phrase(text=f". {NO_RATES}"),
    )


def _range(changes: Sequence[Change], found: Findings) -> str:
    """Return `+3.1 points`, of several steps `+3.1 to +4.2 points`."""
    ends = sorted(changes, key=lambda each: abs(each.net))
    words = dict.fromkeys(points(each, found) for each in (ends[0], ends[-1]))
    return " to ".join(words).replace("\N{NO-BREAK SPACE}points to", " to")


def _in_steps(figures: Figures, keys: Sequence[DiffKey], compared: int) -> Sentence:
    """Return ` in scan and sort`, of many ` in 5 of 7 steps, most in scan`."""
    steps = [
        Phrase(text=key.cell.step, url=diff_address(figures.study.report, key.cell, key.base))
        for key in keys
    ]
    if len(steps) > MOST_STEPS:
        of = f"all {len(steps)}" if len(steps) == compared else f"{len(steps)} of {compared}"
        return Phrase(text=f" in {of} steps, most in "), steps[0]
    between = (" in ", *(", " for _ in steps[2:]), " and ")
    return tuple(
        phrase
        for text, step in zip(between, steps, strict=False)
        for phrase in (Phrase(text=text), step)
    )


def _since(
    figures: Figures, findings: Mapping[DiffKey, Findings], key: DiffKey, change: Change
) -> str:
    """Return the first of the releases up to this one that all have a change.

    Empty where none lacks it, or only this one has it.
    """
    releases = figures.study.releases_with(*key.cell.step_key)
    found = ""
    for release in reversed([*takewhile(lambda each: each != key.cell.release, releases)]):
        compared = findings.get(DiffKey(key.cell.in_release(release), key.base))
        if compared is None:
            continue
        changes = compared.additions if change.net > 0 else compared.savings
        if all(each.function != change.function for each in changes):
            return found
        found = release
    return ""


def largest_by_step(
    figures: Figures, release: str, variant: str, findings: Mapping[DiffKey, Findings]
) -> dict[str, tuple[str, str]]:
    """Return the largest increase and decrease in share of each step against the base.

    `+3.1 points memcpy`: the number first, because a long name is cut off on a card.
    """
    own = _of_shares(figures, release, variant, findings)
    return {
        key.cell.step: (
            change_words(found.additions[0], found, number_first=True)
            if found.additions
            else NO_VALUE,
            change_words(found.savings[0], found, number_first=True) if found.savings else NO_VALUE,
        )
        for key, found in sorted(own.items(), key=lambda each: -_largest(each[1]))
    }


def step_change_sentences(
    figures: Figures, findings: Mapping[DiffKey, Findings], key: DiffKey
) -> tuple[Sentence, ...]:
    """Return what changed in one step: its cost by the author's rates, or the shares of functions.

    Nothing where there is no diff, or logs show the costs.
    """
    found = findings.get(key)
    if found and found.basis == "share":
        return (_sentence(figures, key, found),)
    cost = relative_cost_sentence(figures, key, found) if found else ""
    return ((Phrase(text=cost),),) if cost else ()


def where_time_went(
    figures: Figures, findings: Mapping[DiffKey, Findings], key: DiffKey
) -> tuple[Sentence, ...]:
    """Return the changes of functions in a step that has rates, in cost or else in share.

    Where the report has no profiles this says so.
    """
    if not figures.study.profiles and key.cell.release != key.base:
        return ((Phrase(text=NO_PROFILES),),)
    found = findings.get(key)
    if not found:
        return ()
    sentence = (
        _sentence(figures, key, found)
        if found.basis == "share"
        else cost_change_sentence(figures, key, found)
    )
    return (sentence,) if sentence else ()


def diff_share_sentence(figures: Figures, key: DiffKey, found: Findings) -> Sentence:
    """Return the summary of a diff of shares for the top of its page; empty for a diff of costs."""
    if found.basis != "share":
        return ()
    rates = figures.summaries["throughput"]
    no_rates = "" if {key.cell, key.base_cell} & rates.keys() else f" {NO_RATES}"
    first, *others = _shares(found)
    end = (Phrase(text=no_rates),) if no_rates else ()
    return (Phrase(text=capitalized(first.text)), *others, *end)


def _of_shares(
    figures: Figures, release: str, variant: str, findings: Mapping[DiffKey, Findings]
) -> dict[DiffKey, Findings]:
    """Return the findings of a release against the base whose costs are not known."""
    return {
        key: found
        for key, found in findings.items()
        if (key.cell.release, key.cell.variant) == (release, variant)
        and figures.is_against_base(key)
        and found.basis == "share"
    }


def _largest(findings: Findings) -> float:
    changes = (*findings.additions, *findings.savings)
    return max((abs(each.net) for each in changes), default=0.0)


def _sentence(figures: Figures, key: DiffKey, findings: Findings) -> Sentence:
    """Return what changed in a step; its first phrase leads to the diff.

    `scan, 5.6 → 8.0: 9 functions take a larger share of the cycles beyond noise, led by memcpy
    +3.1 points and memcmp +0.2 points; no function takes a smaller one.`
    """
    cell = key.cell
    page = diff_address(figures.study.report, cell, key.base)
    pair = f"{findings.base.label} \N{RIGHTWARDS ARROW} {findings.after.label}"
    about = Phrase(text=f"{cell.step}, {pair}", url=page)
    return about, Phrase(text=": "), *_shares(findings)


def _shares(findings: Findings) -> Sentence:
    more, less = findings.additions, findings.savings
    if not more and not less:
        return (Phrase(text=f"no function’s share of {noun(findings.unit)} changed beyond noise."),)
    of = f"share of the {noun(findings.unit)} beyond noise"
    is_even = abs(findings.even - 1) >= EVEN_WORTH_SAYING
    if is_even and not (more and less):
        # What one function takes more of, all others have less of: that is no change of theirs.
        way, others = ("larger", "less") if more else ("smaller", "more")
        return (
            Phrase(text=f"{_counted(more or less)} a {way} {of}"),
            *_led_by(findings, more or less),
            Phrase(text=f"; all other code takes {others} in proportion."),
        )
    return (
        Phrase(text=f"{_counted(more)} a larger {of}"),
        *_led_by(findings, more),
        Phrase(text=f"; {_counted(less)} a smaller one"),
        *_led_by(findings, less),
        Phrase(text="."),
    )


def _counted(changes: Sequence[Change]) -> str:
    if len(changes) < 2:
        return "one function takes" if changes else "no function takes"
    return f"{plural(len(changes), 'function')} take"


def _led_by(findings: Findings, changes: Sequence[Change]) -> Sentence:
    """Return `, led by memcpy +3.1 points and memcmp +0.2 points`."""
    if not changes:
        return ()
    most = " led by" if len(changes) > MOST_NAMED else ""
    return Phrase(text=f",{most} "), *_named(findings, changes[:MOST_NAMED], " and ")


def _named(findings: Findings, changes: Sequence[Change], between: str) -> Sentence:
    return tuple(
        phrase
        for at, change in enumerate(changes)
        for phrase in (
            *((Phrase(text=between),) if at else ()),
            Phrase(text=brief_function(change.name), is_function=True),
            Phrase(text=f" {points(change, findings)}"),
        )
    )
