"""A build over the last one's files gives what a clean one gives, and makes only what differs."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from bundle_samples import accepted, pgbench_log
from perfpress.analysis.study.report_inputs import report_inputs
from perfpress.analysis.study.study import read_inputs
from perfpress.base.cache import Cache
from perfpress.input.bundles.read import Bundle
from perfpress.site.addresses import Identity
from perfpress.site.context import SiteContext
from perfpress.site.directory import Part, SiteData, SiteDirectory
from perfpress.site.write import write_site_data
from small_site import contents

RELEASES = [f"{major}.{minor}" for major in range(1, 7) for minor in range(8)][:43]
"""So many that most cells have no page of their own, and that they differ in their noise."""
FIRST = datetime(2026, 1, 10, tzinfo=UTC)
STEPS = {"select": 5000.0, "insert": 800.0, "delete": 900.0}


@dataclass
class Inputs:
    """Results, texts and corrections, and the cache of the builds from them."""

    root: Path

    def run(self, release: str, rate: float = 1.0, hour: int = 0, **stated: object) -> Bundle:
        """Add a run of all steps."""
        steps = [
            {"name": name, "operation": "transaction", "logs": [f"{name}.txt"]} for name in STEPS
        ]
        started = FIRST + timedelta(days=RELEASES.index(release), hours=hour)
        return accepted(
            self.root / "results",
            {
                "release": release,
                "started": f"{started:%Y-%m-%dT%H:%M:%SZ}",
                "step": steps,
                **stated,
            },
            {f"{name}.txt": pgbench_log(rate * each) for name, each in STEPS.items()},
        )

    def text(self, base: str = "1.0", five: str = "5", title: str = "Releases") -> None:
        """Write the text of the report."""
        path = self.root / "content" / "reports" / "postgres-releases" / "_index.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        releases = "".join(f'[[releases]]\nid = "{each}"\n' for each in RELEASES)
        releases = releases.replace('"1.5"', f'"1.5"\nlabel = "{five}"')
        path.write_text(f'+++\ntitle = "{title}"\nbase = "{base}"\n{releases}+++\n\nText.\n')

    def correction(self, text: str, day: int) -> None:
        """Write a correction of a day."""
        path = self.root / "corrections" / "postgres-releases" / f"2026-03-{day:02}-a.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def build(
        self,
        site: Path,
        last: SiteData | None = None,
        progress: Callable[[str], None] = lambda _: None,
    ) -> SiteData:
        """Write the data of the site."""
        cache = Cache(self.root / "cache")
        results, corrections, content = (
            self.root / name for name in ("results", "corrections", "content")
        )
        read = read_inputs(results, corrections, content, cache, 1, progress)
        reports = report_inputs(read, cache, 1, progress)
        identity = Identity("Perfpress", "https://example.org/")
        context = SiteContext(identity, SiteDirectory(site, last), cache, 1, progress)
        return write_site_data(reports, read.problems, lambda _: False, context).data


def withdraw(inputs: Inputs) -> None:
    """Say that a run of 4.2 is invalid."""
    run = min((inputs.root / "results" / "postgres-releases" / "4.2").glob("*/*")).name
    inputs.correction(f'kind = "invalid"\nrun = "{run}"\nreason = "the disk was full"\n', 2)


def replace_a_run(inputs: Inputs) -> None:
    """Add a run that replaces the one of 1.5."""
    run = min((inputs.root / "results" / "postgres-releases" / "1.5").glob("*/*")).name
    inputs.run("1.5", 1.01, hour=5, replaces=run)


RENAME = 'kind = "rename"\nwhat = "release"\nfrom = "1.3"\nto = "1.3-fixed"\nreason = "a slip"\n'
OF_ALL_PAGES = "another base"
"""The last edit: after it no page shows what an earlier one has left as it was."""
EDITS: dict[str, tuple[Callable[[Inputs], object], set[str] | None]] = {
    "a run of the newest release": (
        lambda inputs: inputs.run("6.1", 1.004, hour=5),
        {"6.0", "6.1"},
    ),
    "a new release": (lambda inputs: inputs.run("6.2"), {"6.0", "6.1", "6.2"}),
    "a label": (lambda inputs: inputs.text(five="Five"), {"1.4", "1.5", "1.6"}),
    "a run of an old release": (lambda inputs: inputs.run("2.5", 1.004, hour=5), None),
    "a run that replaces another": (replace_a_run, None),
    "a correction": (withdraw, None),
    "a renamed release": (lambda inputs: inputs.correction(RENAME, 1), None),
    OF_ALL_PAGES: (lambda inputs: inputs.text(base="1.1"), {*RELEASES} - {"1.3"} | {"1.3-fixed"}),
}
"""Each with the releases whose pages are made again; None for those of whose noise it is."""


OWN = "/reports/postgres-releases/"
SOME_RELEASES = {
    f"{OWN}@socket2/releases/{page}/": last
    for page, last in enumerate((RELEASES[19], RELEASES[39], RELEASES[-1]), 1)
}
"""The pages of all releases of the variant, and the last release of each."""
OF_THE_NEWEST = ("a run of the newest release", "a new release")
PAGES_OF_NEWEST = {
    *(f"{OWN}{page}" for page in ("", "@socket2/", "@socket2/releases/3/", "compare/")),
    *(f"{OWN}steps/{each}/" for each in STEPS),
    *("/hosts/", "/hosts/socket2/"),
}
"""What a run of the newest release writes beside pages of releases, however many there are."""


def pages_of_releases(releases: Iterable[str]) -> set[str]:
    """Return the addresses of the pages of some releases."""
    return {f"{OWN}{each}/" for each in releases}


def unlike(last: SiteData, now: SiteData) -> set[str]:
    """Return the addresses of the pages that one site has and another has not, or not so."""
    return {page for page, _ in now.written.pages.items() ^ last.written.pages.items()}


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Inputs:
    """Return the inputs of a report with many releases, its newest not measured, and another."""
    made = Inputs(tmp_path_factory.mktemp("kept"))
    made.text()
    for at, release in enumerate(RELEASES[:-1]):
        made.run(release, 1 + ((at * 7) % 5) / 1000)
    for release in RELEASES[:2]:
        made.run(release, report="other")
    return made


def pages_of(parts: Mapping[str, Part]) -> set[str]:
    """Return the addresses of pages, of those parts that have no parts."""
    return {page for part in parts.values() if not part.within for page in part.written.pages}


def releases_of(parts: Mapping[str, Part]) -> set[str]:
    """Return the releases of the report that is edited whose pages are parts of a site."""
    own = {page for page in pages_of(parts) if page.startswith(OWN)} - SOME_RELEASES.keys()
    return {page.split("/")[-2] for page in own}


def some_releases_of(parts: Mapping[str, Part]) -> set[str]:
    """Return the last releases of the pages of some releases that are parts of a site."""
    return {SOME_RELEASES[page] for page in pages_of(parts) & SOME_RELEASES.keys()}


def assert_as_a_clean_build(inputs: Inputs, site: Path, last: SiteData, elsewhere: Path) -> None:
    """Check that nothing is as it was before some edit that should have changed it."""
    clean = inputs.build(elsewhere)
    assert contents(site) == contents(elsewhere)
    assert (last.written.files, last.parts) == (clean.written.files, clean.parts)


def test_an_edit_makes_the_pages_that_depend_on_it_and_gives_what_a_clean_build_gives(
    inputs: Inputs, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    last = inputs.build(site)
    assert releases_of(last.parts) == {*RELEASES[:-1]}
    assert some_releases_of(last.parts) == {*SOME_RELEASES.values()}
    # The card of the site is about the newest release.
    assert not last.written.without_card.keys() & SOME_RELEASES.keys()
    of_other = {page for page in last.written.pages if page.startswith("/reports/other/")}
    assert of_other
    before = {path: path.stat().st_mtime_ns for path in site.rglob("*")}
    last = inputs.build(site, last)
    assert {path: path.stat().st_mtime_ns for path in site.rglob("*")} == before
    for name, (edit, expected) in EDITS.items():
        if name == OF_ALL_PAGES:
            assert_as_a_clean_build(inputs, site, last, tmp_path / "clean")
        edit(inputs)
        now = inputs.build(site, last)
        made = {key: part for key, part in now.parts.items() if key not in last.parts}
        assert made, name
        assert not any(part.written.pages.keys() & of_other for part in made.values()), name
        assert expected is None or releases_of(made) == expected, name
        if name in OF_THE_NEWEST:
            assert some_releases_of(made) == {RELEASES[-1]}, name
            found = unlike(last, now)
            assert found >= PAGES_OF_NEWEST, name
            assert found <= PAGES_OF_NEWEST | pages_of_releases(expected or ()), name
        last = now
    assert_as_a_clean_build(inputs, site, last, tmp_path / "clean again")


def test_another_title_writes_no_page_of_the_report_and_reads_none_of_its_logs(
    inputs: Inputs, tmp_path: Path
) -> None:
    site, said = tmp_path / "site", list[str]()
    inputs.text()
    last = inputs.build(site)
    inputs.text(title="The 'same' & others")
    now = inputs.build(site, last, said.append)
    assert now.parts == last.parts
    assert unlike(last, now) == {"/hosts/socket2/"}
    assert now.titles != last.titles  # so that Hugo puts it into the pages
    written = {name for name, _ in now.written.files.items() ^ last.written.files.items()}
    cards = {f"static{OWN}card.png", f"static{OWN}@socket2/card.png"}
    assert {each for each in written if each.startswith(f"static{OWN}")} == {
        *cards,
        f"static{OWN}feed.xml",
    }
    assert not [line for line in said if line.startswith(("reading the logs", "writing the"))]
    assert_as_a_clean_build(inputs, site, now, tmp_path / "clean")
