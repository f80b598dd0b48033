"""What a link to a page shows: its card, and the verdict in words."""

from dataclasses import replace
from pathlib import Path

import pytest
from perfpress.analysis.study.study import StepRun
from perfpress.site.addresses import Identity
from perfpress.site.figures.cards import (
    CardOfPage,
    card_of,
    release_cards,
    report_cards,
    site_card,
    with_card,
)
from perfpress.site.figures.share_links import LONGEST_ALT, pictures_of, share_of
from perfpress.site.pages.latest_changes import changes_of, latest_changes
from perfpress.site.report_figures import Figures
from perfpress.site.report_title import MARK, titled, untitled
from perfpress.site.shapes.blocks import Chart, Table
from perfpress.site.shapes.blocks import Link as SiteLink
from perfpress.site.shapes.pages import Card, MovedPage, Place, VariantPage
from perfpress.site.shapes.site import ListedReport
from perfpress.site.words.step_headline import cell_words, pair_words, step_headline
from perfpress.site.words.verdict_sentences import plain
from study_samples import cell_of, repeats, study_of

AGAINST_B = (
    "50.0\N{NO-BREAK SPACE}% slower than b "
    "(one run; ratio 0.500; 95\N{NO-BREAK SPACE}% interval 0.498 to 0.502)"
)
STEADY = [1000.0, 1001.0, 999.0, 1002.0, 998.0]
IDENTITY = Identity("Perfpress", "https://example.org/perf/")


def scaled(factor: float) -> list[float]:
    return [factor * rate for rate in STEADY]


def step_line(figures: Figures, release: str) -> str:
    return plain((step_headline(figures, cell_of(release)),))


@pytest.fixture
def figures(tmp_path: Path) -> Figures:
    """A base, a faster release and one that a single run shows."""
    return Figures(
        study_of(
            [
                *repeats(tmp_path, "a", STEADY),
                *repeats(tmp_path, "b", scaled(1.2)),
                *repeats(tmp_path, "c", [600.0]),
            ]
        )
    )


def test_a_verdict_in_words_has_release_base_ratio_and_interval(figures: Figures) -> None:
    assert cell_words(figures, cell_of("b")) == (
        "select on b: 20.0\N{NO-BREAK SPACE}% faster than a "
        "(ratio 1.200; 95\N{NO-BREAK SPACE}% interval 1.196 to 1.204)"
    )


def test_one_run_says_so(figures: Figures) -> None:
    assert cell_words(figures, cell_of("c")) == (
        "select on c: 40.0\N{NO-BREAK SPACE}% slower than a "
        "(one run; ratio 0.600; 95\N{NO-BREAK SPACE}% interval 0.598 to 0.602), "
        f"{AGAINST_B}"
    )


def test_the_base_is_described_by_its_rate(figures: Figures) -> None:
    assert cell_words(figures, cell_of("a")) == (
        "select on a: 1,000 transactions per second, median of 5 runs; "
        "other releases are compared with it"
    )


def test_a_pair_is_described_by_what_changed(figures: Figures) -> None:
    words = pair_words(figures, cell_of("b"), "a")
    assert words == (
        "what changed in select from a to b. 20.0\N{NO-BREAK SPACE}% faster than a (ratio 1.200; "
        "95\N{NO-BREAK SPACE}% interval 1.196 to 1.204)"
    )
    assert words.endswith(step_line(figures, "b").removesuffix("."))


def test_the_card_of_a_release_says_what_the_page_of_a_report_does(figures: Figures) -> None:
    cards = release_cards(figures, {}, figures.study.measured)
    lines = {each.page.split("/")[-2]: each.request.line for each in cards}
    assert lines["a"] == "The base that other releases are compared with, in 1 step."
    assert lines["b"] == "Against a: select is faster, ×1.200."
    assert lines["c"] == "Against a: select is slower in one run, ×0.600."


def test_cards_have_the_worst_first(tmp_path: Path) -> None:
    """Also where every cell has one run, so that nothing is confirmed."""
    factors = {"up": 1.5, "down": 0.8, "far-down": 0.4, "far-up": 3.0, "same": 1.0}
    runs = [
        run
        for release, is_base in (("a", True), ("b", False))
        for step, factor in factors.items()
        for run in repeats(
            tmp_path / step,
            release,
            [1000.0 * (1 if is_base else factor)],
            step={"name": step},
        )
    ]
    figures = Figures(study_of(runs, report={"steps": tuple(factors)}))
    (card,) = release_cards(figures, {}, ["b"])
    assert card.page.endswith("/b/")
    assert list(cells(card)) == ["far-down", "down", "far-up", "up", "same"]


def cells(card: CardOfPage) -> dict[str, list[str]]:
    return {row.label: [cell.text for cell in row.cells] for row in card.request.rows}


