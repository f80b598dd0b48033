"""Summarizes the changes of a diff: their sum, change of all code, basis, noise."""

from collections.abc import Sequence

from perfpress.base.display import brief_function, percent_change, plural, signed
from perfpress.base.node.messages.findings import Change, Findings, SideSummary

MANY_WAYS = 1_000_000
"""Where the job stops counting splits of the captures."""
SHOWN_BY = {
    "captures": "from how {captures} differ",
    "sides": "from how most functions of the two differ",
    "limit": "the most that is assumed, as most functions of the two differ by more",
    "report": "from how other captures of the report differ",
    "archives": "from how captures of other archives differ",
}
"""By what shows the overdispersion."""
EVEN_WORTH_SAYING = 0.01
"""Change of all code that is worth a sentence although functions changed more."""


def changes_sentences(found: Findings, of_what: str = "") -> tuple[str, ...]:
    """Return the sentences above the tables of additions and savings.

    `of_what` says what changed, where that is no report's share or cost.
    """
    return (
        *_sum(found),
        *_nothing(found),
        *_evenly(found),
        *((of_what,) if of_what else _of_what(found)),
        *_noise(found),
        *_not_ranked(found),
    )


def why_no_p(found: Findings) -> str:
    """Return why changes have no p; empty where they have one."""
    noise = found.noise
    if noise.level is not None:
        return ""
    sides = (found.base, found.after)
    few = [_captures_of(side) for side in sides]
    lacking = [text for text, side in zip(few, sides, strict=True) if side.captures < 2]
    if lacking:
        return " and ".join(lacking)
    return f"{' and '.join(few)} have {plural(noise.ways, 'split')}; the test needs 40"


def _sum(found: Findings) -> tuple[str, ...]:
    """Return what additions and savings add up to, in percent of what the base costs."""
    change, whole = found.change, found.base.whole
    if found.basis == "share" or whole <= 0 or not (found.additions or found.savings):
        return ()
    parts = (
        ("listed additions", change.additions),
        ("listed savings", change.savings),
        ("all code, evenly", change.even),
        ("the rest", change.rest),
    )
    listed = ", ".join(f"{name} {signed(100 * part / whole, 1)}" for name, part in parts if part)
    return (f"The whole changed by {percent_change(1 + change.whole / whole)}: {listed}.",)


def _nothing(found: Findings) -> tuple[str, ...]:
    if found.additions or found.savings or found.spread_evenly:
        return ()
    return ("No function changed by more than noise, apart from cost that shifted.",)


def _evenly(found: Findings) -> tuple[str, ...]:
    change = percent_change(found.even)
    if found.spread_evenly:
        one_way = "growth" if found.even > 1 else "saving"
        what = one_way if found.additions or found.savings else "change"
        return (f"The {what} is spread evenly over all code: {change}.",)
    if abs(found.even - 1) < EVEN_WORTH_SAYING:
        return ()
    if found.basis == "share":
        most = (
            f"The shares of most functions changed by {change}, as those of others did the reverse"
        )
    else:
        most = f"All code changed by {change}"
    kind = "additions" if found.even > 1 else "savings"
    return (f"{most}; {kind} are functions that changed by more.",)


def _of_what(found: Findings) -> tuple[str, ...]:
    if found.basis == "cost_per_operation":
        return ("Changes in cost per operation.",)
    if found.basis == "relative_cost":
        unit = found.unit.replace("% ", "percent ")
        return (f"Changes in cost by the author’s rates, in {unit}.",)
    if found.basis == "weight_per_second":
        return (
            "Changes in weight per captured second, because no log has the operations: a server "
            "that does more in a second weighs more, too.",
        )
    return (
        "Changes in share, not in cost: the logs do not have the operations or the seconds of both "
        "releases.",
    )


def _noise(found: Findings) -> tuple[str, ...]:
    noise, within = found.noise, found.within_noise
    sides = (found.base, found.after)
    shown_by = SHOWN_BY[noise.shown_by].format(captures=" and ".join(map(_captures_of, sides)))
    times = f"{noise.overdispersion:.1f} times the variance of counts"
    sentence = f"Noise: {shown_by}, {times}."
    if all(side.captures < 2 for side in sides):
        sentence = (
            f"Noise: from the number of samples, {_samples(sides)}, with {times}, {shown_by}."
        )
    if noise.level is not None:
        of = "all" if noise.tried == noise.ways else f"{noise.tried:,} of"
        more = "more than " if noise.ways >= MANY_WAYS else ""
        sentence += (
            f" Listed functions also have a p of at most {noise.level} in a permutation test over "
            f"{of} {more}{noise.ways:,} splits of the captures."
        )
    if not within:
        return (sentence,)
    return sentence, f"{plural(within, 'function')} changed, but within noise."


def _samples(sides: Sequence[SideSummary]) -> str:
    """Return `40,321 of 16 and 39,870 of 18`; of captures that do not state them a round number."""
    counts = " and ".join(
        f"{side.samples:,} of {side.label}"
        if side.samples_stated
        else f"about {float(f'{side.samples:.1e}'):,.0f} of {side.label}"
        for side in sides
    )
    if all(side.samples_stated for side in sides):
        return counts
    return f"{counts} if the smallest weights are a sample each"


def _not_ranked(found: Findings) -> tuple[str, ...]:
    if not found.not_ranked:
        return ()
    return (f"{plural(found.not_ranked, 'function')} that changed less: not examined.",)


def _captures_of(side: SideSummary) -> str:
    return f"{_captures(side.captures)} of {side.label}"


def _captures(count: int) -> str:
    if count == 0:
        return "no single captures"
    return "one capture" if count == 1 else plural(count, "capture")


def change_words(change: Change, findings: Findings, *, number_first: bool = False) -> str:
    """Return `memcpy +3.1 points`, or `+3.1 points memcpy`."""
    words = (brief_function(change.name), points(change, findings))
    return " ".join(reversed(words) if number_first else words)


def points(change: Change, findings: Findings) -> str:
    """Return `+3.1 points`."""
    return f"{signed(change.net * findings.shown.factor, 1)}\N{NO-BREAK SPACE}points"
