"""The page on logs names all formats and metrics; PERFPRESS_BLESS=1 writes the metrics."""

import os
import re
from pathlib import Path

from docs_pages import DOCS, blocks
from perfpress.input.logs.formats import FORMATS
from perfpress.input.logs.metric_names import METRIC_NAMES
from perfpress.input.logs.read import DescriptionFile, read_log

NEITHER = "\N{EN DASH}"
PAGE = DOCS / "logs.md"
TABLE = re.compile(r"^\| Name \| Unit \| better \| Meaning \|\n(?:\|.*\n)+", re.MULTILINE)


def metrics_table() -> str:
    rows = (
        f"| `{name}` | {unit} | {better or NEITHER} | {meaning} |\n"
        for name, (unit, better, meaning, _) in METRIC_NAMES.items()
    )
    return "".join(["| Name | Unit | better | Meaning |\n", "|---|---|---|---|\n", *rows])


def test_the_page_names_every_format_that_is_read() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert [name for name in FORMATS if f"`{name}`" not in text] == []


def test_the_page_names_every_metric_with_its_unit_and_direction() -> None:
    text = PAGE.read_text(encoding="utf-8")
    if os.environ.get("PERFPRESS_BLESS") == "1":
        table = metrics_table()
        PAGE.write_text(TABLE.sub(lambda _: table, text), encoding="utf-8")
    found = TABLE.search(PAGE.read_text(encoding="utf-8"))
    assert found is not None
    assert found[0] == metrics_table(), "PERFPRESS_BLESS=1 accepts the change"


def test_the_csv_that_the_page_shows_is_read_whole(tmp_path: Path) -> None:
    (shown,) = (block.text for block in blocks(PAGE) if block.language == "csv")
    log = tmp_path / "log.csv"
    log.write_text(shown)
    reading = read_log(log, "log.csv")
    assert (reading.format, reading.problems, reading.skipped) == ("csv", (), ())
    assert [(each.name, len(each.metrics)) for each in reading.benchmarks] == [
        ("load", 2),
        ("scan", 4),
    ]


def test_the_description_that_the_page_shows_reads_the_log_beside_it(tmp_path: Path) -> None:
    (shown,) = (block.text for block in blocks(PAGE) if block.file == "load.toml")
    (tmp_path / "load.toml").write_text(shown)
    (tmp_path / "load.txt").write_text("load: 81,234 rows/s\np99 250 us\n")
    described = DescriptionFile(tmp_path / "load.toml", "load.toml")
    reading = read_log(tmp_path / "load.txt", "load.txt", described)
    found = {each.name: each.value for each in reading.metrics}
    assert found == {"throughput": 81234, "latency_p99": 0.25}
    assert reading.problems == ()
