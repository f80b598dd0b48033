"""Call trees as tables: a function and what it called, a row a frame, a column a release."""

from collections.abc import Iterable, Iterator

from pipeline.analysis.calltree import CallTree as Figured
from pipeline.analysis.calltree import TreeRow, calltree
from pipeline.analysis.drilldown_columns import WrittenPath, path_of
from pipeline.display import NO_VALUE, PERCENT, fixed, plural, short_name
from pipeline.drilldown_files.calltree_text import calltree_text
from pipeline.problems import Problem
from pipeline.profile import joined_keys
from pipeline.report.front_matter import CallTreeDefinition
from pipeline.site_data.addresses import all_releases_address
from pipeline.site_data.drilldown_links import FrameLinks
from pipeline.site_data.drilldown_tables import SHARE_DECIMALS, main_profiles
from pipeline.site_data.figures import Figures
from pipeline.site_data.row_keys import row_keys
from pipeline.site_data.shapes import CallTree, Cell, Column, Link, Row, Table
from pipeline.slug import slug
from pipeline.study.profiles import CellKey
from pipeline.units import noun

DEEPEST = 8
"""Steps by which a name stands in; a page has no room for more."""


def calltrees(
    figures: Figures, links: FrameLinks
) -> tuple[dict[tuple[str, str], CallTree], list[Problem]]:
    """Return the author's call trees, by name and step, over all releases of the default variant.

    One whose root is no path is left out, and told as a problem.

    Args:
        figures: of the report.
        links: what of it was drawn, and where files go.
    """
    found: dict[tuple[str, str], CallTree] = {}
    problems: list[Problem] = []
    report = figures.study.report
    for index, definition in enumerate(report.calltrees):
        steps = definition.steps or report.steps
        profiles_of = {step: main_profiles(figures, step) for step in steps}
        of_all = [each for own in profiles_of.values() for each in own.values() if each]
        written = WrittenPath(definition.root, ("calltrees", index, "root"))
        root, wrong = path_of(written, report, of_all, "correct the path; the tree is left out")
        problems += wrong
        for step, profiles in profiles_of.items():
            if root is None or not any(profiles.values()):
                continue
            joined = joined_keys(report.aliases)
            tree = calltree(root, profiles, joined, definition.threshold, definition.depth)
            title = definition.title or definition.name
            found[definition.name, step] = CallTree(
                id=slug(f"{definition.name}-{step}"),
                title=title if definition.steps else f"{title}: {step}",
                table=_table(figures, definition, step, tree, links),
            )
    return found, problems


def _table(
    figures: Figures, definition: CallTreeDefinition, step: str, tree: Figured, links: FrameLinks
) -> Table:
    report = figures.study.report
    unit = figures.events[report.default_variant, step][1]
    title = definition.title or definition.name
    labels = {each: figures.study.label(each) for each in tree.releases}
    return Table(
        id=slug(f"calltree-{definition.name}-{step}"),
        caption=f"{title}: share of {unit} in {step}, along the call path",
        row_head="Function and what it called",
        columns=tuple(
            Column(key=slug(each), label=labels[each], unit="%") for each in tree.releases
        ),
        rows=tuple(
            Row(
                key=key,
                label=short_name(row.name),
                depth=min(row.depth, DEEPEST),
                cells=tuple(_cells(figures, step, tree, row, links)),
            )
            for key, row in zip(row_keys(_paths(tree.rows)), tree.rows, strict=True)
        ),
        notes=_notes(definition, tree),
        downloads=(_download(figures, definition, step, tree, links),),
    )


def _paths(rows: Iterable[TreeRow]) -> Iterator[str]:
    """Yield the names of each row's callers and its own, the nearest first."""
    path: list[str] = []
    for row in rows:
        path[row.depth :] = [row.name]
        yield " ".join(reversed(path))


def _cells(
    figures: Figures, step: str, tree: Figured, row: TreeRow, links: FrameLinks
) -> list[Cell]:
    cells = []
    for release, weight in zip(tree.releases, row.weights, strict=True):
        cell = CellKey(release, figures.study.report.default_variant, step)
        if weight is None:
            note = figures.why_no_profile(cell) or "not called here, or inlined into its caller"
            cells.append(Cell(text=NO_VALUE, note=note))
        else:
            url, _ = links.of(cell, weight.frame)
            text = fixed(100 * weight.share, SHARE_DECIMALS)
            cells.append(Cell(text=text, url=url, sort=weight.share))
    return cells


def _notes(definition: CallTreeDefinition, tree: Figured) -> tuple[str, ...]:
    if not tree.rows:
        return (f"No profile has {short_name(definition.root)}.",)
    if not tree.left_out:
        return ()
    return (
        f"{plural(tree.left_out, 'function')} called by these stay below {definition.threshold:g}"
        f"{PERCENT} in every release and are left out.",
    )


def _download(
    figures: Figures, definition: CallTreeDefinition, step: str, tree: Figured, links: FrameLinks
) -> Link:
    report = figures.study.report
    folder = all_releases_address(report, step, report.default_variant)
    labels = {each: figures.study.label(each) for each in tree.releases}
    text = calltree_text(tree, labels, noun(figures.events[report.default_variant, step][1]))
    return links.directory.write_download(
        f"{folder}calltree-{slug(definition.name)}.txt", text.encode("utf-8", "replace"), "Text"
    )
