"""Call trees as plain text, in the layout in which people publish them by hand.

For 8.0.37

10.29  binlog_log_row
  5.79  THD::binlog_write_table_map
    2.53  Table_map_log_event::Table_map_log_event
"""

from collections.abc import Mapping

from perfpress.analysis.profiles.call_tree import CallTreeShares
from perfpress.base.console import printable
from perfpress.base.display import fixed

INDENT = "  "


def calltree_text(tree: CallTreeShares, labels: Mapping[str, str], unit: str) -> str:
    """Return one tree a release, of the frames that the release has.

    Args:
        tree: all releases.
        labels: what releases are called.
        unit: what the percentages are of.
    """
    parts = [f"Numbers are the percentage of {unit} in each function including its children."]
    for at, release in enumerate(tree.releases):
        lines = [
            f"{INDENT * row.depth}{fixed(100 * weight.share, 2)}  {row.name}"
            for row in tree.rows
            if (weight := row.weights[at]) is not None
        ]
        parts.append(f"For {labels[release]}")
        parts.append("\n".join(map(printable, lines)) or "no such frame, or no profile")
    return "\n\n".join(parts) + "\n"
