"""The templates, given a small site of every kind of page."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from html import escape, unescape
from pathlib import Path

import msgspec
import pytest
from perfpress.base.checkout import ROOT
from perfpress.base.problems import BadInput
from perfpress.build.hugo import derived_config, run_hugo
from perfpress.site.figures.share_links import share_of
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
    ShareLinks,
    Table,
    Tint,
)
from perfpress.site.shapes.pages import Card, Place, ReleasePage, ReportPage, StepPage
from perfpress.site.shapes.site import AdapterPage, ListedProblem, ListedReport, Listing, Site
from perfpress.site.shortcodes.registry import SHORTCODES, shortcode_forms, written

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


def write_report(sample: Sample, text: str) -> None:
    """Write the author's text; its first line is line 4 of the file."""
    sample.write("content/reports/servers/_index.md", f"+++\ntitle = 'Servers'\n+++\n{text}\n")


def visible(html: str) -> str:
    """Return the text of a page, spaces made single."""
    main = html[html.index("<main") : html.index("</main>")]
    whole_words = main.replace("<wbr>", "")
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", whole_words)).split())


def test_every_shortcode_shows_what_it_names(sample: Sample) -> None:
    write_report(
        sample,
        """
{{< throughput >}}
{{< relative "relative-previous" >}}
{{< chart "select" >}}
{{< latency "select" >}}
{{< percentiles "select" >}}
{{< releases >}}
{{< flamegraph "9.4" "select" >}}
{{< diff "10.0" "select" "9.4" >}}
{{< drilldown "reading" >}}
{{< verdicts "10.0" >}}
{{< verdicts "10.0" "select" >}}
{{< suspects "10.0" "select" >}}
{{< suspects "10.0" "select" "9.3" >}}
{{< trace "9.4" "select" >}}
{{< calltree "running" >}}
""",
    )
    page = sample.build()(REPORT)
    for part in ("throughput", "relative-previous", "graph-9-4-select", "diff-10-0-select"):
        assert f"The caption of {part}" in page
    for part in ("verdicts-10-0", "verdicts-10-0-select", "grown-10-0", "grown-9-3"):
        assert f"The caption of {part}<" in page
    for part in ("latency-select", "percentiles-select", "by-release-lab1"):
        assert page.count(f"The caption of {part}") == 1
    assert page.count('class="drawn"') == 7
    for part in ("trace-9-4-select", "running-table"):
        assert page.count(f"The caption of {part}<") == 1
    assert page.index("The caption of reading-path") < page.index("The caption of reading-profile")


def test_a_drilldown_can_be_shown_in_one_view(sample: Sample) -> None:
    write_report(sample, '{{< drilldown "reading" "profile" >}}')
    text = visible(sample.build()(REPORT))
    assert "2.22" in text
    assert "1.11" not in text


def test_a_number_stands_in_its_sentence_with_mark_tone_and_note(sample: Sample) -> None:
    write_report(sample, 'It made {{< cell "9.4/select/throughput" >}}, which is slower.')
    page = sample.build()(REPORT)
    assert "It made ▼ 5,060 tps slower median of 3 runs , which is slower." in visible(page)


def test_lists_of_reports_show_the_opening_that_the_author_marked(sample: Sample) -> None:
    number = '{{< cell "9.4/select/throughput" >}}'
    write_report(sample, f"It made {number}.\n\n<!--more-->\n\nHow it was measured.")
    page = sample.build()
    text = visible(page("/"))
    assert "It made ▼ 5,060 tps slower median of 3 runs ." in text
    assert "How it was measured." not in text
    assert 'popovertarget="note-servers-cell-0"' in page("/")


def test_lists_of_reports_show_no_text_that_is_not_marked(sample: Sample) -> None:
    write_report(sample, "Words.")
    assert "Words." not in visible(sample.build()("/"))


