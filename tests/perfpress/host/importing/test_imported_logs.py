"""`perfpress import` of logs of any tool: what their contents add to what their names say."""

import gzip
import tomllib
from pathlib import Path

import pytest
from archive_samples import write
from bundle_samples import pgbench_log
from import_calls import Import, bundles, edited, rate_of, steps
from perfpress.host.importing.path_parts import pattern_of_path, pattern_of_repeats

GIVEN = ("--host", "lab1", "--benchmark", "some", "--work", "timed")
MAP = Path("tree.logs.toml")
SAMPLES = Path(__file__).parents[2] / "input" / "logs" / "samples"
YCSB = """\
[OVERALL], RunTime(ms), 1000
[OVERALL], Throughput(ops/sec), {rate}
[READ], Operations, 500
[READ], AverageLatency(us), 412.5
"""


def of_clients(clients: int, rate: float) -> str:
    """Return what pgbench prints with that many clients."""
    text = pgbench_log(rate)
    assert "number of clients: 2\n" in text
    return text.replace("number of clients: 2\n", f"number of clients: {clients}\n")


def rules() -> list[dict[str, str]]:
    return list(tomllib.loads(MAP.read_text())["file"])


@pytest.mark.parametrize("name", ["{release}/ro.txt", "ro_{release}.txt"])
def test_logs_of_other_numbers_of_clients_are_other_variants(imported: Import, name: str) -> None:
    for release, clients, rate in (("16.1", 20, 3000), ("16.2", 20, 3010), ("17.1", 40, 6000)):
        write(Path("tree"), name.format(release=release), of_clients(clients, rate))
    assert imported("tree", *GIVEN).status == 0
    cells = {(each.run.release, each.run.clients): rate_of(each, "ro") for each in bundles()}
    assert cells == {("16.1", 20): 3000, ("16.2", 20): 3010, ("17.1", 40): 6000}


def test_the_map_counts_before_the_log_and_a_difference_is_said(imported: Import) -> None:
    write(Path("tree/16.1"), "ro.txt", of_clients(20, 3000))
    imported("tree", *GIVEN[2:])
    edited('version = "16.1"\n', 'version = "16.1"\nclients = 8\n', MAP)
    answer = imported("tree", *GIVEN[:2])
    assert "16.1/ro.txt.gz: of 20 clients, and the map says 8" in answer.err
    assert [each.run.clients for each in bundles()] == [8]


def test_a_log_that_breaks_off_is_of_the_clients_of_the_others(imported: Import) -> None:
    write(Path("tree/16.1"), "ro.txt", of_clients(20, 3000))
    write(Path("tree/16.1"), "rw.txt", "progress: 5.0 s, 10.0 tps, lat 1.0 ms stddev 0.1\n")
    answer = imported("tree", *GIVEN)
    (bundle,) = bundles()
    assert bundle.run.clients == 20
    assert steps(bundle) == ["ro", "rw"]
    assert answer.status == 0
    assert "warning: 16.1/rw.txt.gz: " in answer.err


def test_releases_of_other_work_are_reported(imported: Import) -> None:
    for release, scale in (("16.1", 10), ("16.2", 10), ("17.1", 100)):
        for step in ("ro", "rw"):
            text = pgbench_log(scale + len(release + step))
            assert "scaling factor: 1\n" in text
            scaled = text.replace("scaling factor: 1\n", f"scaling factor: {scale}\n")
            write(Path("tree", release), f"{step}.txt", f"{scaled}{release}")
    answer = imported("tree", *GIVEN)
    assert answer.status == 0
    assert (
        "warning: tree/lab1--2clients: step 'ro' and 1 step more: "
        "scaling factor is 10 in 16.1 and others, 100 in 17.1"
    ) in answer.err


def test_settings_are_attached_to_the_runs_beside_them(imported: Import) -> None:
    for number, folder in enumerate(("small", "large"), start=1):
        for step in ("ro", "rw"):
            write(Path("tree/16.1", folder), f"{step}.txt", pgbench_log(number))
        write(Path("tree/16.1", folder), "postgresql.conf", f"max_connections = {number}\n")
    write(Path("tree/16.1"), "my.cnf", "[client]\npassword=hunter2\n")
    write(Path("tree/16.1/load"), "out.txt", pgbench_log(7))
    write(Path("tree/16.1/load"), "load.fio", "[global]\nbs=4k\n")
    write(Path("tree/16.1/empty"), "other.ini", "jobs = 8\n")
    answer = imported("tree", *GIVEN)
    assert answer.status == 0, answer.err
    attached = {each.run.axes.get("folder", ""): each.run.attachments for each in bundles()}
    of_all = ("empty/other.ini", "load/load.fio", "my.cnf")
    assert {folder: set(names) for folder, names in attached.items()} == {
        "small": {"small/postgresql.conf", *of_all},
        "large": {"large/postgresql.conf", *of_all},
        "": set(of_all),
    }
    texts = [(each.directory / "my.cnf").read_text() for each in bundles()]
    assert not any("hunter2" in text for text in texts)


