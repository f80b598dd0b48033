"""What machines read below /api/: it says what its published schema says."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from perfpress.analysis.study.study import Study
from perfpress.base.checkout import ROOT
from perfpress.site.addresses import Identity
from perfpress.site.directory import SiteDirectory
from perfpress.site.downloads.machine_files import SCHEMAS, publish_machine_files, report_records
from perfpress.site.downloads.verdict_records import verdicts_of_release
from perfpress.site.nearby_releases import MOST
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Link
from study_samples import captured, profile_on_disk, repeats, study_of

KEYS = {
    "reports": {"version", "reports"},
    "reports/ReportRecord": {
        *("id", "title", "summary", "base", "default_variant", "releases", "variants"),
        *("steps", "pages", "url"),
    },
    "reports/ReleaseRecord": {"id", "label", "version", "date", "branch", "runs", "url"},
    "reports/VariantRecord": {"slug", "label"},
    "reports/PageRecord": {"release", "variant", "step", "runs", "events", "url"},
    "verdicts": {"version", "verdicts"},
    "verdicts/VerdictRecord": {
        *("report", "release", "variant", "step", "metric", "against", "is_against_base"),
        *("verdict", "why", "ratio", "interval", "runs", "against_runs", "p", "could_miss"),
        *("accepted", "resolved_by", "environment", "url"),
    },
    "verdicts/VerdictsOfRelease": {"report", "release", "url", "digest"},
    "changes": {"version", "changes"},
    "changes/ChangeRecord": {
        *("report", "variant", "step", "metric", "first_release", "last_release_before", "ratio"),
        *("releases_before", "releases_after", "evidence", "p", "url"),
        "common_function",
    },
    "changes/CommonFunctionRecord": {"function", "steps", "text", "url"},
}
"""Promised: more may come, and none of these goes."""


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return study_of(
        [
            *repeats(tmp_path, "17", [1000.0, 1001.0]),
            *repeats(tmp_path, "18", [500.0]),
            captured(tmp_path, "18"),
        ],
        [profile_on_disk(tmp_path / "profiles", "18")],
        {"steps": ("select", "never run")},
    )


@pytest.fixture
def series(tmp_path: Path) -> Study:
    """Five releases, then four that are half as fast, then one that is faster than all."""
    rates = [1000, 1001, 999, 1000, 1002, 501, 499, 500, 502, 1500]
    runs = [
        run
        for at, rate in enumerate(rates)
        for run in repeats(tmp_path, f"{at}", [float(rate)], step={"name": "series"})
    ]
    return study_of(runs, report={"id": "series", "steps": ("series",)})


@pytest.fixture
def published(study: Study, series: Study, tmp_path: Path) -> Path:
    root = tmp_path / "site"
    publish([study, series], SiteDirectory(root))
    return root / "static"


def publish(studies: Sequence[Study], directory: SiteDirectory) -> tuple[Link, ...]:
    """Publish the files of some reports."""
    identity = Identity("Lab", "https://example.org/")
    records = []
    for figures in map(Figures, studies):
        found = (verdicts_of_release(figures, each) for each in figures.study.measured)
        own = report_records(figures, [each for each in found if each], {})
        records.append((figures.study.report, own))
    return publish_machine_files(records, identity, directory)


def read(published: Path, name: str) -> Any:
    return json.loads((published / "api" / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_file_says_what_its_schema_says(published: Path, name: str) -> None:
    schema = read(published, f"{name}.schema.json")
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    content = read(published, f"{name}.json")
    validator.validate(content)
    assert content[name]
    del content[name][0]["url"]
    assert not validator.is_valid(content)


@pytest.mark.parametrize("place", KEYS)
def test_keys_that_were_promised_are_there_and_required(published: Path, place: str) -> None:
    name, _, struct = place.partition("/")
    schema = read(published, f"{name}.schema.json")
    described = schema["$defs"][struct or SCHEMAS[name].__name__]
    assert KEYS[place] <= set(described["properties"])
    assert KEYS[place] <= set(described["required"])


@pytest.mark.parametrize("place", KEYS)
def test_every_key_is_documented(place: str) -> None:
    text = (ROOT / "content/docs/api.md").read_text(encoding="utf-8")
    assert [key for key in KEYS[place] if f"`{key}`" not in text] == []


def test_a_report_lists_its_releases_steps_and_addresses(published: Path) -> None:
    report, _ = read(published, "reports.json")["reports"]
    assert (report["id"], report["base"], report["steps"][0]) == ("servers", "17", "select")
    assert [(each["id"], each["runs"], each["url"]) for each in report["releases"]] == [
        ("17", 2, "reports/servers/17/"),
        ("18", 2, "reports/servers/18/"),
    ]
    assert len(report["pages"]) == 2
    assert report["pages"][1] == {
        "release": "18",
        "variant": "socket2",
        "step": "select",
        "runs": 2,
        "events": ["cycles"],
        "url": "reports/servers/18/select/",
    }


def test_verdicts_are_those_on_the_newest_releases_and_all_releases_are_listed(
    tmp_path: Path,
) -> None:
    releases = [f"{at:02}" for at in range(MOST + 5)]
    study = study_of(
        [run for each in releases for run in repeats(tmp_path, each, [1000.0, 1001.0])]
    )
    publish([study], SiteDirectory(tmp_path / "site"))
    content = read(tmp_path / "site" / "static", "verdicts.json")
    assert list(dict.fromkeys(each["release"] for each in content["verdicts"])) == releases[5:]
    assert [each["release"] for each in content["releases"]] == releases[1:]
    assert content["releases"][0]["url"] == "reports/servers/01/verdicts.json"


def test_a_digest_changes_with_a_verdict_and_not_with_what_it_rests_on(tmp_path: Path) -> None:
    def digest(*rates: float) -> str:
        runs = [*repeats(tmp_path, "17", [1000.0]), *repeats(tmp_path, "18", list(rates))]
        found = verdicts_of_release(Figures(study_of(runs)), "18")
        assert found
        return found.digest

    assert digest(1000.0) == digest(1001.0)
    assert digest(1000.0) != digest(500.0)


def test_feeds_are_beside_what_they_are_of(published: Path) -> None:
    assert {str(path.relative_to(published)) for path in published.rglob("feed.xml")} == {
        "feed.xml",
        "reports/servers/feed.xml",
        "reports/series/feed.xml",
    }


def test_a_level_change_has_its_releases_and_what_it_rests_on(published: Path) -> None:
    lasting, newest = read(published, "changes.json")["changes"]
    assert lasting["ratio"] == pytest.approx(0.5, rel=0.01)
    assert lasting["p"] < 1e-6
    expected = {
        "report": "series",
        "variant": "socket2",
        "step": "series",
        "metric": "throughput",
        "first_release": "5",
        "last_release_before": "4",
        "releases_before": 5,
        "releases_after": 4,
        "evidence": "several releases",
        "url": "reports/series/steps/series/",
    }
    assert {key: lasting[key] for key in expected} == expected
    assert lasting["common_function"] is None
    assert (newest["first_release"], newest["evidence"]) == ("9", "newest release only")


def test_a_file_of_level_changes_is_offered_where_there_are_any(
    study: Study, series: Study, tmp_path: Path
) -> None:
    def offered(of: Study) -> list[str]:
        return [link.label for link in publish([of], SiteDirectory(tmp_path / of.report.id))]

    assert "Level changes, JSON" not in offered(study)
    assert (tmp_path / study.report.id / "static" / "api" / "changes.json").exists()
    assert "Level changes, JSON" in offered(series)
