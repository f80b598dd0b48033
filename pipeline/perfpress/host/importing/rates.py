"""Reads the throughput of the steps of a bundle, to see which of its like are equal."""

from collections.abc import Mapping
from functools import lru_cache

from perfpress.input.bundles.read import Bundle
from perfpress.input.bundles.schema import FILE_NAME
from perfpress.input.logs.named_benchmarks import of_step
from perfpress.input.logs.read import read_log


def rates_of(bundle: Bundle) -> Mapping[str, float]:
    """Return the throughput by step, from the first log that has one above 0, or a table."""
    read = lru_cache(maxsize=8)(lambda name: read_log(bundle.directory / name, bundle.shown(name)))
    alone = len(bundle.steps) == 1
    rates: dict[str, float] = {}
    for step in bundle.steps:
        for name in step.logs:
            reading = of_step(read(name), step.name, FILE_NAME, only_step=alone)
            found = (each.value for each in reading.metrics if each.name == "throughput")
            if (rate := next(found, 0.0)) > 0:
                rates[step.name] = rate
                break
        stated = step.metrics.get("throughput")
        if stated and stated.value > 0:
            rates.setdefault(step.name, stated.value)
    return rates
