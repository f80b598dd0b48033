"""Draws cards: the pictures of pages where they are linked to, in a chat or on another site.

A page has the card of the nearest page above it that has one of its own: a graph where there is
one, else the table of verdicts of its release, of its report, or of the site.
"""

from collections.abc import Collection, Mapping, Sequence
from math import log

import msgspec

from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import Study
from perfpress.analysis.verdicts.states import State, Tone
from perfpress.analysis.verdicts.verdicts import Verdict
from perfpress.base.display import NO_VALUE, PERCENT, number, plural_of, ratio_text, short_name
from perfpress.base.node.jobs import Done, Job
from perfpress.base.node.messages.charts import (
    CardCell,
    CardColumn,
    CardRow,
    TableCardAnswer,
    TableCardRequest,
)
from perfpress.base.node.messages.message import Output
from perfpress.site.addresses import (
    Identity,
    all_releases_address,
    diff_address,
    release_address,
    report_address,
    step_address,
    variant_address,
)
from perfpress.site.directory import SiteDirectory
from perfpress.site.report_figures import DiffKey, Figures
from perfpress.site.report_title import MARK
from perfpress.site.shapes.blocks import Graph, Table
from perfpress.site.shapes.pages import Card, Page
from perfpress.site.shapes.site import ListedReport
from perfpress.site.tables.diff_findings import FindingsOfDiffs
from perfpress.site.words.function_changes import largest_by_step, largest_share_changes
from perfpress.site.words.measured import variant_has_rates
from perfpress.site.words.newest_release import newest_release_sentences
from perfpress.site.words.verdict_sentences import newest_release, plain, release_headline
from perfpress.site.words.verdicts import release_verdicts

FILE = "card.png"

CardJob = Job[TableCardRequest]


class CardOfPage(msgspec.Struct, frozen=True):
    """The card of a page, to be drawn."""

    page: str
    """The page's address."""
    request: TableCardRequest


COUNT_COLUMNS: dict[str, Tone] = {
    "Slower": "worse",
    "Faster": "better",
    "In one run": "unknown",
    "No change seen": "",
    "Unknown": "unknown",
}
"""The columns of a report's card, and the tones of their numbers."""


def release_cards(
    figures: Figures, findings: FindingsOfDiffs, releases: Collection[str]
) -> list[CardOfPage]:
    """Return the cards of releases.

    Args:
        figures: of the report.
        findings: what changed, by diff.
        releases: those whose cards are wanted.
    """
    study = figures.study
    variants = _variants_of_releases(study)
    return [
        CardOfPage(
            release_address(study.report, release),
            _release_card(figures, findings, release, _shown_variant(study, own)),
        )
        for release, own in variants.items()
        if release in releases
    ]


def report_cards(figures: Figures, findings: FindingsOfDiffs) -> list[CardOfPage]:
    """Return the cards of a report and of its variants, which show its title.

    Args:
        figures: of the report.
        findings: what changed, by diff.
    """
    report = figures.study.report
    variants = _variants_of_releases(figures.study)

    def card(page: str, variant: str, title: str, about: str) -> CardOfPage:
        own = [each for each in variants if variant in variants[each]]
        return CardOfPage(page, _releases_card(figures, findings, own, variant, title, about))

    default = report.default_variant
    return [
        *(
            card(variant_address(report, variant), variant, f"All steps on {name}", report.title)
            for variant, name in report.variants.items()
        ),
        card(report_address(report), default, report.title, report.variants[default]),
    ]


def site_card(
    identity: Identity, changes: Table | None, reports: Sequence[ListedReport]
) -> CardOfPage:
    """Return the card of the site: what changed lately, or else its reports."""
    if changes is None:
        rows = [CardRow(each.title, (CardCell(each.summary),)) for each in reports]
        head, columns, left = "Report", [("", False)], ("report", "reports")
        line = "No release is seen to be slower or faster than the one before."
    else:
        rows = [
            CardRow(
                row.label,
                tuple(
                    CardCell(f"{cell.mark} {cell.text}".strip(), cell.tone)
                    for cell in row.cells[:4]
                ),
            )
            for row in changes.rows
        ]
        head, left = "Step", ("step", "steps")
        columns = [(column.label, column.key == "change") for column in changes.columns[:4]]
        only = [plain((each.headline,)) for each in reports if len(reports) == 1]
        line = "".join(only) or "What changed lately"
    about = identity.base_url.partition("://")[2].strip("/")
    return CardOfPage("/", _request(identity.title, about, line, head, columns, rows, left))