UNKNOWN = [
    ('{{< chart "selekt" >}}', "selekt", '"select"'),
    ('{{< latency "selekt" >}}', "selekt", '"select"'),
    ('{{< percentiles "selekt" >}}', "selekt", '"select"'),
    ('{{< releases "sizes" >}}', "sizes", '"by-release-lab1"'),
    ('{{< cell "9.4/select/speed" >}}', "9.4/select/speed", '"9.4/select/throughput"'),
    ('{{< flamegraph "9.5" "select" >}}', "9.5/select", '"9.4/select"'),
    ('{{< diff "10.0" "select" "9.3" >}}', "10.0/select/vs/9.3", '"10.0/select/vs/9.4"'),
    ('{{< verdicts "10.1" >}}', "10.1", '"10.0"'),
    ('{{< suspects "10.0" "selekt" >}}', "10.0/selekt", '"10.0/select"'),
    ('{{< drilldown "writing" >}}', "writing", '"reading"'),
    ('{{< drilldown "reading" "sideways" >}}', "sideways", '"profile"'),
    ('{{< relative "relative" >}}', "relative", '"relative-base"'),
    ('{{< throughput "rates" >}}', "rates", '"throughput"'),
    ('{{< trace "9.5" "select" >}}', "9.5/select", '"9.4/select"'),
    ('{{< calltree "walking" >}}', "walking", '"running"'),
    ('{{< verdicts "10.0" "scan" >}}', "10.0/scan", '"10.0/select"'),
]
"""Shortcodes with a name that is not known, the name, and one that is."""


@pytest.mark.parametrize(("shortcode", "wrong", "known"), UNKNOWN)
def test_a_name_that_is_not_known_stops_the_build(
    sample: Sample, shortcode: str, wrong: str, known: str
) -> None:
    write_report(sample, f"Words.\n\n{shortcode}")
    with pytest.raises(BadInput) as stopped:
        sample.build()
    problem = next(each for each in stopped.value.problems if wrong in each.found)
    assert problem.path.endswith("content/reports/servers/_index.md")
    assert problem.line == 6
    assert known in problem.found


def test_where_there_is_nothing_to_show_a_notice_says_why(sample: Sample) -> None:
    missing, texts = {}, []
    for shortcode in SHORTCODES:
        joined = [argument for argument in shortcode.arguments if not argument.choices]
        values = tuple(f"missing-{argument.name}" for argument in joined)
        name = "".join(f"{each.before}{value}" for each, value in zip(joined, values, strict=True))
        notice = Notice(kind="warning", text=f"Nothing: {shortcode.name} {name}.")
        missing[shortcode.name] = {name: notice}
        texts.append(written(shortcode.name, values))
    sample.write_data(REPORT, msgspec.structs.replace(report_page(), missing=missing))
    write_report(sample, "\n\n".join(texts))
    text = visible(sample.build()(REPORT))
    for notices in missing.values():
        for notice in notices.values():
            assert notice.text in text
    assert text.count("Warning. Nothing") == len(SHORTCODES) - 1, "a number is in a sentence"


def test_every_shortcode_shows_another_variant_by_name(sample: Sample) -> None:
    """`variant` follows all other arguments, whatever a shortcode is called with."""
    shown, texts = {}, []
    for shortcode in SHORTCODES:
        joined = [argument for argument in shortcode.arguments if not argument.choices]
        name = "".join(f"{each.before}{each.name}" for each in joined)
        reason = Notice(kind="warning", text=f"{shortcode.name} of lab2.")
        shown[shortcode.name] = {f"{name}/@lab2": reason}
        arguments = " ".join(f'{each.name}="{each.name}"' for each in joined)
        texts.append(f'{{{{< {shortcode.name} variant="lab2" {arguments} >}}}}')
    page = msgspec.structs.replace(
        report_page(), names={"variant": ("lab1", "lab2")}, missing=shown
    )
    sample.write_data(REPORT, page)
    write_report(sample, "\n\n".join(texts))
    text = visible(sample.build()(REPORT))
    for each in SHORTCODES:
        assert f"{each.name} of lab2." in text


def test_a_variant_that_is_not_known_stops_the_build(sample: Sample) -> None:
    page = msgspec.structs.replace(report_page(), names={"variant": ("lab1", "lab2")})
    sample.write_data(REPORT, page)
    write_report(sample, 'Words.\n\n{{< chart step="select" variant="lab3" >}}')
    with pytest.raises(BadInput) as stopped:
        sample.build()
    problem = next(each for each in stopped.value.problems if "lab3" in each.found)
    assert problem.line == 6
    assert 'no variant is named "lab3"; known variants: "lab1", "lab2"' in problem.found


def test_arguments_can_be_given_by_name(sample: Sample) -> None:
    write_report(
        sample,
        """
{{< diff base="9.4" step="select" release="10.0" >}}
{{< drilldown name="reading" view="profile" >}}
{{< suspects release="10.0" step="select" >}}
""",
    )
    page = sample.build()(REPORT)
    for part in ("diff-10-0-select", "reading-profile", "grown-10-0"):
        assert page.count(f"The caption of {part}<") == 1
    assert "The caption of reading-path" not in page


