"""How problems that are in many places are printed."""

import pytest
from perfpress.base.console import MOST_TEXTS, print_grouped
from perfpress.base.problems import Problem


def lines_of(capsys: pytest.CaptureFixture[str], *problems: Problem) -> list[str]:
    """Return the lines that some problems are printed as."""
    print_grouped(problems, "all are there")
    return capsys.readouterr().err.splitlines()


def in_files(count: int, do: str = "fix it") -> list[Problem]:
    """Return a problem of one text in as many files."""
    return [Problem(path=f"f{at}", line=at, found="a tab", do=do) for at in range(count)]


@pytest.mark.parametrize(
    ("count", "line"),
    [
        (1, "f0: a tab; fix it"),
        (2, "f0: a tab; fix it; 1 more place: f1:1"),
        (4, "f0: a tab; fix it; 3 more places: f1:1, f2:2, f3:3"),
        (228, "f0: a tab; fix it; 227 more places: f1:1, f2:2, f3:3, …; all are there"),
    ],
)
def test_a_problem_in_many_places_is_one_line_with_the_first_places(
    capsys: pytest.CaptureFixture[str], count: int, line: str
) -> None:
    assert lines_of(capsys, *in_files(count)) == [line]


def test_places_stand_alone_where_nothing_can_be_done(capsys: pytest.CaptureFixture[str]) -> None:
    assert lines_of(capsys, *in_files(2, do="")) == ["f0: a tab; 1 more place: f1:1"]


def test_each_error_whose_text_differs_has_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    errors = [Problem(path="f", found=f"`key{at}` is unknown") for at in range(2 * MOST_TEXTS)]
    assert lines_of(capsys, *errors, errors[0]) == [str(each) for each in errors]


def test_of_warnings_of_one_kind_the_first_are_printed_and_the_others_counted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    warnings = [
        Problem(path="f", found=f"{at} stacks cut off", severity="warning")
        for at in range(MOST_TEXTS + 3)
    ]
    *shown, rest = lines_of(capsys, *warnings)
    assert shown == [f"warning: {each}" for each in warnings[:MOST_TEXTS]]
    assert rest == "warning: 3 more of this kind; all are there"
    assert lines_of(capsys, *warnings[:MOST_TEXTS]) == shown
