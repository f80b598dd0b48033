"""Builds the addresses of all pages.

Addresses are promises: once published they are never reused for something else and never broken.
All begin and end with a slash and lack the base path.
"""

from dataclasses import dataclass
from urllib.parse import quote, urljoin, urlsplit

from perfpress.analysis.study.profiles import CellKey
from perfpress.base.slugs import slug
from perfpress.input.report.report import Report

HOSTS = "/hosts/"


@dataclass(frozen=True)
class Identity:
    """Title and address of the site."""

    title: str
    base_url: str
    """With a slash at its end; a path alone while the host is unknown."""

    def url_of(self, address: str) -> str:
        """Return the full URL of an address of the site."""
        return urljoin(self.base_url, address.lstrip("/"))

    def path_of(self, address: str) -> str:
        """Return an address of the site as it is on its host: with the base path."""
        return f"{urlsplit(self.base_url).path.rstrip('/')}{address}"


def host_address(host: str) -> str:
    """Return `/hosts/<host>/`."""
    return f"{HOSTS}{slug(host)}/"


def report_address(report: Report) -> str:
    """Return `/reports/<report>/`."""
    return f"/reports/{report.id}/"


def release_address(report: Report, release: str) -> str:
    """Return `/reports/<report>/<release>/`."""
    return f"{report_address(report)}{slug(release)}/"


def releases_address(report: Report, page: int) -> str:
    """Return `/reports/<report>/releases/<page>/`, of a table of more releases than one holds."""
    return f"{report_address(report)}releases/{page}/"


def variant_address(report: Report, variant: str) -> str:
    """Return `/reports/<report>/@<variant>/`; no release has a slug that begins with `@`."""
    return f"{report_address(report)}@{variant}/"


def variant_releases_address(report: Report, variant: str, page: int) -> str:
    """Return `/reports/<report>/@<variant>/releases/<page>/`, of more releases than one has."""
    return f"{variant_address(report, variant)}releases/{page}/"


def step_address(report: Report, cell: CellKey) -> str:
    """Return `/reports/<report>/<release>/<step>/`, of another variant `…/<step>/@<variant>/`."""
    address = f"{release_address(report, cell.release)}{slug(cell.step)}/"
    return address if cell.variant == report.default_variant else f"{address}@{cell.variant}/"


def all_releases_address(report: Report, step: str, variant: str) -> str:
    """Return `/reports/<report>/steps/<step>/`, of another variant `…/<step>/@<variant>/`."""
    address = f"{report_address(report)}steps/{slug(step)}/"
    return address if variant == report.default_variant else f"{address}@{variant}/"


def diff_address(report: Report, cell: CellKey, base: str) -> str:
    """Return `…/<step>/vs/<base>/`, of another variant `…/<step>/@<variant>/vs/<base>/`."""
    return f"{step_address(report, cell)}vs/{slug(base)}/"


def compare_address(report: Report) -> str:
    """Return `/reports/<report>/compare/`, where any two releases are compared."""
    return f"{report_address(report)}compare/"


def comparison_address(report: Report, cell: CellKey, base: str) -> str:
    """Return the address of one comparison: `…/compare/#step=…&a=…&b=…`."""
    at = "" if cell.variant == report.default_variant else f"@{cell.variant}"
    sides = f"a={slug(base)}{at}&b={slug(cell.release)}{at}"
    return f"{compare_address(report)}#step={slug(cell.step)}&{sides}"


def diff_graph_id(cell: CellKey, base: str) -> str:
    """Return the name under which a diff keeps its state in links."""
    return slug(f"diff-{cell.release}-{cell.step}-{base}")


def frame_link(graph_id: str, path: str) -> str:
    """Return the fragment that zooms a graph to the frame that a path finds."""
    return f"#{quote(graph_id, safe='')}.frame={quote(path, safe='')}"
