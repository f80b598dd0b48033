"""How problems are grouped and printed."""

import pytest
from perfpress.base.problems import MOST_OF_A_KIND, Problem, first_of_each_kind


@pytest.mark.parametrize(
    ("more", "last"),
    [(0, None), (1, "f5: the same; fix it"), (9, "f5: the same, and in 8 more places; fix it")],
)
def test_a_terminal_shows_the_first_of_each_kind_and_counts_the_rest(
    more: int, last: str | None
) -> None:
    count = MOST_OF_A_KIND + more
    alike = [Problem(path=f"f{at}", found=f"line {at}", do="fix it") for at in range(count)]
    other = Problem(path="z", found="a link", severity="warning")
    shown = list(first_of_each_kind([other, *alike]))
    assert shown[:MOST_OF_A_KIND] == alike[:MOST_OF_A_KIND]
    assert shown[-1] == other
    assert [str(each) for each in shown[MOST_OF_A_KIND:-1]] == ([last] if last else [])
