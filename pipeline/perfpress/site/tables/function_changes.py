"""The table of functions whose own cost changed its level over the releases of a step."""

from collections.abc import Sequence

from perfpress.analysis.profiles.function_matrix import FunctionMatrix
from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.verdicts.function_changes import FunctionChange, function_changes
from perfpress.base.display import NO_VALUE, decimals_for, fixed, row_name, signed
from perfpress.base.units import noun
from perfpress.site.cell_pages import cell_url
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Cell, Row, Table
from perfpress.site.tables.columns import Column, filled_with_functions
from perfpress.site.tables.matrix_data import operations_of
from perfpress.site.words.level_changes import p_text

MOST_ROWS = 20


def function_changes_table(
    figures: Figures, cells: Sequence[CellKey], matrix: FunctionMatrix
) -> Table | None:
    """Return since which release functions cost more or less; None without any.

    Args:
        figures: of the report.
        cells: the releases that have a profile, in order.
        matrix: what their profiles hold, in the same order.
    """
    study = figures.study
    operations = [each for each in operations_of(figures, cells) if each]
    is_cost = len(operations) == len(cells)
    found = function_changes(matrix, operations if is_cost else matrix.totals)
    if not found:
        return None
    first = cells[0]
    event_unit = figures.events[first.step_key][1]
    shown = found[:MOST_ROWS]
    values = [value for each in shown for value in (each.before, each.after) if value]
    if is_cost:
        basis = "cost"
        factor, unit = figures.main_cost_unit(first.variant, first.step).shown(values)
    else:
        basis, factor, unit = f"share of {noun(event_unit)}", 100.0, "%"
    decimals = decimals_for((value * factor for value in values), 3)

    def since(change: FunctionChange) -> Cell:
        cell = cells[change.first]
        url = cell_url(study, cell)
        return Cell(text=study.label(cell.release), url=url, sort=change.first)

    def level(value: float) -> Cell:
        text = fixed(value * factor, decimals) if value else NO_VALUE
        return Cell(text=text, sort=value)

    def size(change: FunctionChange) -> Cell:
        growth = change.after - change.before
        return Cell(text=signed(growth * factor, decimals), sort=growth)

    def evidence(change: FunctionChange) -> Cell:
        counts = f"levels of {change.count_before} and {change.count_after} releases"
        return Cell(text=f"{counts}, {p_text(change.p)}")

    columns: tuple[Column[FunctionChange], ...] = (
        Column("since", "Since", since, numeric=False),
        Column("change", "Change", size, unit=unit if is_cost else "points"),
        Column("before", "From", lambda change: level(change.before), unit=unit),
        Column("after", "To", lambda change: level(change.after), unit=unit),
        Column("evidence", "Evidence", evidence, numeric=False),
    )
    more = len(found) - len(shown)
    return filled_with_functions(
        Table(
            id="function-changes",
            caption=f"Functions whose own {basis} changed at a release, the largest first",
            notes=(
                "Without what a function calls, over the whole profile. A function that was "
                "inlined, split or renamed goes and another comes at the same release.",
                *((f"{more} smaller changes are not listed.",) if more > 0 else ()),
            ),
        ),
        columns,
        shown,
        lambda each: f"{each.function.name}-{cells[each.first].release}",
        lambda each, key: Row(key=key, label=row_name(each.function.name)),
    )
