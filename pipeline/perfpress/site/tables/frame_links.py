"""Links from a number to its frame in a flame graph or a diff."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from urllib.parse import quote

from perfpress.analysis.study.profiles import CellKey, CellProfile
from perfpress.base.slugs import slug
from perfpress.site.addresses import diff_address, diff_graph_id, frame_link, step_address
from perfpress.site.directory import SiteDirectory
from perfpress.site.report_figures import DiffKey, Figures
from perfpress.site.shapes.blocks import Link


def flame_graph_id(figures: Figures, made: CellProfile) -> str:
    """Return the name under which a flame graph keeps its state in links."""
    return slug(f"flamegraph{event_suffix(figures, made)}-{made.cell.release}-{made.cell.step}")


def event_suffix(figures: Figures, made: CellProfile) -> str:
    """Return what the files of a profile are named by; empty for the first of a cell."""
    events = [each.event for each in figures.study.profiles[made.cell]]
    at = events.index(made.event)
    if at == 0:
        return ""
    names = list(map(slug, events))
    # `cycles:u` and `cycles-u` have one slug; the first keeps it
    return f".{names[at]}" if names.index(names[at], 1) == at else f".{names[at]}-{at}"


@dataclass(frozen=True)
class FrameLinks:
    """What of a report was drawn: no link leads to what was not."""

    figures: Figures
    flamegraphs: Collection[tuple[CellKey, str]]
    """By cell and event."""
    diffs: Mapping[CellKey, tuple[DiffKey, ...]]
    """By cell."""
    directory: SiteDirectory
    """Where files for download go."""

    def of(self, cell: CellKey, frame: str) -> tuple[str, tuple[Link, ...]]:
        """Return the address of a frame in the release's graph, and links to it in its diffs.

        Args:
            cell: of the profile that tables are of.
            frame: the path that finds it; empty where there is none.
        """
        made = self.figures.main(cell)
        if not frame or made is None:
            return "", ()
        study = self.figures.study
        graph = self.graph(cell)
        url = f"{graph}{quote(frame, safe='')}" if graph else ""
        links = tuple(
            Link(
                label=f"in the diff against {study.label(key.base)}",
                url=diff_address(study.report, cell, key.base)
                + frame_link(diff_graph_id(key.cell, key.base), frame),
            )
            for key in self.diffs.get(cell, ())
            if self._is_of_main(key)
        )
        return url, links

    def graph(self, cell: CellKey) -> str:
        """Return the address of a release's graph up to a frame's path; empty where none is."""
        made = self.figures.main(cell)
        if made is None or (cell, made.event) not in self.flamegraphs:
            return ""
        page = step_address(self.figures.study.report, cell)
        return page + frame_link(flame_graph_id(self.figures, made), "")

    def _is_of_main(self, key: DiffKey) -> bool:
        sides = self.figures.common_profile(key.cell, key.base_cell)
        return sides is not None and sides[0] == self.figures.main(key.cell)
