"""What the documentation shows is what the programs do."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest
from docs_pages import (
    CODE_CELL,
    DOCS,
    LINK,
    PAGES,
    ROOT,
    SHORTCODE,
    Block,
    anchors,
    blocks,
    commands,
    section,
)
from installed_packages import put_packages
from perfpress.analysis.paths import parse
from perfpress.base.limits import LIMITS
from perfpress.base.toml.read import convert, convert_parts, parse_toml
from perfpress.cli.reference import reference
from perfpress.cli.run import verb_parser
from perfpress.cli.verbs import VERBS
from perfpress.host.capture.profiler import MOST_SPREAD, SPARE_BYTES, Sampling
from perfpress.input.bundles.schema import Capture, Ended, Metric, Run, Step
from perfpress.input.corrections.files import parse_correction
from perfpress.input.logs.log_description import LogDescription
from perfpress.input.report.front_matter import (
    HUGO_KEYS,
    Column,
    DiffPair,
    DrilldownDefinition,
    FrontMatter,
    Release,
    StepGroup,
)

QUICK_START = DOCS / "quick-start.md"
OWN_TESTS = {QUICK_START, DOCS / "leaked-secrets.md"}
BLOCKS = [(page, block) for page in PAGES for block in blocks(page)]
WALKED = sorted({page for page, block in BLOCKS if block.language == "console"} - OWN_TESTS)
"""Pages that show commands, but for those with tests of their own."""
TOML = [(page, block) for page, block in BLOCKS if block.language == "toml"]
SHELL = [(page, block) for page, block in BLOCKS if block.language == "sh"]

PROGRAMS = {
    "perfpress": f'PYTHONPATH="{{root}}/pipeline" exec {sys.executable} -m perfpress "$@"',
    "pgbench": 'cat "{root}/pgbench.txt"',
    "vmstat": "echo procs",
}
"""Shell programs that stand in for those that the pages call."""


def name_of(value: object) -> str:
    return value.stem if isinstance(value, Path) else ""


@pytest.fixture(scope="session")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the command line is made of: what is added goes into its `data/results`."""
    root = tmp_path_factory.mktemp("checkout")
    leave_out = shutil.ignore_patterns("__pycache__")
    for name in ("pipeline", "layouts", "assets", "static"):
        shutil.copytree(ROOT / name, root / name, ignore=leave_out)
    shutil.copy(ROOT / "hugo.toml", root)
    put_packages(root)
    (root / "data" / "results").mkdir(parents=True)
    (root / "content").mkdir()
    programs = root / "programs"
    programs.mkdir()
    for name, body in PROGRAMS.items():
        program = programs / name
        program.write_text(f"#!/bin/sh\n{body.format(root=root)}\n")
        program.chmod(0o755)
    (root / "pgbench.txt").write_text(
        next(block.text for block in blocks(QUICK_START) if block.file == "first-run/select.txt")
    )
    return root


