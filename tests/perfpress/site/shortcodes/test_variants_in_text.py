"""Figures of several variants in one text, and numbers of configurations that stand in."""

from dataclasses import replace
from pathlib import Path

import pytest
from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import StepRun
from perfpress.input.bundles.same_config import SameConfigs, same_configs
from perfpress.input.report.mentions import mentions_in
from perfpress.site.report_parts import ReportParts
from perfpress.site.shapes.blocks import Cell, Chart, Drilldown, Graph, Table
from perfpress.site.shapes.pages import ShortcodeContent
from perfpress.site.shortcodes.registry import SHORTCODES, ShownInText, shown_in_text
from perfpress.site.shortcodes.variants import in_variant
from report_samples import parts_of
from study_samples import repeats, study_of

RATES = {"a": [1000.0, 1001.0], "b": [800.0, 801.0]}


def measured(directory: Path, config: str, factor: float, releases: str) -> list[StepRun]:
    return [
        run
        for release in releases
        for run in repeats(
            directory / config,
            release,
            [factor * rate for rate in RATES[release]],
            changes={"config": config},
        )
    ]


def shown_as_one(runs: list[StepRun], same: SameConfigs) -> list[StepRun]:
    """Return runs under the variants that they count for."""
    found = []
    for each in runs:
        run = replace(each.run, bundle=same.in_variant(each.bundle))
        variant = run.bundle.variant.slug
        cell = CellKey(each.cell.release, variant, each.cell.step)
        found.append(replace(each, run=run, cell=cell))
    return found


def parts_with(runs: list[StepRun], text: str, same: SameConfigs | None = None) -> ReportParts:
    same = same or SameConfigs()
    runs = shown_as_one(runs, same)
    variants = {each.cell.variant: each.bundle.variant.label for each in runs}
    report = {
        "mentions": mentions_in(text),
        "variants": variants,
        "default_variant": next(iter(variants)),
        "same_configs": same,
    }
    return parts_of(study_of(runs, report=report))


@pytest.fixture
def two(tmp_path: Path) -> ShownInText:
    runs = [*measured(tmp_path, "small", 1.0, "ab"), *measured(tmp_path, "large", 10.0, "ab")]
    text = '{{< cell name="b/select/throughput" variant="socket2--large" >}}'
    return shown_in_text(parts_with(runs, text))


def test_a_number_of_another_variant_says_which_one_it_is_of(two: ShownInText) -> None:
    default, other = (
        two.shown["cell"][f"b/select/throughput{ending}"] for ending in ("", "/@socket2--large")
    )
    assert isinstance(default, Cell)
    assert isinstance(other, Cell)
    assert (default.text, other.text) == ("800.5", "8,005")
    assert other.note == "socket2, large: median of 2 runs, 8,000 to 8,010"
    assert other.url.endswith("/@socket2--large/")


def test_every_shortcode_knows_the_variants_that_the_text_names(two: ShownInText) -> None:
    for each in SHORTCODES:
        names = {*two.shown[each.name], *two.missing[each.name]}
        default = {name for name in names if "/@" not in name and not name.endswith("--small")}
        assert {f"{name}/@socket2--large" for name in default} <= names, each.name


def test_a_variant_has_no_tables_of_another(two: ShownInText) -> None:
    names = {*two.shown["throughput"]}
    assert "throughput-socket2--small" in names
    assert "throughput-socket2--large" in names
    assert "throughput-socket2--large/@socket2--large" in names
    assert "throughput-socket2--small/@socket2--large" not in names


def test_tables_of_two_variants_have_ids_and_captions_of_their_own(two: ShownInText) -> None:
    for name in ("throughput", "relative", "verdicts"):
        tables = {key: each for key, each in two.shown[name].items() if isinstance(each, Table)}
        key = "b" if name == "verdicts" else ""
        default, other = tables[key], tables[f"{key}/@socket2--large"]
        assert default.id != other.id
        assert other.caption.count("socket2, large") == 1
        assert "large" not in default.caption


