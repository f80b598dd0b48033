"""Compares the measurements that two bundles hold: whether they are of one run."""

from perfpress.host.importing.result_tables import RATIO_OF
from perfpress.input.bundles.read import Bundle


def holds(other: Bundle, bundle: Bundle, undated: bool) -> bool:
    """Return whether a bundle has all that another has, where that was made in another way.

    Tables were made anew since; or the other was imported when dates of logs were not read.
    """
    made_anew = any(step.metrics for step in bundle.steps)
    dated_since = undated and other.run.started is None and bundle.run.started is not None
    return (made_anew or dated_since) and set(measured(bundle)) <= set(measured(other))


def measured(bundle: Bundle) -> list[str]:
    """Return what tells a bundle's logs, captures and numbers of tables from those of others."""
    names = files_of(bundle)
    hashes = [file.sha256 for file in bundle.files if file.name in names]
    numbers = (
        f"{metric.column} {step.name} {name} {metric.value}"
        for step in bundle.steps
        for name, metric in step.metrics.items()
        # The ratio of a base to itself is 1 in all measurements.
        if metric.column and name != f"{RATIO_OF}{metric.column}"
    )
    return [*hashes, *numbers]


def files_of(bundle: Bundle) -> set[str]:
    """Return the names of a bundle's logs and captures."""
    return {name for step in bundle.steps for name in (*step.logs, *step.captures)}
