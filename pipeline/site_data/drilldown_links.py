"""Links from a number to the frame that it is of, in the graphs of its release."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from urllib.parse import quote

from pipeline.site_data.addresses import diff_address, step_address
from pipeline.site_data.directory import SiteDirectory
from pipeline.site_data.figures import Figures
from pipeline.site_data.frame_links import frame_link
from pipeline.site_data.graph_jobs import DiffKey
from pipeline.site_data.graphs import diff_graph_id, flame_graph_id
from pipeline.site_data.shapes import Link
from pipeline.study.profiles import CellKey


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
                url=diff_address(study.report, cell.release, cell.step, cell.variant, key.base)
                + frame_link(diff_graph_id(key), frame),
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
        page = step_address(self.figures.study.report, cell.release, cell.step, cell.variant)
        return page + frame_link(flame_graph_id(self.figures, made), "")

    def _is_of_main(self, key: DiffKey) -> bool:
        sides = self.figures.common_profile(key.cell, key.base_cell)
        return sides is not None and sides[0] == self.figures.main(key.cell)
