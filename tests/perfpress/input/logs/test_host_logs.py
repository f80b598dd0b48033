"""iostat, perf stat, time and averages of a lab host: what is read.

iostat 12, perf 6.1 and GNU time 1.9 printed their samples; those of iostat 10 and 11, of hardware
events and of a lab host's averages are written by hand from the public descriptions.
"""

from pathlib import Path

import pytest
from perfpress.input.logs.read import read_log
from perfpress.input.logs.readings import LogReading, Series

SAMPLES = Path(__file__).parent / "samples"


def reading_of(name: str) -> LogReading:
    return read_log(SAMPLES / name, name)


def reading_of_text(folder: Path, text: str) -> LogReading:
    log = folder / "log"
    log.write_text(text)
    return read_log(log, "log")


def metrics_of(reading: LogReading) -> dict[str, float]:
    return {metric.name: metric.value for metric in reading.metrics}


def series_of(reading: LogReading, name: str) -> Series:
    return next(series for series in reading.series if series.name == name)


def skips_of(reading: LogReading) -> dict[str, int]:
    return {skipped.reason: skipped.count for skipped in reading.skipped}


def column(name: str, header: str, row: str) -> list[float]:
    """Return the numbers of a column, by the words of the log itself."""
    values, place = [], 0
    for line in (SAMPLES / name).read_text().splitlines():
        cells = line.split()
        if header in cells:
            place = cells.index(header)
        elif cells[:1] == [row]:
            values.append(float(cells[place]))
    return values


SINCE_START = "first report: averages since the host was started"


def test_iostat_leaves_out_what_was_before_the_run() -> None:
    reading = reading_of("iostat-12.txt")
    assert (reading.format, reading.problems, reading.partial) == ("iostat", (), False)
    metrics = metrics_of(reading)
    for header, name in (("w/s", "writes"), ("wkB/s", "write_volume"), ("r/s", "reads")):
        _, *values = column("iostat-12.txt", header, "vda")
        assert metrics[name] == metrics[f"{name} of vda"] == pytest.approx(sum(values) / 3)
    assert metrics["write_volume"] > 10_000
    assert skips_of(reading)[SINCE_START] == 1
    assert reading.series == ()
    assert skips_of(reading)["values of single intervals: without -t the log holds no clock"] == 1
    assert ("CPUs that iostat knows", "2") in reading.facts


def test_iostat_y_has_no_report_since_the_start_and_t_a_clock() -> None:
    reading = reading_of("iostat-12-y-t.txt")
    assert SINCE_START not in skips_of(reading)
    writes = series_of(reading, "writes")
    assert writes.seconds == (1, 2, 3)
    assert writes.values == tuple(column("iostat-12-y-t.txt", "w/s", "vda"))


def test_a_mean_time_of_iostat_is_one_of_operations() -> None:
    metrics = metrics_of(reading_of("iostat-11.txt"))
    assert metrics["read_latency of sda"] == pytest.approx((100 * 0.5 + 300 * 1.5) / 400)
    assert metrics["write_latency of sda"] == pytest.approx(3)


def test_iostat_counts_a_disk_and_its_partitions_once() -> None:
    reading = reading_of("iostat-11.txt")
    metrics = metrics_of(reading)
    assert (metrics["reads"], metrics["write_volume"]) == (200, 1600)
    assert metrics["reads of sda1"] == 200
    assert (metrics["cpu_user"], metrics["cpu_system"]) == (26, 10)
    assert ("devices summed", "sda") in reading.facts


def test_iostat_10_with_decimal_commas_at_midnight() -> None:
    reading = reading_of("iostat-10.txt")
    assert metrics_of(reading)["read_volume"] == 400.25
    assert series_of(reading, "reads").seconds == (1, 2)
    left_out = dict(reading.facts)["devices left out of the sum, as they are built on others"]
    assert left_out == "dm-0"


def test_iostat_in_other_units_is_turned_into_kib(tmp_path: Path) -> None:
    head = "Linux 6.1 (host) \t11/21/26 \t_x86_64_\t(2 CPU)\n\n\n"
    row = "sda 1.00 2.00 0.00\n"
    for columns, factor in (("rMB/s wMB/s", 1024), ("rsec/s wsec/s", 0.5)):
        text = f"{head}Device r/s {columns}\nsda 1.00 2.00 0.50\n"
        reading = reading_of_text(tmp_path, text)
        assert metrics_of(reading)["read_volume"] == 2 * factor
    reading = reading_of_text(tmp_path, f"{head}Device tps kB_read/s kB_wrtn/s\n{row}")
    assert metrics_of(reading) == {"read_volume": 2, "write_volume": 0} | {
        "read_volume of sda": 2,
        "write_volume of sda": 0,
    }


