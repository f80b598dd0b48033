"""A small site of every kind of page, for the tests of templates."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from html import unescape
from pathlib import Path

import msgspec
from perfpress.base.checkout import ROOT
from perfpress.build.hugo import derived_config, run_hugo
from perfpress.site.shapes.blocks import (
    CallTree,
    Cell,
    Chart,
    ColumnHead,
    Drilldown,
    Graph,
    Link,
    Notice,
    Phrase,
    Row,
    Table,
)
from perfpress.site.shapes.pages import Place, ReportPage, StepPage

REPORT = "/reports/servers/"
HOSTILE = '"><script>alert(1)</script>'
TEMPLATE = '{{ site.github }}{% include x %}{{< figure >}}{{% ref "x" %}}'
SHORTCODE_TEMPLATES = ROOT / "layouts" / "_shortcodes"
DRAWING = '<svg viewBox="0 0 1 1"><path class="drawn" d="M0 0h1"/></svg>'


def table(name: str, text: str = "5,060", **keys: object) -> Table:
    """Return a table of one row and one column."""
    cell = Cell(text=text, **keys)  # type: ignore[arg-type]
    return Table(
        id=name,
        caption=f"The caption of {name}",
        row_head="Release",
        columns=(ColumnHead(key="median", label="Median", unit="tps", meaning="of all repeats"),),
        rows=(Row(key="9.4", label="9.4", url=f"{REPORT}9.4/", cells=(cell,)),),
        downloads=(Link(label="CSV", url=f"{REPORT}metrics.csv", note="3 kB"),),
    )


def place(path: str, heading: str) -> Place:
    """Return the place of a page."""
    return Place(
        path=path,
        title=heading,
        heading=heading,
        description="One sentence.",
        breadcrumbs=(Link(label="Home", url="/"),),
    )


def graph(name: str) -> Graph:
    """Return a graph whose drawing is in `DRAWING`."""
    return Graph(
        id=name,
        caption=f"The caption of {name}",
        asset="perfpress/drawing.svg",
        profile_url=f"{REPORT}profile.json",
        folded=f"{REPORT}stacks.folded.gz",
        downloads=(
            Link(label="SVG", url=f"{REPORT}flamegraph.svg", download="servers.flamegraph.svg"),
        ),
    )


def drawn(name: str) -> Chart:
    """Return a chart whose drawing is in `DRAWING`."""
    return Chart(id=name, caption=f"The caption of {name}", asset="perfpress/drawing.svg")


def report_page() -> ReportPage:
    """Return a report that knows one thing of every kind."""
    chart = Chart(id="chart-select", caption="Over time", asset="perfpress/drawing.svg")
    return ReportPage(
        place=place(REPORT, "Servers"),
        opening=((Phrase(text="The newest is "), Phrase(text="10.0", url=f"{REPORT}10.0/")),),
        picture=table("relative-base"),
        releases=table("releases"),
        shown={
            "throughput": {"": table("throughput"), "throughput": table("throughput")},
            "relative": {
                "": table("relative-base"),
                "relative-base": table("relative-base"),
                "relative-previous": table("relative-previous"),
            },
            "releases": {
                "": drawn("by-release-lab1"),
                "by-release-lab1": drawn("by-release-lab1"),
            },
            "chart": {"select": chart},
            "latency": {"select": drawn("latency-select")},
            "percentiles": {"select": drawn("percentiles-select")},
            "drilldown": {
                "reading": Drilldown(
                    id="reading",
                    title="Reading",
                    along_path=table("reading-path", "1.11"),
                    whole_id="reading-profile",
                    whole_profile=table("reading-profile", "2.22"),
                )
            },
            "flamegraph": {"9.4/select": graph("graph-9-4-select")},
            "diff": {"10.0/select/vs/9.4": graph("diff-10-0-select")},
            "trace": {"9.4/select": drawn("trace-9-4-select")},
            "calltree": {
                "running": CallTree(id="running", title="Running", table=table("running-table"))
            },
            "verdicts": {
                "10.0": table("verdicts-10-0"),
                "10.0/select": table("verdicts-10-0-select"),
            },
            "suspects": {
                "10.0/select": table("grown-10-0"),
                "10.0/select/vs/9.3": table("grown-9-3"),
            },
            "cell": {
                "9.4/select/throughput": Cell(
                    text="5,060 tps",
                    tone="worse",
                    mark="▼",
                    spoken="slower",
                    note="median of 3 runs",
                )
            },
        },
        names={"flamegraph": ("9.4/select", "10.0/select")},
        missing={"flamegraph": {"10.0/select": Notice(kind="warning", text="It was invalid.")}},
    )


def step_page() -> StepPage:
    """Return a step with a hostile name."""
    return StepPage(
        place=place(f"{REPORT}9.4/select/", HOSTILE),
        opening=((Phrase(text=HOSTILE, url=REPORT),),),
        summary=("It ran.", f"Its name is {HOSTILE}."),
        facts=(),
        results=table("results", note="no run"),
        runs=table("runs"),
        graphs=(graph("cpu"),),
        notices=(Notice(kind="warning", text=HOSTILE),),
    )


@dataclass
class Sample:
    """A site that the tests write and build."""

    directory: Path

    def write(self, path: str, text: str) -> None:
        """Write a file of the author's, or of the pipeline's below `site/`."""
        file = self.directory / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def write_data(self, path: str, page: msgspec.Struct) -> None:
        """Write what the templates know about a page."""
        self.write(
            f"site/assets/perfpress{path.rstrip('/')}/_page.json",
            msgspec.json.encode(page).decode(),
        )

    def build(self, base: str = "https://example.org/perf/") -> Callable[[str], str]:
        """Build the site at `base` and return a function that reads a page of it."""
        out = self.directory / "out"
        work = self.directory / "work"
        work.mkdir()
        content = self.directory / "content"
        config = derived_config(content, self.directory / "site", base, ())
        run_hugo(config, content, work, out, drafts=False)
        return lambda path: (out / path.lstrip("/") / "index.html").read_text(encoding="utf-8")


def write_report(sample: Sample, text: str) -> None:
    """Write the author's text; its first line is line 4 of the file."""
    sample.write("content/reports/servers/_index.md", f"+++\ntitle = 'Servers'\n+++\n{text}\n")


def visible(html: str) -> str:
    """Return the text of a page, spaces made single."""
    main = html[html.index("<main") : html.index("</main>")]
    whole_words = main.replace("<wbr>", "")
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", whole_words)).split())
