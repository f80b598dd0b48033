"""Atom feeds of changes: of the whole site, and of each report (RFC 4287)."""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, time
from functools import cache
from heapq import nsmallest
from itertools import chain
from uuid import NAMESPACE_URL, uuid5
from xml.etree import ElementTree

import msgspec

from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import Study
from perfpress.analysis.verdicts.level_changes import ChangeGroup
from perfpress.analysis.verdicts.states import State
from perfpress.analysis.verdicts.verdicts import Verdict
from perfpress.base.display import short_name
from perfpress.base.groups import grouped
from perfpress.input.corrections.files import Rename
from perfpress.input.report.report import Report
from perfpress.site.addresses import Identity, report_address, step_address
from perfpress.site.report_figures import Figures
from perfpress.site.tables.level_changes import change_address
from perfpress.site.tables.verdict_cells import evidence
from perfpress.site.words.common_functions import CommonFunction, CommonFunctions
from perfpress.site.words.level_changes import change_text, group_evidence, group_title
from perfpress.site.words.other_evidence import beside_level_change
from perfpress.site.words.step_headline import verdict_line

FEED = "feed.xml"
"""Below the address of the site, and of each report."""
MOST_ENTRIES = 100
"""The newest; `verdicts.json` of each release has all."""
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
"""Date of a change without any."""
REPORTED = tuple(state for state in State if state.is_change or state.row.gate == "fail")

ATOM = "http://www.w3.org/2005/Atom"
NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold, not even escaped."""


class FeedEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of a feed."""

    name: str
    """Unique and the same for ever: the source of the id."""
    title: str
    updated: datetime
    summary: str
    address: str
    category: str


def feed_entries(figures: Figures, common_functions: CommonFunctions) -> list[FeedEntry]:
    """Return the newest changes of a report, those first whose runs are newest."""
    # Their words are written for those alone that come in: all take longer than the verdicts did.
    found = [_entry(figures, verdict) for verdict in _newest_verdicts(figures)]
    found += [
        _level_entry(figures, group, common_functions.get(group.key))
        for group in figures.change_groups
    ]
    return sorted(found, key=_newest_first)[:MOST_ENTRIES]


def _newest_verdicts(figures: Figures) -> list[Verdict]:
    """Return the verdicts with the newest runs, which most releases have none of: they stay unread.

    A verdict is as new as the newest run of its cell or of the one compared with.
    """
    study, verdicts = figures.study, figures.verdicts
    cells = grouped(verdicts.cells, lambda cell: cell.release)

    @cache
    def newest_run(release: str) -> datetime:
        started = (each.bundle.run.started for each in study.runs_of(release))
        return max((_date_of(study, release), *filter(None, started)))

    newest: dict[str, datetime] = {}
    for (release, _, base), counts in figures.verdicts.counts.items():
        if not counts.keys().isdisjoint(REPORTED):
            runs = (newest_run(release), newest_run(base))
            newest[release] = max(newest.get(release, LONG_AGO), *runs)
    found: list[Verdict] = []
    for release in sorted(newest, key=newest.__getitem__, reverse=True):
        if len(found) == MOST_ENTRIES and newest[release] < _updated(study, found[-1]):
            break
        own = chain.from_iterable(map(verdicts.of_cell, cells[release]))
        reported = (each for each in own if each.state in REPORTED)
        found = nsmallest(MOST_ENTRIES, (*found, *reported), key=lambda each: _order(study, each))
    return found


def site_feed(identity: Identity, entries: Iterable[FeedEntry]) -> bytes:
    """Return the feed of all reports."""
    return _feed(
        identity, f"{identity.title}: what changed", "/", sorted(entries, key=_newest_first)
    )


def report_feed(identity: Identity, report: Report, entries: Sequence[FeedEntry]) -> bytes:
    """Return the feed of one report."""
    return _feed(identity, f"{report.title}: what changed", report_address(report), entries)


def _newest_first(entry: FeedEntry) -> tuple[float, str]:
    return -entry.updated.timestamp(), entry.name


def _order(study: Study, verdict: Verdict) -> tuple[float, str]:
    """Return where the entry of a verdict comes, as `_newest_first` says."""
    return -_updated(study, verdict).timestamp(), _name(study, verdict)


def _updated(study: Study, verdict: Verdict) -> datetime:
    cell = verdict.cell
    return max(_newest_run(study, each) for each in (cell, cell.in_release(verdict.base)))


