import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { FORMAT_NAMES, formatOf } from "../../../pipeline/profile/read/formats.js";
import { CHUNK_SIZE } from "../../../pipeline/profile/read/input/lines.js";

const LONG_NAME =
  "rocksdb::BlockBasedTableBuilder<rocksdb::Slice>::Add(rocksdb::Slice const&)+0x1a";

/** What nearly every large capture looks like, a sample each. */
const USUAL = {
  "perf-script": `mysqld 1 [000] 1.0: 3 cycles:\n\t 7f1e ${LONG_NAME} (/usr/sbin/mysqld)\n\n`,
  folded: `mysqld;outer;${LONG_NAME} 3\n`,
};

for (const [name, sample] of Object.entries(USUAL)) {
  test(`${name} is recognised in its first chunk, so that none is held back`, () => {
    const text = sample.repeat(Math.ceil(CHUNK_SIZE / sample.length));
    const format = formatOf(Buffer.from(text).subarray(0, CHUNK_SIZE), false);
    assert.ok(format !== null && format !== "more");
    assert.equal(format.FORMAT, name);
  });
}

test("the docs list every format, and no other", async () => {
  const page = await readFile(
    new URL("../../../content/docs/captures.md", import.meta.url),
    "utf8",
  );
  const [, table] = page.split(/^## (?:Formats|perf script text) .*$/m);
  const listed = table
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .flatMap((line) => line.split("|")[1].match(/[a-z][a-z0-9-]+/g));
  assert.deepEqual(listed.sort(), [...FORMAT_NAMES].sort());
});
