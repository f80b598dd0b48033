import time

import pytest
from perfpress.base import pace
from perfpress.base.pace import Pace


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return a list whose last number is the time."""
    times = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: times[-1])
    return times


def test_a_stage_says_how_long_the_rest_takes_at_its_pace(clock: list[float]) -> None:
    said: list[str] = []
    stage = Pace(said.append, "fold")
    stage.show(0, 1200)
    clock.append(30)
    stage.show(100, 1200)
    clock.append(34)
    stage.show(110, 1200)  # a moment later
    clock.append(345)
    stage.show(1150, 1200)
    clock.append(360)
    stage.show(1200, 1200)  # the next stage says that this one is done
    assert said == [
        "fold: 100 of 1,200, about 6 minutes left",  # 330 s
        "fold: 1,150 of 1,200, less than a minute left",
    ]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (59, "less than a minute"),
        (60, "about 1 minute"),
        (95, "about 2 minutes"),
        (5399, "about 90 minutes"),
        (5400, "about 1.5 hours"),
    ],
)
def test_an_estimate_is_no_finer_than_it_deserves(seconds: float, text: str) -> None:
    assert pace.time_left(seconds) == text
