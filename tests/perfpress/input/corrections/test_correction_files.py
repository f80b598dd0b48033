"""Files of corrections: what is read, what is written, and what is reported."""

import errno
import os
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
import tomli_w
from perfpress.input.corrections.files import (
    KINDS,
    Accept,
    AnyCorrection,
    Invalid,
    Rename,
    Set,
    Supersede,
    correction_name,
    correction_toml,
    parse_correction,
    read_corrections,
)

REPORT = "postgres-releases"


def write(directory: Path, name: str, text: str) -> None:
    path = directory / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_a_directory_of_corrections_that_cannot_be_read_is_reported(tmp_path: Path) -> None:
    (tmp_path / "corrections").write_text("")
    read, (problem,) = read_corrections(tmp_path / "corrections", "corrections")
    assert read == ()
    assert str(problem).startswith("corrections: cannot be read (Not a directory); expected a dir")


def test_corrections_of_a_report_that_cannot_be_read_leave_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for report in ("a", "b"):
        text = 'kind = "invalid"\nrelease = "18"\nreason = "r"\n'
        write(tmp_path, f"{report}/2026-01-02-x.toml", text)
    entries = Path.iterdir

    def locked(directory: Path) -> Iterator[Path]:
        if directory == tmp_path / "a":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return entries(directory)

    monkeypatch.setattr(Path, "iterdir", locked)
    (correction,), (problem,) = read_corrections(tmp_path, "corrections")
    assert correction.report == "b"
    assert str(problem).startswith("corrections/a: cannot be read (Permission denied)")


def test_corrections_are_read_by_report_and_date(tmp_path: Path) -> None:
    text = 'kind = "invalid"\nrelease = "18"\nreason = "r"\n'
    for name in ("b/2026-01-02-x.toml", "b/2026-01-01-y-2.toml", "b/2026-01-01-y.toml"):
        write(tmp_path, name, text)
    write(tmp_path, "a/2026-05-01-x.toml", text)
    write(tmp_path, "README.md", "")
    corrections, problems = read_corrections(tmp_path, "corrections")
    assert problems == []
    assert [each.shown_as for each in corrections] == [
        "corrections/a/2026-05-01-x.toml",
        "corrections/b/2026-01-01-y.toml",
        "corrections/b/2026-01-01-y-2.toml",
        "corrections/b/2026-01-02-x.toml",
    ]
    assert (corrections[0].report, corrections[0].date) == ("a", date(2026, 5, 1))
    assert read_corrections(tmp_path / "none", "none") == ((), [])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('reason = "r"\n', "f: no `kind`; expected invalid or supersede or set or rename or acc"),
        ('kind = "invalif"\n', "f:1: the kind 'invalif'; expected invalid or supersede or set"),
        ("kind = 3\n", "f:1: the kind 3; expected"),
        ('kind = "invalid"\nrun = "a"\n', "f: the file lacks the key `reason`"),
        ('kind = "invalid"\nrun = "a"\nreason = ""\n', "f:3: `reason` is ''; expected text"),
        (
            'kind = "invalid"\nrn = "a"\nreason = "r"\n',
            "f:2: unknown key `rn`; did you mean `run`?",
        ),
        ('kind = "invalid"\nreason = "r"\n', "f:1: neither run nor release; expected one of them"),
        (
            'kind = "set"\nrun = "a"\nrelease = "b"\nkey = "k"\nvalue = 1\nreason = "r"\n',
            "f:1: both run and release; expected one of them",
        ),
        ('kind = "set"\nrun = "a"\nvalue = 1\nreason = "r"\n', "f: the file lacks the key `key`"),
        (
            'kind = "set"\nrun = "a"\nkey = "k"\nvalue = [1]\nreason = "r"\n',
            "f:4: `value` is [1]; expected",
        ),
        (
            'kind = "supersede"\nrun = "a"\nreplacement = "a"\nreason = "r"\n',
            "f:3: the run itself; expected another run",
        ),
        (
            'kind = "supersede"\nrun = "a"\nreason = "r"\n',
            "f: the file lacks the key `replacement`",
        ),
        (
            'kind = "rename"\nwhat = "host"\nfrom = "a"\nto = "b"\nreason = "r"\n',
            "f:2: `what` is 'host'; expected release or step",
        ),
        (
            'kind = "rename"\nwhat = "step"\nfrom = "a"\nto = "a"\nreason = "r"\n',
            "f:4: the same name twice; expected two names",
        ),
        ('kind = "accept"\nrun = "a"\nreason = "r"\n', "f:2: unknown key `run`"),
        ("kind = \n", "f:1: Invalid value; expected TOML"),
    ],
)
def test_what_is_wrong_is_reported_with_its_line(text: str, message: str) -> None:
    read, problems = parse_correction(text, "2026-11-21-x.toml", REPORT, "f")
    assert read is None
    assert str(problems[0]).startswith(message)


