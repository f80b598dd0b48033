"""What of a text decides whether its page is rendered again."""

import pytest
from perfpress.build.inputs import linked_names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("[A](/reports/a/14/)", {"reports", "a", "14"}),
        ("[a **b**]( <../vs/9.4/#x> 'c')", {"..", "vs", "9.4", "x"}),
        ("See [it].\n\n[it]: /docs/Paths.md\n", {"docs", "paths"}),
        ("[a](/reports/a/%40b/)", {"reports", "a", "@b"}),
        ('{{< note >}}[a](b "c"){{< /note >}}', {"b"}),
        ("![a](picture.png)", {"picture.png"}),
        ("Nothing (of 14) [is] linked: /reports/a/", set()),
    ],
)
def test_the_names_in_the_links_of_a_text_are_found(text: str, names: set[str]) -> None:
    assert linked_names(text) == names
