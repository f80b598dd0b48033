"""What the page of a release is known by: all that would make it another page."""

from pathlib import Path

from perfpress.site.addresses import Identity
from perfpress.site.pages.part_keys import release_keys
from report_samples import parts_of
from study_samples import repeats, study_of

RATES = {"a": 1000.0, "b": 1003.0, "c": 998.0, "d": 1001.0, "e": 999.0, "f": 1002.0}


def key_of_b(directory: Path, **other: float) -> str:
    """Return the key of a release that is compared with `a` alone, of one step and one run each."""
    runs = [
        each
        for release, rate in (RATES | other).items()
        for each in repeats(directory, release, [rate])
    ]
    parts = parts_of(study_of(runs))
    return release_keys(parts, Identity("Perfpress", "https://example.org/"))["b"]


def test_the_noise_that_other_releases_show_is_in_the_verdicts_of_a_page(tmp_path: Path) -> None:
    """Of one step there is no mean that would show it, too."""
    key = key_of_b(tmp_path / "one")
    assert key_of_b(tmp_path / "again") == key
    assert key_of_b(tmp_path / "other", e=1010.0) != key
