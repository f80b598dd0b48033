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
    ],
)
def test_a_run_began_when_its_log_says_so(imported: Import, log: str, began: datetime) -> None:
    archive(log)
    assert "time zone" not in import_it(imported)
    (bundle,) = bundles()
    assert bundle.run.started == began


def test_a_date_without_a_time_zone_is_no_start_and_is_said(imported: Import) -> None:
    archive("pyperf-2.json")
    words = import_it(imported)
    assert "v1/r.json: the date '2026-11-24 17:52:40.014744' has no time zone" in words
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
