"""`perfpress table`, as it is typed."""

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from perfpress.__main__ import main
from perfpress.base.limits import Budget
from perfpress.base.node import jobs
from perfpress.cli import table
from time_limit import within

OLD = "db;execute;compare 20\ndb;execute 10\nlow;compact;compare 70\n"
NEW = "db;execute;compare_[k] 50\nlow;compact 50\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "old.folded").write_text(OLD)
    (tmp_path / "new.folded").write_text(NEW)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_text_has_a_legend_the_numbers_and_why_some_are_absent(
    capsys: pytest.CaptureFixture[str],
) -> None:
    paths = ["--path", "db", "--path", "low >> compare", "--head", "front"]
    assert main(["table", "old.folded", "new.folded", *paths]) == 0
    assert (
        capsys.readouterr().out
        == """\
front - db
b - low >> compare

Numbers are the percentage of samples in each function including its children.
front   b       file
30.00   70.00   old.folded
50.00   x       new.folded

new.folded, b: compare is in this profile, but nowhere below low
"""
    )


@pytest.mark.usefixtures("folder")
def test_markdown_escapes_what_it_is_given(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a|b*.folded").write_text(OLD)
    assert main(["table", "a|b*.folded", "--path", "db", "--format", "markdown"]) == 0
    assert (
        capsys.readouterr().out
        == """\
| file | a |
| --- | ---: |
| a\\|b\\*.folded | 30.00 |

- a: ` db `
"""
    )


@pytest.mark.usefixtures("folder")
def test_csv_and_json_are_unrounded(capsys: pytest.CaptureFixture[str]) -> None:
    Path("=third.folded").write_text("t;a 1\nt;b 2\n")
    assert main(["table", "=third.folded", "--path", "a", "--format", "csv"]) == 0
    (row,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert (row["file"], row["weight"]) == ("'=third.folded", "1")
    assert float(row["percent"]) == pytest.approx(100 / 3)

    assert main(["table", "new.folded", "--path", "compare", "--format", "json"]) == 0
    (table,) = json.loads(capsys.readouterr().out)
    assert table["total"] == "100"
    (path,) = table["paths"]
    assert (path["share"], path["weight"]) == (0.5, "50")
    assert path["names"] == [{"name": "compare", "class": "kernel", "weight": "50"}]


@pytest.mark.usefixtures("folder")
def test_a_profile_file_is_as_good_as_a_capture(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fold", "old.folded", "-o", "old.json"]) == 0
    assert main(["table", "old.json", "old.folded", "--path", "db"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-2:] == ["30.00   old.json", "30.00   old.folded"]


@pytest.mark.usefixtures("folder")
def test_frames_of_different_classes_are_pointed_out(capsys: pytest.CaptureFixture[str]) -> None:
    Path("both.folded").write_text("db;compare 1\ndb;compare_[k] 1\n")
    assert main(["table", "both.folded", "--path", "compare"]) == 0
    assert "both.folded, a: matches frames of kernel, user" in capsys.readouterr().out


@pytest.mark.usefixtures("folder")
def test_what_cannot_be_read_is_reported_and_the_rest_shown(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["table", "old.folded", "none.folded", "--path", "db"]) == 1
    printed = capsys.readouterr()
    assert "30.00   old.folded" in printed.out
    assert printed.err.startswith("none.folded: ")


def test_captures_beyond_their_budget_are_reported_by_name(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "package").mkdir()
    (folder / "package" / "cli.mjs").write_text("for (;;);")
    monkeypatch.setattr(table, "PROFILE", folder / "package" / "cli.mjs")
    monkeypatch.setattr(jobs, "budget_of", lambda _: Budget(1, 2_000_000_000))
    assert main(["table", "old.folded", "new.folded", "--path", "db"]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    lines = printed.err.splitlines()
    assert [line.split(":")[0] for line in lines] == ["old.folded", "new.folded"]
    assert all("needs more than 1 s of CPU time, and was stopped" in line for line in lines)


def test_a_capture_that_needs_too_much_memory_is_reported_and_the_rest_shown(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The memory that Node itself starts with is not the capture's: it would not start at all."""
    lines = (f"db;f{number};g{number} 1\n" for number in range(200_000))
    (folder / "large.folded").write_text("".join(lines))
    monkeypatch.setattr(jobs, "budget_of", lambda _: Budget(60, 20_000_000))
    with within(120):
        assert main(["table", "large.folded", "old.folded", "--path", "db"]) == 1
    printed = capsys.readouterr()
    assert "30.00   old.folded" in printed.out
    assert "large.folded: fold needs more than 0.0 GB of memory, and was stopped" in printed.err


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["old.folded", "--path", "A >"], "--path 'A >': character 4: the end; expected a name"),
        (["old.folded", "--path", "A", "--head", "x", "--head", "y"], "--head: 2 heads"),
        (["none.folded", "--path", "A"], "none.folded: "),
    ],
)
def test_bad_input_is_one_line(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["table", *words]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(message)
    assert "Traceback" not in printed.err


@pytest.mark.usefixtures("folder")
def test_what_is_wrong_in_a_path_is_pointed_at(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["table", "old.folded", "--path", "db > > compare"]) == 1
    _, path, mark = capsys.readouterr().err.splitlines()
    assert (path, mark) == ("  db > > compare", "       ^")

    assert main(["table", "old.folded", "--path", "x" * 500 + " > "]) == 1
    _, path, mark = capsys.readouterr().err.splitlines()
    assert path.startswith("  …xxx")
    assert len(path) < 100
    assert mark.index("^") == len(path)


def test_without_numpy_the_error_names_what_to_install(folder: Path) -> None:
    code = (
        "import sys; sys.modules['numpy'] = None; from perfpress.__main__ import main; "
        "sys.exit(main(['table', 'old.folded', '--path', 'db']))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 1
    assert "the Python package numpy is not installed" in ended.stderr
    assert "Traceback" not in ended.stderr
