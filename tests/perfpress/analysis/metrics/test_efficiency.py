"""What one operation took of its host: CPU time, context switches, reads and writes."""

import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st
from perfpress.analysis.metrics.efficiency import (
    NO_COUNTER,
    NO_CPUS,
    Cpus,
    PerOperation,
    Stated,
    cpus_of,
    efficiency,
    median_efficiency,
    per_operation,
)
from perfpress.analysis.study.measured import Measurement, measured
from perfpress.input.corrections.corrected import Exclusion
from perfpress.input.logs.metric_names import meaning_of
from perfpress.input.logs.read import read_log
from perfpress.input.logs.readings import LogReading
from real_data import real_data
from step_run_samples import VMSTAT, step_run

IOSTAT = """\
Linux 6.1 (host) \t11/21/26 \t_x86_64_\t(16 CPU)


Device            r/s     rkB/s     w/s     wkB/s
vda            100.00    800.00   50.00    400.00
"""
MET = """\
iostat, vmstat normalized by operation rate
samp\tr/s\trMB/s\tw/s\twMB/s\tr/o\trKB/o\twKB/o\to/s
60\t100.0\t0.8\t50.0\t0.4\t0.050\t0.400\t0.200\t{rate}

samp\tcs/s\tcpu/s\tcs/o\tcpu/o
62\t4000\t50.0\t{switches}\t0.025000
"""
EIGHT = {"machine": {"cpus": 8}}


def values_of(numbers: Mapping[str, PerOperation]) -> dict[str, float | None]:
    return {name: each.value for name, each in numbers.items()}


def stated(**numbers: float) -> Stated:
    """Return measurements of the table, of one file."""
    return {
        name: [Measurement(value, *meaning_of(name)[:2], "log", 1)]
        for name, value in numbers.items()
    }


def test_counters_over_operations(tmp_path: Path) -> None:
    run = step_run(
        tmp_path,
        rate=2000.0,
        step={"logs": ["select.txt", "vmstat.txt", "iostat.txt"]},
        changes=EIGHT,
        files={"vmstat.txt": VMSTAT, "iostat.txt": IOSTAT},
    )
    numbers = efficiency(run)
    assert list(numbers) == list(NO_COUNTER)
    assert values_of(numbers) == pytest.approx(
        {
            # (35 + 15) % of 8 CPUs is 4 s of CPU time a second
            "cpu_per_operation": 2000.0,
            "context_switches_per_operation": 2.0,
            "reads_per_operation": 0.05,
            "read_volume_per_operation": 0.4,
            "writes_per_operation": 0.025,
            "write_volume_per_operation": 0.2,
            "cycles_per_operation": None,
            "instructions_per_operation": None,
        }
    )
    cpu = numbers["cpu_per_operation"]
    assert (cpu.unit, cpu.better, cpu.file, cpu.line) == ("µs/operation", "lower", "vmstat.txt", 4)
    assert cpu.source == "50.00 % of 8 CPUs (run.toml) ÷ 2,000 operations/s"
    assert cpu.includes_client
    assert "perf stat" in numbers["cycles_per_operation"].reason


def test_every_number_that_is_absent_says_why(tmp_path: Path) -> None:
    for numbers in (
        efficiency(step_run(tmp_path / "a")),
        efficiency(step_run(tmp_path / "b", exclusion=Exclusion("invalid", "disk was full", None))),
        per_operation({}, None),
    ):
        assert all(number.value is None and number.reason for number in numbers.values())
    excluded = efficiency(
        step_run(tmp_path / "c", exclusion=Exclusion("invalid", "disk full", None))
    )
    assert "disk full" in excluded["cpu_per_operation"].reason
    without_cpus = per_operation(stated(throughput=1.0, cpu_busy=50.0), None)
    assert without_cpus["cpu_per_operation"].reason == NO_CPUS


def test_a_log_that_breaks_off_counts_for_nothing(tmp_path: Path) -> None:
    run = step_run(
        tmp_path,
        step={"logs": ["select.txt", "vmstat.txt"]},
        changes=EIGHT,
        files={"vmstat.txt": VMSTAT.rstrip()[:-3]},
    )
    assert efficiency(run)["cpu_per_operation"].reason == "no whole vmstat log"


