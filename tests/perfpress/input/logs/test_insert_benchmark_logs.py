"""The Insert Benchmark: its summaries, results of steps, clients, and the names of its steps.

The samples are written by hand from the public description of the formats.
"""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from perfpress.input.logs.insert_benchmark_steps import step_called, step_of_file, steps_in_order
from perfpress.input.logs.metric_names import meaning_of
from perfpress.input.logs.read import read_log
from perfpress.input.logs.readings import Benchmark, LogReading
from real_data import real_data

SAMPLES = Path(__file__).parent / "samples"


def reading_of(name: str) -> LogReading:
    return read_log(SAMPLES / name, name)


def reading_of_text(folder: Path, text: str, shown_as: str = "log") -> LogReading:
    log = folder / "log"
    log.write_text(text)
    return read_log(log, shown_as)


def metrics_of(reading: LogReading | Benchmark) -> dict[str, float]:
    return {metric.name: metric.value for metric in reading.metrics}


def skips_of(reading: LogReading) -> dict[str, int]:
    return {skipped.reason: skipped.count for skipped in reading.skipped}


def test_a_summary_without_names_is_known_by_its_order() -> None:
    reading = reading_of("insert-benchmark-summary.txt")
    assert (reading.format, reading.problems) == ("insert-benchmark-summary", ())
    names = [benchmark.name for benchmark in reading.benchmarks]
    assert names == ["l.i0", "l.x", "l.i1", "q100", "q500", "q1000"]
    assert [benchmark.first_line for benchmark in reading.benchmarks] == [2, 3, 4, 5, 6, 7]
    assert reading.facts == (("tag", "20m.engine1.c1"),)


def test_a_step_that_loads_measures_inserts() -> None:
    load = reading_of("insert-benchmark-summary.txt").benchmarks[0]
    assert metrics_of(load) == {
        "throughput": 100_000,
        "reads": 120.5,
        "read_volume": 2048,
        "writes": 50,
        "write_volume": 10_240,
        "reads_per_operation": 0.01,
        "read_volume_per_operation": 0.1,
        "writes_per_operation": 0.005,
        "write_volume_per_operation": 0.5,
        "context_switches": 20_000,
        "cpu_busy": 50,
        "context_switches_per_operation": 0.5,
        "cpu_per_operation": 40,
        "database_size": 2,
        "database_directory_size": 4,
        "server_memory": 3,
        "latency_maximum": 250,
        "insert_rate_p50": 101_000,
        "insert_rate_p99": 80_000,
    }
    for metric in load.metrics:
        assert (metric.unit, metric.better) == meaning_of(metric.name)[:2]
        assert metric.line == 2


def test_a_step_with_queries_measures_them_and_holds_its_inserts_to_a_target() -> None:
    queries = reading_of("insert-benchmark-summary.txt").benchmarks[5]
    metrics = metrics_of(queries)
    assert (metrics["throughput"], metrics["insert_rate"]) == (7000, 3000)
    assert metrics["insert_rate_target_per_client"] == 1000
    assert (metrics["query_rate_p50"], metrics["query_rate_p99"]) == (1800, 1500)
    # The scripts divide writes by inserts in all steps, reads by queries in those with queries.
    assert (metrics["writes_per_insert"], metrics["reads_per_operation"]) == (0.005, 0.01)
    assert "writes_per_operation" not in metrics
    (rate,) = (metric for metric in queries.metrics if metric.name == "insert_rate")
    assert rate.better is None


def test_what_was_not_measured_is_no_number() -> None:
    index = reading_of("insert-benchmark-summary.txt").benchmarks[1]
    assert "insert_rate_p99" not in metrics_of(index)
    assert skips_of(reading_of("insert-benchmark-summary.txt"))["p99: NA, not measured"] == 1


def test_the_columns_of_2018_where_cpu_was_in_millionths_of_a_percent() -> None:
    reading = reading_of("insert-benchmark-summary-2018.txt")
    assert [benchmark.name for benchmark in reading.benchmarks] == ["l", "q1000", "q100"]
    metrics = metrics_of(reading.benchmarks[0])
    assert metrics["cpu_share_per_operation"] == pytest.approx(400e-6)
    assert "cpu_per_operation" not in metrics
    assert (metrics["read_volume"], metrics["write_volume"]) == (400, 30_000)
    assert metrics["write_volume_per_operation"] == 1.5


