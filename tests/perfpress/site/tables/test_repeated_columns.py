"""Columns that say the same in every row: said once above, and which ones stay."""

from typing import Any

import msgspec
from perfpress.site.shapes.blocks import Cell, Chart, ColumnHead, Row, Table
from perfpress.site.shapes.pages import Place
from perfpress.site.tables.repeated_columns import without_repeats

NOTHING = Cell(text="–")


class Page(msgspec.Struct, frozen=True):
    place: Place
    table: Table
    charts: tuple[Chart, ...] = ()


def shown(*columns: tuple[Cell, ...], **head: Any) -> Table:
    """Return a table of columns called a, b and so on, as a page shows it."""
    return of_page(table(*columns, **head))


def table(*columns: tuple[Cell, ...], numeric: bool = False, **facts: Any) -> Table:
    heads = {key: facts.pop(key) for key in ("stays",) if key in facts}
    return Table(
        id="t",
        caption="",
        row_head="",
        columns=tuple(
            ColumnHead(key=name, label=name.upper(), numeric=numeric, **heads)
            for name, _ in zip("abcd", columns, strict=False)
        ),
        rows=tuple(
            Row(key=str(at), label="", cells=cells)
            for at, cells in enumerate(zip(*columns, strict=True))
        ),
        **facts,
    )


def of_page(made: Table) -> Table:
    place = Place(path="/", title="", heading="", description="")
    return without_repeats(Page(place, made)).table


def labels(made: Table) -> list[str]:
    assert {len(row.cells) for row in made.rows} == {len(made.columns)}
    return [column.label for column in made.columns]


def test_columns_without_a_value_are_said_once_by_reason() -> None:
    why = Cell(text="–", note="the log has none.")
    other = (Cell(text="x"), Cell(text="y"))
    made = shown((NOTHING,) * 2, (why,) * 2, other, (NOTHING,) * 2)
    assert labels(made) == ["C"]
    # Without a reason there is nothing to say: no release has a date, none is withdrawn.
    assert made.once == ("B: the log has none.",)


def test_a_fact_that_all_rows_share_is_said_once() -> None:
    made = shown((Cell(text="lab"),) * 2, (Cell(text="x"), Cell(text="y")))
    assert (labels(made), made.once) == (["B"], ("A: lab.",))


def test_what_differs_stays_in_text_or_in_reason() -> None:
    made = shown((Cell(text="x"), Cell(text="y")), (Cell(text="x"), NOTHING))
    assert (labels(made), made.once) == (["A", "B"], ())
    toned = (Cell(text="–", note="one", tone="worse"), Cell(text="–", note="two"))
    assert labels(shown((Cell(text="x"), NOTHING), toned)) == ["A", "B"]


def test_a_column_without_a_value_gives_the_reason_of_one_row_where_they_differ() -> None:
    reasons = (Cell(text="–", note="one"), Cell(text="–", note="two."))
    made = shown((Cell(text="x"), Cell(text="y")), reasons)
    last = made.rows[-1].label
    assert (labels(made), made.once) == (["A"], (f"B: none (for {last}: two).",))


def test_a_column_without_a_value_or_a_reason_costs_no_table_of_its_page() -> None:
    foot = (Row(key="@", label="all", cells=(Cell(text=""), Cell(text="z"))),)
    inner = table((NOTHING,) * 2, (Cell(text="x"), Cell(text="y")), foot=foot)
    chart = Chart(id="c", caption="", asset="", table=inner)
    place = Place(path="/", title="", heading="", description="")
    (changed,) = without_repeats(Page(place, inner, (chart,))).charts
    assert changed.table is not None
    assert (labels(changed.table), changed.table.once) == (["B"], ())


def test_numbers_verdicts_and_links_stay() -> None:
    verdict = Cell(text="no change seen", tone="same")
    link, number = Cell(text="run", url="/"), Cell(text="1", sort=1.0)
    assert labels(shown((verdict,) * 2, (link,) * 2, (number,) * 2)) == ["A", "B", "C"]
    assert labels(shown((Cell(text="1"),) * 2, numeric=True)) == ["A"]


def test_the_only_row_keeps_what_it_says() -> None:
    made = shown((Cell(text="lab"),), (NOTHING,))
    assert (labels(made), made.once) == (["A"], ())


def test_columns_that_have_to_stay_do_and_so_do_releases() -> None:
    assert labels(shown((NOTHING,) * 2, stays=True)) == ["A"]
    assert labels(shown((NOTHING,) * 2, by_release=True)) == ["A"]
    assert labels(shown((Cell(text="the same"),) * 2, stays=True)) == ["A"]


def test_rows_that_sum_up_count_and_lose_the_column_too() -> None:
    foot = (Row(key="@", label="", cells=(Cell(text="lab"), Cell(text="z"))),)
    same, other = (Cell(text="lab"),) * 2, (Cell(text="x"), Cell(text="y"))
    made = shown(same, other, foot=foot)
    assert (labels(made), made.foot[0].cells) == (["B"], (Cell(text="z"),))
    differs = msgspec.structs.replace(foot[0], cells=(Cell(text="c"), Cell(text="z")))
    assert labels(shown(same, other, foot=(differs,))) == ["A", "B"]


def test_tables_inside_of_what_a_page_shows_are_changed_too() -> None:
    place = Place(path="/", title="", heading="", description="")
    inner = table((NOTHING,) * 2, (Cell(text="x"), Cell(text="y")))
    chart = Chart(id="c", caption="", asset="", table=inner)
    page = without_repeats(Page(place, table((NOTHING,)), (chart,)))
    (changed,) = page.charts
    assert changed.table is not None
    assert labels(changed.table) == ["B"]


def test_a_table_that_a_script_fills_keeps_its_columns() -> None:
    heads = table((NOTHING,)).columns
    assert of_page(Table(id="t", caption="", row_head="", columns=heads, rows=())).columns == heads
