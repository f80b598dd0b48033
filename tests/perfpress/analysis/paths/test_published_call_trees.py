"""The call trees of a published text, from the profiles that its author took them from.

They are those of smalldatum.blogspot.com, "MySQL regressions: binlog_log_row" (August 2024).
"""

import re

import pytest
from perfpress.analysis.paths.parse import parse_path
from perfpress.analysis.profiles.call_tree import CallTreeShares, calltree
from perfpress.site.formats.call_tree_text import calltree_text
from real_profiles import real_profiles

VERSIONS = {"5651": "MySQL 5.6.51", "5744": "MySQL 5.7.44", "8037": "MySQL 8.0.37"}

PUBLISHED = """\
For MySQL 5.6.51

3.04  binlog_log_row
  2.23  THD::binlog_write_table_map
    0.41  Table_map_log_event::Table_map_log_event
    0.52  binlog_cache_data::write_event
    0.92  binlog_start_trans_and_stmt
  0.59  Write_rows_log_event::binlog_row_logging_function
    0.51  THD::binlog_write_row

For MySQL 5.7.44

4.28  binlog_log_row
  3.13  THD::binlog_write_table_map
  0.82  Write_rows_log_event::binlog_row_logging_function

For MySQL 8.0.37

10.29  binlog_log_row
  5.79  THD::binlog_write_table_map
    2.53  Table_map_log_event::Table_map_log_event
    0.60  binlog_cache_data::write_event
    1.74  binlog_start_trans_and_stmt
  2.97  Write_rows_log_event::binlog_row_logging_function
    2.87  THD::binlog_write_row
  0.49  add_pke
"""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> CallTreeShares:
    names = {
        version: f"mysql-sysbench-pn53/{version}/insert/stacks.folded.gz" for version in VERSIONS
    }
    profiles = real_profiles(names, tmp_path_factory.mktemp("profiles"))
    root = parse_path("widest(binlog_log_row)")
    return calltree(root, profiles, renames={}, threshold=0.4, depth=2)


def numbers_of(text: str) -> dict[tuple[str, ...], float]:
    """Return the percentages by release and call path."""
    found = {}
    path: list[str] = []
    for line in text.splitlines():
        if head := re.fullmatch(r"For (.+)", line):
            path = [head[1]]
        elif row := re.fullmatch(r"( *)(\d+\.\d\d)  (\S.*)", line):
            path = [*path[: 1 + len(row[1]) // 2], row[3]]
            found[tuple(path)] = float(row[2])
    return found


def test_the_text_has_the_numbers_of_its_author_in_his_layout(
    tree: CallTreeShares, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = numbers_of(PUBLISHED)
    found = numbers_of(calltree_text(tree, VERSIONS, "cycles"))
    same = [path for path, number in printed.items() if abs(found[path] - number) < 0.0051]
    with capsys.disabled():
        print(f"\n{len(same)} of {len(printed)}")
    assert len(same) == len(printed) == 18


def test_a_row_is_there_where_any_release_has_enough_of_it(tree: CallTreeShares) -> None:
    rows = {row.name: row for row in tree.rows}
    shares = [each and round(100 * each.share, 2) for each in rows["add_pke"].weights]
    assert shares == [None, None, 0.49]
    assert rows["Table_map_log_event::Table_map_log_event"].weights[1] is not None
    assert tree.left_out > 10
