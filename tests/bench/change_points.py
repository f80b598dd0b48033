"""Measure the search for level changes on made series: false ones, and those that it finds.

    .venv/bin/python tests/bench/change_points.py [SERIES]

A line a kind of noise and number of releases: the percentage of series without a change that show a
lasting one, without and with the noise known from elsewhere, and of series with a change of five
standard deviations that show it at its release.
"""

import sys

import numpy as np
import numpy.typing as npt
from perfpress.analysis.verdicts.change_points import Prior
from perfpress.analysis.verdicts.long_series import long_segmentation

RELEASES = (6, 8, 10, 16, 24, 40, 400)
NOISE = 0.015
KNOWN: Prior = (NOISE, 20.0)
CHANGE = 5 * NOISE

Values = npt.NDArray[np.float64]


def noise(kind: str, random: np.random.Generator, count: int) -> Values:
    """Return logarithms of rates that no release changed."""
    values = NOISE * random.normal(0, 1, count)
    if kind == "skewed":
        values = NOISE * np.exp(random.normal(0, 0.5, count))
    if kind == "heavy tails":
        values = NOISE * random.standard_t(5, count)
    if kind == "flukes":
        places = random.choice(count, max(1, count // 12), replace=False)
        signs = random.choice([-1, 1], len(places))
        values[places] += signs * random.uniform(0.1, 0.9, len(places))
    return values


def lasting(values: Values, prior: Prior | None) -> list[int]:
    """Return where several releases have another level than several before."""
    changes = long_segmentation(values, lambda *_: prior).changes
    return [each.index for each in changes if min(each.count_before, each.count_after) > 1]


def main() -> None:
    """Print the lines."""
    made = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    print(f"{made} series a line; percent\n{'noise':12} releases  false  known  found  known")
    for kind in ("normal", "skewed", "heavy tails", "flukes"):
        for count in RELEASES:
            random = np.random.default_rng(count)
            totals = np.zeros(4)
            for _ in range(made):
                values = noise(kind, random, count)
                place = int(random.integers(2, count - 1))
                changed = values - CHANGE * (np.arange(count) >= place)
                for at, prior in enumerate((None, KNOWN)):
                    totals[at] += bool(lasting(values, prior))
                    totals[2 + at] += place in lasting(changed, prior)
            shown = "".join(f"{100 * total / made:7.1f}" for total in totals)
            print(f"{kind:12} {count:8}{shown}", flush=True)


if __name__ == "__main__":
    main()
