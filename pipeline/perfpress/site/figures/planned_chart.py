"""Charts before they are drawn: the request to Node, and the table and addresses beside it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from perfpress.analysis.study.profiles import CellKey
from perfpress.base.node.messages.charts import ChartRequest
from perfpress.base.node.messages.message import Output
from perfpress.site.addresses import step_address
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Table

IN_PAGE = "chart.svg"
"""Written into the page, whose style sheet colours it."""
ALONE = "alone.svg"
"""With its colours, the title above it and the address of its page below."""
PICTURE = "picture.png"
"""The same in pixels."""


@dataclass(frozen=True, kw_only=True)
class PlannedChart:
    """One chart on one page. Request and table hold all its numbers, and are made on demand."""

    page: str
    """Address of the page."""
    name: str
    """Of its files, without their endings."""
    caption: str
    request: Callable[[], ChartRequest]
    table: Callable[[], Table | None] = lambda: None
    """The same numbers."""
    cell: CellKey | None = None
    """What the page is about, if it is a cell: the alternative text has its verdict."""
    anchor: str = ""
    """On the page; made from the caption where it is empty."""
    has_embed: bool = True
    """Whether there is a page of the page's figures alone."""

    @property
    def svg(self) -> str:
        """The address of the chart as a file: no two charts share it."""
        return f"{self.page}{self.name}.svg"


def page_of(figures: Figures, cell: CellKey) -> str:
    """Return the address of the page of a cell."""
    return step_address(figures.study.report, cell)


def chart_files(page: str) -> dict[str, Any]:
    """Return the output files and the page address of a chart's request.

    Args:
        page: address of the page with the chart.
    """
    return {
        "page": page,
        "out": Output(IN_PAGE),
        "alone": Output(ALONE),
        "picture": Output(PICTURE),
    }