def test_every_shortcode_has_the_same_template() -> None:
    templates = {path.stem: path.read_text() for path in SHORTCODE_TEMPLATES.glob("*.html")}
    del templates["listing"]
    assert set(templates) == {each.name for each in SHORTCODES}
    assert set(templates.values()) == {'{{- partial "shortcode.html" . -}}\n'}


def test_docs_list_what_the_pipeline_knows(sample: Sample) -> None:
    site_file = sample.directory / "site/data/site.json"
    site = msgspec.json.decode(site_file.read_bytes(), type=Site)
    listing = Listing(heads=("mark", "word"), rows=(("▼", "slower"), ("", "[none](/x/)")))
    site = msgspec.structs.replace(site, listings={"words": listing})
    site_file.write_bytes(msgspec.json.encode(site))
    write_report(sample, '{{% listing "words" %}}')
    page = sample.build()(REPORT)
    assert "<td>▼</td>" in page
    assert '<td><a href="/perf/x/">none</a></td>' in page


def test_a_table_that_the_text_shows_is_not_repeated_below(sample: Sample) -> None:
    write_report(sample, "{{< throughput >}}\n\nAgain:\n\n{{< throughput >}}")
    page = sample.build()(REPORT)
    assert page.count('id="throughput"') == 1
    assert page.count('id="relative-base"') == 1
    assert 'Shown above: <a href="#throughput">' in page


def test_an_authors_page_is_above_what_is_generated(sample: Sample) -> None:
    sample.write(
        "content/reports/servers/9.4/select/_index.md", "+++\ntitle = 'x'\n+++\nAn author's words."
    )
    site_file = sample.directory / "site/data/site.json"
    site = msgspec.json.decode(site_file.read_bytes(), type=Site)
    site_file.write_bytes(msgspec.json.encode(msgspec.structs.replace(site, pages=site.pages[:1])))
    text = visible(sample.build()(f"{REPORT}9.4/select/"))
    assert text.index("An author's words.") < text.index("The caption of results")


def test_a_release_opens_with_its_verdicts_in_words(sample: Sample) -> None:
    page = sample.build()(f"{REPORT}9.4/")
    words = page.index("1 is slower (<a")
    assert page.index("<h1") < words < page.index("<table")
    assert '(<a href="/perf/reports/servers/9.4/select/">&#34;&gt;&lt;' in page
    assert page.count('class="lede"') == 1
    assert "<p>Against the other, none is.</p>" in page


def test_a_report_opens_with_its_answer_and_its_picture_before_any_text(sample: Sample) -> None:
    page = sample.build()(REPORT)
    words = page.index('The newest is <a href="/perf/reports/servers/10.0/">10.0</a>')
    assert page.index("<h1") < words < page.index('id="relative-base"') < page.index("Words.")


def test_a_picture_that_the_text_names_too_is_not_repeated(sample: Sample) -> None:
    write_report(sample, "{{< relative >}}")
    page = sample.build()(REPORT)
    assert page.count('id="relative-base"') == 1
    assert 'Shown above: <a href="#relative-base">' in page


def test_a_grid_has_its_tints_and_lines_and_their_legend(sample: Sample) -> None:
    grid = table("relative-base", "0.37", tone="worse", tint="worse-5")
    row = msgspec.structs.replace(grid.rows[0], line="0,20 1,38")
    tints = (Tint(name="worse-5", text="below 0.60"),)
    picture = msgspec.structs.replace(grid, rows=(row,), tints=tints, line_box="0 0 1 40")
    sample.write_data(REPORT, msgspec.structs.replace(report_page(), picture=picture))
    page = sample.build()(REPORT)
    assert 'class="number worse worse-5"' in page
    assert '<svg class="sparkline" viewBox="0 0 1 40"' in page
    assert '<polyline points="0,20 1,38"/>' in page
    assert '<li class="worse-5">below 0.60</li>' in page


def test_names_that_are_markup_are_shown_as_they_are(sample: Sample) -> None:
    read = sample.build()
    for path in ("/", "/problems/", f"{REPORT}9.4/select/"):
        page = read(path)
        assert "<script>alert" not in page
        assert HOSTILE in visible(page)


