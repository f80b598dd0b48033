"""Flame graphs and diffs as pages show them, with the files to download beside them."""

from collections.abc import Sequence

from pipeline.analysis.quality import Quality
from pipeline.display import plural
from pipeline.node.jobs import Done
from pipeline.site_data.addresses import diff_address, step_address
from pipeline.site_data.cost_cells import work_text
from pipeline.site_data.directory import SiteDirectory
from pipeline.site_data.figures import Figures, event_of
from pipeline.site_data.function_tables import changes_table, functions_table
from pipeline.site_data.graph_jobs import DiffKey, work_done
from pipeline.site_data.quality_facts import quality_facts
from pipeline.site_data.quality_warnings import warnings_of
from pipeline.site_data.shapes import Graph, GraphWork, Notice
from pipeline.site_data.shares import CARD_SIZE, share_of
from pipeline.site_data.verdict_words import cell_words, pair_sentences
from pipeline.slug import slug
from pipeline.study.profiles import CellKey, CellProfile
from pipeline.units import TIME_UNITS, UNNAMED, WAITS, noun, weight_text, whole_unit


def flame_graph_id(figures: Figures, made: CellProfile) -> str:
    """Return the name under which a flame graph keeps its state in links."""
    return slug(f"flamegraph{event_suffix(figures, made)}-{made.cell.release}-{made.cell.step}")


def diff_graph_id(key: DiffKey) -> str:
    """Return the name under which a diff keeps its state in links."""
    return slug(f"diff-{key.cell.release}-{key.cell.step}-{key.base}")


def flame_graph(
    figures: Figures, cell: CellKey, made: CellProfile, drawn: Done, directory: SiteDirectory
) -> Graph:
    """Publish the flame graph of a cell and event; return it for the cell's page."""
    study = figures.study
    profiles = figures.profiles[cell]
    profile = next(each for own, each in profiles if own.event == made.event)
    # The addresses promise `flamegraph.svg`; further events of a cell are told by their names.
    suffix = event_suffix(figures, made)
    address = step_address(study.report, cell.release, cell.step, cell.variant)
    name = f"flamegraph{suffix}"
    asset = directory.add_drawing(f"{address.strip('/')}/{name}.svg", drawn.artifact("inline.svg"))
    of = f" of {made.event}" if len(profiles) > 1 else ""
    downloads = (
        directory.add_download(
            f"{address}{name}.svg", drawn.artifact("flamegraph.svg"), f"Flame graph{of}, SVG"
        ),
        directory.add_download(
            f"{address}{name}.png", drawn.artifact("flamegraph.png"), f"Flame graph{of}, PNG"
        ),
        directory.add_download(
            f"{address}stacks{suffix}.folded.gz", made.folded, f"Folded stacks{of}, gzip"
        ),
        directory.add_download(
            f"{address}profile{suffix}.json", made.profile, f"Profile{of}, JSON"
        ),
    )
    label = study.label(cell.release)
    samples = "" if profile.samples is None else f" in {profile.samples:,} samples"
    quality = figures.qualities[cell, made.event]
    return Graph(
        id=flame_graph_id(figures, made),
        caption=_caption(whole_unit(made.unit), f"{cell.step} on {label}"),
        asset=asset,
        profile_url=f"{address}profile{suffix}.json",
        work=_work(figures, made),
        share=share_of(
            address,
            flame_graph_id(figures, made),
            f"{address}{name}.png",
            CARD_SIZE,
            f"Flame graph of {cell_words(figures, cell)}{of and f'; {made.event}'}",
        ),
        folded=f"{address}stacks{suffix}.folded.gz",
        heading=_heading(made, several=len(profiles) > 1),
        warnings=_quality_notices(quality),
        summary=(
            f"Event {made.event}, {weight_text(profile.total, made.unit)}{samples} from "
            f"{plural(quality.captures, 'capture')}; {work_text(figures, cell, made.event)}.",
            *_left_out(drawn),
        ),
        quality=quality_facts(quality),
        table=functions_table(
            drawn.result["functions"], slug(f"functions-{name}-{cell.release}-{cell.step}")
        ),
        downloads=downloads,
    )


