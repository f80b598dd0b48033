"""What the pages of a report share, of which nothing was drawn."""

from dataclasses import fields, replace
from types import SimpleNamespace
from typing import Any

from perfpress.analysis.study.study import Study
from perfpress.site.directory import SiteDirectory
from perfpress.site.figures.drawings import Drawings
from perfpress.site.report_figures import Figures
from perfpress.site.report_parts import ReportParts, report_parts

NOTHING: dict[str, Any] = {field.name: {} for field in fields(Drawings)}
NOTHING_DRAWN = Drawings(**NOTHING | {"charts": SimpleNamespace(drawn={})})


def parts_of(study: Study, **given: Any) -> ReportParts:
    """Return the parts of a report beside its bundles; `given` stand in for those of that name."""
    root = study.runs[0].bundle.directory.parent / "site"
    parts, _ = report_parts(Figures(study), NOTHING_DRAWN, SiteDirectory(root))
    names = {field.name for field in fields(ReportParts)}
    made = replace(parts, **{name: value for name, value in given.items() if name in names})
    vars(made).update({name: value for name, value in given.items() if name not in names})
    return made
