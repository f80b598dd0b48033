import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { LineTable } from "../../../../pipeline/profile/read/perf_script/line_table.js";
import { readPerf } from "../../captures.js";

/** Lines that begin alike, end alike, or begin as another one is: "\t 1 a", "\t 1 aa" … */
const line = fc
  .tuple(fc.integer({ min: 1, max: 3 }), fc.constantFrom("a", "b"), fc.integer({ min: 1, max: 40 }))
  .map(([address, letter, length]) => `\t ${address} ${letter.repeat(length)}\n`);

test("known lines are recognised by their bytes, whatever they follow", () => {
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 60 }), (lines) => {
      const table = new LineTable();
      const values = new Map();
      const column = new Int32Array(1);
      for (const text of lines) {
        const bytes = Buffer.alloc(text.length + 32);
        bytes.write(text);
        const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
        const count = table.take(view, 0, text.length, column, 0);
        assert.equal(count, values.has(text) ? 1 : 0, text);
        if (count === 1) assert.deepEqual([column[0], table.end], [values.get(text), text.length]);
        if (values.has(text) || text.length < 8) continue;
        values.set(text, values.size);
        table.insert(bytes, view, 0, text.length, [values.get(text)]);
      }
    }),
  );
});

test("a stack is what its lines are, seen before or not, one frame or several", () => {
  const frames = fc.constantFrom(
    ...["\t 7f1e a (/x)", "\t 7f2e bb (/x)", "\t 7f3e A->B (/tmp/perf-1.map)", "\t 7f1e ab (/x)"],
  );
  const folded = /** @type {Record<string, string>} */ ({
    "\t 7f1e a (/x)": "a",
    "\t 7f2e bb (/x)": "bb",
    "\t 7f3e A->B (/tmp/perf-1.map)": "A_[j];B_[i]",
    "\t 7f1e ab (/x)": "ab",
  });
  const stacks = fc.array(fc.array(frames, { minLength: 1, maxLength: 12 }), { minLength: 1 });
  fc.assert(
    fc.property(stacks, fc.integer({ min: 1, max: 100 }), (list, chunkSize) => {
      const samples = list.map((lines) => `m 1 [0] 1.5: 1 cycles:\n${lines.join("\n")}\n\n`);
      const { stacks, skipped } = readPerf(samples.join(""), { chunkSize });
      assert.deepEqual(skipped, []);
      const expected = new Map();
      for (const lines of list) {
        const stack = ["m", ...lines.map((text) => folded[text]).reverse()].join(";");
        expected.set(stack, (expected.get(stack) ?? 0) + 1);
      }
      const counted = new Map(
        stacks.cycles.map((text) => [text.split(" ")[0], text.split(" ")[1]]),
      );
      assert.deepEqual(
        [...counted].sort(),
        [...expected].map(([stack, count]) => [stack, String(count)]).sort(),
      );
    }),
  );
});
