"""Warns of a bundle whose numbers are far from those of the accepted runs that it repeats."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from perfpress.analysis.metrics.repeats import unlike
from perfpress.analysis.study.measured import measurements, read_logs_of_all
from perfpress.base.display import number, plural_of
from perfpress.base.problems import Problem
from perfpress.input.bundles.discover import place_of
from perfpress.input.bundles.read import Bundle, read_bundle
from perfpress.input.bundles.safety import shown_name

MOST_NAMED = 3


def unlike_repeats(bundle: Bundle, results: Path) -> Iterator[Problem]:
    """Yield at most one warning, which names the steps.

    Args:
        bundle: may be in any directory.
        results: the accepted bundles.
    """
    siblings = results.joinpath(*place_of(bundle)[:-1])
    others = [
        other
        for path in (sorted(siblings.iterdir()) if siblings.is_dir() else ())
        if path.name not in (bundle.run_id, bundle.run.replaces) and not path.name.startswith(".")
        for other in [read_bundle(path, str(path))[0]]
        if other and not other.archived
    ]
    if not others:
        return
    own, *theirs = _rates([bundle, *others])
    found = [
        f"{step.name} ({number(gap[0])} and {number(gap[1])} {plural_of(step.operation)}/s)"
        for step in bundle.steps
        if step.name in own
        and (gap := unlike(each[step.name] for each in (own, *theirs) if step.name in each))
    ]
    if found:
        more = f" and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
        some = ", ".join(map(shown_name, found[:MOST_NAMED]))
        yield Problem(
            path=bundle.shown_as,
            found=f"far from what other runs of this release and variant measured: {some}{more}",
            expected="repeats of one measurement",
            do="if it measured something else, say so in run.toml, as config or axes",
            severity="warning",
        )


def _rates(bundles: Sequence[Bundle]) -> Iterator[Mapping[str, float]]:
    """Yield throughput by step of each bundle, of the steps that count."""
    steps_of_bundles = [
        [step for step in bundle.steps if not step.ended and not step.capture.separate_run]
        for bundle in bundles
    ]
    readings = read_logs_of_all(list(zip(bundles, steps_of_bundles, strict=True)))
    for steps, of_steps in zip(steps_of_bundles, readings, strict=True):
        measured = map(measurements, steps, of_steps)
        yield {
            step.name: metrics["throughput"].value
            for step, metrics in zip(steps, measured, strict=True)
            if "throughput" in metrics
        }
