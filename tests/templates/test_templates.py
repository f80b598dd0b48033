"""The templates, given a small site of every kind of page."""

import re
from html import unescape
from pathlib import Path

import msgspec
import pytest
from perfpress.site.figures.share_links import share_of
from perfpress.site.shapes.blocks import (
    Cell,
    Drilldown,
    Link,
    ShareLinks,
    Tint,
)
from perfpress.site.shapes.pages import Card, ReleasesPage, TablePages
from perfpress.site.shapes.site import AdapterPage, OtherPlace, Site
from template_samples import (
    HOSTILE,
    REPORT,
    SHORTCODE_TEMPLATES,
    TEMPLATE,
    Sample,
    drawn,
    graph,
    place,
    report_page,
    step_page,
    table,
    visible,
    write_report,
)


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


def test_a_heading_breaks_a_name_wider_than_a_phone_between_its_words(sample: Sample) -> None:
    title = "innodb_flush_log_at_trx_commit and sync_binlog"
    page = report_page()
    place = msgspec.structs.replace(page.place, heading=title)
    sample.write_data(REPORT, msgspec.structs.replace(page, place=place))
    broken = "innodb_<wbr>flush_<wbr>log_<wbr>at_<wbr>trx_<wbr>commit and sync_binlog"
    assert f"<h1>{broken}</h1>" in sample.build()(REPORT)


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
    assert 'class="worse worse-5"' in page
    assert '<svg class="sparkline" viewBox="0 0 1 40"' in page
    assert '<polyline points="0,20 1,38"/>' in page
    assert '<li class="worse-5">below 0.60</li>' in page


def test_a_cell_of_a_grid_is_one_element_and_its_link(sample: Sample) -> None:
    grid = table("relative-base", "0.37")
    cell = Cell(text="0.37", tone="worse", mark="▼", spoken="slower", url=REPORT)
    row = msgspec.structs.replace(grid.rows[0], cells=(cell,) * len(grid.columns))
    tints = (Tint(name="worse-5", text="below 0.60"),)
    picture = msgspec.structs.replace(grid, rows=(row,), tints=tints)
    sample.write_data(REPORT, msgspec.structs.replace(report_page(), picture=picture))
    page = sample.build()(REPORT)
    link = '<a href="/perf/reports/servers/" aria-label="0.37, slower">0.37</a>'
    assert re.search(rf'<td class="worse" data-mark="▼">\s*{link}\s*</td>', page)


def test_pages_of_columns_have_links_and_no_search_for_a_row(sample: Sample) -> None:
    links = tuple(Link(label=f"from {at}.0", url=f"{REPORT}x/{at}/") for at in (1, 2))
    pages = TablePages(what="All releases", pages=links)
    sample.write_data(REPORT, msgspec.structs.replace(report_page(), release_pages=pages))
    page = sample.build()(REPORT)
    assert '<a href="/perf/reports/servers/x/2/">from 2.0</a>' in page
    assert "data-rows" not in page
    assert "<search>" not in page


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


def test_rows_can_be_linked_to_and_a_script_makes_the_links_to_them_and_cells_and_heads(
    sample: Sample,
) -> None:
    page = sample.build()(f"{REPORT}9.4/")
    assert 'id="steps.9.4"' in page
    assert 'href="#steps.9.4"' not in page
    assert 'data-column="median"' in page
    assert "<td id=" not in page
    assert "steps.@head.median" not in page


def test_a_note_that_several_cells_of_a_table_have_is_written_once(sample: Sample) -> None:
    (row,) = table("results").rows
    links = (Link(label="A diff", url=f"{REPORT}10.0/select/vs/9.4/"),)
    cells = [
        Cell(text="1", note="median of 3 runs"),
        Cell(text="2", note="median of 3 runs", url=REPORT, spoken="slower"),
        Cell(text="3", note="median of 3 runs", links=links),
        Cell(text="4", note="one run"),
    ]
    rows = tuple(
        msgspec.structs.replace(row, key=cell.text, note="one run", cells=(cell,)) for cell in cells
    )
    results = msgspec.structs.replace(table("results"), rows=rows)
    step = msgspec.structs.replace(step_page(), results=results)
    sample.write_data(f"{REPORT}9.4/select/", step)
    page = sample.build()(f"{REPORT}9.4/select/")
    opened = re.findall(r' popovertarget="(results@[^"]*)"', page)
    numbers = [int(target.removeprefix("results@")) for target in opened]
    assert numbers == [1, 2, 1, 2, 1, 3, 1, 1]
    notes = re.findall(r'<span id="(results@[^"]*)" popover>([^<]*)', page)
    assert notes == [
        ("results@1", "one run"),
        ("results@2", "median of 3 runs"),
        ("results@3", "median of 3 runs"),
    ]


