"""The comment on a pull request, from a comparison that may be anybody's."""

import json
import zipfile
from pathlib import Path

import pytest
from perfpress.host.accepting.compared_comment import comment, main, read_comparison


def kept(path: Path, **changes: object) -> Path:
    rate = {"verdict": "slower", "why": "5 and 5 runs", "ratio": 0.9, "interval": [0.88, 0.92]}
    made = {
        "headline": "head is 10 % slower than base",
        "base": {"runs": 5},
        "after": {"runs": 5},
        "steps": [{"step": "insert", "rate": rate}],
    }
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("comparison.json", json.dumps(made | changes))
    return path


def test_the_comment_has_the_answer_and_a_row_a_step(tmp_path: Path) -> None:
    text = comment(read_comparison(kept(tmp_path / "a.zip")))
    row = "| <code>insert</code> | – | – |  | ×0.900 | 0.880 to 0.920 | <code>slower</code> |"
    assert row in text
    assert "5 and 5 runs, in turns on one machine." in text


def test_what_is_counted_has_rows(tmp_path: Path) -> None:
    verdict = {"verdict": "slower", "ratio": 1.02, "evidence": "an exact count"}
    timed = {"verdict": "noisy", "ratio": 1.02, "evidence": "the prior"}
    numbers = [
        {"metric": "executed_instructions", "verdict": verdict},
        {"metric": "latency_p95", "verdict": timed},
        {"metric": "repeats", "verdict": None},
    ]
    text = comment(
        read_comparison(kept(tmp_path / "a.zip", steps=[{"step": "a", "numbers": numbers}]))
    )
    [row] = rows_of(text)
    assert row.startswith("| <code>a&#44;&#32;executed&#32;instructions</code> |")
    assert "| ×1.020 | – | <code>slower</code> |" in row


def rows_of(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("| <code>")]


def test_a_time_has_its_own_ratio_and_changes_come_first(tmp_path: Path) -> None:
    """The verdict is on the rate: half of it is twice the time."""
    times = {"metric": "time_per_operation", "unit": "ns", "base": [1e6, 2e6, 9e6], "after": [4e6]}
    rates = {"metric": "throughput", "unit": "operations/s", "base": [500], "after": [250]}
    slower = {"verdict": "slower", "ratio": 0.5, "interval": [0.4, 0.8]}
    same = {"verdict": "no change seen", "ratio": 1.01}
    own = {"stated_as": "time_per_operation", "numbers": [rates, times]}
    steps = [{"step": "a", "rate": same, **own}, {"step": "b", "rate": slower, **own}]
    rows = rows_of(comment(read_comparison(kept(tmp_path / "a.zip", steps=steps))))
    row = "| 2 | 4 | <code>ms</code> | ×2.000 | 1.250 to 2.500 | <code>slower</code> |"
    assert rows[0] == f"| <code>b</code> {row}"
    assert rows[1].startswith("| <code>a</code> |")


def test_a_comment_is_no_longer_than_github_takes(tmp_path: Path) -> None:
    rate = {"verdict": "slower", "ratio": 1e300, "interval": [1e299, 1e300]}
    steps = [{"step": f"{at}" * 40, "rate": rate} for at in range(100)]
    text = comment(read_comparison(kept(tmp_path / "a.zip", steps=steps)))
    assert len(text) < 65_536
    shown = len(rows_of(text))
    assert f"And {100 - shown} verdicts more." in text


def test_texts_of_strangers_are_code(tmp_path: Path) -> None:
    evil = "@everyone <img src=x> [a](http://b) | x"
    steps = [{"step": evil, "rate": {"verdict": evil, "why": evil, "ratio": 1.0}}]
    text = comment(read_comparison(kept(tmp_path / "a.zip", headline=evil, steps=steps)))
    for sign in ("@", "<img", "](", "http://"):
        assert sign not in text


@pytest.mark.parametrize("changes", [{"base": 7}, {"steps": [{"rate": {"verdict": 1}}]}])
def test_another_shape_is_refused(
    tmp_path: Path, changes: dict[str, object], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(kept(tmp_path / "a.zip", **changes))]) == 1
    assert "no comparison" in capsys.readouterr().err