def _name(study: Study, verdict: Verdict) -> str:
    cell = verdict.cell
    return "/".join(
        (
            study.report.id,
            _first_name(study, "release", cell.release),
            cell.variant,
            _first_name(study, "step", cell.step),
            "vs",
            _first_name(study, "release", verdict.base),
        )
    )


def _entry(figures: Figures, verdict: Verdict) -> FeedEntry:
    study, cell = figures.study, verdict.cell
    report = study.report
    variant = "" if cell.variant == report.default_variant else f", {report.variants[cell.variant]}"
    line = verdict_line(figures, verdict)
    return FeedEntry(
        name=_name(study, verdict),
        title=f"{short_name(f'{cell.step} on {study.label(cell.release)}{variant}')}: {line}",
        updated=_updated(study, verdict),
        summary=f"{report.title}. {evidence(study, verdict)}.",
        address=step_address(report, cell),
        category="one run" if verdict.state.row.is_one_run else "confirmed",
    )


def _level_entry(figures: Figures, group: ChangeGroup, common: CommonFunction | None) -> FeedEntry:
    study = figures.study
    report = study.report
    is_default = group.variant == report.default_variant
    variant = "" if is_default else f", {report.variants[group.variant]}"
    cells = [CellKey(group.release, group.variant, step) for step in group.changes]
    steps = "; ".join(f"{step} {change_text(each)}" for step, each in group.changes.items())
    return FeedEntry(
        name="/".join(
            (
                report.id,
                _first_name(study, "release", group.release),
                group.variant,
                "level",
                "rise" if group.is_rise else "drop",
                "lasting" if group.is_lasting else "newest",
            )
        ),
        title=short_name(f"Level change: {group_title(study, group)}{variant}"),
        updated=max(_newest_run(study, cell) for cell in cells),
        summary=(
            f"{report.title}. Throughput, {group_evidence(group)}. "
            f"{f'{common.sentence} ' if common else ''}{steps}."
            f"{beside_level_change(figures, group)}"
        ),
        address=change_address(report, group),
        category="confirmed" if group.is_lasting else "one run",
    )


def _first_name(study: Study, what: str, name: str) -> str:
    """Return what a release or step was called before all renames: ids outlive them."""
    for correction in reversed(study.corrections):
        change = correction.change
        if isinstance(change, Rename) and change.what == what and change.new == name:
            name = change.old
    return name


def _newest_run(study: Study, cell: CellKey) -> datetime:
    """Return the start of the newest run of a cell; without one, the date of the release."""
    started = [each.bundle.run.started for each in study.of_cell(cell) if each.bundle.run.started]
    if started:
        return max(started)
    return _date_of(study, cell.release)


def _date_of(study: Study, release: str) -> datetime:
    date = study.report.release(release).date
    return datetime.combine(date, time(), UTC) if date else LONG_AGO


def _feed(identity: Identity, title: str, address: str, entries: Sequence[FeedEntry]) -> bytes:
    feed = ElementTree.Element("feed", xmlns=ATOM)
    _add(feed, "id", _id_of(f"feed of {address}"))
    _add(feed, "title", title)
    _add(feed, "updated", _instant(entries[0].updated if entries else LONG_AGO))
    _add(_add(feed, "author"), "name", identity.title)
    here = identity.url_of(f"{address}{FEED}")
    _add(feed, "link", rel="self", type="application/atom+xml", href=here)
    _add(feed, "link", rel="alternate", type="text/html", href=identity.url_of(address))
    for each in entries[:MOST_ENTRIES]:
        entry = _add(feed, "entry")
        _add(entry, "id", _id_of(each.name))
        _add(entry, "title", each.title)
        _add(entry, "updated", _instant(each.updated))
        url = identity.url_of(each.address)
        _add(entry, "link", rel="alternate", type="text/html", href=url)
        _add(entry, "category", term=each.category)
        _add(entry, "summary", each.summary)
    ElementTree.indent(feed)
    text: bytes = ElementTree.tostring(feed, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def _add(
    parent: ElementTree.Element, name: str, text: str = "", **attributes: str
) -> ElementTree.Element:
    child = ElementTree.SubElement(parent, name, attributes)
    child.text = NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text) or None
    return child


def _id_of(name: str) -> str:
    """Return an id that stays the same wherever the site moves."""
    return uuid5(NAMESPACE_URL, f"perfpress:{name}").urn


def _instant(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
