"""What machines read below /api/: it says what its published schema says."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from study_samples import captured, profile_on_disk, repeats, study_of

from pipeline.build.cache import ROOT
from pipeline.site_data.directory import SiteDirectory
from pipeline.site_data.feeds import Identity
from pipeline.site_data.figures import Figures
from pipeline.site_data.machine_files import SCHEMAS, publish_machine_files
from pipeline.study.study import Study

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
def published(study: Study, tmp_path: Path) -> Path:
    root = tmp_path / "site"
    identity = Identity("Lab", "https://example.org/")
    publish_machine_files([Figures(study)], identity, SiteDirectory(root))
    return root / "static"


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


def test_a_report_tells_its_releases_steps_and_addresses(published: Path) -> None:
    (report,) = read(published, "reports.json")["reports"]
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


def test_feeds_stand_beside_what_they_are_of(published: Path) -> None:
    assert {str(path.relative_to(published)) for path in published.rglob("feed.xml")} == {
        "feed.xml",
        "reports/servers/feed.xml",
    }