def lab_host(folder: Path, **texts: str) -> Mapping[str, PerOperation]:
    files = {"met.txt": MET.format(**texts), "vmstat.txt": VMSTAT}
    logs = ["select.txt", *files]
    return efficiency(
        step_run(folder, rate=2000.0, step={"logs": logs}, changes=EIGHT, files=files)
    )


def test_a_log_that_states_numbers_wins_and_another_that_differs_is_reported(
    tmp_path: Path,
) -> None:
    numbers = lab_host(tmp_path, rate="2000.00", switches="2.500")
    switches = numbers["context_switches_per_operation"]
    assert (switches.value, switches.file, switches.line) == (2.5, "met.txt", 6)
    assert switches.differs == "vmstat.txt gives 2.000 (−20.0\N{NO-BREAK SPACE}%)"
    # 0.025 % of 8 CPUs is what vmstat says too
    assert numbers["cpu_per_operation"].value == pytest.approx(2000)
    assert numbers["cpu_per_operation"].differs == ""
    assert numbers["read_volume_per_operation"].value == 0.4
    assert numbers["writes_per_operation"].value == pytest.approx(0.025)


def test_numbers_over_other_operations_than_throughput_counts_are_not_taken(
    tmp_path: Path,
) -> None:
    numbers = lab_host(tmp_path, rate="97900", switches="0.006")
    assert numbers["context_switches_per_operation"].value == 2.0
    assert numbers["cpu_per_operation"].value == pytest.approx(2000)
    assert numbers["reads_per_operation"].value == pytest.approx(0.05)


def test_counts_of_perf_need_to_say_how_long() -> None:
    counted = {"throughput": 100.0, "counted_cycles": 5e9, "counted_instructions": 1e10}
    assert per_operation(stated(**counted), None)["cycles_per_operation"].value is None
    numbers = per_operation(stated(**counted, counted_seconds=5.0), None)
    assert numbers["cycles_per_operation"].value == 1e7
    assert numbers["instructions_per_operation"].value == 2e7
    assert not numbers["cycles_per_operation"].includes_client


def test_the_insert_benchmark_and_sysbench_come_to_the_same_unit() -> None:
    of_insert_benchmark = stated(throughput=1000.0, cpu_per_operation=13.0)
    of_sysbench = stated(throughput=1000.0, cpu_share_per_operation=13.0 / (48 * 1e4))
    for numbers in (
        per_operation(of_insert_benchmark, None),
        per_operation(of_sysbench, Cpus(48, "run.toml")),
    ):
        assert numbers["cpu_per_operation"].value == pytest.approx(13)
        assert numbers["cpu_per_operation"].unit == "µs/operation"


@given(
    rate=st.floats(0.1, 1e7),
    percent=st.floats(0, 100),
    cpus=st.integers(1, 512),
    factor=st.integers(2, 9),
)
def test_twice_the_cpus_or_half_the_rate_is_twice_the_time(
    rate: float, percent: float, cpus: int, factor: int
) -> None:
    def cpu(throughput: float, count: int) -> float:
        numbers = per_operation(stated(throughput=throughput, cpu_busy=percent), Cpus(count, ""))
        value = numbers["cpu_per_operation"].value
        assert value is not None
        return value

    once = cpu(rate, cpus)
    assert cpu(rate, cpus * factor) == pytest.approx(once * factor)
    assert cpu(rate / factor, cpus) == pytest.approx(once * factor)
    # No more CPU time a second than there are CPUs.
    assert once * rate <= cpus * 1e6 * 1.000001


def test_cpus_are_those_of_run_toml_or_a_benchmark_s_and_never_iostat_s(tmp_path: Path) -> None:
    logs = {"logs": ["select.txt", "iostat.txt"]}
    files = {"iostat.txt": IOSTAT}
    assert cpus_of(step_run(tmp_path / "a", step=logs, files=files)) is None
    stated_too = step_run(tmp_path / "b", step=logs, files=files, changes=EIGHT)
    assert cpus_of(stated_too) == Cpus(8, "run.toml")