def test_settings_of_no_run_are_named(imported: Import) -> None:
    for folder in ("small", "large"):
        for step in ("ro", "rw"):
            write(Path("tree/16.1", folder), f"{step}.txt", pgbench_log(len(folder + step)))
    write(Path("tree/17.1/small"), "my.cnf", "[mysqld]\n")
    write(Path("tree/17.1/large"), "ro.txt", pgbench_log(9))
    answer = imported("tree", *GIVEN)
    assert "17.1/small/my.cnf: settings of no run that is imported" in answer.out


def test_a_packed_copy_of_a_log_is_no_second_one(imported: Import) -> None:
    write(Path("tree/16.1"), "ro.txt", pgbench_log(5))
    Path("tree/16.1/ro.txt.gz").write_bytes(gzip.compress(pgbench_log(5).encode()))
    answer = imported("tree", *GIVEN)
    assert [rate_of(each, "ro") for each in bundles()] == [5]
    assert "ro.txt.gz: the same file is there without its ending" in answer.out


def test_dates_in_names_beside_releases_say_nothing(imported: Import) -> None:
    for day, (release, rate) in enumerate((("16.1", 10), ("17.1", 20)), start=1):
        for step in ("insert", "scan"):
            name = f"{step}_{release}_2024-03-0{day}.log"
            write(Path("tree"), name, pgbench_log(rate + len(step)))
    assert imported("tree", *GIVEN).status == 0
    cells = {
        (each.run.release, step): rate_of(each, step) for each in bundles() for step in steps(each)
    }
    assert cells == {
        ("16.1", "insert"): 16,
        ("16.1", "scan"): 14,
        ("17.1", "insert"): 26,
        ("17.1", "scan"): 24,
    }


def test_two_days_of_one_release_are_not_merged(imported: Import) -> None:
    for day in (1, 2):
        write(Path("tree"), f"insert_16.1_2024-03-0{day}.log", pgbench_log(day))
    answer = imported("tree", *GIVEN)
    assert answer.status == 1
    assert "several logs of one step" in answer.out


def test_one_rule_of_the_map_leaves_out_all_that_differ_in_digits(imported: Import) -> None:
    for number in range(30):
        write(Path("tree/16.1"), f"pg.{number}.notes", f"note {number}\n")
        write(Path("tree/16.1/deep/er", f"{number}"), "ro.txt", pgbench_log(number + 1))
    write(Path("tree/16.1"), "ro.txt", pgbench_log(99))
    answer = imported("tree", *GIVEN)
    assert answer.status == 0, answer.err
    assert sorted(rule["match"] for rule in rules()) == [
        "deep/er/*/ro.txt",
        "pg.*.notes",
        "{step}.txt",
    ]
    assert "16.1/pg.0.notes and 29 more" in answer.out


def test_a_rule_that_leaves_out_never_fits_a_log_that_is_used(imported: Import) -> None:
    for number in (1, 2):
        write(Path("tree/16.1"), f"scan.{number}.txt", pgbench_log(number))
    write(Path("tree/16.1"), "scan.all-tables.txt", pgbench_log(9))
    assert imported("tree", *GIVEN).status == 0
    (bundle,) = bundles()
    assert rate_of(bundle, "scan.all-tables") == 9


def test_logs_that_name_the_same_benchmarks_are_told_apart_by_their_paths(
    imported: Import,
) -> None:
    for release, factor in (("6.0.5", 1), ("7.0.2", 3)):
        for workload, rate in (("a", 100), ("b", 200)):
            text = YCSB.format(rate=factor * rate)
            write(Path("tree", release), f"run_workload_{workload}.txt", text)
    answer = imported("tree", *GIVEN)
    assert answer.status == 0, answer.err
    rates = {
        (each.run.release, step): rate_of(each, step)
        for each in bundles()
        for step in steps(each)
        if step.endswith("OVERALL")
    }
    assert rates == {
        ("6.0.5", "workload_a OVERALL"): 100,
        ("6.0.5", "workload_b OVERALL"): 200,
        ("7.0.2", "workload_a OVERALL"): 300,
        ("7.0.2", "workload_b OVERALL"): 600,
    }
    assert all("workload_a READ" in steps(each) for each in bundles())


def test_the_only_benchmark_of_each_log_is_the_step_of_its_path(imported: Import) -> None:
    text = (SAMPLES / "fio-3.33.txt").read_text()
    text = text[text.index("seqwrite: (g=0)") :]
    for number, step in enumerate(("4k-qd1", "4k-qd32"), start=1):
        write(Path("tree/linux-6.8"), f"{step}.txt", text.replace("IOPS=", f"IOPS={number}"))
    answer = imported("tree", *GIVEN)
    assert "holds no benchmark of that name" not in answer.err
    (bundle,) = bundles()
    assert rate_of(bundle, "4k-qd1") < rate_of(bundle, "4k-qd32")


