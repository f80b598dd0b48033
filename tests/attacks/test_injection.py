"""Hostile names stay names, wherever they are shown: one report, looked at from all sides."""

import csv
import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hostile_report import FRAMES, RELEASES, main
from page_scan import Page, files, formulas, leads_elsewhere, unseen
from perfpress.base.checkout import ROOT
from repositories import branches_of, site_repository

BASE = "https://example.org/perf/"
SPEEDSCOPE = "https://www.speedscope.app/"
DRAWN = {"circle", "desc", "g", "line", "path", "polyline", "rect", "style", "svg", "text", "title"}
"""What charts and cards are drawn with; a flame graph has a script too."""


@dataclass(frozen=True)
class Site:
    """The report as it was published."""

    directory: Path
    """Holds results, content, public."""
    output: str
    """What the build printed."""
    environment: dict[str, str]
    """Has a `perf` that writes down that it was called."""

    @property
    def out(self) -> Path:
        return self.directory / "public"

    def perfpress(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Call the command line, in the directory."""
        return subprocess.run(
            [sys.executable, "-m", "perfpress", *words],
            cwd=self.directory,
            env=self.environment | {"PYTHONPATH": str(ROOT / "pipeline")},
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    directory = tmp_path_factory.mktemp("hostile")
    main(directory)
    programs = directory / "programs"
    programs.mkdir()
    (programs / "perf").write_text(f"#!/bin/sh\necho called >> {directory}/perf.calls\n")
    (programs / "perf").chmod(0o755)
    environment = os.environ | {"PATH": f"{programs}:{os.environ['PATH']}"}
    made = Site(directory, "", environment)
    done = made.perfpress(
        *("build", "--results", "results", "--content", "content"),
        *("--out", "public", "--base-url", BASE),
    )
    assert done.returncode == 0, done.stderr
    return Site(directory, done.stdout + done.stderr, environment)


@pytest.fixture(scope="session")
def pages(site: Site) -> dict[str, tuple[str, Page]]:
    """Return text and parts of all pages."""
    texts = {str(path.relative_to(site.out)): path.read_text() for path in files(site.out, ".html")}
    return {name: (text, Page(text)) for name, text in texts.items()}


@pytest.fixture
def bundle(site: Site) -> str:
    """Return the directory of a hostile run."""
    return str(next((site.directory / "results").glob("*/*/*/*")).relative_to(site.directory))


def test_pages_hold_no_element_that_a_name_made(pages: dict[str, tuple[str, Page]]) -> None:
    assert len(pages) > 15
    for name, (_, page) in pages.items():
        assert not page.elements & {"pwned", "img", "iframe", "object", "base", "style"}, name
        assert page.scripts == [], name


def test_pages_hold_no_attribute_that_a_name_made(pages: dict[str, tuple[str, Page]]) -> None:
    for name, (_, page) in pages.items():
        assert not [each for each in page.attributes if each.startswith("on")], name
        assert not page.attributes & {"pwned", "srcdoc"}, name
        assert page.styles == [], name


def test_addresses_of_pages_lead_nowhere_else(pages: dict[str, tuple[str, Page]]) -> None:
    for name, (_, page) in pages.items():
        for element, address in page.addresses:
            if element == "a" and address.startswith(f"{SPEEDSCOPE}#profileURL=https%3A"):
                continue  # a reader's own choice, with the address of a file of this site
            assert not leads_elsewhere(address, BASE), f"{name}: {element} {address}"


def test_pages_show_the_names_letter_by_letter(pages: dict[str, tuple[str, Page]]) -> None:
    shown = unescape("".join(text for text, _ in pages.values()))
    for name in RELEASES:
        assert name in shown


def test_templates_in_names_are_not_run(pages: dict[str, tuple[str, Page]]) -> None:
    shown = unescape("".join(text for text, _ in pages.values()))
    assert '{{< pwned >}}{{% pwned %}}{{ readFile "hugo.toml" }}{{</* pwned */>}}' in shown
    assert "HAHAHUGO" not in shown
    assert "[module]" not in shown


def test_nothing_on_pages_is_unseen_or_turns_around(pages: dict[str, tuple[str, Page]]) -> None:
    for name, (text, _) in pages.items():
        assert unseen(text) == set(), name


def test_json_is_json(site: Site) -> None:
    for path in files(site.out, ".json"):
        json.loads(path.read_text())


def test_xml_is_of_its_own_elements(site: Site) -> None:
    for path in files(site.out, ".xml"):
        elements = {each.tag.rpartition("}")[2] for each in ElementTree.parse(path).iter()}
        allowed = {"feed", "title", "link", "updated", "author", "name", "id", "entry", "summary"}
        allowed |= {"urlset", "url", "loc", "lastmod", "priority", "content", "category"}
        assert elements <= allowed, path
        assert unseen(path.read_text()) == set()


def test_drawings_are_of_their_own_elements(site: Site) -> None:
    scripts = set()
    for path in files(site.out, ".svg"):
        root = ElementTree.parse(path).getroot()
        elements = {each.tag.rpartition("}")[2] for each in root.iter()}
        is_viewer = path.name.startswith(("flamegraph", "diff"))
        assert elements <= DRAWN | ({"script"} if is_viewer else set()), path
        attributes = {name for each in root.iter() for name in each.attrib}
        assert not [name for name in attributes if name.startswith("on")], path
        for each in root.iter("{http://www.w3.org/2000/svg}style"):
            assert "pwned" not in (each.text or ""), path
        for each in root.iter("{http://www.w3.org/2000/svg}script"):
            if each.get("type") == "application/json":
                json.loads(each.text or "")
            else:
                scripts.add(each.text)
    assert len(scripts) == 2, "one script of graphs, and one of diffs: names are no part of it"


def test_tables_hold_no_formula(site: Site) -> None:
    for path in files(site.out, ".csv"):
        with path.open(newline="") as file:
            assert formulas(csv.reader(file)) == [], path
        assert unseen(path.read_text()) == set(), path


def test_files_have_plain_names_and_stand_inside(site: Site) -> None:
    for path in site.out.rglob("*"):
        for part in path.relative_to(site.out).parts:
            assert re.fullmatch(r"[A-Za-z0-9@_.][A-Za-z0-9@_.-]*", part), path
            assert len(part) <= 255
            assert part != ".."
    assert {path.name for path in site.directory.iterdir()} <= {
        *("results", "content", "public", "programs", "corrections", "added", "accepting.work"),
        *("accepting.git", "store", "data"),
    }


def test_commands_in_names_are_not_run(site: Site) -> None:
    assert not list(site.directory.rglob("pwned"))
    assert not list(ROOT.glob("pwned"))


@pytest.mark.parametrize(
    "words",
    [
        ("build", "--results", "results", "--content", "content", "--out", "public"),
        ("check", "BUNDLE", "--results", "results"),
        ("add", "BUNDLE", "--results", "added"),
        ("verdict", "--results", "results", "--content", "content"),
        ("table", "BUNDLE/perf.folded", "--path", "main"),
        ("table", "BUNDLE/perf.folded", "--path", "main", "--format", "markdown"),
        ("table", "BUNDLE/perf.folded", "--path", "main", "--format", "csv"),
        ("push", "BUNDLE", "--to", "file://STORE"),
    ],
    ids=lambda words: "-".join((words[0], *words[4:6])) if isinstance(words, tuple) else "",
)
def test_what_is_printed_steers_nothing(site: Site, bundle: str, words: tuple[str, ...]) -> None:
    store = str(site.directory / "store")
    asked = [word.replace("BUNDLE", bundle).replace("STORE", store) for word in words]
    done = site.perfpress(*asked)
    assert "Traceback" not in done.stderr
    printed = done.stdout + done.stderr
    assert printed
    assert {char for char in printed if not char.isprintable()} <= set("\n\r")
    for line in printed.splitlines():
        assert not line.lstrip().startswith("::"), "a command of a workflow"
        assert "##[" not in line, "a command of a workflow"


def test_submitted_drawings_are_not_published_only_their_numbers(
    site: Site, pages: dict[str, tuple[str, Page]]
) -> None:
    for path in site.out.rglob("*"):
        if path.is_file():
            assert b"pwned-by-svg" not in path.read_bytes(), path
    assert any("drawn_elsewhere" in path.read_text() for path in files(site.out, ".json"))
    assert any("drawn_elsewhere" in text for text, _ in pages.values())


def test_recordings_of_perf_are_never_opened(site: Site, bundle: str, tmp_path: Path) -> None:
    """By none of what a workflow calls; a perf that is hostile input's victim would run there."""
    store = f"file://{tmp_path / 'store'}"
    repository = str(site_repository(tmp_path / "site.git"))
    for words in (
        ("check", bundle, "--results", "results"),
        ("add", bundle, "--results", str(tmp_path / "added")),
        ("push", bundle, "--to", store),
        ("push", bundle, "--to", repository),
        ("accept", repository, store, "--into", repository, "--results", str(tmp_path / "added")),
        ("verdict", "--results", "results", "--content", "content"),
    ):
        done = site.perfpress(*words)
        assert done.returncode == 0, done.stderr
    assert branches_of(Path(repository)) == ["main"]
    assert "recorded.data:1: a perf.data file" in site.output
    assert not (site.directory / "perf.calls").exists()


def test_the_perf_that_stands_in_is_one_that_would_be_called(site: Site, bundle: str) -> None:
    """On a person's own machine `fold` lets perf read its recordings."""
    site.perfpress("fold", f"{bundle}/recorded.data")
    assert (site.directory / "perf.calls").read_text() == "called\n"
    (site.directory / "perf.calls").unlink()


def test_all_frames_are_counted(site: Site) -> None:
    texts = [path.read_text() for path in files(site.out, ".json") if path.name == "profile.json"]
    names = {name for text in texts for name in json.loads(text).get("names", [])}
    plain = {name.replace(";", ",") for name in FRAMES if name.isascii() and name.isprintable()}
    assert plain <= names