def test_both_views_of_a_drilldown_write_a_note_once(sample: Sample) -> None:
    drilldown = Drilldown(
        id="reading",
        title="Reading",
        along_path=table("reading-path", note="matched read"),
        whole_id="reading-profile",
        whole_profile=table("reading-profile", note="matched read"),
    )
    step = msgspec.structs.replace(step_page(), drilldowns=(drilldown,))
    sample.write_data(f"{REPORT}9.4/select/", step)
    page = sample.build()(f"{REPORT}9.4/select/")
    assert page.count('<button popovertarget="reading-path@1">') == 2
    assert page.count("matched read") == 1


def test_cells_say_what_they_are_sorted_by_unless_a_graph_fills_their_table(
    sample: Sample,
) -> None:
    shown = msgspec.structs.replace(graph("cpu"), table=table("functions", sort=1.2345))
    step = msgspec.structs.replace(step_page(), graphs=(shown,), results=table("results", sort=2.5))
    sample.write_data(f"{REPORT}9.4/select/", step)
    page = sample.build()(f"{REPORT}9.4/select/")
    assert '<td data-sort="2.5">5,060' in page
    assert "<td>5,060" in page
    assert "1.2345" not in page


def test_the_viewer_is_loaded_only_where_there_is_a_graph(sample: Sample) -> None:
    read = sample.build()
    assert "js/flame-graph." in read(f"{REPORT}9.4/select/")
    assert "js/flame-graph." not in read(f"{REPORT}9.4/")


def test_a_file_is_offered_once_under_a_name_that_says_what_it_is(sample: Sample) -> None:
    shown = graph("cpu")
    step = msgspec.structs.replace(step_page(), graphs=(shown,), downloads=shown.downloads)
    sample.write_data(f"{REPORT}9.4/select/", step)
    page = sample.build()(f"{REPORT}9.4/select/")
    link = '<a href="/perf/reports/servers/flamegraph.svg" download="servers.flamegraph.svg">'
    assert page.count(link) == 1
    assert '<a href="#section-downloads">Downloads of the graph</a>' in page


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


def give_the_site_a_card(sample: Sample) -> None:
    site = msgspec.json.decode((sample.directory / "site/data/site.json").read_bytes(), type=Site)
    card = Card(image="/card.png", alt="What changed lately")
    site = msgspec.structs.replace(site, card=card)
    sample.write("site/data/site.json", msgspec.json.encode(site).decode())


def test_a_page_without_a_card_has_the_one_of_the_site(sample: Sample) -> None:
    give_the_site_a_card(sample)
    read = sample.build()
    for path in ("/", REPORT, f"{REPORT}9.4/select/"):
        tags = meta(read(path))
        assert tags["og:image"] == "https://example.org/perf/card.png"
        assert tags["og:image:alt"] == "What changed lately"


def test_a_page_of_a_part_of_the_releases_has_no_card(sample: Sample) -> None:
    give_the_site_a_card(sample)
    page = step_page()
    part = msgspec.structs.replace(page.place, is_part=True)
    sample.write_data(f"{REPORT}9.4/select/", msgspec.structs.replace(page, place=part))
    tags = meta(sample.build()(f"{REPORT}9.4/select/"))
    assert "og:image" not in tags
    assert tags["twitter:card"] == "summary"


def share(anchor: str) -> ShareLinks:
    """Return how a figure of the sample's step is shared."""
    words = f"a {HOSTILE}]( {TEMPLATE}"
    return share_of(
        f"{REPORT}9.4/select/", anchor, f"{REPORT}9.4/select/cpu.png", (1200, 630), words
    )


