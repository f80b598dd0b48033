"""When repeats without a start time are warned of."""

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

from perfpress.site.words.start_times import start_time_notices

MORNING = datetime(2026, 11, 24, 10, tzinfo=UTC)


def run(run_id: str, started: datetime | None = None, exclusion: str | None = None) -> Any:
    bundle = SimpleNamespace(run_id=run_id, run=SimpleNamespace(started=started))
    return SimpleNamespace(bundle=bundle, exclusion=exclusion)


def test_repeats_without_a_start_time_are_counted() -> None:
    cells = [[run("a"), run("b"), run("c", MORNING)], [run("a"), run("b")], [run("d")]]
    (notice,) = start_time_notices(cells)
    assert notice.text.startswith("2 repeats without a start time: verdicts take them for runs")


def test_single_runs_and_repeats_of_a_known_time_need_no_warning() -> None:
    assert start_time_notices([[run("a")], [run("b")]]) == ()
    assert start_time_notices([[run("a", MORNING), run("b", MORNING)]]) == ()
    assert start_time_notices([[run("a"), run("b", exclusion="invalid")]]) == ()
