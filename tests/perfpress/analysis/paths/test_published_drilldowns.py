"""The percentages of published tables, from the profiles that their author took them from.

`tests/studies/myrocks-56/_index.md` is the report as one would write it today;
`published/tables.txt` is what its author read off flame graphs by hand (smalldatum.blogspot.com,
MyRocks 5.6, September 2023).
"""

import re
from pathlib import Path

import pytest
from perfpress.analysis.drilldowns.columns import columns_of
from perfpress.analysis.drilldowns.drilldowns import DrilldownFigures, drilldown
from perfpress.analysis.paths.evaluate import evaluate
from perfpress.analysis.paths.parse import over_whole_profile, parse_path
from perfpress.analysis.profiles.profile import Profile
from perfpress.input.report.front_matter import read_front
from perfpress.input.report.report import Report, complete
from real_profiles import real_profiles

PUBLISHED = Path(__file__).parent / "published"
STUDY = Path(__file__).parents[3] / "studies" / "myrocks-56"
BUILDS = ("2022-03-07", "2022-05-19", "2022-08-09", "2023-02-16", "2023-05-29")
STEPS = ("l.i1", "q100")
TOLERANCE = 0.02
"""In percent: the author rounded, and thin boxes beside the one he read are in our numbers."""

SWAPPED = "the columns DataBlockIter::SeekImpl and IndexBlockIter::SeekImpl are swapped there"
NOT_MEMCMP = "no memcmp stands there; a box of this width is NewDataBlockIterator's"

DIFFERENT = {
    ("join", "Protocol::send_result_set_metadata", "2023-05-29"): ("0.84", "a misread digit: 0.80"),
    ("seeking", "DBIter::FindNextUserEntry", "2022-08-09"): ("1.10", "an x although it is there"),
    ("block", "memcmp", "2022-03-07"): ("0.13", "0.21 is memcmp and the memmove beside it"),
    ("block", "memcmp", "2023-02-16"): ("x", NOT_MEMCMP),
    ("block", "memcmp", "2023-05-29"): ("x", NOT_MEMCMP),
    ("block", "DataBlockIter::SeekImpl", "2022-08-09"): ("1.16", SWAPPED),
    ("block", "DataBlockIter::SeekImpl", "2023-02-16"): ("1.04", SWAPPED),
    ("block", "DataBlockIter::SeekImpl", "2023-05-29"): ("1.69", SWAPPED),
    ("block", "IndexBlockIter::SeekImpl", "2022-08-09"): ("0.51", SWAPPED),
    ("block", "IndexBlockIter::SeekImpl", "2023-02-16"): ("0.48", SWAPPED),
    ("block", "IndexBlockIter::SeekImpl", "2023-05-29"): ("0.73", SWAPPED),
}
"""By drilldown, column and release: what the profile has where the table says something else."""

Profiles = dict[str, dict[str, Profile]]
"""By step and build."""


@pytest.fixture(scope="module")
def profiles(tmp_path_factory: pytest.TempPathFactory) -> Profiles:
    names = {
        f"{build} {step}": f"myrocks56-ibench/{build}/{step}/stacks.folded.gz"
        for build in BUILDS
        for step in STEPS
    }
    made = real_profiles(names, tmp_path_factory.mktemp("profiles"))
    return {step: {build: made[f"{build} {step}"] for build in BUILDS} for step in STEPS}


@pytest.fixture(scope="module")
def report() -> Report:
    front, problems = read_front(STUDY / "_index.md", "_index.md")
    assert problems == []
    return complete("published", front, [])[0]


def published() -> dict[str, dict[str, list[str]]]:
    """Return the numbers as they were printed, by drilldown and release."""
    tables: dict[str, dict[str, list[str]]] = {}
    for line in (PUBLISHED / "tables.txt").read_text().splitlines():
        if name := re.fullmatch(r"\[(.+)\]", line):
            rows = tables.setdefault(name[1], {})
        elif line and not line.startswith("#"):
            *cells, release = line.split()
            rows[release] = cells
    return tables


def computed(report: Report, profiles: Profiles) -> dict[str, DrilldownFigures]:
    """Return the report's drilldowns by name."""
    tables = {}
    for number, definition in enumerate(report.matter.drilldowns):
        columns, problems = columns_of(definition, number, report)
        assert problems == []
        tables[definition.name] = drilldown(columns, profiles[definition.steps[0]], work={})
    return tables


def shown(share: float | None) -> str:
    return "x" if share is None else f"{100 * share:.2f}"


def agree(found: str, printed: str) -> bool:
    if "x" in (found, printed):
        return found == printed
    return abs(float(found) - float(printed)) <= TOLERANCE + 1e-9


def test_drilldowns_find_what_their_author_found_by_hand(
    report: Report, profiles: Profiles, capsys: pytest.CaptureFixture[str]
) -> None:
    tables = computed(report, profiles)
    printed = published()
    assert tables.keys() == printed.keys()
    cells = {
        (name, column.head.partition(" / ")[0], row.release): (
            shown(row.cells[at].share),
            printed[name][row.release][at],
        )
        for name, table in tables.items()
        for row in table.along_path
        for at, column in enumerate(table.columns)
    }
    different = {key: found for key, (found, text) in cells.items() if not agree(found, text)}
    with capsys.disabled():
        print(f"\n{len(cells) - len(different)} of {len(cells)}")
    assert different == {key: found for key, (found, _) in DIFFERENT.items()}
    assert (len(tables), len(cells), len(cells) - len(different)) == (15, 240, 229)


def test_what_its_author_marked_absent_is_inlined(report: Report, profiles: Profiles) -> None:
    seeking = computed(report, profiles)["seeking"]
    cell = seeking.along_path[BUILDS.index("2022-08-09")].cells[1]
    assert cell.absent.startswith(
        "inlined into my_rocksdb::DBIter::Seek (its callees there: 16.99 %)"
    )


def test_over_the_whole_profile_the_same_function_is_a_multiple(profiles: Profiles) -> None:
    text = "rocksdb:low >> !BGThreadWrapper >> CompactionJob::ProcessKeyValueCompaction"
    path = parse_path(text)
    first, last = profiles["l.i1"][BUILDS[0]], profiles["l.i1"][BUILDS[-1]]
    along = [shown(evaluate(each, path).share) for each in (first, last)]
    whole = [shown(evaluate(each, over_whole_profile(path)).share) for each in (first, last)]
    assert along == ["5.47", "11.72"]
    assert whole == ["45.90", "46.74"]
