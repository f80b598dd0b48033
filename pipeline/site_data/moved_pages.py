"""Pages at addresses from before a rename: no link that was published ever breaks."""

from collections.abc import Sequence

from pipeline.corrections.files import Correction, Rename
from pipeline.site_data.page_shapes import MovedPage, Place
from pipeline.site_data.shapes import Link, Notice
from pipeline.slug import slug

RELEASE, STEP = 2, 3
"""Where they stand in `reports/<report>/<release>/<step>/…/vs/<base>`."""


def moved_pages(places: Sequence[Place], corrections: Sequence[Correction]) -> list[MovedPage]:
    """Return a page for every address that the pages had before they were renamed.

    Args:
        places: of the pages of one report, as they are called now.
        corrections: of the report, in their order.
    """
    taken = {place.path for place in places}
    moved: list[MovedPage] = []
    # Backwards, so that what was renamed twice is found under its first name too.
    for correction in reversed(corrections):
        change = correction.change
        if not isinstance(change, Rename):
            continue
        there = [(place, Link(label=place.heading, url=place.path)) for place in places]
        for place, now in (*there, *((page.place, page.now) for page in moved)):
            path = _former_path(place.path, change)
            if path not in taken:
                taken.add(path)
                moved.append(_moved_page(path, place, now, change))
    return moved


def _former_path(path: str, change: Rename) -> str:
    """Return the address that a page had before the rename; its own where it was not touched."""
    old, new = slug(change.old), slug(change.new)
    parts = path.strip("/").split("/")
    renamed = [RELEASE, parts.index("vs") + 1 if "vs" in parts else RELEASE]
    for at in renamed if change.what == "release" else [STEP]:
        if at < len(parts) and parts[at] == new:
            parts[at] = old
    return f"/{'/'.join(parts)}/"


def _moved_page(path: str, place: Place, now: Link, change: Rename) -> MovedPage:
    return MovedPage(
        place=Place(
            path=path,
            title=f"Renamed: {change.old}",
            heading=f"{change.old} is called {change.new} now",
            description=f"The {change.what} {change.old} was renamed to {change.new}.",
            breadcrumbs=place.breadcrumbs[:2],
        ),
        notices=(Notice(kind="correction", text=change.reason),),
        now=now,
    )