def test_iostat_without_x_has_volumes_only() -> None:
    reading = reading_of("iostat-12-k.txt")
    assert "reads" not in metrics_of(reading)
    assert metrics_of(reading)["read_volume"] == 0


def test_iostat_of_one_report_is_of_no_run(tmp_path: Path) -> None:
    text = (SAMPLES / "iostat-12.txt").read_text()
    reading = reading_of_text(tmp_path, "\n".join(text.splitlines()[:8]))
    assert (reading.metrics, reading.partial) == ((), True)
    assert "no report but the one since the host was started" in reading.problems[0].found


def test_iostat_cut_inside_a_line_is_reported_with_the_line(tmp_path: Path) -> None:
    text = (SAMPLES / "iostat-12.txt").read_text().rstrip()
    reading = reading_of_text(tmp_path, text[:-8])
    assert reading.partial
    assert reading.problems[0].line == len(text.splitlines())


def test_iostat_h_is_refused_as_it_rounds(tmp_path: Path) -> None:
    text = (
        "Linux 6.1 (host) \t11/21/26 \t_x86_64_\t(2 CPU)\n\navg-cpu:  %user   %nice\n 1.4% 2.2%\n"
    )
    text += (
        "\n     r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz Device\n 1.0 2.5M 7 4% 4 17k vda\n"
    )
    reading = reading_of_text(tmp_path, text)
    assert "iostat -h rounds" in reading.problems[0].found
    assert reading.metrics == ()


def test_perf_stat_text() -> None:
    reading = reading_of("perf-stat-text.txt")
    assert (reading.format, reading.problems) == ("perf-stat", ())
    assert metrics_of(reading) == {
        "counted_seconds": 0.202290373,
        "counted_cpu_time": 1.07,
        "counted context-switches": 1,
        "counted cpu-migrations": 0,
        "counted page-faults": 75,
    }
    assert ("counted", "'sleep 0.2'") in reading.facts
    assert skips_of(reading)["event that perf could not count"] == 4


def test_perf_stat_of_hardware_events_says_which_shared_a_counter() -> None:
    reading = reading_of("perf-stat-hardware.txt")
    metrics = metrics_of(reading)
    assert metrics == {
        "counted_seconds": 10,
        "counted_cpu_time": 40012.5,
        "counted context-switches": 812345,
        "counted_cycles": 120e9,
        "counted_instructions": 90e9,
        "counted cache-misses:u": 1.2e9,
        "power/energy-pkg/": 55.25,
        "instructions_per_cycle": 0.75,
    }
    notes = {metric.name: metric.note for metric in reading.metrics}
    assert notes["counted cache-misses:u"].startswith("counted 66.7 % of the time, and scaled")
    assert notes["counted_cpu_time"] == ""
    units = {metric.name: metric.unit for metric in reading.metrics}
    assert (units["counted_cycles"], units["power/energy-pkg/"]) == ("cycles", "Joules")


@pytest.mark.parametrize("separator", [",", ";", "|", "\t"])
def test_perf_stat_separated(separator: str, tmp_path: Path) -> None:
    text = (SAMPLES / "perf-stat-x.txt").read_text().replace(",", separator)
    reading = reading_of_text(tmp_path, text)
    assert metrics_of(reading) == {
        "counted_cpu_time": 1.03,
        "counted context-switches": 1,
        "counted cpu-migrations": 0,
        "counted page-faults": 75,
    }


def test_perf_stat_intervals_become_rates() -> None:
    reading = reading_of("perf-stat-I.txt")
    assert metrics_of(reading)["counted page-faults"] == 2982 + 5 + 0
    faults = series_of(reading, "rate of page-faults")
    assert faults.seconds == (0.200393688, 0.401252365, 0.500945231)
    assert faults.values[1] == pytest.approx(5 / (0.401252365 - 0.200393688))