def test_links_stay_below_the_base_path(sample: Sample) -> None:
    write_report(sample, "[a page](/problems/#x), [a file](/files/a.csv), [there](https://a.org/)")
    page = sample.build()(REPORT)
    assert {'href="/perf/problems/#x"', 'href="/perf/files/a.csv"', 'href="https://a.org/"'} <= set(
        re.findall(r'href="[^"]*"', page)
    )
    links = re.findall(r'(?:href|src|data-profile)="(/[^"]*)"', page)
    assert [link for link in links if not link.startswith("/perf/")] == []


def test_rows_and_cells_can_be_linked_to(sample: Sample) -> None:
    page = sample.build()(f"{REPORT}9.4/")
    assert 'id="steps.9.4"' in page
    assert 'href="#steps.9.4"' in page
    assert 'id="steps.9.4.median"' in page


def test_the_viewer_is_loaded_only_where_there_is_a_graph(sample: Sample) -> None:
    read = sample.build()
    assert "js/flame-graph." in read(f"{REPORT}9.4/select/")
    assert "js/flame-graph." not in read(f"{REPORT}9.4/")


def test_a_file_is_saved_under_a_name_that_says_what_it_is(sample: Sample) -> None:
    page = sample.build()(f"{REPORT}9.4/select/")
    link = '<a href="/perf/reports/servers/flamegraph.svg" download="servers.flamegraph.svg">'
    assert link in page


SPEEDSCOPE = "https://www.speedscope.app/"


def test_another_site_is_offered_the_file_where_it_can_fetch_it(sample: Sample) -> None:
    page = sample.build()(f"{REPORT}9.4/select/")
    (link,) = re.findall(rf'href="({SPEEDSCOPE}[^"]*)"', page)
    assert unescape(link) == (
        f"{SPEEDSCOPE}#profileURL=https%3A%2F%2Fexample.org%2Fperf%2Freports%2Fservers%2F"
        "stacks.folded.gz&title=The%20caption%20of%20cpu"
    )
    assert "another site, which then fetches the folded stacks" in visible(page)


@pytest.mark.parametrize("base", ["http://localhost:1313/", "/perf/"])
def test_another_site_is_not_offered_what_it_cannot_fetch(sample: Sample, base: str) -> None:
    assert SPEEDSCOPE not in sample.build(base)(f"{REPORT}9.4/select/")


def meta(page: str) -> dict[str, str]:
    """Return what a page says of itself to other sites."""
    found = re.findall(r'<meta (?:property|name)="([^"]+)" content="([^"]*)">', page)
    return {name: unescape(content) for name, content in found}


def test_a_page_says_what_stands_where_it_is_linked_to(sample: Sample) -> None:
    card = Card(image=f"{REPORT}9.4/card.png", alt=f"Verdicts {HOSTILE}")
    page = step_page()
    own = msgspec.structs.replace(page.place, card=card, description="select: slower than 9.3")
    sample.write_data(f"{REPORT}9.4/select/", msgspec.structs.replace(page, place=own))
    tags = meta(sample.build()(f"{REPORT}9.4/select/"))
    address = "https://example.org/perf/reports/servers/9.4/"
    assert tags["og:title"] == page.place.title
    assert tags["og:description"] == "select: slower than 9.3" == tags["description"]
    assert tags["og:url"] == f"{address}select/"
    assert tags["og:image"] == f"{address}card.png"
    assert tags["og:image:alt"] == f"Verdicts {HOSTILE}"
    assert (tags["og:image:width"], tags["og:image:height"]) == ("1200", "630")
    assert tags["twitter:card"] == "summary_large_image"


def test_without_any_card_there_are_words_alone(sample: Sample) -> None:
    tags = meta(sample.build()(f"{REPORT}9.4/select/"))
    assert "og:image" not in tags
    assert tags["twitter:card"] == "summary"


def test_a_page_without_a_card_has_the_one_of_the_site(sample: Sample) -> None:
    site = msgspec.json.decode((sample.directory / "site/data/site.json").read_bytes(), type=Site)
    card = Card(image="/card.png", alt="What changed lately")
    site = msgspec.structs.replace(site, card=card)
    sample.write("site/data/site.json", msgspec.json.encode(site).decode())
    read = sample.build()
    for path in ("/", REPORT, f"{REPORT}9.4/select/"):
        tags = meta(read(path))
        assert tags["og:image"] == "https://example.org/perf/card.png"
        assert tags["og:image:alt"] == "What changed lately"


