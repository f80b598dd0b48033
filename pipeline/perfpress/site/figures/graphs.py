"""Flame graphs and diffs as pages show them, with the files to download."""

from perfpress.analysis.study.profiles import CellKey, CellProfile
from perfpress.base.display import plural
from perfpress.base.node.jobs import Done
from perfpress.base.node.messages.graphs import DiffAnswer, FlamegraphAnswer
from perfpress.base.node.messages.message import Answer
from perfpress.base.slugs import slug
from perfpress.base.units import TIME_UNITS, UNNAMED, WAITS, noun, weight_text, whole_unit
from perfpress.site.addresses import diff_address, diff_graph_id, step_address
from perfpress.site.directory import SiteDirectory
from perfpress.site.figures.graph_jobs import DIFF, work_done
from perfpress.site.figures.share_links import CARD_SIZE, share_of
from perfpress.site.report_figures import DiffKey, Figures, event_of
from perfpress.site.shapes.blocks import Graph, GraphWork, Notice
from perfpress.site.tables.frame_links import event_suffix, flame_graph_id
from perfpress.site.tables.functions import changes_table, functions_table, gone_table
from perfpress.site.words.measured import work_text
from perfpress.site.words.quality_facts import quality_facts
from perfpress.site.words.quality_warnings import warnings_of, warnings_of_sides
from perfpress.site.words.step_headline import cell_words, pair_words


def flame_graph(
    figures: Figures,
    cell: CellKey,
    made: CellProfile,
    drawn: Done[FlamegraphAnswer],
    directory: SiteDirectory,
) -> Graph:
    """Publish the flame graph of a cell and event; return it for the cell's page."""
    study = figures.study
    profiles = figures.profiles[cell]
    profile = next(each for own, each in profiles if own.event == made.event)
    # The addresses promise `flamegraph.svg`; further events of a cell are named.
    suffix = event_suffix(figures, made)
    address = step_address(study.report, cell)
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
        warnings=tuple(Notice(kind="warning", text=each.text) for each in warnings_of(quality)),
        summary=(
            f"Event {made.event}, {weight_text(profile.total, made.unit)}{samples} from "
            f"{plural(quality.captures, 'capture')}; {work_text(figures, cell, made.event)}.",
            *_left_out(drawn),
        ),
        quality=quality_facts(quality),
        table=functions_table(
            drawn.result.functions, slug(f"functions-{name}-{cell.release}-{cell.step}")
        ),
        downloads=downloads,
    )


def diff_graph(
    figures: Figures,
    key: DiffKey,
    compared: Done[Answer],
    drawn: Done[DiffAnswer],
    directory: SiteDirectory,
) -> Graph:
    """Publish the diff of two profiles; return it for its page."""
    study = figures.study
    cell = key.cell
    address = diff_address(study.report, cell, key.base)
    asset = directory.add_drawing(f"{address.strip('/')}/diff.svg", drawn.artifact("inline.svg"))
    downloads = (
        directory.add_download(f"{address}diff.svg", drawn.artifact("diff.svg"), "Diff, SVG"),
        directory.add_download(f"{address}diff.png", drawn.artifact("diff.png"), "Diff, PNG"),
        directory.add_download(
            f"{address}diff.folded.gz",
            compared.artifact("diff.folded.gz"),
            "Two-column folded stacks, gzip",
        ),
        directory.add_download(f"{address}diff.json", drawn.artifact(DIFF), "Diff, JSON"),
        directory.add_download(
            f"{address}suspects.json", drawn.artifact("suspects.json"), "Suspects, JSON"
        ),
    )
    label, base = study.label(cell.release), study.label(key.base)
    sides = figures.common_profile(cell, key.base_cell) or ()
    name = diff_graph_id(key.cell, key.base)
    return Graph(
        id=name,
        caption=f"Diff of {cell.step}, {base} → {label}",
        asset=asset,
        profile_url=f"{address}diff.json",
        share=share_of(
            address,
            name,
            f"{address}diff.png",
            CARD_SIZE,
            f"Flame graph of {pair_words(figures, cell, key.base)}",
        ),
        summary=(
            drawn.result.about,
            drawn.result.noise,
            *_other_events(figures, key),
        ),
        warnings=tuple(
            Notice(kind="warning", text=text)
            for text in warnings_of_sides(
                (study.label(made.cell.release), figures.qualities[made.cell, made.event])
                for made in reversed(sides)
            )
        ),
        table=changes_table(drawn.result.functions, f"functions-{name}", base, label),
        gone=gone_table(drawn.result.gone, figures.read(sides[1]), name, (base, label))
        if sides
        else None,
        downloads=downloads,
    )


def _other_events(figures: Figures, key: DiffKey) -> tuple[str, ...]:
    """Return a sentence on events that both sides have but that are not drawn as a diff."""
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
    return GraphWork(operations=work.operations, cost_unit=work.cost_unit) if work else None


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


def _left_out(drawn: Done[FlamegraphAnswer]) -> tuple[str, ...]:
    frames = drawn.result.inline_left_out
    if not frames:
        return ()
    return (f"{frames:,} frames too thin to draw here are in the downloads.",)