def test_perf_stat_of_a_process_that_slept_in_an_interval() -> None:
    reading = reading_of("perf-stat-x-I.txt")
    (faults,) = (each for each in reading.metrics if each.name == "counted page-faults")
    assert (faults.value, faults.note) == (74, "not counted in 1 of 3 intervals")
    # The third interval begins where the second ends, though nothing was counted in that.
    assert series_of(reading, "rate of page-faults").seconds == (0.200596569, 0.502434832)
    assert series_of(reading, "rate of page-faults").values[1] == 0


def test_perf_stat_per_cpu_is_added_up_and_of_several_runs_is_as_printed() -> None:
    assert metrics_of(reading_of("perf-stat-A.txt"))["counted_cpu_time"] == pytest.approx(209.53)
    runs = reading_of("perf-stat-r.txt")
    assert metrics_of(runs)["counted_seconds"] == 0.053650
    assert ("counted", "'sleep 0.05' (3 runs)") in runs.facts


def test_perf_stat_in_another_locale(tmp_path: Path) -> None:
    text = (SAMPLES / "perf-stat-hardware.txt").read_text()
    german = text.translate(str.maketrans(",.", ".,"))
    assert metrics_of(reading_of_text(tmp_path, german)) == metrics_of(
        reading_of("perf-stat-hardware.txt")
    )


def test_of_two_perf_stats_in_a_log_the_first_is_read(tmp_path: Path) -> None:
    text = (SAMPLES / "perf-stat-text.txt").read_text()
    later = text.replace("75", "76")
    reading = reading_of_text(tmp_path, text + later)
    assert metrics_of(reading)["counted page-faults"] == 75
    assert reading.problems[0].line == len(text.splitlines()) + 2


def test_perf_stat_that_could_count_nothing_is_partial(tmp_path: Path) -> None:
    reading = reading_of_text(tmp_path, "<not supported>,,cycles,0,100.00,,\n")
    assert (reading.metrics, reading.partial) == ((), True)


@pytest.mark.parametrize(
    ("sample", "expected"),
    [
        ("default", {"command_seconds": 0.10, "command_memory": 1780, "command_minor_faults": 98}),
        ("v", {"command_seconds": 0.32, "command_user_seconds": 0.1, "command_memory": 13420}),
        ("v", {"command_voluntary_switches": 94, "command_involuntary_switches": 50}),
        ("p", {"command_seconds": 0.10, "command_user_seconds": 0, "command_system_seconds": 0}),
        ("bash", {"command_seconds": 0.103, "command_user_seconds": 0.002}),
    ],
)
def test_time_of_a_command(sample: str, expected: dict[str, float]) -> None:
    reading = reading_of(f"time-{sample}.txt")
    assert (reading.format, reading.problems) == ("time", ())
    assert metrics_of(reading) == metrics_of(reading) | expected


def test_time_of_hours(tmp_path: Path) -> None:
    line = "1103.43user 2655.22system 1:10:35elapsed 591%CPU (0avgtext+0avgdata 23744maxresident)k"
    assert metrics_of(reading_of_text(tmp_path, line))["command_seconds"] == 4235
    shell = metrics_of(reading_of_text(tmp_path, "real\t70m35,020s\nuser\t0m1,5s\nsys\t0m0,0s\n"))
    assert shell["command_seconds"] == pytest.approx(4235.02)


def test_a_timed_command_that_failed_is_reported() -> None:
    reading = reading_of("time-killed.txt")
    assert reading.partial
    assert "terminated by signal 9" in reading.problems[0].found


def test_averages_of_a_lab_host() -> None:
    reading = reading_of("operation-rates-sysbench.txt")
    assert (reading.format, reading.problems) == ("operation-rates", ())
    assert metrics_of(reading) == {
        "reads": 10,
        "read_volume": 512,
        "writes": 2000,
        "write_volume": 204800,
        "reads_per_operation": 0,
        "read_volume_per_operation": 0.005,
        "write_volume_per_operation": 2.048,
        "counted_operations_per_second": 100_000,
        "context_switches": 400_000,
        "cpu_busy": 50,
        "context_switches_per_operation": 4,
        "cpu_share_per_operation": 0.0005,
    }


def test_averages_that_break_off_are_partial(tmp_path: Path) -> None:
    text = (SAMPLES / "operation-rates-sysbench.txt").read_text()
    reading = reading_of_text(tmp_path, text[: text.index("400000")])
    assert reading.partial
    assert "1 of 2 tables" in reading.problems[0].found
    assert "cpu_busy" not in metrics_of(reading)


