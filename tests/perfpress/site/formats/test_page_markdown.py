"""What a page says, as Markdown."""

from perfpress.site.addresses import Identity
from perfpress.site.formats.page_markdown import MOST_ROWS, page_markdown
from perfpress.site.shapes.blocks import (
    Cell,
    ColumnHead,
    Fact,
    Graph,
    Link,
    MeasureAgain,
    Notice,
    Phrase,
    Row,
    Table,
)
from perfpress.site.shapes.pages import DiffPage, HostPage, Place, ReportPage, Suspects

SITE = Identity("Perfpress", "https://lab.example/perf/").url_of
PLACE = Place(path="/reports/r/", title="R", heading="R", description="What R is.")


def table(rows: int, notes: tuple[str, ...] = ()) -> Table:
    return Table(
        id="t",
        caption="Steps",
        row_head="Step",
        columns=(ColumnHead(key="qps", label="Throughput", unit="queries/s"),),
        rows=tuple(
            Row(key=str(at), label=f"step_{at}", url=f"/s/{at}/", cells=(Cell(text="5", mark="▲"),))
            for at in range(rows)
        ),
        notes=notes,
    )


def test_sentences_and_tables_are_written_in_the_order_of_the_page() -> None:
    page = ReportPage(
        place=PLACE,
        opening=((Phrase(text="Slower in "), Phrase(text="18", url="/reports/r/18/")),),
        picture=table(1, notes=("One run.",)),
        releases=table(0),
        again=(
            MeasureAgain(label="18", url="/reports/r/18/", text="it differs.", command="capture x"),
        ),
        corrections=(Notice(kind="correction", text="Run 1 does not count: a backup."),),
        downloads=(Link(label="All metrics", url="/reports/r/metrics.csv", note="2 kB"),),
    )
    assert page_markdown(page, SITE).split("\n\n")[:6] == [
        "Slower in [18](<https://lab.example/perf/reports/r/18/>)",
        "**Steps**",
        "| Step | Throughput (queries/s) |\n| --- | ---: |\n"
        "| [step\\_0](<https://lab.example/perf/s/0/>) | ▲ 5 |",
        "- One run.",
        "Measure again: [18](<https://lab.example/perf/reports/r/18/>), it differs:",
        "    capture x",
    ]
    assert "**Correction:** Run 1 does not count: a backup." in page_markdown(page, SITE)
    last = "- [All metrics](<https://lab.example/perf/reports/r/metrics.csv>) (2 kB)\n"
    assert page_markdown(page, SITE).endswith(last)


def test_a_frame_of_a_graph_is_no_link() -> None:
    row = Row(key="memcpy", label="memcpy", url="#diff.frame=memcpy", cells=())
    page = ReportPage(
        place=PLACE,
        opening=(),
        picture=None,
        releases=Table(id="t", caption="Functions", rows=(row,)),
    )
    assert "| memcpy |" in page_markdown(page, SITE)


def test_a_table_that_a_script_fills_is_left_out() -> None:
    page = ReportPage(place=PLACE, opening=(), picture=table(0), releases=table(1))
    assert page_markdown(page, SITE).count("**Steps**") == 1


def test_long_tables_say_how_many_rows_are_left_out() -> None:
    page = HostPage(
        place=PLACE,
        facts=(Fact(label="Runs", value="3", note="of 4"),),
        machine=None,
        releases=table(MOST_ROWS),
        runs=table(MOST_ROWS + 2),
    )
    text = page_markdown(page, SITE)
    assert text.startswith("- Runs: 3 (of 4)\n")
    assert text.count("\n| [step") == 2 * MOST_ROWS
    assert text.count("more rows") == 1
    assert "2 more rows are not shown here." in text


def test_a_graph_is_what_it_says_and_its_table() -> None:
    graph = Graph(id="g", caption="", asset="x.svg", profile_url="/p.json", summary=("Cycles.",))
    page = DiffPage(
        place=PLACE,
        headline=(),
        matched="",
        graph=graph,
        suspects=Suspects(summary=("Spread evenly.", "By share."), tables=(table(1),)),
        functions=table(0),
        environment=table(0),
    )
    text = page_markdown(page, SITE)
    assert text.startswith("Cycles.\n\nSpread evenly. By share.\n\n**Steps**")
    assert "x.svg" not in text


def test_what_a_graph_shares_with_its_page_is_written_once() -> None:
    functions, file = table(2), Link(label="Diff, SVG", url="/reports/r/diff.svg")
    graph = Graph(id="g", caption="", asset="", profile_url="", table=functions, downloads=(file,))
    more = Link(label="Suspects", url="/reports/r/suspects.json")
    page = DiffPage(
        place=PLACE,
        headline=(),
        matched="",
        graph=graph,
        suspects=Suspects(summary=(), tables=()),
        functions=functions,
        environment=table(0),
        downloads=(file, more),
    )
    text = page_markdown(page, SITE)
    assert [text.count(each) for each in ("**Steps**", "Diff, SVG", "Suspects")] == [1, 1, 1]


def test_names_of_strangers_are_text_and_no_markup() -> None:
    hostile = "</script>](javascript:x) | `{{< x >}}` \n# h"
    page = HostPage(
        place=PLACE,
        facts=(Fact(label=hostile, value=hostile),),
        machine=None,
        releases=table(1, notes=(hostile,)),
        runs=table(0),
    )
    text = page_markdown(page, SITE)
    assert "</script>" not in text
    assert text.count("](javascript") == text.count("\\](javascript") == 3
    assert "{{" not in text
    assert "\n# h" not in text
