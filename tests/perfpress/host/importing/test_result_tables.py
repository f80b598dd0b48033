"""Tables that authors computed: each number lands in its cell, or is left out with a reason."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from archive_samples import summary, sysbench_directory, sysbench_log, write
from perfpress.__main__ import main
from perfpress.analysis.study.measured import Measurement, measurements, read_logs
from perfpress.input.bundles.contents import check_contents
from perfpress.input.bundles.discover import discover
from real_data import real_data

OLD, NEW = "x.my5651_rel.c1.pk1", "x.my8045_rel.c1.pk1"
RELATIVE = f"throughput relative to {OLD}"

ABSOLUTE_TABLE = f"""\
col-1 : {OLD}
col-2 : {NEW}

col-1\tcol-2
1000\t900
-> range queries
78.5\t60.25\tread-only_range=10
5019\t4000\tscan_range=100
120\t0.00\tinsert_range=100
""".replace("1000\t900", "1000\t900\tpoint-query_range=100")

RELATIVE_TABLE = f"""\
Relative to: {OLD}
col-1 : {NEW}

col-1
0.90\tpoint-query_range=100
0.80\tscan_range=100
"""

PER_OPERATION = f"""\
sb.prepare.met.pk1
base1 sb.prepare.met.pk1 and base2 sb.prepare.met.pk1
--- absolute
cpu/o\t\tcs/o\tr/o\trKB/o\twKB/o\to/s\tdbms
0.5\t9\t1\t1\t1\t7\t{OLD}
--- relative to first result

sb.met.point-query.range100.pk1.dop4
--- absolute
cpu/o\t\tcs/o\tr/o\trKB/o\twKB/o\to/s\tdbms
0.000194\t4.324\t0\t0.5\t1.375\t1000\t{OLD}
0.000250\t5.000\t0.1\t0.7\t1.500\t900\t{NEW}
--- relative to first result
1.29\t\t1.16\tinf\t1.4\t1.09\t0.90\t{NEW}

