"""Make the fonts in static/fonts from Source Serif 4, small enough for a page's first view.

Two weights are used, and nearly every page needs only the letters of English: the others are in
files of their own, which browsers fetch where a page has one of them. Run by hand:

    npm pack @fontsource-variable/source-serif-4@5.3.1 && tar xzf fontsource-variable-*.tgz
    uvx --with fonttools==4.68.0 --with brotli==1.2.1 python assets/fonts/make.py package/files

The licence reserves the name "Source", so what is made here is called otherwise.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

TARGET = Path(__file__).parents[2] / "static" / "fonts"
FAMILY = "Perfpress Serif"
WEIGHTS = (400, 400, 600)
FEATURES = ["kern", "tnum", "liga", "ccmp", "mark", "mkmk", "locl"]
# The same as `unicode-range` in assets/css/components/fonts.css.
ENGLISH = {
    *range(0x20, 0x7F),
    *map(ord, "\u00a0§©«°±²³µ·»×÷\u2009–—‘’“”„•…′″€™↑↓−"),
}
# Font family, unique name, full name, PostScript name, typographic family.
NAMES = {1: FAMILY, 3: FAMILY, 4: FAMILY, 6: FAMILY.replace(" ", ""), 16: FAMILY}


def main(source: Path) -> None:
    """Write a font with the letters of English and one with all others, upright and italic."""
    for style, ours in (("normal", "roman"), ("italic", "italic")):
        file = source / f"source-serif-4-latin-wght-{style}.woff2"
        make(file, TARGET / f"serif-{ours}.woff2", english=True)
        make(file, TARGET / f"serif-{ours}-more.woff2", english=False)


def make(source: Path, target: Path, *, english: bool) -> None:
    """Write the part of a font that has these letters, in the weights that pages use."""
    font = TTFont(source, recalcTimestamp=False)
    fill(font)
    font = instancer.instantiateVariableFont(font, {"wght": WEIGHTS})
    fill(font)
    options = subset.Options(layout_features=FEATURES, hinting=False, name_IDs=["*"])
    cut = subset.Subsetter(options)
    letters = set(font.getBestCmap())
    cut.populate(unicodes=letters & ENGLISH if english else letters - ENGLISH)
    cut.subset(font)
    for record in font["name"].names:
        record.string = NAMES.get(record.nameID, record.toUnicode())
    font.flavor = "woff2"
    font.save(target)
    print(target.name, target.stat().st_size)


def fill(font: Any) -> None:
    """Blanks have no variations; the tools fall over what is not there."""
    variations = font["gvar"].variations
    stored = getattr(variations, "data", variations)
    for glyph in font.getGlyphOrder():
        stored.setdefault(glyph, [])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
