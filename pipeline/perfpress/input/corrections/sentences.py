"""Says what a correction does, in one sentence that can be quoted alone."""

from perfpress.base.display import short_name
from perfpress.input.corrections.files import Accept, AnyCorrection, Invalid, Rename, Set, Supersede


def sentence_of(change: AnyCorrection, release: str = "") -> str:
    """Return what a correction does, and its reason.

    `Step “insert range=100” is now called “insert”: the range is the same in all tests.`

    Args:
        change: the correction.
        release: that of its run, where readers see several releases.
    """
    reason = change.reason if change.reason.endswith((".", "!", "?")) else f"{change.reason}."
    return f"{_what(change, _of(release))}: {reason}"


def replaced_sentence(run: str, replacement: str, release: str = "") -> str:
    """Return that a run replaces another, as its own run.toml says."""
    return f"Run {run}{_of(release)} does not count; run {replacement} replaces it."


def _of(release: str) -> str:
    return f" of {short_name(release)}" if release else ""


def _what(change: AnyCorrection, of_release: str) -> str:
    match change:
        case Invalid(run=None):
            of = f"{short_name(change.step)} on " if change.step else ""
            return f"No run of {of}{short_name(change.release or '')} counts"
        case Invalid():
            run = f"{short_name(change.run or '')}{of_release}"
            return f"Run {run} does not count{_for(change.step)}"
        case Supersede():
            replacement = f"run {short_name(change.replacement)} replaces it"
            run = f"{short_name(change.run)}{of_release}"
            return f"Run {run} does not count{_for(change.step)}; {replacement}"
        case Set():
            of = f"{short_name(change.step)} in " if change.step else ""
            runs = f"run {change.run}" if change.run else f"all runs of {change.release}"
            return f"“{short_name(change.key)}” of {of}{short_name(runs)} is now {_value(change)}"
        case Rename():
            old, new = short_name(change.old), short_name(change.new)
            return f"{change.what.title()} “{old}” is now called “{new}”"
        case Accept():
            of = f"{short_name(change.step)} on " if change.step else ""
            where = f", {short_name(change.variant)}" if change.variant else ""
            what = "The regression of" if change.step else "Every regression of"
            return f"{what} {of}{short_name(change.release)}{where} is known and accepted"


def _for(step: str | None) -> str:
    return f" for {short_name(step)}" if step else ""


def _value(change: Set) -> str:
    if isinstance(change.value, bool):
        return str(change.value).lower()
    if isinstance(change.value, str):
        return f"“{short_name(change.value)}”"
    return str(change.value)
