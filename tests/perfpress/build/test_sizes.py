"""What a build prints of the size of the site."""

import pytest
from perfpress.build.sizes import KindSize, kind_of, size_lines, sizes_of


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("index.html", "site .html"),
        ("docs/paths/index.html", "docs .html"),
        ("reports/index.html", "reports .html"),
        ("reports/pg/metrics.csv.gz", "report .csv.gz"),
        ("reports/pg/18/index.html", "release .html"),
        ("reports/pg/18.1/metrics.json", "release .json"),
        ("reports/pg/18/select/index.html", "step of a release .html"),
        ("reports/pg/18/select/@lab1/flamegraph.svg", "step of a release .svg"),
        ("reports/pg/18/select/embed/index.html", "frame .html"),
        ("reports/pg/18/select/vs/17/diff.json", "diff .json"),
        ("reports/pg/@lab1/by-release.svg", "variant .svg"),
        ("reports/pg/steps/select/index.md", "step in all releases .md"),
        ("reports/pg/compare/cells.json", "comparison .json"),
        ("reports/pg/releases/2/index.html", "releases .html"),
    ],
)
def test_each_file_has_a_kind(path: str, kind: str) -> None:
    assert kind_of(path) == kind


def test_kinds_add_up_to_the_site() -> None:
    sizes = sizes_of({"index.html": 10, "404.html": 30, "docs/a/index.html": 5})
    assert sizes == (KindSize("site .html", 2, 40, 30), KindSize("docs .html", 1, 5, 5))
    assert list(size_lines(sizes)) == [
        "      40 B  site .html, 2 files, the largest 30 B",
        "       5 B  docs .html, 1 file",
    ]
