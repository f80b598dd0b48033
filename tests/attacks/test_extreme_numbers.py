"""The largest and smallest numbers that a bundle may hold, in every report that compares them."""

from datetime import UTC, datetime
from pathlib import Path

from bundle_samples import FILES, accepted, folded
from perfpress.base.limits import LARGEST, SMALLEST
from perfpress.build.stages import build
from small_site import STEP, quiet, small_site


def test_numbers_at_the_limits_can_be_computed_with(tmp_path: Path) -> None:
    request = small_site(tmp_path)
    extremes = [(LARGEST, SMALLEST), (SMALLEST, LARGEST), (0.0, 0.0), (-LARGEST, -SMALLEST)]
    for at, (rate, time) in enumerate(extremes):
        metrics = {
            "throughput": {"value": rate, "unit": "operations/s", "better": "higher"},
            "latency_average": {"value": time, "unit": "ms", "better": "lower"},
            "size": {"value": time, "unit": "MB", "better": "lower"},
        }
        step = STEP | {"operations": 10**18, "seconds": 1e-9, "metrics": metrics}
        for day in (1, 2, 3):
            run = {
                "release": f"{19 + at}",
                "started": datetime(2026, 1, day, tzinfo=UTC),
                "step": [step],
            }
            accepted(request.results, run, FILES | {"cpu.folded.gz": folded(9)})
    assert not build(request, quiet).problems
    pages = request.out / "reports" / "postgres-releases"
    assert all((pages / str(19 + at) / "index.html").is_file() for at in range(len(extremes)))