def test_the_same_columns_with_cpu_in_microseconds(tmp_path: Path) -> None:
    text = (
        (SAMPLES / "insert-benchmark-summary-2018.txt").read_text().replace("\t400\t11", "\t16\t11")
    )
    metrics = metrics_of(reading_of_text(tmp_path, text).benchmarks[0])
    assert metrics["cpu_per_operation"] == 16


def test_columns_are_read_by_their_heading(tmp_path: Path) -> None:
    lines = (SAMPLES / "insert-benchmark-summary.txt").read_text().splitlines()
    cells = [line.split("\t") for line in lines]
    turned = ["\t".join([*row[:3], *row[3:-1][::-1], row[-1]]) for row in cells]
    wanted = [metrics_of(each) for each in reading_of("insert-benchmark-summary.txt").benchmarks]
    for text in ("\n".join([*turned, ""]), "\n".join([*lines, ""]).replace("\t", ",")):
        reading = reading_of_text(tmp_path, text)
        assert [metrics_of(benchmark) for benchmark in reading.benchmarks] == wanted


def test_a_merged_table_has_a_benchmark_for_each_step_and_server() -> None:
    reading = reading_of("insert-benchmark-summary-merged.txt")
    assert [benchmark.name for benchmark in reading.benchmarks] == [
        f"{step} engine{number}.c1" for step in ("l.i0", "q100.1") for number in (1, 2, 3)
    ]
    assert metrics_of(reading.benchmarks[2])["throughput"] == 80_000


def test_a_step_that_died_is_reported_and_partial_and_the_others_are_not() -> None:
    reading = reading_of("insert-benchmark-summary-merged.txt")
    (problem,) = reading.problems
    assert (problem.line, problem.found) == (12, "no operation of q100.1 engine2.c1 was finished")
    assert [each.partial for each in reading.benchmarks] == [False] * 4 + [True, False]


def test_the_step_is_read_from_the_name_of_the_file(tmp_path: Path) -> None:
    lines = (SAMPLES / "insert-benchmark-summary.txt").read_text().splitlines()
    one = "\n".join([lines[0], lines[5], ""])
    for name in ("a/mrg.qr500.L3", "a/q.L2.ips500/o.sum"):
        (benchmark,) = reading_of_text(tmp_path, one, name).benchmarks
        assert benchmark.name in name
        assert metrics_of(benchmark)["insert_rate_target_per_client"] == 500


def test_steps_in_an_order_that_is_not_known_are_called_by_their_lines(tmp_path: Path) -> None:
    lines = (SAMPLES / "insert-benchmark-summary.txt").read_text().splitlines()
    reading = reading_of_text(tmp_path, "\n".join([lines[0], lines[5], lines[1], ""]))
    assert [benchmark.name for benchmark in reading.benchmarks] == ["line 2", "line 3"]
    assert "no order of steps that is known" in reading.problems[0].found
    assert metrics_of(reading.benchmarks[0])["throughput"] == 8000
    assert metrics_of(reading.benchmarks[1])["throughput"] == 100_000


def test_a_table_of_ratios_gives_no_number(tmp_path: Path) -> None:
    head, row, *_ = (SAMPLES / "insert-benchmark-summary.txt").read_text().splitlines()
    cells = row.split("\t")
    cells[0], cells[10] = "0.80", "0.95"
    reading = reading_of_text(tmp_path, f"{head}\n" + "\t".join(cells), "rel.l.i0")
    assert (reading.benchmarks, reading.metrics, reading.partial) == ((), (), True)
    assert "ratios to another line" in reading.problems[0].found


def test_two_summaries_pasted_together_count_once(tmp_path: Path) -> None:
    text = (SAMPLES / "insert-benchmark-summary.txt").read_text()
    reading = reading_of_text(tmp_path, text + text.replace("100000", "200000"))
    assert metrics_of(reading.benchmarks[0])["throughput"] == 100_000
    assert len(reading.benchmarks) == 6
    assert reading.problems[0].line == 9
    assert "l.i0 a second time" in reading.problems[0].found
    assert skips_of(reading)["line of a step that was read before"] == 6


def test_a_line_that_does_not_fit_its_heading_is_reported(tmp_path: Path) -> None:
    lines = (SAMPLES / "insert-benchmark-summary.txt").read_text().splitlines()
    lines[0] = lines[0].replace("rpq\t", "")
    reading = reading_of_text(tmp_path, "\n".join(lines))
    assert reading.benchmarks == ()
    assert reading.problems[0].line == 2
    assert "21 cells below a heading of 20 (and 5 more" in reading.problems[0].found
    assert reading.partial


