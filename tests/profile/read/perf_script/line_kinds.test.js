import assert from "node:assert/strict";
import { test } from "node:test";
import { readPerf } from "../../captures.js";

/** As `perf script -F comm,tid,ip,sym` prints it: only the frame shows that a header is above it. */
const FRAME = "\t          3d6b4c read_page\n";
const SAMPLE = `IO 2 bg 28081\n${FRAME}\n`;
const NO_HEADER = "line outside of a sample that is no header";

test("of headers of few fields, a frame without its own is no thread", () => {
  const { stacks, skipped } = readPerf(FRAME + FRAME + SAMPLE + SAMPLE);
  assert.deepEqual(stacks, { unknown: ["IO_2_bg;read_page 2"] });
  assert.deepEqual(skipped, [{ reason: NO_HEADER, count: 2, first_line: 1 }]);
});

test("a header of few fields is right above its frame", () => {
  const { stacks, skipped } = readPerf(`${SAMPLE}a warning\n# a comment\n${FRAME}${SAMPLE}`);
  assert.deepEqual(stacks, { unknown: ["IO_2_bg;read_page 2"] });
  assert.deepEqual(skipped, [{ reason: NO_HEADER, count: 2, first_line: 4 }]);
});

test("a line of several frames is one line, also where it is known", () => {
  const linked = "\t 55d0 ->Foo::bar->Foo::baz (/tmp/perf-1.map)\n";
  const sample = `java 1 [000] 1.0: 3 cycles:\n${linked}\n`;
  const { stacks, skipped } = readPerf(`${sample.repeat(3)}no header\n`);
  assert.equal(stacks.cycles[0].split(";").length, 3);
  assert.deepEqual(skipped, [{ reason: NO_HEADER, count: 1, first_line: 10 }]);
});
