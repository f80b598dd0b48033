"""Flame graphs of one cell: a part of the page each, CPU time first, none overwrites another."""

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from perfpress.base.node.jobs import Done
from perfpress.base.node.messages.graphs import FunctionTable, GoneFunctions
from perfpress.base.slugs import slug
from perfpress.site.directory import SiteDirectory, name_of_download
from perfpress.site.figures.graphs import diff_graph, flame_graph
from perfpress.site.report_figures import DiffKey, Figures
from perfpress.site.shapes.blocks import Graph, GraphWork
from profile_samples import Stacks
from study_samples import captured, cell_of, profile_on_disk, study_of

POOR: Stacks = {("db", "main", "run"): 9, ("db", "main", "[unknown]"): 1}
NO_FUNCTIONS = FunctionTable(columns=(), first="self", rows=(), functions=0)
NONE_GONE = GoneFunctions(functions=0, self_percent=0.0, rows=())


def drawn(directory: Path) -> Done[Any]:
    """Return what drawing made."""
    names = (
        *("inline.svg", "flamegraph.svg", "flamegraph.png"),
        *("diff.svg", "diff.png", "diff.json", "diff.folded.gz", "suspects.json"),
    )
    for name in names:
        (directory / name).write_text("<svg/>")
    words = {"about": "Width: share.", "noise": "Grey: noise."}
    answer = SimpleNamespace(inline_left_out=0, functions=NO_FUNCTIONS, gone=NONE_GONE, **words)
    return Done(directory, "key", cast(Any, answer))


def graphs_of(directory: Path, *events: tuple[str, str]) -> tuple[Graph, ...]:
    """Return the graphs of a cell with profiles of some events."""
    profiles = [profile_on_disk(directory, "a", POOR, *event) for event in events]
    figures = Figures(study_of([captured(directory, "a")], profiles))
    site = SiteDirectory(directory / "site")
    done = drawn(directory)
    return tuple(flame_graph(figures, cell_of("a"), made, done, site) for made in profiles)


@pytest.mark.parametrize(
    ("event", "heading", "caption"),
    [
        (("cpu-clock", "CPU ns"), "Where the time goes", "Where select on a spends its CPU time"),
        (("cycles", "0.1 cycles"), "Where the time goes", "Where select on a spends its cycles"),
        (("delay", "ns"), "Where the time goes", "Where select on a spends its time"),
        (("wait", "ps"), "Where it waits", "Where select on a waits"),
        (
            ("alloc_space", "bytes"),
            "Where the bytes come from",
            "Where the bytes of select on a come from",
        ),
        (
            ("unknown", "samples"),
            "Where the time goes",
            "Where the samples of select on a come from",
        ),
    ],
)
def test_a_graph_says_what_it_is_of(
    event: tuple[str, str], heading: str, caption: str, tmp_path: Path
) -> None:
    (graph,) = graphs_of(tmp_path, event)
    assert (graph.heading, graph.caption) == (heading, caption)


def test_every_event_has_its_own_graph_and_downloads(tmp_path: Path) -> None:
    events = [("cycles", "cycles"), ("cycles:u", "cycles"), ("cycles-u", "cycles"), ("wait", "ps")]
    graphs = graphs_of(tmp_path, *events)
    assert [graph.heading for graph in graphs] == [
        *("Where the time goes: cycles", "Where the time goes: cycles:u"),
        *("Where the time goes: cycles-u", "Where it waits: wait"),
    ]
    urls = [link.url for graph in graphs for link in graph.downloads]
    assert len(set(urls)) == len(urls) == 16
    assert urls[0].endswith("/a/select/flamegraph.svg")
    saved = [link.download for link in graphs[0].downloads]
    assert [name.split("a-select.")[1] for name in saved] == [
        *("flamegraph.svg", "flamegraph.png", "stacks.folded.gz", "profile.json")
    ]
    assert graphs[0].folded == urls[2]
    assert urls[-4].endswith("/a/select/flamegraph.wait.svg")
    assert [graph.downloads[0].label for graph in graphs[::3]] == [
        *("Flame graph of cycles, SVG", "Flame graph of wait, SVG")
    ]
    assert len({graph.id for graph in graphs}) == len({graph.asset for graph in graphs}) == 4