def test_repeats_have_their_median() -> None:
    runs = [
        per_operation(stated(throughput=100.0, context_switches=count), None)
        for count in (100.0, 300.0, 200.0)
    ]
    none = per_operation({}, None)
    medians = median_efficiency([*runs, none])
    assert medians["context_switches_per_operation"].value == 2
    assert medians["context_switches_per_operation"].source == "median of 3 runs"
    assert median_efficiency(runs[:1]) == runs[0]
    assert median_efficiency([none])["cpu_per_operation"].reason == "no throughput"
    assert median_efficiency([])["cpu_per_operation"].reason == "no run that counts"


def logged(**files: dict[str, float]) -> Stated:
    """Return measurements by file, each number at line 7."""
    found: dict[str, list[Measurement]] = {}
    for file, numbers in files.items():
        for name, value in numbers.items():
            each = Measurement(value, *meaning_of(name)[:2], file, 7)
            found.setdefault(name, []).append(each)
    return found


def number_of(name: str, cpus: Cpus | None = None, **files: dict[str, float]) -> PerOperation:
    """Return one number of 1000 operations/s."""
    return per_operation(logged(bench={"throughput": 1000.0}, **files), cpus)[name]


CPU, SWITCHES = "cpu_per_operation", "context_switches_per_operation"
TWO = Cpus(2, "run.toml")


def test_every_number_says_how_it_was_made() -> None:
    as_stated = number_of(CPU, log={CPU: 20.0})
    assert (as_stated.source, as_stated.file, as_stated.line) == ("as log states", "log", 7)
    share = number_of(CPU, TWO, log={"cpu_share_per_operation": 0.03125})
    assert (share.value, share.file) == (625.0, "log")
    assert share.source == "0.03125 % of 2 CPUs (run.toml) by log"
    computed = number_of(SWITCHES, vmstat={"context_switches": 500.0})
    assert (computed.value, computed.file, computed.line) == (0.5, "vmstat", 7)
    assert computed.source == "500.0 switches/s ÷ 1,000 operations/s"
    busy = number_of(CPU, TWO, vmstat={"cpu_busy": 50.0})
    assert (busy.value, busy.source) == (
        1000.0,
        "50.00 % of 2 CPUs (run.toml) ÷ 1,000 operations/s",
    )
    cycles = number_of("cycles_per_operation", perf={"counted_cycles": 1e9, "counted_seconds": 0.5})
    assert cycles.value == 2e6
    assert cycles.source == "1,000,000,000 cycles in 0.5000 s ÷ 1,000 operations/s"


def test_counts_of_no_time_and_rates_of_nothing_make_no_number() -> None:
    counted = {"counted_cycles": 1e9, "counted_seconds": 0.0}
    assert "no perf stat log" in number_of("cycles_per_operation", perf=counted).reason
    for rate in (0.0, -1.0):
        numbers = per_operation(stated(throughput=rate, context_switches=5.0), None)
        assert numbers[SWITCHES].reason == "no throughput"


def test_a_share_of_the_cpus_says_nothing_where_nobody_knows_how_many_there_are() -> None:
    absent = number_of(CPU, log={"cpu_share_per_operation": 0.03})
    assert (absent.name, absent.value, absent.reason) == (CPU, None, NO_CPUS)


def test_user_and_system_time_are_of_one_log() -> None:
    found = number_of(
        CPU, TWO, other={"cpu_system": 90.0}, vmstat={"cpu_user": 30.0, "cpu_system": 20.0}
    )
    assert (found.value, found.file) == (1000.0, "vmstat")
    alone = {"vmstat": {"cpu_user": 30.0}}
    assert number_of(CPU, TWO, **alone).reason == "no whole vmstat log"
    assert number_of(CPU, TWO, **alone, other={"cpu_busy": 10.0}).value == 200.0