def diff_graph(figures: Figures, key: DiffKey, drawn: Done, directory: SiteDirectory) -> Graph:
    """Publish the diff of two profiles; return it for its page."""
    study = figures.study
    cell = key.cell
    address = diff_address(study.report, cell.release, cell.step, cell.variant, key.base)
    asset = directory.add_drawing(f"{address.strip('/')}/diff.svg", drawn.artifact("inline.svg"))
    downloads = (
        directory.add_download(f"{address}diff.svg", drawn.artifact("diff.svg"), "Diff, SVG"),
        directory.add_download(f"{address}diff.png", drawn.artifact("diff.png"), "Diff, PNG"),
        directory.add_download(
            f"{address}diff.folded.gz",
            drawn.artifact("diff.folded.gz"),
            "Two-column folded stacks, gzip",
        ),
        directory.add_download(f"{address}diff.json", drawn.artifact("diff.json"), "Diff, JSON"),
        directory.add_download(
            f"{address}suspects.json", drawn.artifact("suspects.json"), "Suspects, JSON"
        ),
    )
    label, base = study.label(cell.release), study.label(key.base)
    sides = figures.common_profile(cell, key.base_cell) or ()
    name = diff_graph_id(key)
    return Graph(
        id=name,
        caption=f"What changed in {cell.step} from {base} to {label}",
        asset=asset,
        profile_url=f"{address}diff.json",
        share=share_of(
            address,
            name,
            f"{address}diff.png",
            CARD_SIZE,
            f"Flame graph of {pair_sentences(figures, cell, key.base)}",
        ),
        summary=(
            drawn.result["about"],
            drawn.result["noise"],
            *_other_events(figures, key),
        ),
        warnings=tuple(
            notice
            for made in sides
            for notice in _quality_notices(
                figures.qualities[made.cell, made.event], study.label(made.cell.release)
            )
        ),
        table=changes_table(drawn.result["functions"], f"functions-{name}", base, label),
        downloads=downloads,
    )


def _other_events(figures: Figures, key: DiffKey) -> tuple[str, ...]:
    """Return that both sides were captured with other events, too, of which no diff is drawn."""
    after, base = (
        {event_of(each): each for each in figures.study.profiles.get(of, ())}
        for of in (key.cell, key.base_cell)
    )
    compared = figures.common_profile(key.cell, key.base_cell)
    drawn = event_of(compared[0]) if compared else None
    others = " and ".join(event for event, _ in sorted((after.keys() & base.keys()) - {drawn}))
    if compared is None or not others:
        return ()
    return (
        f"This is of {compared[0].event}. Both were captured with {others}, too: "
        "perfpress diff compares their profiles.",
    )


def _work(figures: Figures, made: CellProfile) -> GraphWork | None:
    work = work_done(figures, made)
    return GraphWork(**work) if work else None


def event_suffix(figures: Figures, made: CellProfile) -> str:
    """Return what tells the files of a profile from those of the cell's first; empty for that."""
    return _suffix(made, figures.study.profiles[made.cell])


def _suffix(made: CellProfile, profiles: Sequence[CellProfile]) -> str:
    """Return what tells the files of a profile from those of the cell's first."""
    at = next(at for at, each in enumerate(profiles) if each.event == made.event)
    if at == 0:
        return ""
    names = [slug(each.event) for each in profiles]
    # `cycles:u` and `cycles-u` have one slug; the first keeps it
    return f".{names[at]}" if names.index(names[at], 1) == at else f".{names[at]}-{at}"


def _caption(unit: str, of: str) -> str:
    if unit == WAITS:
        return f"Where {of} waits"
    if unit in TIME_UNITS:
        return f"Where {of} spends its {noun(unit)}"
    return f"Where the {noun(unit)} of {of} come from"


def _heading(made: CellProfile, *, several: bool) -> str:
    """Return the heading of a graph's part of the page; it names the event if there are others."""
    unit = whole_unit(made.unit)
    heading = f"Where the {noun(unit)} come from"
    if unit == WAITS:
        heading = "Where it waits"
    elif unit == UNNAMED or unit in TIME_UNITS:
        heading = "Where the time goes"
    return f"{heading}: {made.event}" if several else heading


def _quality_notices(quality: Quality, label: str = "") -> tuple[Notice, ...]:
    """Return what is poor in a profile, each under the name of its release if one is given."""
    before = f"{label}: " if label else ""
    return tuple(Notice(kind="warning", text=before + each.text) for each in warnings_of(quality))


def _left_out(drawn: Done) -> tuple[str, ...]:
    frames = drawn.result.get("inline_left_out", 0)
    if not frames:
        return ()
    return (f"{frames:,} frames too thin to draw here are in the downloads.",)
