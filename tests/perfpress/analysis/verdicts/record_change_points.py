"""Records what apache-otava finds in some series, for the tests of our change points.

It needs an environment of its own, as its pins would downgrade numpy here:

    python3 -m venv /tmp/otava && /tmp/otava/bin/pip install apache-otava==0.8.0
    /tmp/otava/bin/python tests/perfpress/analysis/verdicts/record_change_points.py \
        > tests/perfpress/analysis/verdicts/change_points.json
"""

import json
import random

from otava.analysis import compute_change_points


def series(seed: int) -> list[float]:
    """Return levels of random lengths with noise, as medians of releases are."""
    source = random.Random(seed)
    length = source.choice([10, 15, 25, 40, 50, 80, 150])
    values: list[float] = []
    level = 100.0
    while len(values) < length:
        count = source.randint(5, 40)
        spread = source.choice([1, 3])
        values += [round(source.gauss(level, spread), 2) for _ in range(count)]
        level *= source.choice([0.9, 0.95, 1.0, 1.08])
    return values[:length]


def main() -> None:
    """Print each series with the places and p values that otava finds."""
    recorded = []
    for seed in range(60):
        values = series(seed)
        points, _ = compute_change_points(values)
        recorded.append(
            {
                "series": values,
                "points": [[int(point.index), float(point.stats.pvalue)] for point in points],
            }
        )
    print(json.dumps(recorded))


if __name__ == "__main__":
    main()