def share(anchor: str) -> ShareLinks:
    """Return how a figure of the sample's step is shared."""
    words = f"a {HOSTILE}]( {TEMPLATE}"
    return share_of(
        f"{REPORT}9.4/select/", anchor, f"{REPORT}9.4/select/cpu.png", (1200, 630), words
    )


def snippets(page: str) -> list[str]:
    return [unescape(text) for text in re.findall(r"<pre[^>]*>([^<]*)</pre>", page)]


def test_a_figure_can_be_taken_along(sample: Sample) -> None:
    shared = msgspec.structs.replace(graph("cpu"), share=share("cpu"))
    sample.write_data(
        f"{REPORT}9.4/select/", msgspec.structs.replace(step_page(), graphs=(shared,))
    )
    link, markdown, html, text, frame = snippets(sample.build()(f"{REPORT}9.4/select/"))
    page = "https://example.org/perf/reports/servers/9.4/select/"
    assert link == f"{page}#cpu"
    assert markdown.endswith(f"]({page}cpu.png)]({page}#cpu)")
    assert r"\]" in markdown
    assert "<script" not in markdown.replace(r"\<", "")
    assert not any(command in markdown + html + frame for command in ("{{", "{%"))
    escaped = f"a {escape(HOSTILE)}]( {escape(TEMPLATE)}".replace("&quot;", "&#34;")
    escaped = escaped.replace("{", "&#123;")
    size = 'width="1200" height="630" style="max-width: 100%; height: auto"'
    image = f'<img src="{page}cpu.png" alt="{escaped}" {size}>'
    assert html == f'<a href="{page}#cpu">{image}</a>'
    assert text == f"a {HOSTILE}]( {TEMPLATE} {page}#cpu"
    assert frame.startswith(f'<iframe src="{page}embed/#cpu" title="{escaped}" ')


def test_figures_stand_alone_for_frames_on_other_sites(sample: Sample) -> None:
    page = step_page()
    shared = msgspec.structs.replace(graph("cpu"), share=share("cpu"))
    chart = msgspec.structs.replace(drawn("relative"), share=share("relative"))
    page = msgspec.structs.replace(page, graphs=(shared,), comparison=chart)
    sample.write_data(f"{REPORT}9.4/select/", page)
    site = msgspec.json.decode((sample.directory / "site/data/site.json").read_bytes(), type=Site)
    embed = AdapterPage(path="reports/servers/9.4/select/embed", title="select")
    site = msgspec.structs.replace(site, embeds=(embed,))
    sample.write("site/data/site.json", msgspec.json.encode(site).decode())
    read = sample.build()
    bare = read(f"{REPORT}9.4/select/embed/")
    full = "https://example.org/perf/reports/servers/9.4/select/"
    assert '<meta name="robots" content="noindex">' in bare
    assert f'<link rel="canonical" href="{full}">' in bare
    assert f'<a href="{full}" target="_blank" rel="noopener">' in bare
    assert bare.count('class="drawn"') == 2
    assert "masthead" not in bare
    assert "default-src 'none'" in bare
    sitemap = (sample.directory / "out/sitemap.xml").read_text(encoding="utf-8")
    assert "/select/</loc>" in sitemap
    assert "/embed/" not in sitemap


def test_words_of_table_heads_lead_to_the_glossary(sample: Sample) -> None:
    sample.write(
        "content/docs/glossary.md", "+++\ntitle = 'Glossary'\n+++\n## Median {#median}\nIt is.\n"
    )
    assert '<a href="/perf/docs/glossary/#median">Median</a>' in sample.build()(f"{REPORT}9.4/")


def test_without_a_glossary_the_legend_has_no_links(sample: Sample) -> None:
    assert "<dt>Median" in sample.build()(f"{REPORT}9.4/")


def test_the_site_says_what_could_not_be_read(sample: Sample) -> None:
    read = sample.build()
    assert "Problems (1)" in " ".join(unescape(re.sub(r"<[^>]*>", " ", read("/"))).split())
    assert "run.toml:3 Found" in visible(read("/problems/"))


def test_a_page_is_right_about_the_security_policy_it_asks_for(sample: Sample) -> None:
    page = sample.build()(f"{REPORT}9.4/select/")
    assert "default-src 'none'" in page
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)", page)
