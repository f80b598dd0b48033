"""Rates that a benchmark is held to: met or missed, and never a result to compare."""

from pathlib import Path

import pytest
from perfpress.analysis.metrics.efficiency import efficiency
from perfpress.analysis.metrics.metrics import metrics_frame
from perfpress.analysis.metrics.rate_target import RateTarget, rate_target
from perfpress.analysis.metrics.validity import why_not
from perfpress.analysis.study.study import StepRun
from step_run_samples import step_run, valid_metrics

HEADING = "ips\tqps\trps\tcsps\tcpups\tcspq\tcpupq\ttag"


def queries(folder: Path, inserts: float, clients: int | None) -> StepRun:
    """Return a run of q500 with that rate of inserts."""
    text = f"{HEADING}\n{inserts:g}\t9000\t5.0\t40000\t50.0\t4.444\t100\tengine1.c1\n"
    return step_run(
        folder,
        step={"name": "q500", "operation": "query", "logs": ["q500/o.sum.txt"]},
        changes={"clients": clients} if clients else {},
        files={"q500/o.sum.txt": text},
    )


@pytest.mark.parametrize(
    ("inserts", "clients", "is_met"),
    [(4000, 8, True), (3800, 8, True), (3799, 8, False), (500, 1, True), (500, None, None)],
)
def test_a_target_is_met_from_95_percent_on(
    inserts: float, clients: int | None, is_met: bool | None, tmp_path: Path
) -> None:
    target = rate_target(queries(tmp_path, inserts, clients))
    assert target is not None
    assert target.is_met is is_met
    assert target.rate == inserts


def test_a_run_that_missed_its_target_gives_no_number_to_compare(tmp_path: Path) -> None:
    missed = queries(tmp_path, 3000, 8)
    reason = "insert rate missed: 3,000 of 4,000 inserts/s"
    assert why_not(missed, "throughput") == reason
    assert valid_metrics(missed) == {"insert_rate", "insert_rate_target_per_client"}
    assert efficiency(missed)["cpu_per_operation"].reason == reason
    frame = metrics_frame([missed]).set_index("metric")
    assert frame.loc["throughput", "why_not"] == reason
    assert frame.loc["throughput", "value"] == 9000


def test_a_run_that_met_it_counts_and_its_inserts_are_neither_good_nor_bad(tmp_path: Path) -> None:
    met = queries(tmp_path, 4000, 8)
    assert why_not(met, "throughput") == ""
    assert met.measured["insert_rate"].better is None
    assert efficiency(met)["cpu_per_operation"].value == 100


def test_without_known_clients_no_target_is_reported(tmp_path: Path) -> None:
    run = queries(tmp_path, 3000, None)
    target = rate_target(run)
    assert target is not None
    assert target.text == "3,000 inserts/s; the number of clients is not stated"
    assert why_not(run, "throughput") == ""


def test_other_benchmarks_have_no_target(tmp_path: Path) -> None:
    assert rate_target(step_run(tmp_path)) is None
    assert RateTarget(95.0, 100.0).text == "insert rate met: 95.00 of 100.0 inserts/s"
