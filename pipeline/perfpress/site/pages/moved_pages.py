"""Keeps addresses working from before a rename, and before variants were declared the same."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import Study
from perfpress.base.slugs import slug
from perfpress.input.bundles.variant import Variant, variant_of
from perfpress.input.corrections.files import Rename
from perfpress.input.corrections.sentences import sentence_of
from perfpress.site.addresses import all_releases_address, step_address, variant_address
from perfpress.site.shapes.blocks import Link, Notice
from perfpress.site.shapes.pages import MovedPage, Place

RELEASE, STEP = 2, 3
"""Their positions in `reports/<report>/<release>/<step>/…/vs/<base>`."""


def has_moved(study: Study) -> bool:
    """Return whether pages of a report had other addresses before."""
    return bool(_renames(study) or study.report.same_configs.variants)


def moved_pages(places: Sequence[Place], study: Study) -> list[MovedPage]:
    """Return a page for every address that the pages of a report had before.

    Args:
        places: of the pages, as they are called now.
        study: the report, its runs and its corrections.
    """
    taken = {place.path for place in places}
    moved: list[MovedPage] = []
    for page in _of_same_configs(places, study):
        if page.place.path not in taken:
            taken.add(page.place.path)
            moved.append(page)
    # Backwards, so that what was renamed twice is found under its first name too.
    for change in reversed(_renames(study)):
        there = [(place, Link(label=place.heading, url=place.path)) for place in places]
        for place, now in (*there, *((page.place, page.now) for page in moved)):
            path = _former_path(place.path, change)
            if path not in taken:
                taken.add(path)
                moved.append(_moved_page(path, place, now, change))
    return moved


def _renames(study: Study) -> list[Rename]:
    return [each.change for each in study.corrections if isinstance(each.change, Rename)]


def _of_same_configs(places: Sequence[Place], study: Study) -> Iterator[MovedPage]:
    """Yield the pages that variants had by themselves which are shown as one with others."""
    report = study.report
    marked = replace(report, default_variant="")  # every address names its variant
    former: dict[str, dict[str, Variant]] = {}
    for bundle in (run.bundle for run in study.runs):
        now, own, release = bundle.variant.slug, variant_of(bundle.run), bundle.run.release
        if own.slug not in report.same_configs.variants:
            continue
        address = variant_address(report, now)
        former.setdefault(address, {})[variant_address(report, own.slug)] = own
        for step in (step.name for step in bundle.steps):
            address = step_address(report, CellKey(release, now, step))
            before = step_address(marked, CellKey(release, own.slug, step))
            former.setdefault(address, {})[before] = own
            address = all_releases_address(report, step, now)
            former.setdefault(address, {})[all_releases_address(marked, step, own.slug)] = own
    for place in places:
        page, vs, base = place.path.partition("/vs/")
        head = f"{page}/" if vs else page
        for address, own in former.get(head, {}).items():
            yield _page_of_same_config(f"{address}{vs[1:]}{base}", place, own, study)


def _page_of_same_config(path: str, place: Place, own: Variant, study: Study) -> MovedPage:
    shown = study.report.variants[study.report.same_configs.variant_slug(own.slug)]
    text = f"The report declares these configurations the same: {shown}."
    return MovedPage(
        place=Place(
            path=path,
            title=f"Moved: {own.label}",
            heading=f"{own.label} is shown as {shown}",
            description=text,
            breadcrumbs=place.breadcrumbs[:2],
        ),
        notices=(Notice(kind="correction", text=text),),
        now=Link(label=place.heading, url=place.path),
    )


def _former_path(path: str, change: Rename) -> str:
    """Return the address that a page had before the rename; its own if unaffected."""
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
            heading=f"{change.old} is now called {change.new}",
            description=sentence_of(change),
            breadcrumbs=place.breadcrumbs[:2],
        ),
        notices=(Notice(kind="correction", text=sentence_of(change)),),
        now=now,
    )
