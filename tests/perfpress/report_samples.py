"""What the pages of a report share, of which nothing was drawn."""

from dataclasses import fields, replace
from typing import Any

from perfpress.analysis.study.study import Study
from perfpress.site.directory import SiteDirectory
from perfpress.site.figures.drawings import Drawings
from perfpress.site.report_figures import Figures
from perfpress.site.report_parts import ReportParts, report_parts

NOTHING_DRAWN = Drawings(**{field.name: {} for field in fields(Drawings)})


def parts_of(study: Study, **given: Any) -> ReportParts:
    """Return the parts of a report beside its bundles; `given` stand in for those of that name."""
    root = study.runs[0].bundle.directory.parent / "site"
    parts, _ = report_parts(Figures(study), NOTHING_DRAWN, SiteDirectory(root))
    return replace(parts, **given)