@pytest.mark.parametrize(
    ("name", "counter", "states", "per_second", "differs"),
    [
        # Logs round to whole µs and to three decimals, and 2 % are no difference.
        (CPU, "cpu_busy", 1.0, 1.4, ""),
        (CPU, "cpu_busy", 1.0, 1.6, "vmstat gives 1.600 (+60.0\N{NO-BREAK SPACE}%)"),
        (CPU, "cpu_busy", 100.0, 101.9, ""),
        (CPU, "cpu_busy", 100.0, 102.1, "vmstat gives 102.1 (+2.1\N{NO-BREAK SPACE}%)"),
        (SWITCHES, "context_switches", 0.001, 0.0014, ""),
        (SWITCHES, "context_switches", 0.0, 0.5, "vmstat gives 0.5000"),
        (SWITCHES, "context_switches", 0.0, 0.0004, ""),
    ],
)
def test_another_log_differs_by_more_than_logs_round(
    name: str, counter: str, states: float, per_second: float, differs: str
) -> None:
    # Of a CPU that is busy for 0.1 %, each of 1000 operations a second takes 1 µs.
    counted = per_second / 10 if name == CPU else per_second * 1000
    found = number_of(name, Cpus(1, "run.toml"), log={name: states}, vmstat={counter: counted})
    assert found.value == states
    assert found.differs == differs


def test_a_log_does_not_contradict_itself() -> None:
    for numbers in ({"cpu_busy": 50.0}, {"cpu_user": 30.0, "cpu_system": 20.0}):
        assert number_of(CPU, TWO, log={CPU: 20.0, **numbers}).differs == ""
        assert number_of(CPU, TWO, log={CPU: 20.0}, vmstat=numbers).differs != ""


@pytest.mark.parametrize(("own_rate", "is_taken"), [(1010.0, True), (990.0, True), (1011.0, False)])
def test_what_a_log_states_is_of_its_own_rate_which_may_be_off_by_a_hundredth(
    own_rate: float, is_taken: bool
) -> None:
    found = number_of(SWITCHES, log={SWITCHES: 3.0, "counted_operations_per_second": own_rate})
    assert found.value == (3.0 if is_taken else None)


def test_a_median_keeps_what_runs_differ_by_and_names_no_single_file() -> None:
    runs = [
        per_operation(
            logged(
                bench={"throughput": 1000.0},
                log={SWITCHES: states},
                vmstat={"context_switches": 5000.0},
            ),
            None,
        )
        for states in (1.0, 2.0, 5.0)
    ]
    found = median_efficiency(runs)[SWITCHES]
    assert (found.value, found.file, found.line) == (2.0, "", 0)
    assert found.differs == (
        "vmstat gives 5.000 (+400.0\N{NO-BREAK SPACE}%); "
        "vmstat gives 5.000 (+150.0\N{NO-BREAK SPACE}%)"
    )
    absent = median_efficiency(
        [per_operation({}, None), per_operation(stated(throughput=1.0), None)]
    )
    assert absent[SWITCHES].reason == "no throughput; no whole vmstat log"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        *(("1", 1), ("16", 16), ("999999", 999_999)),
        *((each, None) for each in ("0", "1000000", "²", "1.5", "many")),
    ],
)
def test_a_log_says_how_many_cpus_there_are_in_digits(
    tmp_path: Path, text: str, count: int | None
) -> None:
    run = step_run(tmp_path)
    run = replace(run, outline=run.outline._replace(cpus=(("load.txt", text),)))
    assert cpus_of(run) == (None if count is None else Cpus(count, "load.txt"))


@pytest.mark.parametrize(("cpus", "count"), [(1, 1), (0, None), (True, None)])
def test_run_toml_says_how_many_cpus_there_are_as_a_number_above_0(
    tmp_path: Path, cpus: int, count: int | None
) -> None:
    found = cpus_of(step_run(tmp_path, changes={"machine": {"cpus": cpus}}))
    assert found == (None if count is None else Cpus(count, "run.toml"))


TESTS = ("insert", "point-query", "scan", "update-index")
KINDS = ("o", "vm", "io", "met")


COUNTED = {"cpu_per_operation": "cpu_busy", "context_switches_per_operation": "context_switches"}


