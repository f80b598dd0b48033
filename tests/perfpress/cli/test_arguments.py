"""How the command line reads numbers, times and pairs."""

import pytest
from perfpress.__main__ import main
from perfpress.cli.arguments import count, pair, positive, seconds


def test_numbers_times_and_pairs_are_read() -> None:
    assert [positive("8"), count("0")] == [8, 0]
    assert [seconds(text) for text in ("3", "0.5s", "2m")] == [3.0, 0.5, 120.0]
    assert pair("flags=-O2 -g=1") == ("flags", "-O2 -g=1")


@pytest.mark.parametrize(
    "words",
    [
        ["check", ""],
        ["check", "d", "--results", ""],
        ["add", ""],
        ["init", ""],
        ["import", "sysbench", "", "--out", "o"],
        ["import", "sysbench", "d", "--out", ""],
        ["push", "", "--to", "site.git"],
        ["build", "--out", ""],
    ],
)
def test_an_empty_path_is_not_the_directory_here(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """As a script gives it whose variable is not set."""
    assert main(words) == 2
    assert "nothing; expected the name of a file or directory" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--report", "--release", "--benchmark", "--host"])
def test_init_drafts_no_name_that_check_refuses(
    option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["init", "d", option, ""]) == 2
    assert f"{option}: nothing; expected 1 to 200 printable" in capsys.readouterr().err