def _variants_of_releases(study: Study) -> dict[str, set[str]]:
    """Return what each release was measured on, in the report's order of releases."""
    found = {release.id: set[str]() for release in study.report.releases}
    for each in study.step_runs:
        found[each.cell.release].add(each.cell.variant)
    return {release: variants for release, variants in found.items() if variants}


def _shown_variant(study: Study, variants: set[str]) -> str:
    default = study.report.default_variant
    if default in variants:
        return default
    return next(each for each in study.report.variants if each in variants)


def _release_card(
    figures: Figures, findings: FindingsOfDiffs, release: str, variant: str
) -> TableCardRequest:
    """Return the verdicts on all steps, the worst first; of the base, its rates."""
    study = figures.study
    report = study.report
    line = release_headline(figures, release, variant, names_steps=False)
    if not variant_has_rates(figures, variant):
        line = largest_share_changes(figures, release, variant, findings) or line
        columns, rows = _share_rows(figures, findings, release, variant)
    elif verdicts := release_verdicts(figures, release, variant, figures.study.base_of(variant)):
        columns = [("Ratio", True), (f"95{PERCENT} interval", True), ("Verdict", False)]
        rows = [_verdict_row(each) for each in sorted(verdicts, key=_worst_first)]
    else:
        columns = [("Median", True), ("", False), ("Runs", True)]
        rows = _rate_rows(figures, release, variant)
    return _request(
        study.label(release),
        report.variants[variant],
        plain((line,)),
        "Step",
        columns,
        rows,
        ("step", "steps"),
    )


def _worst_first(verdict: Verdict) -> tuple[bool, int, float]:
    """Order what failed, what is slower, what is faster, the rest; the largest change first."""
    state = verdict.state
    ratio = verdict.comparison.ratio if verdict.comparison else 1.0
    is_bad = state.is_slower or state is State.FAILED
    rank = state.row.rank if is_bad else -state.row.rank * state.is_change
    return not is_bad, rank, -abs(log(ratio))


def _verdict_row(verdict: Verdict) -> CardRow:
    compared = verdict.comparison
    interval = verdict.interval
    tone = verdict.state.row.tone
    words = verdict.state.row.word
    if verdict.state.row.has_limit and verdict.within is not None:
        words = f"{words} (±{100 * verdict.within:.2g}{PERCENT})"
    if verdict.accepted:
        words = f"{words}, accepted"
    between = f"{ratio_text(interval.low)} to {ratio_text(interval.high)}" if interval else NO_VALUE
    ratio = f"×{ratio_text(compared.ratio)}" if compared else NO_VALUE
    return CardRow(
        verdict.cell.step,
        [
            CardCell(ratio, tone),
            CardCell(between),
            CardCell(f"{verdict.state.row.mark} {words}".strip(), tone),
        ],
    )


def _share_rows(
    figures: Figures, findings: FindingsOfDiffs, release: str, variant: str
) -> tuple[list[tuple[str, bool]], list[CardRow]]:
    """Return the columns and the largest changes in share, of steps without rates."""
    changed = largest_by_step(figures, release, variant, findings)
    steps = figures.study.steps_with(release, variant)
    if not changed:
        return [], [CardRow(step, []) for step in steps]
    rows = [
        CardRow(step, [CardCell(words) for words in changed.get(step, (NO_VALUE, NO_VALUE))])
        for step in (*changed, *(each for each in steps if each not in changed))
    ]
    return [("Largest increase", False), ("Largest decrease", False)], rows


def _rate_rows(figures: Figures, release: str, variant: str) -> list[CardRow]:
    study = figures.study
    rows = []
    for step in study.steps_with(release, variant):
        summary = figures.summaries["throughput"].get(CellKey(release, variant, step))
        cells = [
            number(summary.median) if summary else NO_VALUE,
            f"{plural_of(study.operation(step))}/s" if summary else "",
            str(len(summary.values)) if summary else "0",
        ]
        rows.append(CardRow(step, [CardCell(text) for text in cells]))
    return rows