"""


class Answer(NamedTuple):
    """What a call printed, its exit status, and the metrics of each release and step."""

    status: int
    out: str
    err: str
    cells: dict[tuple[str, str], dict[str, Measurement]]
    operations: dict[tuple[str, str], str]


Import = Callable[..., Answer]


@pytest.fixture
def imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Import:
    """Return a caller of `perfpress import` for the directory `study` in `tmp_path`."""
    monkeypatch.chdir(tmp_path)

    def call(kind: str = "sysbench", *words: str) -> Answer:
        status = main(["import", kind, "study", "--out", "results", "--host", "lab1", *words])
        answer = capsys.readouterr()
        found, problems = discover(Path("results"), "results") if status == 0 else ((), [])
        assert problems == []
        assert [problem for bundle in found for problem in check_contents(bundle)] == []
        cells, operations = {}, {}
        for bundle in found:
            for step, readings in zip(bundle.steps, read_logs(bundle, bundle.steps), strict=True):
                cells[bundle.run.release, step.name] = measurements(step, readings)
                operations[bundle.run.release, step.name] = step.operation
        return Answer(status, answer.out, answer.err, cells, operations)

    return call


def study(name: str, text: str) -> None:
    write(Path("study"), name, text)


def test_each_number_lands_in_the_cell_of_its_release_and_step(imported: Import) -> None:
    study("qps.abs.all.tsv", ABSOLUTE_TABLE)
    answer = imported()
    assert answer.status == 0, answer.err
    rates = {cell: metrics["throughput"].value for cell, metrics in answer.cells.items()}
    assert rates == {
        ("my5651", "point-query range=100"): 1000,
        ("my5651", "read-only range=10"): 78.5,
        ("my5651", "insert range=100"): 120,
        ("my8045", "point-query range=100"): 900,
        ("my8045", "read-only range=10"): 60.25,
    }
    assert set(answer.operations.values()) == {"query"}
    assert answer.cells["my8045", "read-only range=10"]["throughput"] == Measurement(
        60.25,
        "operations/s",
        "higher",
        "tables/qps.abs.all.tsv",
        7,
        f"computed elsewhere, for {NEW}",
    )
    assert "results: 5 numbers from tables, computed elsewhere" in answer.out
    assert "qps.abs.all.tsv:9: 0, as of a run that failed" in answer.out
    assert "qps.abs.all.tsv:8 and 1 more: of a scan: a table does not say" in answer.out


def test_columns_and_rows_in_another_order_are_the_same_cells(imported: Import) -> None:
    study(
        "qps.abs.all.tsv",
        f"col-1 : {NEW}\ncol-2 : {OLD}\n\ncol-1\tcol-2\n"
        "60.25\t78.5\tread-only_range=10\n900\t1000\tpoint-query_range=100\n",
    )
    cells = imported().cells
    assert cells["my5651", "point-query range=100"]["throughput"].value == 1000
    assert cells["my8045", "read-only range=10"]["throughput"].value == 60.25


def test_ratios_alone_are_a_metric_that_names_its_base(imported: Import) -> None:
    study("qps.rel.all.tsv", RELATIVE_TABLE)
    cells = imported().cells
    assert cells["my8045", "scan range=100"][RELATIVE].value == 0.8
    assert cells["my5651", "scan range=100"][RELATIVE].value == 1
    assert cells["my8045", "point-query range=100"][RELATIVE].place == "tables/qps.rel.all.tsv:5"
    assert all(set(metrics) == {RELATIVE} for metrics in cells.values())


def test_ratios_add_nothing_to_numbers_that_are_there(imported: Import) -> None:
    study("qps.abs.all.tsv", ABSOLUTE_TABLE)
    study("qps.rel.all.tsv", RELATIVE_TABLE)
    answer = imported()
    assert RELATIVE not in answer.cells["my8045", "point-query range=100"]
    assert answer.cells["my8045", "scan range=100"][RELATIVE].value == 0.8
    assert "a ratio of numbers that another table has" in answer.out


def test_names_that_an_author_shortened_are_those_of_the_table_beside(imported: Import) -> None:
    short = {full: full.removeprefix("x.").removesuffix(".pk1") for full in (OLD, NEW)}
    edited = RELATIVE_TABLE.replace(OLD, short[OLD]).replace(NEW, short[NEW])
    study("qps.abs.all.tsv", ABSOLUTE_TABLE)
    study("qps.rel.all.tsv", RELATIVE_TABLE)
    study("qps.rel.all.tsv.edit", edited)
    answer = imported()
    assert answer.status == 0, answer.err
    assert {release for release, _ in answer.cells} == {"my5651", "my8045"}
    assert answer.cells["my8045", "point-query range=100"]["throughput"].value == 900
    assert list(answer.cells["my8045", "scan range=100"]) == [RELATIVE]


def test_costs_per_operation_are_metrics_beside_throughput(imported: Import) -> None:
    study("qps.abs.all.tsv", ABSOLUTE_TABLE)
    study("o.met.all", PER_OPERATION)
    answer = imported()
    metrics = answer.cells["my8045", "point-query range=100"]
    assert {name: metric.value for name, metric in metrics.items()} == {
        "throughput": 900,
        "cpu_share_per_operation": 0.00025,
        "context_switches_per_operation": 5,
        "reads_per_operation": 0.1,
        "read_volume_per_operation": 0.7,
        "write_volume_per_operation": 1.5,
    }
    assert metrics["reads_per_operation"].place == "tables/o.met.all:12"
    assert "o.met.all:1: of loading, which is no test" in answer.out


def test_the_rate_beside_costs_is_throughput_where_nothing_else_has_it(imported: Import) -> None:
    study("o.met.all", PER_OPERATION)
    cells = imported().cells
    assert cells["my8045", "point-query range=100"]["throughput"].value == 900
    assert cells["my8045", "point-query range=100"]["throughput"].place == "tables/o.met.all:12"


def test_the_log_leads_and_a_table_that_differs_is_told_with_both(imported: Import) -> None:
    tests = (("point-query", 100), ("read-only", 10))
    sysbench_directory(Path("study"), "my5651_rel", "c1", tests, 1000.0)
    table = ABSOLUTE_TABLE.replace("78.5\t", "1500\t").replace("scan_", "random_")
    study("qps.abs.all.tsv", table)
    answer = imported()
    assert answer.status == 0, answer.err
    assert answer.cells["my5651", "read-only range=10"]["throughput"].value == 1001
    (warning,) = [line for line in answer.err.splitlines() if "of 'x.my" in line]
    assert "qps.abs.all.tsv:7" in warning
    assert "'read-only range=10'" in warning
    assert re.search(r"is 1500, and \S+/sb.o.read-only.range10.pk1.dop4.gz:\d+ has 1001", warning)
    assert "results: 1 number of tables as in the logs, which count" in answer.out
    # Of a step with a log the operations are transactions; those of the table are queries.
    assert answer.operations["my8045", "point-query range=100"] == "transaction"
    assert set(answer.cells["my8045", "point-query range=100"]) == {"queries_per_second"}
    # The directory has runs with one and four clients: a test without a log could be of both.
    assert "could be of a run with 1 or 4 clients; say clients = … in the map" in answer.out


def test_a_scan_is_compared_as_rows_or_queries(imported: Import) -> None:
    study(f"{OLD}/sb.o.scan.range100.pk1.dop4", sysbench_log("scan", 4, 5019.0))
    study("qps.abs.all.tsv", ABSOLUTE_TABLE)
    answer = imported()
    assert "results: 1 number of tables as in the logs, which count" in answer.out
    assert ("my8045", "scan range=100") not in answer.cells


HOSTILE = "x.my5651_rel.<script>alert(1)<script>.pk1"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (ABSOLUTE_TABLE.replace("78.5\t60.25", "60.25"), "line 7 has 1 numbers for 2 columns"),
        (ABSOLUTE_TABLE[:-20], "its last line has no end: it may be cut off"),
        (ABSOLUTE_TABLE.replace(f"col-2 : {NEW}\n", ""), "2 columns below a legend of 1"),
        (ABSOLUTE_TABLE.replace(f"col-2 : {NEW}", f"col-1 : {NEW}"), "col-1 is two directories"),
        (RELATIVE_TABLE.replace("\ncol-1\n", "\n.\tcol-1\n"), "averages over groups of tests"),
        (RELATIVE_TABLE.replace(OLD, "../../etc"), "a path that leads elsewhere"),
        (RELATIVE_TABLE.replace(OLD, "x" * 300), "a path of 300 characters"),
    ],
)
def test_nothing_of_a_doubtful_table_is_imported(imported: Import, text: str, reason: str) -> None:
    study("qps.abs.all.tsv", text)
    answer = imported()
    assert answer.status == 1
    assert reason in answer.out
    assert not Path("results").exists()


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (f"col-2 : {NEW}", "col-2 : ../../etc", "a directory with a path that leads elsewhere"),
        (f"col-2 : {NEW}", "col-2 : /etc", "a directory with a path that leads elsewhere"),
        ("60.25", "NA", "qps.abs.all.tsv:7: no number"),
        ("60.25", "1e308", "qps.abs.all.tsv:7: no number"),
        ("read-only_range=10", "<b>_range=10", "qps.abs.all.tsv:7: no name of a test"),
        ("read-only_range=10", "point-query_range=100", "a test that has two lines"),
    ],
)
def test_doubtful_cells_are_left_out_alone(
    imported: Import, old: str, new: str, reason: str
) -> None:
    study("qps.abs.all.tsv", ABSOLUTE_TABLE.replace(old, new))
    answer = imported()
    assert answer.status == 0, answer.err
    assert reason in answer.out
    assert ("my8045", "read-only range=10") not in answer.cells
    assert answer.cells["my5651", "insert range=100"]["throughput"].value == 120


def test_markup_in_names_of_columns_stays_text(imported: Import) -> None:
    study("qps.abs.all.tsv", ABSOLUTE_TABLE.replace(OLD, HOSTILE))
    answer = imported()
    note = answer.cells["my5651", "insert range=100"]["throughput"].note
    assert note == f"computed elsewhere, for {HOSTILE}"


def test_tables_that_contradict_each_other_give_no_number(imported: Import) -> None:
    study("qps.abs.all.tsv", ABSOLUTE_TABLE)
    study("qps.abs.again.tsv", ABSOLUTE_TABLE.replace("78.5\t", "88.5\t"))
    answer = imported()
    assert ("my5651", "read-only range=10") not in answer.cells
    assert "another number than another table has of the same; neither is imported" in answer.out
    assert answer.cells["my5651", "insert range=100"]["throughput"].value == 120


def test_a_table_made_anew_with_another_column_adds_that_column_only(imported: Import) -> None:
    study("qps.abs.all.tsv", ABSOLUTE_TABLE)
    imported()
    more = ABSOLUTE_TABLE.replace(
        "\n\ncol-1\tcol-2", "\ncol-3 : x.my9500_rel.c1.pk1\n\ncol-1\tcol-2\tcol-3"
    )
    more = re.sub(r"\t(?=[\w.-]+=)", "\t7\t", more)
    study("qps.abs.all.tsv", more)
    answer = imported()
    assert "results: 1 run, 3 steps: written" in answer.out
    assert "results: 2 runs, 5 steps: there already" in answer.out
    assert answer.cells["my9500", "insert range=100"]["throughput"].value == 7


def test_directories_of_one_name_in_different_places_stay_apart(imported: Import) -> None:
    study("inmem/qps.abs.all.tsv", ABSOLUTE_TABLE)
    study(
        "iobound/qps.abs.all.tsv",
        re.sub(r"^(\d+)", r"3\1", ABSOLUTE_TABLE.replace("\t900", "\t800"), flags=re.M),
    )
    assert imported().status == 0
    found, _ = discover(Path("results"), "results")
    assert {bundle.run.axes["directory"] for bundle in found} == {"inmem", "iobound"}


def test_merged_summaries_stand_in_for_summaries_that_are_gone(imported: Import) -> None:
    study("20m/res.all/mrg.l.i0", summary("my8021.c1").splitlines()[0] + "\n")
    heading, first, *_ = summary("my8021.c1").splitlines()
    other = summary("pg131.c1", 2.0).splitlines()[1]
    study("20m/res.all/mrg.l.i0", f"{heading}\n{first}\n{other}\n")
    study(
        "20m/res.all/rel.l.i0",
        f"{heading}\n" + re.sub(r"\t1000\t40.0", "\t0.50\t40.0", other) + "\n",
    )
    answer = imported("ibench")
    assert answer.status == 0, answer.err
    assert answer.cells["my8021", "l.i0"]["throughput"].value == 1000
    assert answer.cells["pg131", "l.i0"]["throughput"].value == 2000
    assert answer.cells["pg131", "l.i0"]["throughput"].place == "tables/20m/res.all/mrg.l.i0:3"
    assert "20m/res.all/rel.l.i0: ratios to a line that the table does not name" in answer.out


def test_every_number_of_a_published_table_is_in_its_cell(imported: Import) -> None:
    text = real_data("mariadb-sysbench-hetz48/qps.abs.ma.all.tsv").read_text()
    study("qps.abs.ma.all.tsv", text)
    cells = imported().cells
    columns = re.findall(r"^col-\d+ : x\.(\w+?)_rel_withdbg", text, re.MULTILINE)
    count = 0
    for line in text.splitlines():
        *numbers, row = line.split("\t")
        if numbers and "=" in row and "scan" not in row:
            for release, number in zip(columns, numbers, strict=True):
                metrics = cells[release, row.replace("_range=", " range=")]
                assert metrics["throughput"].value == float(number)
                count += 1
    assert count == len(cells) == 620


def test_tables_of_other_numbers_of_clients_and_settings_are_never_merged(
    imported: Import,
) -> None:
    for clients in (1, 40):
        for setting in (0, 1):
            end = f"pgo.dop{clients}.prep{setting}.tsv"
            rate = 1000 * clients + 100 * setting
            study(
                f"qps.abs.{end}",
                f"col-1 : {OLD}\ncol-2 : {NEW}\n\ncol-1\tcol-2\n"
                f"{rate}\t{rate + 1}\tpoint-query_range=100\n{rate + 2}\t0\tinsert_range=100\n",
            )
            # The ratios happen to be the same in all tables.
            study(
                f"qps.rel.{end}",
                f"Relative to: {OLD}\ncol-1 : {NEW}\n\ncol-1\n1.00\tpoint-query_range=100\n"
                "0.50\tinsert_range=100\n",
            )
            study(f"qps.abs.{end}".replace(".tsv", ".csv"), f"point-query,{rate},{rate + 1}\n")
    answer = imported()
    assert answer.status == 0, answer.err
    found, _ = discover(Path("results"), "results")
    rates = {
        (each.run.release, each.run.clients, each.run.axes["directory"]): each.steps[0]
        .metrics["throughput"]
        .value
        for each in found
    }
    assert rates == {
        (release, clients, f"pgo.prep{setting}"): 1000 * clients + 100 * setting + at
        for at, release in enumerate(("my5651", "my8045"))
        for clients in (1, 40)
        for setting in (0, 1)
    }
    reason = "a table whose columns have no names; the .tsv beside it has"
    assert f"qps.abs.pgo.dop1.prep0.csv and 3 more: {reason}" in answer.out


def test_tables_with_a_column_for_each_number_of_clients_are_refused(imported: Import) -> None:
    study("qps.abs.all.tsv", ABSOLUTE_TABLE)
    rows = f"24193\t48661\t{OLD}\n20515\t40804\t{NEW}\n"
    loading = f"sb.prepare.o.point-query.warm.range100.pk1\n104166\t{OLD}\n\n"
    study("o.qps.abs.in", f"{loading}sb.r.qps.point-query.pre.range100.pk1\n{rows}\n")
    answer = imported()
    reason = "a column for each number of clients, which it does not name"
    assert f"left out: o.qps.abs.in: {reason}" in answer.out
    assert ("my5651", "point-query.pre range=100") not in answer.cells


def test_tables_of_other_ratios_to_one_base_are_different_measurements(imported: Import) -> None:
    study("qps.rel.new.tsv", RELATIVE_TABLE)
    study("qps.rel.old.tsv", RELATIVE_TABLE.replace("0.90", "0.50").replace("0.80", "0.40"))
    assert imported().status == 0
    found, _ = discover(Path("results"), "results")
    ratios = {
        (each.run.release, each.run.axes["directory"], step.name): step.metrics[RELATIVE].value
        for each in found
        for step in each.steps
    }
    assert {key[1:]: value for key, value in ratios.items() if key[0] == "my8045"} == {
        ("new", "point-query range=100"): 0.9,
        ("new", "scan range=100"): 0.8,
        ("old", "point-query range=100"): 0.5,
        ("old", "scan range=100"): 0.4,
    }
    assert {value for key, value in ratios.items() if key[0] == "my5651"} == {1.0}
    assert len(ratios) == 8