def test_a_result_of_a_step_with_queries() -> None:
    reading = read_log(SAMPLES / "insert-benchmark-result.txt", "x/q100/o.res.dop8")
    assert (reading.format, reading.problems, reading.partial) == (
        "insert-benchmark-result",
        (),
        False,
    )
    metrics = metrics_of(reading)
    assert (metrics["throughput"], metrics["seconds"]) == (10_000, 1800)
    assert (metrics["insert_rate"], metrics["insert_rate_target"]) == (790.5, 800)
    assert ("insert rate", "met") in reading.facts
    assert metrics["context_switches_per_operation"] == 6
    assert metrics["cpu_share_per_operation"] == 0.004
    assert (metrics["writes_per_operation"], metrics["writes_per_insert"]) == (0.008, 0.1)
    assert metrics["latency_maximum"] == 64
    assert (metrics["query_rate_p50"], metrics["query_rate_p99"]) == (1260, 900)
    assert skips_of(reading)["percentile of another client"] == 2
    inserts, queries = reading.histograms
    assert inserts.counts == (0, 2100, 1100, 380, 18, 1, 1, 0, 0, 0)
    assert (inserts.values[0], inserts.unit, inserts.values_are) == (0.256, "ms", "upper")
    assert sum(queries.counts) == 2_250_000


def test_an_insert_rate_below_95_percent_of_its_target_is_missed(tmp_path: Path) -> None:
    text = (SAMPLES / "insert-benchmark-result.txt").read_text()
    for rate, word in (("760.0", "met"), ("759.9", "missed")):
        missed = text.replace("790.5", rate)
        reading = reading_of_text(tmp_path, missed, "q100/o.res.dop8")
        assert ("insert rate", word) in reading.facts


def test_a_result_of_a_load_measures_inserts(tmp_path: Path) -> None:
    text = (SAMPLES / "insert-benchmark-result.txt").read_text()
    metrics = metrics_of(reading_of_text(tmp_path, text, "l.i1/o.res.dop8"))
    assert metrics["throughput"] == 790.5
    assert metrics["reads_per_operation"] == 0.632
    assert metrics["latency_maximum"] == 512
    assert metrics["insert_rate_p99"] == 95
    assert "insert_rate" not in metrics


def test_a_result_that_breaks_off_is_partial(tmp_path: Path) -> None:
    text = (SAMPLES / "insert-benchmark-result.txt").read_text()
    reading = reading_of_text(tmp_path, text[: text.index("dbGB")].rsplit("360", 1)[0])
    assert reading.partial
    assert "breaks off" in reading.problems[0].found


def test_one_of_many_clients_gives_no_throughput_of_the_step() -> None:
    reading = read_log(SAMPLES / "insert-benchmark-client.txt", "q100/o.ib.dop8.3")
    assert (reading.format, reading.problems) == ("insert-benchmark-client", ())
    assert metrics_of(reading) == {"seconds": 3.2}
    series = {each.name: each for each in reading.series}
    assert series["client_query_rate"].values == (1250, 1150, 900)
    assert series["client_query_rate"].seconds == (1, 2, 3)
    assert series["client_insert_maximum"].values == (5.12, 6.12, 512)
    assert [sum(each.counts) for each in reading.histograms] == [297, 3300]


def test_an_only_client_gives_the_throughput() -> None:
    reading = read_log(SAMPLES / "insert-benchmark-client.txt", "q100/o.ib.dop1.1")
    assert metrics_of(reading)["throughput"] == 1100


def test_no_password_of_a_command_is_kept(tmp_path: Path) -> None:
    text = (SAMPLES / "insert-benchmark-client.txt").read_text().replace("[redacted]", "hunter2")
    assert "hunter2" not in repr(reading_of_text(tmp_path, text))


def test_a_client_that_died_is_partial(tmp_path: Path) -> None:
    text = (SAMPLES / "insert-benchmark-client.txt").read_text()
    text = text[: text.index("Insert rt")] + "SQL error: server closed the connection\n"
    reading = reading_of_text(tmp_path, text, "o.ib.dop1.1")
    assert reading.partial
    assert "throughput" not in metrics_of(reading)
    assert [problem.line for problem in reading.problems] == [6, 5]


