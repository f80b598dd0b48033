"""The author's relative rates of releases, where the archive has profiles and no throughput.

A table has the rates of releases, and tables for single steps and variants. The narrowest table
with rates for a step and variant holds alone: what a wider one gives for other releases may be of
another measurement.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, TypeAlias

from msgspec import Meta

from perfpress.base.toml.lines import KeyPath
from perfpress.input.bundles.schema import Name

Rate = Annotated[float, Meta(gt=0, le=1e12)]
RateTable = dict[Name, Rate | dict[Name, Rate | dict[Name, Rate]]]
"""By release a rate; by step or slug of a variant a table."""

Rates: TypeAlias = "Mapping[str, float | Rates]"
"""The same, whatever its depth."""


def relative_rates(table: Rates, variant: str, step: str, base: str) -> Mapping[str, float]:
    """Return the rates by release, relative to that of the base; empty where none are given.

    Args:
        table: of a report.
        variant: its slug.
        step: its name.
        base: a release; its rate is 1 where the table does not give it.
    """
    for keys in ((step, variant), (variant, step), (step,), (variant,), ()):
        rates = _rates_at(table, keys)
        if rates:
            of_base = rates.setdefault(base, 1.0)
            return {release: rate / of_base for release, rate in rates.items()}
    return {}


def _rates_at(table: Rates, keys: tuple[str, ...]) -> dict[str, float]:
    for key in keys:
        inner = table.get(key)
        if not isinstance(inner, Mapping):
            return {}
        table = inner
    return {name: rate for name, rate in table.items() if not isinstance(rate, Mapping)}


def renamed_rates(
    table: Rates, release: Callable[[str], str], other: Callable[[str], str]
) -> dict[str, Any]:
    """Return rates by other names.

    Args:
        table: of a report.
        release: returns the name of a release from the name that it has there.
        other: the same of a step or variant.
    """
    return {
        other(name) if isinstance(rate, Mapping) else release(name): (
            renamed_rates(rate, release, other) if isinstance(rate, Mapping) else rate
        )
        for name, rate in table.items()
    }


def names_in_rates(table: Rates, path: KeyPath) -> Iterator[tuple[KeyPath, bool]]:
    """Yield the path of every name in a table, and whether it is a release's."""
    for name, rate in table.items():
        yield (*path, name), not isinstance(rate, Mapping)
        if isinstance(rate, Mapping):
            yield from names_in_rates(rate, (*path, name))
