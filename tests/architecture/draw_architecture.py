"""Draws architecture.svg from the imports of the code: `make architecture`.

Rows are the layers, the highest first, with their folders and the layers they import. Imports go
down only; the lint lets none go up. Sizes are rounded, so that few commits change the picture.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

import grimp

ROOT = Path(__file__).parents[2]
PICTURE = ROOT / "architecture.svg"

PACKAGE = "perfpress"
PYTHON_LAYERS = (("cli",), ("build",), ("site", "host"), ("analysis",), ("input",), ("base",))
NODE_LAYERS = (("charts",), ("flamegraph",), ("profile",))
IMPORT = re.compile(r"""\b(?:from|import)\s*\(?["'](\.[^"']+|@perfpress/[^"']+)["']""")
"""`} from "../../profile/model/tree.js";`, `import("@perfpress/profile/cli/jobs.js")`"""

WIDTH = 1200
MARGIN = 16
GAP = 16
PYTHON_WIDTH = 720
"""Width of the Python column; Node's is beside it."""
ROOM_WIDTH = 106
ROOM_HEIGHT = 23
HEAD = 64
"""Height of a layer without its rooms."""

STYLE = """
text { font: 13px system-ui, sans-serif; fill: #222 }
.layer { font-weight: 700; font-size: 16px }
.small { font-size: 11px; fill: #555 }
.box { fill: #f4f6f8; stroke: #8a97a6 }
.room { fill: #fff; stroke: #b9c2cc }
"""


def python_imports() -> tuple[dict[str, Counter[str]], set[tuple[str, str]]]:
    """Return folders of each layer with their lines, and which layer imports which."""
    graph = grimp.build_graph(PACKAGE)
    rooms: dict[str, Counter[str]] = defaultdict(Counter)
    for module in sorted(graph.modules):
        _, layer, *rest = [*module.split("."), ""]
        path = ROOT / "pipeline" / Path(*module.split("."))
        source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        if layer and layer != "__main__":
            room = rest[0] if len(rest) > 2 or (rest[:1] != [""] and path.is_dir()) else ""
            rooms[layer][room] += _lines(source)
    arrows: set[tuple[str, str]] = set()
    for module in graph.modules:
        for imported in graph.find_modules_directly_imported_by(module):
            ends = tuple((*name.split("."), "")[1] for name in (module, imported))
            if ends[0] != ends[1] and all(end in rooms for end in ends):
                arrows.add((ends[0], ends[1]))
    return rooms, arrows


def node_imports() -> tuple[dict[str, Counter[str]], set[tuple[str, str]]]:
    """Return the same of the Node packages, each of which is a layer."""
    packages = [name for row in NODE_LAYERS for name in row]
    rooms: dict[str, Counter[str]] = defaultdict(Counter)
    arrows: set[tuple[str, str]] = set()
    for package in packages:
        top = ROOT / "pipeline" / package
        for path in sorted(top.rglob("*.js")):
            inside = path.relative_to(top).parts
            rooms[package][inside[0] if len(inside) > 1 else ""] += _lines(path)
            for target in IMPORT.findall(path.read_text(encoding="utf-8")):
                below = ROOT / "pipeline" / target.removeprefix("@perfpress/")
                file = (path.parent / target).resolve() if target[0] == "." else below
                to = file.relative_to(ROOT / "pipeline").parts[0]
                if to != package and to in packages:
                    arrows.add((package, to))
    return rooms, arrows


def _lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def drawn() -> str:
    """Return the picture as SVG."""
    python, python_end = _column(PYTHON_LAYERS, *python_imports(), (0, PYTHON_WIDTH))
    node, node_end = _column(NODE_LAYERS, *node_imports(), (PYTHON_WIDTH, WIDTH))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} '
        f'{max(python_end, node_end)}" role="img">',
        "<title>Layers of Perfpress and the imports between them</title>",
        f"<style>{STYLE}</style>",
        '<rect width="100%" height="100%" fill="#fff"/>',
        *python,
        *node,
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _column(
    layers: Sequence[Sequence[str]],
    rooms: dict[str, Counter[str]],
    imports: set[tuple[str, str]],
    between: tuple[int, int],
) -> tuple[list[str], int]:
    """Return what draws a column of layers, and where it ends."""
    parts: list[str] = []
    y = MARGIN
    order = [layer for row in layers for layer in row]
    for row in layers:
        width = (between[1] - between[0] - MARGIN - GAP * len(row)) // len(row)
        across = (width - 12) // (ROOM_WIDTH + 6)
        most = max(len(rooms[layer]) - ("" in rooms[layer]) for layer in row)
        height = HEAD + ROOM_HEIGHT * -(-most // across) + (6 if most else 0)
        for index, layer in enumerate(row):
            x = between[0] + MARGIN + index * (width + GAP)
            below = [to for to in order if (layer, to) in imports]
            parts += _layer(layer, rooms[layer], below, (x, y, width, height))
        y += height + GAP
    return parts, y


def _layer(
    name: str, rooms: Counter[str], below: Sequence[str], box: tuple[int, int, int, int]
) -> Iterator[str]:
    x, y, width, height = box
    imports = f"imports {', '.join(below)}" if below else "imports none of the others"
    yield f'<rect class="box" x="{x}" y="{y}" width="{width}" height="{height}" rx="6"/>'
    yield f'<text class="layer" x="{x + 10}" y="{y + 22}">{name}</text>'
    size = f"about {round(sum(rooms.values()), -3):,} lines"
    yield f'<text class="small" text-anchor="end" x="{x + width - 10}" y="{y + 42}">{size}</text>'
    yield f'<text class="small" x="{x + 10}" y="{y + 42}">{imports}</text>'
    across = (width - 12) // (ROOM_WIDTH + 6)
    for place, room in enumerate(sorted(name for name in rooms if name)):
        left = x + 8 + place % across * (ROOM_WIDTH + 6)
        top = y + HEAD - 10 + place // across * ROOM_HEIGHT
        yield f'<rect class="room" x="{left}" y="{top}" width="{ROOM_WIDTH}" height="19" rx="3"/>'
        yield f'<text class="small" x="{left + 6}" y="{top + 13}">{escape(room)}</text>'


if __name__ == "__main__":
    PICTURE.write_text(drawn(), encoding="utf-8")