@pytest.mark.parametrize(
    ("name", "operation", "rate"),
    [
        ("l", "insert", None),
        ("l.i0", "insert", None),
        ("l.x", "row", None),
        ("l.i2", "insert", None),
        ("q100", "query", 100),
        ("q100.2", "query", 100),
        ("q.L3.ips1000", "query", 1000),
        ("qr500.L3", "query", 500),
        ("qp500.L4", "query", 500),
    ],
)
def test_steps_are_known_by_all_their_names(name: str, operation: str, rate: int | None) -> None:
    step = step_called(name)
    assert step is not None
    assert (step.operation, step.insert_rate) == (operation, rate)
    assert step_of_file(f"results/{name}/o.res.dop8") == step


@pytest.mark.parametrize("name", ["", "l.i9", "q", "q0", "qx100", "q100.", "end", "insert"])
def test_other_names_are_no_steps(name: str) -> None:
    assert step_called(name) is None


@given(clients=st.integers(1, 64), share=st.floats(0.96, 1.01))
def test_the_order_is_known_for_any_number_of_clients(clients: int, share: float) -> None:
    loads = [(5000.0, 0.0)] * 4
    rates = [(rate * clients * share, 9.0) for rate in (100, 100, 500, 500, 1000, 1000)]
    steps = steps_in_order([*loads, *rates])
    assert steps is not None
    assert [step.name for step in steps[4:]][:2] == ["qr100.L1", "qp100.L2"]


def test_an_order_that_rates_speak_against_is_not_taken() -> None:
    loads = [(5000.0, 0.0)] * 4
    rates = [(rate, 9.0) for rate in (100.0, 100.0, 200.0, 200.0, 400.0, 400.0)]
    assert steps_in_order([*loads, *rates]) is None
    assert steps_in_order([(1.0, 9.0), (1.0, 0.0)]) is None
    assert steps_in_order([]) is None


SUMMARY_STEPS = [
    "l.i0",
    "l.x",
    "l.i1",
    *(f"q{rate}.{turn}" for rate in (100, 200, 400, 600, 800, 1000) for turn in (1, 2)),
]


def test_every_summary_line_of_a_real_archive_becomes_metrics_of_its_step(
    capsys: pytest.CaptureFixture[str],
) -> None:
    archive = real_data("ibench-jan21")
    lines = read = 0
    for file in sorted(archive.glob("*/o.sum.t.*")):
        rows = file.read_text().splitlines()[1:]
        reading = read_log(file, file.name)
        assert [benchmark.name for benchmark in reading.benchmarks] == SUMMARY_STEPS
        lines += len(rows)
        for row, benchmark in zip(rows, reading.benchmarks, strict=True):
            read += _agree(row, benchmark)
        assert reading.problems == ()
    for file in sorted(archive.glob("*/res.*/mrg.*")):
        rows = [row for row in file.read_text().splitlines() if row.count("\t") == 20]
        rows = [row for row in rows if not row.startswith("ips")]
        reading = read_log(file, file.name)
        lines += len(rows)
        for row, benchmark in zip(rows, reading.benchmarks, strict=True):
            step = benchmark.name.split(" ")[0]
            assert file.name in (f"mrg.{step}", "mrg.some")
            read += _agree(row, benchmark)
        assert reading.problems == ()
    with capsys.disabled():
        print(f" {read} of {lines} ", end="")
    assert read == lines == 2043


def _agree(row: str, benchmark: Benchmark) -> bool:
    """Return whether the numbers of a line of 21 columns are those of a benchmark."""
    cells = row.split("\t")
    metrics = metrics_of(benchmark)
    queries = float(cells[1])
    inserts = metrics["insert_rate"] if queries else metrics["throughput"]
    return (
        [inserts, metrics["throughput"]] == [float(cells[0]), queries or float(cells[0])]
        and metrics["writes"] == float(cells[4])
        and metrics["write_volume"] == pytest.approx(float(cells[5]) * 1024)
        and metrics["cpu_per_operation"] == float(cells[13])
        and metrics["latency_maximum"] == pytest.approx(float(cells[17]) * 1000)
        and ("server_memory" in metrics) == (float(cells[16]) > 0)
        and len(metrics) == 19 + (queries > 0) * 2 - cells.count("NA") - (float(cells[16]) == 0)
    )


def test_real_tables_of_ratios_give_no_number() -> None:
    archive = real_data("ibench-jan21")
    for file in archive.glob("*/res.*/rel.*"):
        reading = read_log(file, file.name)
        assert (reading.benchmarks, reading.metrics, reading.partial) == ((), (), True)
        assert "ratios to another line" in reading.problems[0].found
