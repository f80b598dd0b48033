"""The Node packages of this checkout, for a copy of it that a test builds a site in."""

import os
import shutil
from pathlib import Path

from perfpress.base.checkout import ROOT

UNUSED = (
    *("include", "share", "npm"),  # Node's own
    *("@biomejs", "@types", "@typescript", "dependency-cruiser", "lodash"),
    *("typescript", "*.d.ts", "*.d.mts", "*.d.cts", "*.map", "*.md"),
)
"""What neither builds a site nor tests one: two thirds of nine thousand files."""


def put_packages(directory: Path) -> None:
    """Put the Node packages that build and test a site into a copy of the checkout.

    Hugo bundles no script from outside of its project, so links to directories would not do. Our
    own packages are links, which lead into the copy.
    """
    shutil.copytree(
        ROOT / "node_modules",
        directory / "node_modules",
        symlinks=True,
        ignore=shutil.ignore_patterns(".package-lock.json", *UNUSED),
        copy_function=_linked,
    )


def _linked(source: str, target: str) -> str:
    try:
        os.link(source, target)
    except OSError:  # on another disk
        shutil.copy2(source, target)
    return target
