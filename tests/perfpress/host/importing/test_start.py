"""When an imported run began: what its logs have, or what the map has."""

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest
from import_calls import Import, bundles

SAMPLES = Path(__file__).parents[2] / "input" / "logs" / "samples"
GIVEN = ("--host", "lab1", "--work", "fixed")


def archive(log: str) -> None:
    """Make an archive of one log."""
    directory = Path("study/v1")
    directory.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(SAMPLES / log, directory / "r.json")


def import_it(imported: Import) -> str:
    imported("study", *GIVEN)
    the_map = Path("study.logs.toml")
    the_map.write_text(the_map.read_text().replace('release = ""', 'release = "1"'))
    answer = imported("study")
    assert answer.status == 0, answer.err
    return answer.err


@pytest.mark.parametrize(
    ("log", "began"),
    [
        ("google-benchmark-1.7.json", datetime(2026, 11, 21, 20, 38, 47, tzinfo=UTC)),
        ("pytest-benchmark-5.3.json", datetime(2026, 11, 21, 20, 38, 59, tzinfo=UTC)),
        ("asv-2.json", datetime(2026, 11, 24, 17, 53, 8, tzinfo=UTC)),
        ("autocannon.json", datetime(2026, 11, 22, 21, 12, 30, tzinfo=UTC)),
        ("benchbase.json", datetime(2025, 9, 23, 13, 20, 12, tzinfo=UTC)),
        ("fio-3.33.json", datetime(2026, 11, 24, 14, 50, 51, tzinfo=UTC)),
        ("go-bench-json.txt", datetime(2026, 11, 24, 18, 13, 22, tzinfo=UTC)),
        ("iperf3-3.12.json", datetime(2026, 11, 24, 17, 55, 34, tzinfo=UTC)),
        ("memtier.json", datetime(2026, 11, 24, 17, 51, 51, tzinfo=UTC)),
        ("pgbench-15-timestamps.txt", datetime(2026, 11, 21, 14, 25, 45, tzinfo=UTC)),
        ("tsbs-load.txt", datetime(2018, 2, 16, 0, 38, 48, tzinfo=UTC)),
        ("vegeta.json", datetime(2026, 11, 22, 21, 14, 32, tzinfo=UTC)),
    ],
)
def test_a_run_began_when_its_log_says_so(imported: Import, log: str, began: datetime) -> None:
    archive(log)
    assert "time zone" not in import_it(imported)
    (bundle,) = bundles()
    assert bundle.run.started == began


@pytest.mark.parametrize(
    ("log", "date"),
    [
        ("pyperf-2.json", "2026-11-24 17:52:40.014744"),
        ("db-bench-7.8-histograms.txt", "Sat Nov 21 20:39:02 2026"),
        ("fio-3.33.txt", "Tue Nov 24 14:50:45 2026"),
    ],
)
def test_a_date_without_a_time_zone_is_no_start_and_is_said(
    imported: Import, log: str, date: str
) -> None:
    archive(log)
    words = import_it(imported)
    assert f"v1/r.json: the date '{date}' has no time zone" in words
    assert "add started = …" in words
    assert bundles()[0].run.started is None


def test_what_was_imported_without_a_date_is_there_already(imported: Import) -> None:
    log, dated = "google-benchmark-1.7.json", "2026-11-21T20:38:47+00:00"
    archive(log)
    import_it(imported)
    (bundle,) = bundles()
    run = bundle.directory / "run.toml"
    lines = run.read_text().splitlines(keepends=True)
    assert dated[:10] in run.read_text()
    run.write_text("".join(each for each in lines if not each.startswith("started")))
    answer = imported("study")
    assert answer.status == 0, answer.err
    assert len(list(Path("results").rglob("run.toml"))) == 1


def test_a_map_without_a_key_takes_it_from_the_command_line(imported: Import) -> None:
    archive("google-benchmark-1.7.json")
    imported("study", *GIVEN)
    the_map = Path("study.logs.toml")
    text = the_map.read_text().replace('release = ""', 'release = "1"')
    the_map.write_text(text.replace('host = "lab1"\n', ""))
    assert "`host` is empty" in imported("study").err
    assert imported("study", "--host", "lab2").status == 0
    assert bundles()[0].run.host == "lab2"
