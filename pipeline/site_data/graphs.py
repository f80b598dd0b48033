"""Flame graphs and diffs as pages show them, with the files to download beside them."""

import msgspec

from pipeline.display import number
from pipeline.jobs import Done
from pipeline.profiles import CellKey, CellProfile
from pipeline.site_data.addresses import diff_address, step_address
from pipeline.site_data.cost_cells import work_text
from pipeline.site_data.diff_page import functions_of_diff
from pipeline.site_data.directory import SiteDirectory
from pipeline.site_data.figures import Figures
from pipeline.site_data.function_tables import functions_table
from pipeline.site_data.graph_jobs import DiffKey
from pipeline.site_data.shapes import Graph
from pipeline.slug import slug


def flame_graph(
    figures: Figures, cell: CellKey, made: CellProfile, drawn: Done, directory: SiteDirectory
) -> Graph:
    """Publish the flame graph of a cell and event; return it for the cell's page."""
    study = figures.study
    profiles = figures.profiles[cell]
    profile = next(each for own, each in profiles if own.event == made.event)
    # The addresses promise `flamegraph.svg`; further events of a cell are told by their names.
    suffix = "" if made is profiles[0][0] else f".{slug(made.event)}"
    address = step_address(study.report, cell.release, cell.step, cell.variant)
    name = f"flamegraph{suffix}"
    asset = directory.add_drawing(f"{address.strip('/')}/{name}.svg", drawn.artifact("inline.svg"))
    downloads = (
        directory.add_download(
            f"{address}{name}.svg", drawn.artifact("flamegraph.svg"), "Flame graph, SVG"
        ),
        directory.add_download(
            f"{address}stacks{suffix}.folded.gz", made.folded, "Folded stacks, gzip"
        ),
        directory.add_download(f"{address}profile{suffix}.json", made.profile, "Profile, JSON"),
    )
    label = study.label(cell.release)
    return Graph(
        id=slug(f"{name}-{cell.release}-{cell.step}"),
        caption=f"Where {cell.step} on {label} spends its {made.unit}",
        asset=asset,
        profile_url=f"{address}profile{suffix}.json",
        summary=(
            f"Event {made.event}, {number(profile.total)} {made.unit}"
            + (f" in {profile.samples:,} samples" if profile.samples is not None else "")
            + f" from {len(made.captures)} captures; {work_text(figures, cell, made.event)}.",
            *_left_out(drawn),
        ),
        table=functions_table(profile, slug(f"functions-{name}-{cell.release}-{cell.step}")),
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
        directory.add_download(
            f"{address}diff.folded.gz",
            drawn.artifact("diff.folded.gz"),
            "Two-column folded stacks, gzip",
        ),
        directory.add_download(f"{address}diff.json", drawn.artifact("diff.json"), "Diff, JSON"),
    )
    label, base = study.label(cell.release), study.label(key.base)
    name = slug(f"diff-{cell.release}-{cell.step}-{key.base}")
    return Graph(
        id=name,
        caption=f"What changed in {cell.step} from {base} to {label}",
        asset=asset,
        profile_url=f"{address}diff.json",
        table=msgspec.structs.replace(functions_of_diff(figures, key), id=f"functions-{name}"),
        downloads=downloads,
    )


def _left_out(drawn: Done) -> tuple[str, ...]:
    frames = drawn.result.get("inline_left_out", 0)
    if not frames:
        return ()
    return (f"{frames:,} frames too thin to draw here are in the downloads.",)