def lab_host_logs(folder: Path) -> Iterator[tuple[dict[str, LogReading], str]]:
    """Yield of each test of each server the readings, by the kind of the log, and vmstat's text."""
    archive = real_data("pg-sysbench-feb25/host-logs.tar.zst")
    with (
        archive.open("rb") as packed,
        zstandard.ZstdDecompressor().stream_reader(packed) as plain,
        tarfile.open(fileobj=plain, mode="r|") as members,
    ):
        for member in members:
            if any(f"/sb.{kind}." in member.name for kind in KINDS):
                members.extract(member, folder, filter="data")
    for server in sorted(folder.iterdir()):
        for test in TESTS:
            logs = {kind: f"sb.{kind}.{test}.range100.pk1.dop40" for kind in KINDS}
            readings = {kind: read_log(server / log, log) for kind, log in logs.items()}
            yield readings, (server / logs["vm"]).read_text()


def stated_by(*readings: LogReading) -> Stated:
    found: dict[str, list[Measurement]] = {}
    for reading in readings:
        assert (reading.problems, reading.partial) == ((), False)
        for metric in reading.metrics:
            found.setdefault(metric.name, []).append(measured(metric, reading.file))
    return found


@pytest.mark.slow
def test_numbers_from_raw_logs_agree_with_those_that_a_real_lab_host_computed(
    tmp_path: Path,
) -> None:
    seen = 0
    for logs, vmstat in lab_host_logs(tmp_path):
        cpus = Cpus(int(dict(logs["o"].facts)["CPUs"]), "sysbench")
        assert (cpus.count, dict(logs["io"].facts)["CPUs that iostat knows"]) == (48, "96")
        raw = stated_by(logs["o"], logs["vm"], logs["io"])
        met = {metric.name: metric.value for metric in logs["met"].metrics}
        ours = per_operation(raw, cpus)
        rate = raw["throughput"][0].value

        for name, a_second in (
            ("cpu_per_operation", 100 / (cpus.count * 1e6)),
            ("context_switches_per_operation", 1.0),
        ):
            value = ours[name].value
            assert value is not None
            assert ours[name].file == logs["vm"].file
            assert 1.0 <= value * rate * a_second / met[COUNTED[name]] <= 1.06
        # The script takes vmstat's repeated headings for intervals without work and counts the
        # report since the start: with both, its means are those of the raw log to its last digit.
        rows = [line.split() for line in vmstat.splitlines()]
        first = next(row for row in rows if row[0].isdigit())
        intervals = sum(row[0].isdigit() for row in rows) - 1
        samples = intervals + sum(row[0] == "procs" for row in rows)
        switches = ours["context_switches_per_operation"].value or 0.0
        theirs = (switches * rate * intervals + float(first[11])) / samples
        assert theirs == pytest.approx(met["context_switches"], abs=0.51)
        busy = (ours["cpu_per_operation"].value or 0.0) * rate * 100 / (cpus.count * 1e6)
        theirs = (busy * intervals + float(first[12]) + float(first[13])) / samples
        assert theirs == pytest.approx(met["cpu_busy"], abs=0.051)

        # Its reads and writes are those of the one device that holds the database.
        (writes,), (volume,) = raw["writes of md2"], raw["write_volume of md2"]
        assert writes.value == pytest.approx(met["writes"], abs=0.051)
        assert volume.value == pytest.approx(met["write_volume"], abs=0.051 * 1024)
        # Ours are of both disks of the mirror that it is.
        both = ours["write_volume_per_operation"].value
        assert both is not None
        assert both * rate >= 1.9 * volume.value

        everything = per_operation(stated_by(*logs.values()), cpus)
        cpu = everything["cpu_per_operation"]
        if met["counted_operations_per_second"] == pytest.approx(rate, rel=0.01):
            share = met["cpu_share_per_operation"]
            assert cpu.value == pytest.approx(share * cpus.count * 1e4)
            assert cpu.file == logs["met"].file
        else:
            # Scans: thousands of rows there, tables here.
            assert cpu.file == logs["vm"].file
        seen += 1
    assert seen == 12


def test_runs_that_counted_nothing_share_what_they_lack() -> None:
    one, other = (per_operation(stated(throughput=rate), None) for rate in (1.0, 2.0))
    assert one is other
    assert median_efficiency([one, other]) is one
    assert [each.reason for each in one.values()] == list(NO_COUNTER.values())
