"""Profiles folded from published stacks, as a build folds them."""

from collections.abc import Mapping
from pathlib import Path

from perfpress.analysis.profiles.profile import Profile, read_profile
from perfpress.base.node.requests import PROFILE, run_requests
from real_data import real_data


def real_profiles(names: Mapping[str, str], directory: Path) -> dict[str, Profile]:
    """Return profiles by what they are called here; skip the test where one is not there.

    Args:
        names: by that, the file below the published data.
        directory: where to write them.
    """
    files = {key: str(real_data(name)) for key, name in names.items()}
    requests = [
        {"job": "fold", "captures": [{"file": key, "path": file}], "out": str(directory / key)}
        for key, file in files.items()
    ]
    answers = run_requests(PROFILE, requests)
    return {
        key: read_profile(directory / key / answer["result"]["profiles"][0]["path"], key)
        for key, answer in zip(files, answers, strict=True)
    }
