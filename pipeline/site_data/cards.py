"""The cards of pages: what stands where a page is linked to, in a chat or on another site.

A page has the card of the nearest page above it that has one of its own: a graph where there is
one, else the table of verdicts of its release, of its report, or of the site.
"""

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from pipeline.display import short_name
from pipeline.node.jobs import Done, Job
from pipeline.site_data.addresses import all_releases_address, diff_address, step_address
from pipeline.site_data.card_jobs import FILE, card_jobs
from pipeline.site_data.directory import Page, SiteDirectory
from pipeline.site_data.figures import Figures
from pipeline.site_data.graph_jobs import DiffKey
from pipeline.site_data.page_shapes import Card
from pipeline.site_data.shapes import Graph
from pipeline.study.profiles import CellKey


def cards_of_report(
    figures: Figures,
    drawn: Mapping[str, Done],
    graphs: Mapping[CellKey, tuple[Graph, ...]],
    diffs: Mapping[DiffKey, Graph],
    directory: SiteDirectory,
) -> dict[str, Card]:
    """Publish the cards of a report's pages; return them by the address of the page.

    Args:
        figures: of the report.
        drawn: what `card_jobs` drew.
        graphs: by cell, those of CPU time first.
        diffs: by what is compared.
        directory: where the cards go.
    """
    report = figures.study.report
    cards = {
        address: publish_card(address, job, drawn[address], directory)
        for address, job in card_jobs(figures).items()
        if address in drawn
    }
    order = [release.id for release in report.releases]
    for cell in sorted(graphs, key=lambda each: order.index(each.release)):
        own = graphs[cell]
        if own and own[0].share:
            card = Card(image=own[0].share.image, alt=own[0].share.alt)
            cards[step_address(report, cell.release, cell.step, cell.variant)] = card
            # The last release's stays.
            cards[all_releases_address(report, cell.step, cell.variant)] = card
    for key, graph in diffs.items():
        if graph.share:
            cell = key.cell
            address = diff_address(report, cell.release, cell.step, cell.variant, key.base)
            cards[address] = Card(image=graph.share.image, alt=graph.share.alt)
    return cards


def publish_card(address: str, job: Job, drawn: Done, directory: SiteDirectory) -> Card:
    """Put a card that was drawn beside its page."""
    image = f"{address}{FILE}"
    directory.add_download(image, drawn.artifact(FILE), "Card, PNG")
    alt = ". ".join((short_name(job.request["title"]), short_name(job.request["line"])))
    return Card(image=image, alt=alt)


def with_cards(pages: Iterable[Page], cards: Mapping[str, Card]) -> Iterator[Page]:
    """Yield the pages, each with its card or with the one of the nearest page above it."""
    for page in pages:
        path = page.place.path
        while path not in cards and path != "/":
            path = f"{path.rstrip('/').rpartition('/')[0]}/"
        place = msgspec.structs.replace(page.place, card=cards.get(path))
        yield msgspec.structs.replace(page, place=place)
