"""Share links, embed pages and alt text for figures."""

import re

from perfpress.site.shapes.blocks import Chart, Graph, ShareLinks
from perfpress.site.shapes.pages import DiffPage, Page, StepPage, VariantPage

EMBED = "embed/"
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
    svg: str = "",
    has_embed: bool = True,
) -> ShareLinks:
    """Return how a figure is shared.

    Args:
        page: address of the page that it is first of all on.
        anchor: its id there.
        image: address of a picture of it.
        size: of the picture, in pixels.
        words: what it shows, with the verdict.
        svg: address of the same picture as an SVG.
        has_embed: there is a page of the page's figures alone.
    """
    alt = re.sub(r"\s+", " ", words).strip()
    if len(alt) > LONGEST_ALT:
        alt = f"{alt[: LONGEST_ALT - 1]}…"
    width, height = size
    return ShareLinks(
        page=f"{page}#{anchor}",
        image=image,
        svg=svg,
        width=width,
        height=height,
        alt=alt,
        has_embed=has_embed,
    )


def pictures_of(page: Page) -> list[str]:
    """Return the addresses of the pictures of a page's figures, which other sites may show.

    Where there are any, there is a page with the figures alone.
    """
    shares = [figure.share for figure in _figures_of(page) if figure.share]
    return [picture for each in shares for picture in (each.image, each.svg) if picture]


def _figures_of(page: Page) -> list[Graph | Chart]:
    found: tuple[Graph | Chart | None, ...] = ()
    match page:
        case StepPage():
            charts = (page.comparison, *page.charts, page.percentiles, *page.traces)
            found = (*page.graphs, *charts)
        case DiffPage():
            found = (page.graph,)
        case VariantPage():
            found = (page.by_release,)
    return [figure for figure in found if figure is not None]
