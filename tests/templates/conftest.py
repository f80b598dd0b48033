"""The site that the tests of templates build."""

from pathlib import Path

import msgspec
import pytest
from perfpress.site.shapes.blocks import (
    Phrase,
    Table,
)
from perfpress.site.shapes.pages import ReleasePage
from perfpress.site.shapes.site import AdapterPage, ListedProblem, ListedReport, Site
from perfpress.site.shortcodes.registry import shortcode_forms
from template_samples import (
    DRAWING,
    HOSTILE,
    REPORT,
    Sample,
    place,
    report_page,
    step_page,
    table,
    write_report,
)


@pytest.fixture
def sample(tmp_path: Path) -> Sample:
    sample = Sample(tmp_path)
    site = Site(
        reports=(ListedReport(id="servers", title=HOSTILE, url=REPORT, summary="1 run"),),
        pages=(
            AdapterPage(path="reports/servers/9.4", title="9.4", kind="section"),
            AdapterPage(path="reports/servers/9.4/select", title="select", kind="section"),
        ),
        problems=(
            ListedProblem(
                where="run.toml:3", found=HOSTILE, expected="", do="fix it", severity="error"
            ),
        ),
        functions=Table(id="functions", caption="Functions"),
        shortcodes=shortcode_forms(),
        size="1 MB",
    )
    sample.write("site/data/site.json", msgspec.json.encode(site).decode())
    sample.write("site/assets/perfpress/drawing.svg", DRAWING)
    sample.write("content/_index.md", "+++\ntitle = 'Home'\n+++\n")
    sample.write_data(REPORT, report_page())
    sample.write_data(f"{REPORT}9.4/select/", step_page())
    release = ReleasePage(
        place=place(f"{REPORT}9.4/", "9.4"),
        opening=(
            (Phrase(text="1 is slower ("), Phrase(text=HOSTILE, url=f"{REPORT}9.4/select/")),
            (Phrase(text="Against the other, none is."),),
        ),
        facts=(),
        steps=(table("steps"),),
        environment=table("environment"),
        runs=table("runs"),
    )
    sample.write_data(f"{REPORT}9.4/", release)
    write_report(sample, "Words.")
    return sample
