"""The files that the job of a chart writes."""

from typing import Any

from pipeline.node.jobs import Output

IN_PAGE = "chart.svg"
"""Written into the page, whose style sheet colours it."""
ALONE = "alone.svg"
"""With its colours, the title above it and the address of its page below."""
PICTURE = "picture.png"
"""The same in pixels."""


def chart_files(page: str) -> dict[str, Any]:
    """Return the part of a chart's request that says what is written.

    Args:
        page: address of the page that it stands on.
    """
    return {
        "page": page,
        "out": Output(IN_PAGE),
        "alone": Output(ALONE),
        "picture": Output(PICTURE),
    }
