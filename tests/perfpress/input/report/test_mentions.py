"""What the shortcodes of a text name."""

import pytest
from perfpress.input.report.mentions import mentions_in

TEXT = """
It made {{< cell "9.4/select/throughput" >}}, see {{% diff "10.0" `insert range=100` "9.4" %}}.

{{< drilldown
    "reading" "path" >}}
"""


@pytest.mark.parametrize(
    "name", ["9.4", "select", "10.0", "insert range=100", "reading", "9.4/select"]
)
def test_arguments_and_what_is_between_their_slashes_are_mentioned(name: str) -> None:
    assert name in mentions_in(TEXT)


@pytest.mark.parametrize("name", ["9", "made", "insert", "range=100", "4/select", "10"])
def test_other_words_and_parts_of_names_are_not(name: str) -> None:
    assert name not in mentions_in(TEXT)


def test_a_text_without_shortcodes_mentions_nothing() -> None:
    assert mentions_in('He said "9.4".').arguments == frozenset()
