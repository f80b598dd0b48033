"""Pages of the documentation as the tests read them: fenced blocks, tables and links."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "content" / "docs"
PAGES = sorted(path for path in DOCS.glob("*.md") if path.name != "_index.md")

FENCED = re.compile(
    r'^```(?P<language>\w+)(?: \{data-file="(?P<file>[^"]+)"\})?\n(?P<text>.*?)^```$',
    re.MULTILINE | re.DOTALL,
)
SHORTCODE = re.compile(r"\{\{</\* *(\w+)(.*?)\*/>\}\}")
LINK = re.compile(r"\]\((/[^)\s]*|#[^)\s]*)\)")
CODE_CELL = re.compile(r"^\| `(.+?)` \|", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A fenced block; `file` is the file that the page names for it."""

    language: str
    file: str
    text: str


@dataclass(frozen=True)
class Command:
    """A line behind `$ `, and what the page shows below it."""

    line: str
    shown: str


def blocks(page: Path) -> list[Block]:
    """Return the fenced blocks of a page, shortcodes as an author writes them."""
    return [
        Block(match["language"], match["file"] or "", unescaped(match["text"]))
        for match in FENCED.finditer(page.read_text(encoding="utf-8"))
    ]


def unescaped(text: str) -> str:
    """Return text with its shortcodes, which a page about them has to escape."""
    return SHORTCODE.sub(lambda match: f"{{{{< {match[1]}{match[2]}>}}}}", text)


def commands(block: Block) -> Iterator[Command]:
    """Yield the commands of a `console` block."""
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        line, _, shown = part.partition("\n")
        yield Command(line, shown)


def section(page: Path, anchor: str) -> str:
    """Return the text below one heading, up to the next of any level."""
    text = page.read_text(encoding="utf-8")
    found = re.search(rf"^#+ .* \{{#{anchor}\}}\n(.*?)(?=^#+ |\Z)", text, re.MULTILINE | re.DOTALL)
    assert found, f"{page.name} has no heading {{#{anchor}}}"
    return found[1]


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings."""
    return set(re.findall(r"^#+ .*\{#([\w-]+)\}$", page.read_text(encoding="utf-8"), re.MULTILINE))
