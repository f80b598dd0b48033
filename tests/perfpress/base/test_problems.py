"""How problems are grouped and printed."""

from perfpress.base.problems import MOST_OF_A_KIND, Problem, first_of_each_kind

OTHER = Problem(path="z", found="a link", severity="warning")


def alike(count: int, path: str = "", do: str = "fix it") -> list[Problem]:
    """Return problems of one kind, in as many files, or in the one of a path."""
    return [Problem(path=path or f"f{at}", found=f"line {at}", do=do) for at in range(count)]


def shown(problems: list[Problem]) -> list[str]:
    """Return the lines for some problems and a warning, which comes last."""
    *lines, last = first_of_each_kind([OTHER, *problems])
    assert last == OTHER
    return [str(each) for each in lines]


def test_few_problems_of_a_kind_have_a_line_each() -> None:
    few = alike(MOST_OF_A_KIND)
    assert shown(few) == [str(each) for each in few]


def test_many_problems_of_a_kind_are_one_line_with_their_number_and_first_places() -> None:
    line = "f0: line 0; fix it; 227 more of this kind: f1, f2, f3, …"
    assert shown(alike(228)) == [line]
    assert shown(alike(4)) == ["f0: line 0; fix it; 3 more of this kind: f1, f2, f3"]


def test_places_are_named_once() -> None:
    one_place = shown(alike(9, path="f", do=""))
    assert one_place == ["f: line 0; 8 more of this kind: in the same place"]
    twice = shown([*alike(2), *alike(2), *alike(2)])
    assert twice == ["f0: line 0; fix it; 5 more of this kind: f1"]