def test_two_files_of_one_release_and_the_same_benchmarks_are_not_merged(
    imported: Import,
) -> None:
    text = (SAMPLES / "pytest-benchmark-5.3.json").read_text()
    for number, release in enumerate(("v2.5.0", "v2.5.0", "v2.6.0"), start=1):
        write(Path("tree/Linux"), f"{number:04}_{release}.json", f"{text}{' ' * number}")
    answer = imported("tree", *GIVEN)
    assert answer.status == 1
    assert "0001_v2.5.0.json.gz and 0002_v2.5.0.json.gz are both of the step" in answer.err
    edited('match = "*_{release}.json"', 'match = "{repeat}_{release}.json"', MAP)
    assert imported("tree", *GIVEN).status == 0
    assert sorted(each.run.release for each in bundles()) == ["v2.5.0", "v2.5.0", "v2.6.0"]


def test_a_pattern_of_the_map_reads_logs_that_name_benchmarks_too(imported: Import) -> None:
    write(Path("tree/results/monday"), "run_w1.txt", YCSB.format(rate=100))
    imported("tree", *GIVEN)
    rule = '\n[[file]]\nmatch = "/results/{release}/run_{step}.txt"\nas = "log"\n\n[[file]]'
    edited("\n[[file]]", rule, MAP)
    answer = imported("tree", *GIVEN)
    assert answer.status == 0, answer.err
    (bundle,) = bundles()
    assert rate_of(bundle, "w1 OVERALL") == 100


def test_several_logs_of_a_step_come_with_the_pattern_of_repeats(imported: Import) -> None:
    for number in (1, 2):
        write(Path("tree/16.1"), f"scan.{number}.txt", pgbench_log(number))
        write(Path("tree/16.1/load"), f"pgbench.{number}.txt", pgbench_log(10 + number))
    answer = imported("tree", *GIVEN)
    assert answer.status == 1
    matches = ('match = "{step}.{repeat}.txt"', 'match = "{step}/pgbench.{repeat}.txt"')
    assert all(f"if they are repeats, by {match}" in answer.out for match in matches)
    for match in matches:
        edited("\n[[file]]", f'\n[[file]]\n{match}\nas = "log"\n\n[[file]]', MAP)
    assert imported("tree", *GIVEN).status == 0
    assert sorted(rate_of(each, "scan") for each in bundles()) == [1, 2]
    assert sorted(rate_of(each, "load") for each in bundles()) == [11, 12]


def test_days_are_asked_for_as_releases_and_are_no_variants(imported: Import) -> None:
    for day in (1, 2):
        write(Path("tree", f"2024-01-0{day}"), "ro.txt", pgbench_log(day))
    answer = imported("tree", *GIVEN)
    assert answer.status == 1
    assert "`release` of '2024-01-01' is empty" in answer.err
    text = MAP.read_text()
    assert "axes.directory = " not in text
    assert "whose names hold the release" not in text
    for day in (1, 2):
        edited('release = ""', f'release = "2024-01-0{day}"', MAP)
    assert imported("tree", *GIVEN).status == 0
    assert len({each.variant.slug for each in bundles()}) == 1


def test_what_is_too_deep_comes_with_a_pattern_for_its_path(imported: Import) -> None:
    for release, rate in (("res.mysql57", 10), ("res.ps57", 20)):
        write(Path("tree/all/raw", release), "ro.txt", pgbench_log(rate))
    answer = imported("tree", *GIVEN)
    assert answer.status == 1
    match = 'match = "/*/*/{release}/{step}.txt"'
    assert match in answer.out
    edited("\n[[file]]", f'\n[[file]]\n{match}\nas = "log"\n\n[[file]]', MAP)
    assert imported("tree", *GIVEN).status == 0
    assert {each.run.release: rate_of(each, "ro") for each in bundles()} == {
        "res.mysql57": 10,
        "res.ps57": 20,
    }


@pytest.mark.parametrize(
    ("names", "match"),
    [
        (["scan.1.txt", "scan.2.txt"], "{step}.{repeat}.txt"),
        (["r5.scan.1.txt", "r5.scan.2.txt"], "{step}.{repeat}.txt"),
        (["scan.1.1.txt", "scan.1.2.txt"], ""),
        (["scan.1.txt", "scan.txt"], ""),
        (["1.scan.1.txt", "2.scan.2.txt"], ""),
    ],
)
def test_repeats_differ_in_one_number(names: list[str], match: str) -> None:
    assert pattern_of_repeats(names, ()) == match


@pytest.mark.parametrize(
    ("name", "match"),
    [
        ("a/b/c/one.txt", "/*/*/{release}/{step}.txt"),
        ("8.4.5/a/b/one.1.txt", "/{release}/*/*/{step}.*.txt"),
    ],
)
def test_a_pattern_of_a_path_has_the_release(name: str, match: str) -> None:
    assert pattern_of_path(name) == match