def test_what_another_variant_lacks_is_said_of_it(two: ShownInText) -> None:
    reason = two.missing["flamegraph"]["b/select/@socket2--large"].text
    assert reason == "no profile of select on b; socket2, large"


def test_a_text_without_variants_carries_the_default_one_alone(tmp_path: Path) -> None:
    runs = [*measured(tmp_path, "small", 1.0, "ab"), *measured(tmp_path, "large", 10.0, "ab")]
    shown = shown_in_text(parts_with(runs, '{{< cell "b/select/throughput" >}}')).shown
    assert not [name for each in shown.values() for name in each if "/@" in name]


def test_a_configuration_that_stands_in_is_said_beside_the_number(tmp_path: Path) -> None:
    runs = [*measured(tmp_path, "x10b", 1.0, "a"), *measured(tmp_path, "x10a", 1.0, "b")]
    same = same_configs([["x10b", "x10a"]], [each.bundle.variant for each in runs])
    text = """{{< cell "a/select/throughput" >}} {{< cell "b/select/throughput" >}}
    {{< cell name="b/select/throughput" variant="socket2--x10a" >}}"""
    result = shown_in_text(parts_with(runs, text, same))
    cells = {key: each for key, each in result.shown["cell"].items() if isinstance(each, Cell)}
    standing_in = "measured with x10a, which stands in for x10b"
    assert cells["b/select/throughput"].note == f"median of 2 runs, 800.0 to 801.0; {standing_in}"
    assert cells["b/select/throughput/@socket2--x10a"] == cells["b/select/throughput"]
    assert cells["b/select/against-base"].note.endswith(standing_in)
    assert "stands in" not in cells["a/select/throughput"].note


def test_a_release_without_a_variant_is_cited_with_the_configuration_that_tables_show(
    tmp_path: Path,
) -> None:
    runs = [*measured(tmp_path, "x10b", 1.0, "a"), *measured(tmp_path, "x10a", 1.0, "b")]
    text = """{{< cell "b/select/throughput" >}} {{< cell "b/select/against-base" >}}
    {{< cell name="a/select/throughput" variant="socket2--x10a" >}}"""
    result = shown_in_text(parts_with(runs, text))
    cells = {key: each for key, each in result.shown["cell"].items() if isinstance(each, Cell)}
    shown = cells["b/select/throughput"]
    standing_in = "measured with x10a, which stands in for x10b"
    assert (shown.text, shown.note) == (
        "800.5",
        f"median of 2 runs, 800.0 to 801.0; {standing_in}",
    )
    assert shown.url.endswith("/b/select/@socket2--x10a/")
    other = cells["a/select/throughput/@socket2--x10a"]
    assert other.note.endswith("measured with x10b, which stands in for x10a")
    assert "b/select/against-base" not in cells


def test_drawings_and_drilldowns_of_two_variants_do_not_share_ids(tmp_path: Path) -> None:
    runs = [*measured(tmp_path, "small", 1.0, "a"), *measured(tmp_path, "large", 1.0, "a")]
    report = parts_with(runs, "").report
    table = Table(id="t", caption="T", row_head="Release", columns=(), rows=())
    drilldown = Drilldown(
        id="d", title="D", along_path=table, whole_id="whole", whole_profile=table
    )
    blocks: list[ShortcodeContent] = [
        Graph(id="g", caption="G", asset="g.svg", profile_url="/p.json"),
        Chart(id="c", caption="C", asset="c.svg", table=table),
        drilldown,
    ]
    graph, chart, other = (in_variant(report, "socket2--large", each) for each in blocks)
    assert isinstance(graph, Graph)
    assert (graph.id, graph.caption) == ("g-socket2--large", "G; socket2, large")
    assert isinstance(chart, Chart)
    assert chart.table is not None
    assert (chart.id, chart.table.id) == ("c-socket2--large", "t-socket2--large")
    assert isinstance(other, Drilldown)
    assert (other.id, other.along_path.id) == ("d-socket2--large", "t-socket2--large")
    assert other.title == "D; socket2, large"