def run(line: str, directory: Path, checkout: Path) -> str:
    """Run a line of a page; return all that it prints."""
    path = f"{checkout / 'programs'}:{os.environ['PATH']}"
    # As wide as pages show it, whatever the terminal of whoever tests.
    env = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    done = subprocess.run(
        ["/bin/sh", "-c", line],
        cwd=directory,
        env=env | {"PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    return done.stdout


def is_as_shown(printed: str, shown: str) -> bool:
    """Compare; `…` stands for any text, within a line or for whole lines."""
    parts = [re.escape(part) for part in shown.strip().split("…")]
    return re.fullmatch(".*?".join(parts), printed.strip(), re.DOTALL) is not None


def walk(page: Path, directory: Path, checkout: Path) -> None:
    """Do what a page says, from its first block to its last."""
    for block in blocks(page):
        if block.language == "console":
            for command in commands(block):
                printed = run(command.line, directory, checkout)
                if not is_as_shown(printed, command.shown):
                    assert printed == command.shown, f"{page.name}: $ {command.line}"
        elif block.file:
            target = checkout if block.file.startswith("content/") else directory
            file = target / block.file
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text)


@pytest.mark.parametrize("page", WALKED, ids=name_of)
def test_commands_of_a_page_print_what_it_shows(page: Path, tmp_path: Path, checkout: Path) -> None:
    walk(page, tmp_path, checkout)


def front_matter(page: Path) -> dict[str, Any]:
    return tomllib.loads(page.read_text().split("+++")[1])


def test_every_page_stands_in_a_part_of_the_list_of_pages() -> None:
    parts = front_matter(DOCS / "_index.md")["params"]["parts"]
    for page in PAGES:
        if page.parent == DOCS and page.name != "_index.md":
            assert front_matter(page)["params"]["part"] in parts, page


def test_quick_start_leads_to_a_page_with_the_authors_sentence(
    tmp_path: Path, checkout: Path
) -> None:
    walk(QUICK_START, tmp_path, checkout)
    # The commands of other pages draft reports in the same checkout.
    assert re.search("reports?, 1 run, ", run("perfpress build", tmp_path, checkout))
    page = (checkout / "public" / "reports" / "postgres" / "index.html").read_text()
    text = re.sub(r"<[^>]+>|\s+", " ", page)
    assert re.search(r"One client gets +17,378 .*selects a second", text)


@pytest.mark.parametrize(("page", "block"), TOML, ids=name_of)
def test_toml_is_read_without_a_complaint(page: Path, block: Block) -> None:
    assert block.file, f"a TOML block of {page.name} does not say which file it is of"
    name = Path(block.file).name
    if name == "_index.md":
        document, problems = parse_toml(block.text, block.file)
        assert document is not None, problems
        assert not convert_parts(document, FrontMatter, HUGO_KEYS).problems
    elif name == "run.toml":
        document, problems = parse_toml(_whole_run(block.text), block.file)
        assert document is not None, problems
        assert not convert(document, Run).problems
    elif "numbers" in tomllib.loads(block.text):
        document, problems = parse_toml(block.text, block.file)
        assert document is not None, problems
        assert not convert(document, LogDescription).problems
    else:
        correction, problems = parse_correction(block.text, name, "postgres", block.file)
        assert correction is not None, problems


def _whole_run(text: str) -> str:
    """Return a run.toml of which a page may show the steps only."""
    required = {"schema": 1, "report": "r", "release": "1", "benchmark": "b", "host": "h"}
    shown = tomllib.loads(text)
    head = {} if "schema" in shown else required
    return "".join(f"{key} = {value!r}\n" for key, value in head.items()) + text


@pytest.mark.parametrize(
    ("page", "anchor", "structs"),
    [
        ("bundle", "run", (Run,)),
        ("bundle", "step", (Step, Metric, Ended)),
        ("bundle", "capture", (Capture,)),
        ("report", "front-matter", (FrontMatter, Release, StepGroup, DiffPair)),
        ("report", "drilldowns", (DrilldownDefinition, Column)),
    ],
)
def test_every_key_is_explained(page: str, anchor: str, structs: tuple[type[Any], ...]) -> None:
    code = " ".join(re.findall(r"`([^`\n]+)`", section(DOCS / f"{page}.md", anchor)))
    words = set(re.findall(r"\w+", code))
    for struct in structs:
        for field in msgspec.structs.fields(struct):
            assert field.encode_name in words, f"{page}.md does not explain {field.encode_name}"


def test_limits_of_bundles_are_those_of_the_code() -> None:
    text = section(DOCS / "bundle.md", "refused")
    for size in (
        f"{LIMITS.file_bytes / 1e6:.0f} MB",
        f"{LIMITS.bundle_bytes / 1e6:.0f} MB",
        f"{LIMITS.files:,} files".replace(",", " "),
        f"{LIMITS.ratio} times",
        f"{LIMITS.plain_bytes / 1e9:.0f} GB",
    ):
        assert size in text


def test_settings_of_captures_are_those_of_the_code() -> None:
    text = section(DOCS / "measuring.md", "profile")
    assert f"--call-graph {Sampling().call_graph}" in text
    assert f"{Sampling().frequency} samples a second" in text
    assert (Sampling().seconds, MOST_SPREAD) == (3, 12)
    assert "six to twelve of three seconds, spread over the run" in text
    assert f"{SPARE_BYTES / 1e9:.0f} GB" in text


def test_paths_parse() -> None:
    text = (DOCS / "paths.md").read_text(encoding="utf-8")
    table = CODE_CELL.findall(text)
    assert len(table) > 10
    for path in table:
        parse.parse_path(path.replace(r"\|", "|"))
    names = ("operator>", "std::vector<int>", "a|b")
    for name in names:
        assert f"`{name}`" in text
        assert parse.parse_path(name) == parse.Chain((parse.Step((parse.Name(name),)),))


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_shortcodes_exist(page: Path) -> None:
    for match in SHORTCODE.finditer(page.read_text(encoding="utf-8")):
        assert (ROOT / "layouts" / "_shortcodes" / f"{match[1]}.html").exists()


@pytest.mark.parametrize("page", [*PAGES, DOCS / "_index.md"], ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    for link in LINK.findall(page.read_text(encoding="utf-8")):
        address, _, anchor = link.partition("#")
        if address in ("/problems/", "/compare-files/"):  # pages that only the build makes
            continue
        target = ROOT / "content" / address.strip("/") if address else page
        pages = [target.with_name(f"{target.name}.md"), target / "_index.md", target]
        published = ROOT / "static" / address.strip("/")
        found = next((each for each in pages if each.is_file()), None)
        assert found or published.is_file(), f"{page.name}: {link}"
        assert not anchor or (found and anchor in anchors(found)), f"{page.name}: {link}"


@pytest.mark.parametrize(("page", "block"), SHELL, ids=name_of)
def test_commands_that_are_not_run_are_well_formed(page: Path, block: Block) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for line in block.text.splitlines():
        program, *words = shlex.split(line)
        if program == "make":
            assert re.search(rf"^{words[0]}:", makefile, re.MULTILINE), f"{page.name}: {line}"
        elif program == "perfpress":
            verb_parser(words[0]).parse_args(words[1:])


def test_verbs_that_the_pages_name_exist() -> None:
    for page in PAGES:
        for verb in re.findall(r"`perfpress ([a-z]+)", page.read_text(encoding="utf-8")):
            assert verb in VERBS, page.name


def test_reference_of_the_command_line_is_current() -> None:
    page = DOCS / "command-line.md"
    if os.environ.get("PERFPRESS_BLESS"):
        page.write_text(reference(), encoding="utf-8")
    assert page.read_text(encoding="utf-8") == reference(), "rewrite it with PERFPRESS_BLESS=1"


def test_readme_names_what_there_is() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for path in re.findall(r"(?<!!)\[[^\]]+\]\((?!https?:)([^)#]+)\)", readme):
        assert (ROOT / path).exists(), path
