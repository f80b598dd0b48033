/**
 * Suspects between real releases, where their profiles are there, which are not ours to publish: what the
 * author of a report found by hand is to be found here, and what was only renamed is not.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { findChanges } from "../../../pipeline/profile/changes/find_changes.js";
import { compareProfiles } from "../../../pipeline/profile/diff/diff.js";
import { readFolded } from "../captures.js";
import { realData, skipWithout } from "../real_data.js";

const skip = skipWithout("myrocks56-ibench", "mysql-sysbench-pn53");
/** Rows of a table that people read. */
const FIRST = 10;

/** @param {string} step */
function profile(step) {
  const packed = readFileSync(realData(`${step}/stacks.folded.gz`));
  return readFolded(gunzipSync(packed).toString()).profiles.unknown;
}

/**
 * @param {string} base
 * @param {string} after
 */
function listed(base, after) {
  const options = { baseLabel: "base", afterLabel: "after" };
  const { diff, captures } = compareProfiles(profile(base), profile(after), options);
  const found = findChanges(diff, captures);
  const { ids } = found.functions;
  const rows = found.additions.listed.slice(0, FIRST).map(({ index, callers, callees }) => ({
    name: ids[index],
    folded: [...callers, ...callees].map((each) => ids[each]),
  }));
  return { rows, shifts: found.shifts.map(({ index }) => ids[index]), found };
}

/**
 * Return whether a function has a name, in whatever namespace and with whatever template arguments.
 *
 * @param {string} id
 * @param {string} name
 */
const isCalled = (id, name) => new RegExp(`(?: |::)${name}(?:<.*)?$`, "s").test(id);

/** @type {[string, string, string[][]][]} the groups that the author of the report names */
const NAMED = [
  [
    "myrocks56-ibench/2022-03-07/l.i1",
    "myrocks56-ibench/2023-05-29/l.i1",
    [
      ["MemTableInserter::DeleteImpl", "MemTableInserter::SingleDeleteCF"],
      ["MemTableInserter::PutCFImpl", "MemTableInserter::PutCF"],
      ["CompactionIterator::Next"],
      ["CompactionOutputs::AddToOutput", "BlockBasedTableBuilder::Add"],
    ],
  ],
  [
    "myrocks56-ibench/2022-03-07/q100",
    "myrocks56-ibench/2023-05-29/q100",
    [
      ["MergingIterator::Seek"],
      ["BlockBasedTable::NewDataBlockIterator", "BlockBasedTableIterator::InitDataBlock"],
      ["IndexBlockIter::SeekImpl", "DataBlockIter::SeekImpl"],
      ["DBImpl::NewIteratorImpl"],
    ],
  ],
  ["mysql-sysbench-pn53/5651/insert", "mysql-sysbench-pn53/8037/insert", [["binlog_log_row"]]],
];

for (const [base, after, groups] of NAMED) {
  test(`what grew in ${after} since ${base} is found`, { skip }, (t) => {
    const { rows, shifts } = listed(base, after);
    for (const names of groups) {
      const named = names.join(" or ");
      const row = rows.findIndex(({ name, folded }) =>
        [name, ...folded].some((id) => names.some((each) => isCalled(id, each))),
      );
      const isShift = shifts.some((id) => names.some((each) => isCalled(id, each)));
      t.diagnostic(`${named}: ${row < 0 ? "a shift" : `row ${row + 1}, ${rows[row].name}`}`);
      assert.ok(row >= 0 || isShift, named);
    }
  });

  test(`none of the first suspects of ${after} is a rename only`, { skip }, () => {
    const { found } = listed(base, after);
    const { moves, growth } = found.additions;
    for (const { index, net } of found.additions.listed.slice(0, FIRST)) {
      const elsewhere = moves.fromCaller[index] + moves.fromCallees[index] + moves.fromClass[index];
      assert.ok(net > 0 && net >= 0.3 * growth.functions.change[index]);
      assert.ok(elsewhere < growth.functions.risen[index], found.functions.ids[index]);
    }
  });
}

test("what binlogs rows is among the first five, itself", { skip }, () => {
  const { rows } = listed("mysql-sysbench-pn53/5651/insert", "mysql-sysbench-pn53/8037/insert");
  assert.ok(rows.slice(0, 5).some(({ name }) => isCalled(name, "binlog_log_row")));
});