def test_a_figure_can_be_taken_along(sample: Sample) -> None:
    shared = msgspec.structs.replace(graph("cpu"), share=share("cpu"))
    sample.write_data(
        f"{REPORT}9.4/select/", msgspec.structs.replace(step_page(), graphs=(shared,))
    )
    page = sample.build()(f"{REPORT}9.4/select/")
    link, text = (unescape(each) for each in re.findall(r"<pre[^>]*>([^<]*)</pre>", page))
    assert link == "https://example.org/perf/reports/servers/9.4/select/#cpu"
    assert text == f"a {HOSTILE}]( {TEMPLATE}"
    assert 'data-figure="cpu" data-width="1200" data-height="630" data-framed>' in page
    assert '<a href="/perf/reports/servers/9.4/select/cpu.png">cpu.png</a>' in page


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
    assert "drawn" not in bare  # it is in the page, and there alone
    assert bare.count(f'<image href="/perf{REPORT}9.4/select/cpu.png" width="') == 2
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


def test_what_a_table_has_in_each_cell_is_no_partial_that_returns() -> None:
    partials = SHORTCODE_TEMPLATES.parent / "_partials"
    called, new = set(), {"row.html"}
    while new:
        called |= new
        texts = [(partials / name).read_text() for name in new if (partials / name).is_file()]
        new = {name for text in texts for name in re.findall(r'partial "([^"]+)"', text)} - called
    assert {"value.html", "breakable.html", "url.html"} <= called
    slow = [each for each in sorted(called) if "- return" in _text_of(partials / each)]
    assert slow == []  # Hugo opens the file of each such call again


def _text_of(path: Path) -> str:
    return path.read_text() if path.is_file() else ""


def test_a_long_table_leads_to_its_pages_without_a_script(sample: Sample) -> None:
    pages = TablePages(
        table="releases",
        what="All releases",
        pages=tuple(Link(label=f"from {at}.0", url=f"{REPORT}releases/{at}/") for at in (1, 2)),
        rows=f"{REPORT}releases/rows.json",
    )
    second = ReleasesPage(
        place=place(pages.pages[1].url, "Releases from 2.0"),
        releases=table("releases"),
        release_pages=pages,
    )
    sample.write_data(REPORT, msgspec.structs.replace(report_page(), release_pages=pages))
    sample.write_data(second.place.path, second)
    site_file = sample.directory / "site/data/site.json"
    site = msgspec.json.decode(site_file.read_bytes(), type=Site)
    listed = AdapterPage(path=second.place.path.strip("/"), title="Releases from 2.0")
    site_file.write_bytes(
        msgspec.json.encode(msgspec.structs.replace(site, pages=(*site.pages, listed)))
    )
    read = sample.build()
    for path in (REPORT, second.place.path):
        page = read(path)
        assert 'data-table="releases" data-rows="/perf/reports/servers/releases/rows.json"' in page
        assert '<a href="/perf/reports/servers/releases/1/">from 1.0</a>' in page
        assert page.index('<nav class="table-pages"') < page.index('<table id="releases"')
    assert 'releases/2/">from 2.0</a>' in read(REPORT)
    assert 'releases/2/" aria-current="page">from 2.0</a>' in read(second.place.path)


def test_problems_that_the_page_does_not_list_are_counted_and_led_to(sample: Sample) -> None:
    site_file = sample.directory / "site/data/site.json"
    site = msgspec.json.decode(site_file.read_bytes(), type=Site)
    others = (OtherPlace(where="a.txt", found="cut"), OtherPlace(where="b.txt", found="cut"))
    (problem,) = site.problems
    many = msgspec.structs.replace(problem, others=others, count=1234)
    site = msgspec.structs.replace(
        site, problems=(many,), all_problems=Link(label="All problems", url="/problems/all.txt")
    )
    site_file.write_bytes(msgspec.json.encode(site))
    page = sample.build()("/problems/")
    assert "<summary>1,234 more like it, the first 2 here</summary>" in page
    assert 'href="/perf/problems/all.txt"' in page
