"""The published JSON Schema says of the profile file what both readers of it say."""

import copy
import json
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
from perfpress.analysis.profiles.profile import ProfileFile
from perfpress.base.node.messages.profiles import Capture, Label, Skipped
from perfpress.base.node.requests import PROFILE, node_path

ROOT = Path(__file__).parents[4]
SCHEMA = json.loads((ROOT / "static/schema/profile.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
GO_PROFILE = ROOT / "tests/profile/read/pprof/cpu.pb.gz"

Json = dict[str, Any]


def fold(directory: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [str(node_path()), str(PROFILE), "fold", *words]
    return subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)


def profile_of(directory: Path, *words: str) -> Json:
    done = fold(directory, *words, "-o", "profile.json")
    assert (directory / "profile.json").exists(), done.stderr
    profile: Json = json.loads((directory / "profile.json").read_text(encoding="utf-8"))
    return profile


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Json:
    """Return a profile with all that one can hold."""
    directory = tmp_path_factory.mktemp("profile")
    header = "mysqld 1 1.0: 7 cycles:"
    (directory / "perf.txt").write_text(f"{header}\n\t 7f f.cold (/x)\n\nnonsense\n")
    return profile_of(directory, "perf.txt")


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_the_schema_has_the_keys_that_python_reads() -> None:
    described: dict[type[msgspec.Struct], Json] = {
        ProfileFile: SCHEMA,
        Capture: SCHEMA["$defs"]["capture"],
        Skipped: SCHEMA["$defs"]["skipped"],
        Label: SCHEMA["$defs"]["label"],
    }
    for struct, schema in described.items():
        fields = {field.encode_name for field in msgspec.structs.fields(struct)}
        assert set(schema["properties"]) == fields, struct


def test_profiles_of_any_capture_are_as_the_schema_says(profile: Json, tmp_path: Path) -> None:
    VALIDATOR.validate(profile)
    assert profile["captures"][0]["skipped"], "a profile with all that one can hold"
    with_labels = profile_of(tmp_path, str(GO_PROFILE))
    VALIDATOR.validate(with_labels)
    assert with_labels["captures"][0]["labels"]
    (tmp_path / "heavy.folded").write_text(f"a;b {2**60}\na;c 1\na 0.5\n")
    heavy = profile_of(tmp_path, "heavy.folded")
    VALIDATOR.validate(heavy)
    assert isinstance(heavy["self"][0], str)


REPLACED: Sequence[tuple[str, Any]] = [
    ("format", "speedscope"),
    ("version", 2),
    ("event", 7),
    ("unit", None),
    ("scale", 0),
    ("scale", 1.5),
    ("total", 7),
    ("total", "-7"),
    ("samples", -1),
    ("samples", 2**53),
    ("class_names", ["user"]),
    ("names", "all"),
    ("names", []),
    ("keys", [1, None, None]),
    ("classes", [0, 0, 6]),
    ("parent", [0, 0, 1]),
    ("name", [0, 1, -2]),
    ("self", [0, 0, "1"]),
    ("self", ["0", "0", 1]),
    ("self", [0, 0, 0.5]),
    ("self", [0, 0, -1]),
    ("self_samples", [0, 0, -1]),
    ("captures", {}),
    ("captures", [{}]),
]


def spoilt(profile: Json) -> Iterator[Json]:
    """Yield the profile with one fault after the other."""
    for key in SCHEMA["required"]:
        yield {name: value for name, value in profile.items() if name != key}
    for key, value in REPLACED:
        yield profile | {key: value}
    for key in SCHEMA["$defs"]["capture"]["required"]:
        without = copy.deepcopy(profile)
        del without["captures"][0][key]
        yield without
    for key, value in [
        ("labels", [{}]),
        ("skipped", [{"reason": 1}]),
        ("partial", 0),
        ("lost", -1),
    ]:
        other = copy.deepcopy(profile)
        other["captures"][0][key] = value
        yield other


def test_what_the_schema_refuses_is_no_profile_to_us_either(profile: Json, tmp_path: Path) -> None:
    names = []
    for number, fault in enumerate(spoilt(profile)):
        assert not VALIDATOR.is_valid(fault), fault
        names.append(f"{number}.json")
        (tmp_path / names[-1]).write_text(json.dumps(fault), encoding="utf-8")
    errors = fold(tmp_path, *names).stderr
    assert [line.split(":")[0] for line in errors.splitlines()] == names