def test_the_card_of_a_release_has_its_verdicts(figures: Figures) -> None:
    cards = release_cards(figures, {}, figures.study.measured)
    (card,) = (each for each in cards if each.page.endswith("/b/"))
    assert card.request.title == "b"
    assert cells(card) == {"select": ["×1.200", "1.196 to 1.204", "▲ faster"]}
    (base,) = (each for each in cards if each.page.endswith("/a/"))
    assert cells(base) == {"select": ["1,000", "transactions/s", "5"]}


def test_the_card_of_a_report_counts_verdicts_newest_release_first(figures: Figures) -> None:
    *_, card = report_cards(figures, {})
    assert card.page == f"/reports/{figures.study.report.id}/"
    assert cells(card) == {
        "c": ["0", "0", "1", "0", "0"],
        "b": ["0", "1", "0", "0", "0"],
        "a (base)": ["–", "–", "–", "–", "–"],
    }
    assert card.request.line == (
        "c, the newest release, against a: select is slower in one run, ×0.600."
    )


def test_the_title_of_a_report_is_put_into_its_cards_later(figures: Figures) -> None:
    cards = report_cards(Figures(untitled(figures.study)), {})
    assert [each.request.title for each in cards][-1] == MARK
    titled_cards = [titled(each, 'The "best"') for each in cards]
    assert titled_cards == report_cards(with_title(figures, 'The "best"'), {})
    assert titled(card_of(cards[-1]), 'The "best"') == card_of(titled_cards[-1])


def with_title(figures: Figures, title: str) -> Figures:
    return Figures(replace(figures.study, report=replace(figures.study.report, title=title)))


def test_the_card_of_the_site_has_what_changed_lately(tmp_path: Path) -> None:
    def card(runs: list[StepRun]) -> CardOfPage:
        figures = Figures(study_of(runs))
        listed = ListedReport(id="r", title="Servers", url="/", summary="2 runs")
        return site_card(IDENTITY, latest_changes([list(changes_of(figures))]), [listed])

    changed = card([*repeats(tmp_path, "a", STEADY), *repeats(tmp_path, "b", scaled(0.8))])
    assert cells(changed) == {"select": ["−20.0\N{NO-BREAK SPACE}%", "▼ slower", "b", "a"]}
    assert changed.request.about == "example.org/perf"
    same = card([*repeats(tmp_path, "c", STEADY), *repeats(tmp_path, "d", STEADY)])
    assert cells(same) == {"Servers": ["2 runs"]}


def test_a_page_without_a_card_has_the_one_of_the_nearest_page_above_it() -> None:
    def page(path: str) -> MovedPage:
        place = Place(path=path, title="", heading="", description="")
        return MovedPage(place=place, notices=(), now=SiteLink(label="", url="/"))

    cards = {
        "/reports/r/": Card(image="/reports/r/card.png", alt="report"),
        "/reports/r/18/": Card(image="/reports/r/18/card.png", alt="release"),
        "/reports/r/18/select/": Card(image="/reports/r/18/select/flamegraph.png", alt="graph"),
    }
    paths = {
        "/reports/r/18/select/": "graph",
        "/reports/r/18/select/@other/": "graph",
        "/reports/r/18/update/vs/16/": "release",
        "/reports/r/steps/select/": "report",
        "/hosts/lab1/": None,
    }
    pages = [with_card(page(path), cards) for path in paths]
    found = {page.place.path: page.place.card and page.place.card.alt for page in pages}
    assert found == paths


def test_a_figure_is_shared_in_few_words_on_one_line() -> None:
    words = "a [link](x) \n <b> " + "w" * 1000
    share = share_of("/reports/r/18/select/", "cpu", "/cpu.png", (1200, 630), words)
    assert share.page == "/reports/r/18/select/#cpu"
    assert share.has_embed
    assert share.alt.startswith("a [link](x) <b> www")
    assert len(share.alt) == LONGEST_ALT


def test_the_pictures_of_a_page_are_those_of_its_figures() -> None:
    def variant(chart: Chart | None) -> VariantPage:
        table = Table(id="t", caption="", row_head="", columns=(), rows=())
        place = Place(path="/reports/r/@a/", title="", heading="", description="")
        return VariantPage(
            place=place,
            opening=(),
            picture=table,
            by_release=chart,
            throughput=table,
        )

    files = ("/reports/r/@a/by-release.png", "/reports/r/@a/by-release.svg")
    share = share_of("/reports/r/@a/", "c", files[0], (800, 300), "words", svg=files[1])
    drawn = Chart(id="c", caption="", asset="", share=share)
    assert pictures_of(variant(drawn)) == list(files)
    assert pictures_of(variant(None)) == []


def test_a_change_says_since_which_release(tmp_path: Path) -> None:
    rates = [1000.0, 1010.0, 1005.0, 995.0, 500.0, 503.0, 498.0, 501.0]
    study = study_of(
        [run for at, rate in enumerate(rates) for run in repeats(tmp_path, f"r{at}", [rate])]
    )
    words = cell_words(Figures(study), cell_of("r6"))
    assert words.startswith(
        "select on r6: 50.2\N{NO-BREAK SPACE}% slower than r0 since r4 (ratio 0.498; "
    )