def _releases_card(
    figures: Figures,
    findings: FindingsOfDiffs,
    releases: Sequence[str],
    variant: str,
    title: str,
    about: str,
) -> TableCardRequest:
    """Return how many steps are faster and slower than the base, newest release first.

    Without rates these are the largest changes in share of the newest release's steps.
    """
    line = plain(newest_release_sentences(figures, variant, findings, names_steps=False)[:1])
    newest = newest_release(figures, variant)
    if newest is not None and not variant_has_rates(figures, variant):
        columns, rows = _share_rows(figures, findings, newest, variant)
        return _request(title, about, line, "Step", columns, rows, ("step", "steps"))
    rows = [_counts_row(figures, release, variant) for release in reversed(releases)]
    columns = [(label, True) for label in COUNT_COLUMNS]
    return _request(title, about, line, "Release", columns, rows, ("release", "releases"))


def _counts_row(figures: Figures, release: str, variant: str) -> CardRow:
    study = figures.study
    key = release, variant, study.base_of(variant)
    counts: Mapping[State, int] = figures.verdicts.counts.get(key, {})
    cells = []
    for label, tone in COUNT_COLUMNS.items():
        count = sum(own for state, own in counts.items() if _column_of(state) == label)
        cells.append(CardCell(str(count) if counts else NO_VALUE, tone if count else ""))
    is_base = release == study.base_of(variant)
    name = study.label(release)
    return CardRow(f"{name} (base)" if is_base else name, cells)


def _column_of(state: State) -> str:
    """Return the column of a card that counts a state."""
    if state.row.is_one_run:
        return "In one run"
    columns = {"better": "Faster", "worse": "Slower", "same": "No change seen"}
    return columns.get(state.row.tone, "Unknown")


def _request(
    title: str,
    about: str,
    line: str,
    row_head: str,
    columns: Sequence[tuple[str, bool]],
    rows: Sequence[CardRow],
    left: tuple[str, str],
) -> TableCardRequest:
    return TableCardRequest(
        title=title,
        about=about,
        line=line,
        row_head=row_head,
        columns=[CardColumn(label, numeric) for label, numeric in columns],
        rows=rows,
        rows_left=left[0],
        rows_left_many=left[1],
        out=Output(FILE),
    )


def card_job(request: TableCardRequest) -> CardJob:
    """Return the job that draws a card."""
    return CardJob(short_name(request.title), request)


def cards_of_graphs(
    study: Study, graphs: Mapping[CellKey, tuple[Graph, ...]], diffs: Mapping[DiffKey, Graph]
) -> dict[str, Card]:
    """Return the cards of pages that show a graph, by the address of the page.

    Args:
        study: the report.
        graphs: by cell, those of CPU time first.
        diffs: by what is compared.
    """
    report = study.report
    cards = {}
    order = [release.id for release in report.releases]
    for cell in sorted(graphs, key=lambda each: order.index(each.release)):
        own = graphs[cell]
        if own and own[0].share:
            card = Card(image=own[0].share.image, alt=own[0].share.alt)
            cards[step_address(report, cell)] = card
            # The last release's stays.
            cards[all_releases_address(report, cell.step, cell.variant)] = card
    for key, graph in diffs.items():
        if graph.share:
            cell = key.cell
            address = diff_address(report, cell, key.base)
            cards[address] = Card(image=graph.share.image, alt=graph.share.alt)
    return cards


def publish_card(page: str, drawn: Done[TableCardAnswer], directory: SiteDirectory) -> None:
    """Publish a card with the page of an address."""
    directory.add_download(f"{page}{FILE}", drawn.artifact(FILE), "Card, PNG")


def card_of(of: CardOfPage) -> Card:
    """Return a card as its page names it."""
    title = of.request.title
    shown = title if title == MARK else short_name(title)
    alt = f"{shown}. {short_name(of.request.line)}"
    return Card(image=f"{of.page}{FILE}", alt=alt)


def with_card(page: Page, cards: Mapping[str, Card]) -> Page:
    """Return a page with its card, or with the one of the nearest page above it."""
    if page.place.is_part:
        return page
    path = page.place.path
    while path not in cards and path != "/":
        path = f"{path.rstrip('/').rpartition('/')[0]}/"
    place = msgspec.structs.replace(page.place, card=cards.get(path))
    return msgspec.structs.replace(page, place=place)
