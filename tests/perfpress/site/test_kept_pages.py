"""A build over the last one's files gives what a clean one gives, and makes only what differs."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from bundle_samples import accepted, pgbench_log
from perfpress.analysis.study.study import read_studies
from perfpress.base.cache import Cache
from perfpress.input.bundles.read import Bundle
from perfpress.site.addresses import Identity
from perfpress.site.context import SiteContext
from perfpress.site.directory import SiteData, SiteDirectory
from perfpress.site.write import write_site_data
from small_site import contents

RELEASES = [f"{major}.{minor}" for major in (1, 2) for minor in range(8)]
"""So many that most cells have no page of their own."""
STEPS = {"select": 5000.0, "insert": 800.0, "delete": 900.0}
TEXT = '+++\ntitle = "Releases"\nbase = "1.0"\n{matter}\n+++\n\nText.\n'


@dataclass
class Inputs:
    """Results, texts and corrections, and the cache of the builds from them."""

    root: Path

    def run(self, release: str, rate: float = 1.0, hour: int = 0, **stated: object) -> Bundle:
        """Add a run of all steps."""
        steps = [
            {"name": name, "operation": "transaction", "logs": [f"{name}.txt"]} for name in STEPS
        ]
        started = f"2026-01-{10 + RELEASES.index(release):02}T{hour:02}:00:00Z"
        return accepted(
            self.root / "results",
            {"release": release, "started": started, "step": steps, **stated},
            {f"{name}.txt": pgbench_log(rate * each) for name, each in STEPS.items()},
        )

    def text(self, matter: str) -> None:
        """Write the text of the report."""
        path = self.root / "content" / "reports" / "postgres-releases" / "_index.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(TEXT.format(matter=matter))

    def correction(self, text: str) -> None:
        """Write a correction."""
        path = self.root / "corrections" / "postgres-releases" / "2026-03-01-a.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def build(self, site: Path, last: SiteData | None = None) -> SiteData:
        """Write the data of the site."""
        cache = Cache(self.root / "cache")
        results, corrections, content = (
            self.root / name for name in ("results", "corrections", "content")
        )
        studies, problems = read_studies(results, corrections, content, cache, 1, lambda _: None)
        identity = Identity("Perfpress", "https://example.org/")
        context = SiteContext(identity, SiteDirectory(site, last), cache, 1, lambda _: None)
        return write_site_data(studies, problems, lambda _: False, context).data


def withdraw(inputs: Inputs) -> None:
    """Say that a run of 1.5 is invalid."""
    run = min((inputs.root / "results" / "postgres-releases" / "1.5").glob("*/*")).name
    inputs.correction(f'kind = "invalid"\nrun = "{run}"\nreason = "the disk was full"\n')


def replace_a_run(inputs: Inputs) -> None:
    """Add a run that replaces the one of 1.5."""
    run = min((inputs.root / "results" / "postgres-releases" / "1.5").glob("*/*")).name
    inputs.run("1.5", 1.01, hour=5, replaces=run)


RENAME = 'kind = "rename"\nwhat = "release"\nold = "1.3"\nnew = "1.3-fixed"\nreason = "a slip"\n'
EDITS: dict[str, Callable[[Inputs], object]] = {
    "a run of the newest release": lambda inputs: inputs.run("2.6", 1.004, hour=5),
    "a new release": lambda inputs: inputs.run("2.7"),
    "a run of an old release": lambda inputs: inputs.run("1.5", 1.004, hour=5),
    "a run that replaces another": replace_a_run,
    "a correction": withdraw,
    "a label": lambda inputs: inputs.text('[[releases]]\nid = "1.5"\nlabel = "one five"'),
    "a renamed release": lambda inputs: inputs.correction(RENAME),
    "other facts of a release": lambda inputs: inputs.text(
        '[[releases]]\nid = "1.5"\nversion = "2"'
    ),
}


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Inputs:
    """Return the inputs of a report with many releases, all but the newest measured."""
    made = Inputs(tmp_path_factory.mktemp("kept"))
    made.text("")
    for at, release in enumerate(RELEASES[:-1]):
        made.run(release, 1 + ((at * 7) % 5) / 1000)
    return made


def test_a_build_over_the_last_one_gives_what_a_clean_one_gives(
    inputs: Inputs, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    last = inputs.build(site)
    for name, edit in EDITS.items():
        edit(inputs)
        last = inputs.build(site, last)
        clean = inputs.build(tmp_path / name)
        assert contents(site) == contents(tmp_path / name), name
        assert last.written.files == clean.written.files, name
        assert last.parts.keys() == clean.parts.keys(), name


def test_nothing_is_written_where_nothing_changed(inputs: Inputs, tmp_path: Path) -> None:
    site = tmp_path / "site"
    last = inputs.build(site)
    before = {path: path.stat().st_mtime_ns for path in site.rglob("*")}
    inputs.build(site, last)
    assert {path: path.stat().st_mtime_ns for path in site.rglob("*")} == before
