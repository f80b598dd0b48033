"""The files that the job of a chart writes."""

from typing import Any

from perfpress.base.node.jobs import Job
from perfpress.base.node.messages.charts import ChartRequest
from perfpress.base.node.messages.message import Output

ChartJob = Job[ChartRequest]

IN_PAGE = "chart.svg"
"""Written into the page, whose style sheet colours it."""
ALONE = "alone.svg"
"""With its colours, the title above it and the address of its page below."""
PICTURE = "picture.png"
"""The same in pixels."""


def chart_files(page: str) -> dict[str, Any]:
    """Return the part of a chart's request that says what is written.

    Args:
        page: address of the page with the chart.
    """
    return {
        "page": page,
        "out": Output(IN_PAGE),
        "alone": Output(ALONE),
        "picture": Output(PICTURE),
    }
