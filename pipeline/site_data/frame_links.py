"""Links to a frame of a graph on the same page."""

from urllib.parse import quote


def frame_link(graph_id: str, path: str) -> str:
    """Return the fragment that zooms a graph to the frame that a path finds."""
    return f"#{quote(graph_id, safe='')}.frame={quote(path, safe='')}"