@pytest.mark.parametrize(
    "name", ["x.toml", "2026-13-01-x.toml", "2026-11-21.toml", "2026-11-21-A.toml"]
)
def test_other_file_names_are_reported(name: str) -> None:
    text = 'kind = "invalid"\nrelease = "18"\nreason = "r"\n'
    read, (problem,) = parse_correction(text, name, REPORT, "f")
    assert read is None
    assert "expected <date>-<slug>.toml" in str(problem)


def test_what_is_no_correction_is_reported_and_the_rest_is_read(tmp_path: Path) -> None:
    write(tmp_path, "a/2026-05-01-x.toml", 'kind = "invalid"\nrelease = "18"\nreason = "r"\n')
    write(tmp_path, "a/2026-05-02-x.toml", "kind")
    write(tmp_path, "a/notes.md", "")
    write(tmp_path, "stray.toml", "")
    (tmp_path / "a" / "2026-05-03-link.toml").symlink_to("/etc/passwd")
    corrections, problems = read_corrections(tmp_path, "c")
    assert len(corrections) == 1
    assert [str(problem).split(";")[0] for problem in problems] == [
        "c/a/2026-05-02-x.toml:1: Expected '=' after a key in a key/value pair",
        "c/a/2026-05-03-link.toml: no correction",
        "c/a/notes.md: no correction",
        "c/stray.toml: no directory of a report",
    ]


@pytest.mark.parametrize(
    "change",
    [
        Invalid(run="a", step='s "x"\\ #', reason="r"),
        Supersede(run="a", replacement="b", reason="r"),
        Set(release="18", key="k", value=6.5, reason="r"),
        Rename(what="step", old="a", new="b", reason="r"),
        Accept(release="18", variant="v", reason="r"),
    ],
)
def test_what_is_written_reads_the_same(change: AnyCorrection) -> None:
    name = correction_name(change, date(2026, 11, 21))
    read, problems = parse_correction(correction_toml(change), name, REPORT, "f")
    assert problems == []
    assert read is not None
    assert read.change == change


def test_every_kind_has_its_name() -> None:
    assert {kind: struct.__struct_config__.tag for kind, struct in KINDS.items()} == {
        kind: kind for kind in KINDS
    }
    assert tomli_w.dumps({"kind": "invalid"}) in correction_toml(Invalid(run="a", reason="r"))


def test_a_secret_in_a_correction_is_refused(tmp_path: Path) -> None:
    directory = tmp_path / "report"
    directory.mkdir()
    text = 'kind = "invalid"\nrun = "x"\nreason = "ran with --password=hunter2x"\n'
    (directory / "2026-03-01-leak.toml").write_text(text)
    corrections, problems = read_corrections(tmp_path, "corrections")
    assert corrections == ()
    assert [(problem.path, problem.line) for problem in problems] == [
        ("corrections/report/2026-03-01-leak.toml", 3)
    ]
    assert "secret" in problems[0].found


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        (r'reason = "\u001b]0;x\u0007"', 3, "the control character U+001B in `reason`"),
        (r'reason = "safe\u202egpj.exe"', 3, "the control character U+202E in `reason`"),
        (r'reason = "two\nlines"', 3, "the control character U+000A in `reason`"),
        (r'reason = "--pass\u0077ord=hunter2x"', 3, "a secret (password)"),
    ],
)
def test_what_escapes_hide_in_a_correction_is_refused(
    tmp_path: Path, text: str, line: int, found: str
) -> None:
    write(tmp_path, "report/2026-03-01-x.toml", f'kind = "invalid"\nrun = "x"\n{text}\n')
    corrections, (problem,) = read_corrections(tmp_path, "corrections")
    assert corrections == ()
    assert (problem.line, problem.found) == (line, found)


@pytest.mark.parametrize(("key", "taken"), [("tools.cc", 1), ("machine.storage", 1), ("config", 0)])
def test_only_what_may_be_a_whole_file_is_set_to_lines(
    tmp_path: Path, key: str, taken: int
) -> None:
    text = f'kind = "set"\nrun = "x"\nreason = "r"\nkey = "{key}"\nvalue = "a\\nb"\n'
    write(tmp_path, "report/2026-03-01-x.toml", text)
    corrections, problems = read_corrections(tmp_path, "corrections")
    assert (len(corrections), len(problems)) == (taken, 1 - taken)
