"""What readers take figures along by: a link, a picture with words, a page of the figure alone."""

import re

from pipeline.drilldown_files.markdown import escaped
from pipeline.site_data.directory import Page
from pipeline.site_data.shapes import DiffPage, Share, StepPage, VariantPage

BARE = "embed/"
"""Below the address of a page: its figures alone."""
CARD_SIZE = (1200, 630)
"""Pixels of a card, which is the picture of a graph."""
LONGEST_ALT = 400


def share_of(
    page: str,
    anchor: str,
    image: str,
    size: tuple[int, int],
    words: str,
    *,
    is_alone_too: bool = True,
) -> Share:
    """Return how a figure is shared.

    Args:
        page: address of the page that it is first of all on.
        anchor: its id there.
        image: address of a picture of it.
        size: of the picture, in pixels.
        words: what it shows, with the verdict.
        is_alone_too: there is a page of the page's figures alone.
    """
    alt = re.sub(r"\s+", " ", words).strip()
    if len(alt) > LONGEST_ALT:
        alt = f"{alt[: LONGEST_ALT - 1]}…"
    width, height = size
    return Share(
        page=f"{page}#{anchor}",
        image=image,
        width=width,
        height=height,
        alt=alt,
        markdown_alt=escaped(alt),
        bare=f"{page}{BARE}#{anchor}" if is_alone_too else "",
    )


def has_figures(page: Page) -> bool:
    """Tell whether there is a page with the figures of a page alone."""
    match page:
        case StepPage():
            charts = (page.comparison, page.percentiles, *page.charts, *page.traces)
            return bool(page.graphs) or any(charts)
        case DiffPage():
            return page.graph is not None
        case VariantPage():
            return page.by_release is not None
    return False
