"""Reports for tests, with what their authors decided."""

from collections.abc import Iterable
from typing import Any

from perfpress.input.report.front_matter import FrontMatter, Release
from perfpress.input.report.report import Report


def report_of(releases: Iterable[str], /, **more: Any) -> Report:
    """Return a report of releases, of which the first is the base.

    Args:
        releases: their ids, in order.
        more: fields of the report, and of the front matter where a report has no such field.
    """
    ids = list(releases)
    facts = {
        "id": "servers",
        "title": "Servers",
        "base": ids[0],
        "default_variant": "a",
        "releases": tuple(Release(id=each) for each in ids),
        "variants": {"a": "A"},
        "steps": ("insert",),
    } | more
    own = {name: facts.pop(name) for name in facts.keys() - Report.__dataclass_fields__.keys()}
    return Report(matter=FrontMatter(**own), **facts)