@pytest.mark.parametrize(
    "name",
    [
        *('"><img src=x onerror=alert(1)>', "../../etc/passwd", "a\x00b\x1b[31m", "\u202egpj.exe"),
        *("\N{FIRE}" * 40, "x" * 5000, ".hidden", "@", "-rf"),
    ],
)
def test_a_download_has_a_harmless_name_whatever_the_step(name: str) -> None:
    file = name_of_download(f"/reports/servers/{slug(name)}/{slug(name)}/@{slug(name)}/diff.svg")
    assert re.fullmatch(r"servers-[a-z0-9._-]+\.diff\.svg", file)
    assert len(file) < 255


def test_what_is_poor_in_a_profile_is_beside_its_graph(tmp_path: Path) -> None:
    (graph,) = graphs_of(tmp_path, ("cycles", "cycles"))
    (warning,) = graph.warnings
    assert warning.kind == "warning"
    assert warning.text.startswith("10.0\N{NO-BREAK SPACE}% of the weight is in code without")
    assert [fact.label for fact in graph.quality][:3] == ["Captures", "Captured", "Event"]
    assert graph.summary[0].startswith("Event cycles, 10 cycles from 1 capture; 10,000 operations")


def test_a_diff_warns_of_the_side_that_is_poor(tmp_path: Path) -> None:
    profiles = [profile_on_disk(tmp_path, "a"), profile_on_disk(tmp_path, "b", POOR)]
    figures = Figures(study_of([captured(tmp_path, each) for each in "ab"], profiles))
    site = SiteDirectory(tmp_path / "site")
    made = drawn(tmp_path)
    graph = diff_graph(figures, DiffKey(cell_of("b"), "a"), made, made, site)
    (warning,) = graph.warnings
    assert warning.text.startswith("10.0\N{NO-BREAK SPACE}% (b) of the weight")


def test_a_diff_says_once_what_is_poor_on_both_sides(tmp_path: Path) -> None:
    profiles = [profile_on_disk(tmp_path, each, POOR) for each in "ab"]
    figures = Figures(study_of([captured(tmp_path, each) for each in "ab"], profiles))
    site = SiteDirectory(tmp_path / "site")
    made = drawn(tmp_path)
    graph = diff_graph(figures, DiffKey(cell_of("b"), "a"), made, made, site)
    (warning,) = graph.warnings
    share = "10.0\N{NO-BREAK SPACE}%"
    assert warning.text.startswith(f"{share} (a) and {share} (b) of the weight")


def test_a_diff_says_what_its_colours_are_of_and_what_else_there_is(tmp_path: Path) -> None:
    events = [("cpu-clock", "CPU ns"), ("cycles", "cycles"), ("waits", "ps")]
    profiles = [
        *(profile_on_disk(tmp_path, "a", POOR, *event) for event in events),
        *(profile_on_disk(tmp_path, "b", POOR, *event) for event in events[:2]),
    ]
    figures = Figures(study_of([captured(tmp_path, each) for each in "ab"], profiles))
    site = SiteDirectory(tmp_path / "site")
    made = drawn(tmp_path)
    graph = diff_graph(figures, DiffKey(cell_of("b"), "a"), made, made, site)
    assert graph.summary == (
        *("Width: share.", "Grey: noise."),
        "This is of cpu-clock. Both were captured with cycles, too: "
        "perfpress diff compares their profiles.",
    )


def test_a_graph_says_what_its_weight_was_spent_on(tmp_path: Path) -> None:
    (graph,) = graphs_of(tmp_path, ("cycles", "cycles"))
    # 1000 a second for the ten seconds of the capture
    assert graph.work == GraphWork(operations=10_000, cost_unit="cycles per transaction")


def test_without_captured_seconds_no_frame_has_a_cost(tmp_path: Path) -> None:
    made = profile_on_disk(tmp_path, "a", POOR)
    run = captured(tmp_path, "a", capture={"seconds": None})
    figures = Figures(study_of([run], [made]))
    site = SiteDirectory(tmp_path / "site")
    assert flame_graph(figures, cell_of("a"), made, drawn(tmp_path), site).work is None
