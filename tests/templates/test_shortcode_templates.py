"""Shortcodes in a text: what they show, and what stops the build."""

import msgspec
import pytest
from perfpress.base.problems import BadInput
from perfpress.site.shapes.blocks import (
    Notice,
)
from perfpress.site.shapes.site import Listing, Site
from perfpress.site.shortcodes.registry import SHORTCODES, written
from template_samples import (
    REPORT,
    SHORTCODE_TEMPLATES,
    Sample,
    report_page,
    visible,
    write_report,
)


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
    assert '<td class="words">▼</td>' in page
    assert '<td class="words"><a href="/perf/x/">none</a></td>' in page
