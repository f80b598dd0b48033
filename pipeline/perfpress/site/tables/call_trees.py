"""Call trees as tables: a function and what it called, a row a frame, a column a release."""

from collections.abc import Iterable, Iterator

from perfpress.analysis.drilldowns.columns import WrittenPath, path_of
from perfpress.analysis.profiles.call_tree import CallTreeShares, TreeRow, TreeWeight, calltree
from perfpress.analysis.profiles.profile import joined_keys
from perfpress.analysis.study.profiles import CellKey, StepKey
from perfpress.base.display import NO_VALUE, PERCENT, fixed, plural, row_name, short_name
from perfpress.base.problems import Problem
from perfpress.base.slugs import slug
from perfpress.base.units import noun
from perfpress.input.report.front_matter import CallTreeDefinition
from perfpress.site.addresses import all_releases_address
from perfpress.site.formats.call_tree_text import calltree_text
from perfpress.site.nearby_releases import MOST, newest_releases, shown_note
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import CallTree, Cell, Link, Row, Table
from perfpress.site.tables.columns import Column, filled, row_keys, with_namespace
from perfpress.site.tables.drilldowns import SHARE_DECIMALS, main_profiles, steps_in_text
from perfpress.site.tables.frame_links import FrameLinks

DEEPEST = 8
"""Most levels of indentation; a page has no room for more."""


def calltrees(
    figures: Figures, links: FrameLinks
) -> tuple[dict[tuple[str, StepKey], CallTree], list[Problem]]:
    """Return the author's call trees, by name and step, over all releases of a variant.

    One whose root is not a path is left out and reported as a problem.

    Args:
        figures: of the report.
        links: what of it was drawn, and where files go.
    """
    found: dict[tuple[str, StepKey], CallTree] = {}
    problems: list[Problem] = []
    report = figures.study.report
    for index, definition in enumerate(report.matter.calltrees):
        steps = steps_in_text(report, definition.steps)
        profiles_of = {step: main_profiles(figures, step) for step in steps}
        of_all = [each for own in profiles_of.values() for each in own.values() if each]
        written = WrittenPath(definition.root, ("calltrees", index, "root"))
        root, wrong = path_of(written, report, of_all, "correct the path; the tree is left out")
        problems += wrong
        for key, profiles in profiles_of.items():
            if root is None or not any(profiles.values()):
                continue
            same_function = joined_keys(report.aliases)
            tree = calltree(root, profiles, same_function, definition.threshold, definition.depth)
            title, step = definition.title or definition.name, key[1]
            found[definition.name, key] = CallTree(
                id=slug(f"{definition.name}-{step}"),
                title=title if definition.steps else f"{title}: {step}",
                table=_table(figures, definition, key, tree, links),
            )
    return found, problems


def _table(
    figures: Figures,
    definition: CallTreeDefinition,
    key: StepKey,
    tree: CallTreeShares,
    links: FrameLinks,
) -> Table:
    step, unit = key[1], figures.events[key][1]
    title = definition.title or definition.name

    def column(at: int, release: str) -> Column[TreeRow]:
        cell = CellKey(release, *key)
        return Column(
            slug(release),
            figures.study.label(release),
            lambda row: _cell(figures, cell, row.weights[at], links),
            unit="%",
            stays=True,
        )

    shown = newest_releases(tree.releases, figures.study.base_of(key[0]), MOST)
    columns = tuple(
        column(at, release) for at, release in enumerate(tree.releases) if release in shown
    )
    rows = (
        (Row(key=key, label=row_name(row.name), depth=min(row.depth, DEEPEST)), row)
        for key, row in zip(row_keys(_paths(tree.rows)), tree.rows, strict=True)
    )
    table = Table(
        id=slug(f"calltree-{definition.name}-{step}"),
        caption=f"{title}: share of {noun(unit)} in {step}, along the call path",
        row_head="Function and what it called",
        notes=tuple(
            filter(None, (*_notes(definition, tree), shown_note(len(shown), len(tree.releases))))
        ),
        downloads=(_download(figures, definition, key, tree, links),),
    )
    return with_namespace(filled(table, columns, rows))


def _paths(rows: Iterable[TreeRow]) -> Iterator[str]:
    """Yield each row's call path, innermost function first."""
    path: list[str] = []
    for row in rows:
        path[row.depth :] = [row.name]
        yield " ".join(reversed(path))


def _cell(figures: Figures, cell: CellKey, weight: TreeWeight | None, links: FrameLinks) -> Cell:
    if weight is None:
        note = figures.why_no_profile(cell) or "not called here, or inlined into its caller"
        return Cell(text=NO_VALUE, note=note)
    url, _ = links.of(cell, weight.frame)
    return Cell(text=fixed(100 * weight.share, SHARE_DECIMALS), url=url, sort=weight.share)


def _notes(definition: CallTreeDefinition, tree: CallTreeShares) -> tuple[str, ...]:
    if not tree.rows:
        return (f"No profile has {short_name(definition.root)}.",)
    if not tree.left_out:
        return ()
    return (
        f"{plural(tree.left_out, 'function')} called by these stay below {definition.threshold:g}"
        f"{PERCENT} in every release and are left out.",
    )


def _download(
    figures: Figures,
    definition: CallTreeDefinition,
    key: StepKey,
    tree: CallTreeShares,
    links: FrameLinks,
) -> Link:
    variant, step = key
    folder = all_releases_address(figures.study.report, step, variant)
    labels = {each: figures.study.label(each) for each in tree.releases}
    text = calltree_text(tree, labels, noun(figures.events[key][1]))
    return links.directory.write_download(
        f"{folder}calltree-{slug(definition.name)}.txt", text.encode("utf-8", "replace"), "Text"
    )
