"""Each promise of the threat model names tests that are there."""

import re

from perfpress.base.checkout import ROOT

TEXT = (ROOT / "content" / "docs" / "threat-model.md").read_text()
NAMED = sorted(set(re.findall(r"`(test_\w+|tests/[\w./-]+)`", TEXT)))


def test_each_test_that_the_threat_model_names_is_there() -> None:
    code = "".join(path.read_text() for path in (ROOT / "tests").rglob("test_*.py"))
    defined = set(re.findall(r"def (test_\w+)\(", code))
    assert len(NAMED) > 80
    assert [each for each in NAMED if each not in defined and not (ROOT / each).exists()] == []


def test_each_promise_names_a_test() -> None:
    _, _, promises = TEXT.partition("| promise | test |\n|---|---|\n")
    rows = [line for line in promises.split("\n\n")[0].splitlines() if line.startswith("|")]
    assert len(rows) > 40
    assert [row for row in rows if not re.search(r"`tests?[_/]", row.rsplit(" | ", 1)[-1])] == []
