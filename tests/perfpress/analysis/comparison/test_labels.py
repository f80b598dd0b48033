"""What two sides are called in the answer."""

import pytest
from perfpress.analysis.comparison.labels import labels_of, without_common_ends
from perfpress.analysis.comparison.sides import paired_steps


@pytest.mark.parametrize(
    ("base", "after", "labels"),
    [
        ("before.txt", "after.txt", ("before", "after")),
        ("old/bench.json.gz", "new/bench.json.gz", ("old", "new")),
        ("/r/5744/scan/s.folded.gz", "/r/8037/scan/s.folded.gz", ("5744", "8037")),
        ("x.pg1023_o2.c32.pk1", "x.pg1110_o2.c32.pk1", ("pg1023", "pg1110")),
        ("bench", "bench.2", ("bench", "bench.2")),
        ("bench.txt", "bench.log", ("bench", "bench (2)")),
        ("/srv/lab/perf/project/old/a/runs/b.txt", "new/b.txt", ("runs", "new")),
        ("-", "a/run.txt", ("stdin", "run")),
        ("/dev/fd/63", "/dev/fd/62", ("A", "B")),
        (".", "..", (".", "..")),
    ],
)
def test_labels_are_what_differs(base: str, after: str, labels: tuple[str, str]) -> None:
    assert labels_of(base, after) == labels


def test_common_words_go_whole() -> None:
    assert without_common_ends(["sb.o.scan.dop40", "sb.o.insert.dop40"]) == ["scan", "insert"]
    assert without_common_ends(["q100", "q1000"]) == ["q100", "q1000"]
    assert without_common_ends(["sleep 0.01", "sleep 0.02"]) == ["0.01", "0.02"]
    assert without_common_ends(["pg15.1 scan", "pg15.4 scan"]) == ["pg15.1", "pg15.4"]


def test_one_step_a_side_is_the_same_step() -> None:
    assert paired_steps(["before"], ["after"]) == {"after": "before"}


def test_steps_are_paired_by_name() -> None:
    assert paired_steps(["scan", "insert"], ["insert", "delete"]) == {}


def test_names_that_hold_the_release_are_paired_without_it() -> None:
    assert paired_steps(["8.0-scan", "8.0-insert"], ["8.4-insert", "8.4-scan"]) == {
        "8.4-insert": "8.0-insert",
        "8.4-scan": "8.0-scan",
    }