@pytest.mark.parametrize("prompt", ["", "$ ", "+ ", "# /usr/bin/"])
def test_a_command_above_the_log_gives_the_times_of_reports(prompt: str, tmp_path: Path) -> None:
    vmstat = (SAMPLES / "vmstat.txt").read_text()
    reading = reading_of_text(tmp_path, f"{prompt}vmstat -w 5\n{vmstat}")
    assert series_of(reading, "cpu_idle").seconds == (5, 10)
    iostat = (SAMPLES / "iostat-12.txt").read_text()
    reading = reading_of_text(tmp_path, f"{prompt}iostat -kx 5 600\n{iostat}")
    assert series_of(reading, "writes").seconds == (5, 10, 15)


@pytest.mark.parametrize("options", ["-y", "-wy", "--no-first"])
def test_a_command_without_a_report_since_the_start_keeps_the_first_one(
    options: str, tmp_path: Path
) -> None:
    vmstat = (SAMPLES / "vmstat.txt").read_text()
    reading = reading_of_text(tmp_path, f"vmstat {options} 1\n{vmstat}")
    assert SINCE_START not in skips_of(reading)
    assert series_of(reading, "cpu_idle").seconds == (1, 2, 3)


def test_a_command_of_another_tool_or_none_gives_no_times(tmp_path: Path) -> None:
    vmstat = (SAMPLES / "vmstat.txt").read_text()
    for line in ("iostat 5", "vmstat 0", "vmstat", "vmstat -w", "my vmstat 5"):
        assert reading_of_text(tmp_path, f"{line}\n{vmstat}").series == ()


def test_vmstat_with_active_memory_and_repeated_headings_in_another_order(tmp_path: Path) -> None:
    vmstat = (SAMPLES / "vmstat.txt").read_text()
    other = vmstat.replace("  buff  cache", " inact active")
    assert metrics_of(reading_of_text(tmp_path, other)) == metrics_of(reading_of("vmstat.txt"))
    head, names, *rows = vmstat.splitlines()
    turned = [" ".join([*row.split()[:4], *row.split()[4:][::-1]]) for row in (names, *rows)]
    reading = reading_of_text(tmp_path, "\n".join((head, *turned)))
    assert metrics_of(reading) == metrics_of(reading_of("vmstat.txt"))


def test_a_single_report_of_iostat_may_be_of_all_the_time_since_the_start() -> None:
    reading = reading_of("sysstat-json-iostat-one-report.json")
    found = metrics_of(reading)
    assert (found["read_volume"], found["write_volume"]) == (1549.62, 4803.84)
    assert found["cpu_user"] == pytest.approx(21.95 + 54.73)
    (problem,) = reading.problems
    assert problem.severity == "warning"
    assert "since the host was started" in problem.found


def test_turbostat_counts_the_rows_of_the_whole_host() -> None:
    reading = reading_of("turbostat.txt")
    assert (reading.format, reading.problems, reading.partial) == ("turbostat", (), False)
    assert metrics_of(reading) == {
        "clock, idle time included": 1256,
        "CPUs that are not idle (C0)": pytest.approx(47.2),
        "clock of CPUs that are not idle": 2661.5,
        "instructions_per_cycle": 1.0,
        "temperature of the hottest core": 62,
        "temperature of the package": 62,
        "power of the package": 95,
        "power of the memory": pytest.approx(10.12),
    }
    power = series_of(reading, "power of the package")
    assert (power.seconds, power.values) == ((5, 10), (92.3, 97.7))
    assert skips_of(reading) == {"row of one CPU": 4, "other line": 1}


def test_turbostat_of_the_whole_host_alone_is_read() -> None:
    reading = reading_of("turbostat-summary.txt")
    assert metrics_of(reading)["power of the package"] == 92.3
    assert reading.series == ()


def test_turbostat_with_rows_of_single_cpus_alone_is_partial(tmp_path: Path) -> None:
    heading = "Core\tCPU\tAvg_MHz\tBusy%\tBzy_MHz\n"
    reading = reading_of_text(tmp_path, f"{heading}0\t0\t1500\t55.10\t2722\nwhat is this\n")
    assert reading.partial
    assert [problem.found for problem in reading.problems] == ["no row of the whole host"]
