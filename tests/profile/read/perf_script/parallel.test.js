import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { foldCapture, inDirectory } from "../../captures.js";

/**
 * Fold a text twice, the second time in two halves: the outcome must be the same. So short a text is
 * recognised by its end only; its format is stated, so that it is known before the second half.
 *
 * @param {string | Buffer} text
 * @param {string | null} [format]
 */
async function foldBoth(text, format = "perf-script") {
  return inDirectory(async (directory) => {
    const path = join(directory, "perf.txt");
    await writeFile(path, text);
    const capture = { file: "perf.txt", path, format };
    const [whole, halves] = [undefined, 1].map((parallelFrom) =>
      foldCapture({ ...capture, parallelFrom }).catch((error) => String(error)),
    );
    assert.deepEqual(await halves, await whole);
    return whole;
  });
}

/** @param {string | Buffer} text */
async function folded(text) {
  const outcome = await foldBoth(text);
  assert.ok(typeof outcome === "object");
  return outcome;
}

const SAMPLE = "mysqld 1 [000] 1.0: 3 cycles:\n\t 7f1e inner (/x)\n\t 7f2e outer (/x)\n\n";

test("both halves count", async () => {
  const { profiles, problems } = await folded(SAMPLE.repeat(1000));
  assert.deepEqual([profiles[0].total, profiles[0].samples], ["3000", 1000]);
  assert.deepEqual(problems, []);
});

test("what is skipped and lost in the second half has its line, counted from the first", async () => {
  const text = `${SAMPLE.repeat(50)}nonsense\nperf 1 [0] 1.0: PERF_RECORD_LOST lost 5\n${SAMPLE}`;
  const { profiles } = await folded(`nonsense\n${SAMPLE}${text}`);
  const [{ lost, skipped }] = profiles[0].captures;
  assert.equal(lost, 5);
  assert.deepEqual(
    skipped.map(({ count, first_line: line }) => [count, line]),
    [[2, 1]],
  );
  const second = await folded(text);
  assert.equal(second.profiles[0].captures[0].skipped[0].first_line, 201);
});

test("a text that ends in the middle of a line is cut off in its second half", async () => {
  const { profiles, problems } = await folded(SAMPLE.repeat(100).slice(0, -22));
  assert.equal(profiles[0].samples, 99);
  assert.equal(profiles[0].captures[0].partial, true);
  assert.equal(problems[0].line, 397);
});

test("a bad name of both halves is reported once", async () => {
  const name = Buffer.concat([
    Buffer.from("\t 7f1e r"),
    Buffer.of(0xff),
    Buffer.from("n (/x)\n\n"),
  ]);
  const sample = Buffer.concat([Buffer.from("m 1 [000] 1.0: 3 cycles:\n"), name]);
  const { profiles } = await folded(Buffer.concat(Array(100).fill(sample)));
  assert.equal(profiles[0].captures[0].skipped[0].count, 1);
});

test("records of more names than are distinguished are reported the same", async () => {
  const records = Array.from({ length: 100 }, (_, at) => `m 1 1.0: PERF_RECORD_X${at} 1\n\n`);
  await folded(SAMPLE + records.join(""));
  await folded(SAMPLE + records.join("").repeat(2));
});

test("more events than are distinguished are reported the same", async () => {
  const samples = Array.from({ length: 100 }, (_, at) => `m 1 1.0: 3 event${at % 70}:\n\n`);
  await folded(samples.join(""));
});

test("text of other kinds is read by one thread", async () => {
  await foldBoth("a;b 3\n\na;c 4\n".repeat(20), null);
  await foldBoth(SAMPLE.repeat(20), null);
  await foldBoth("");
  await foldBoth("mysqld 1 [000] 1.0: 3 cycles:\n\t 7f1e inner (/x)\n");
  await foldBoth(Buffer.from(`\ufeff${SAMPLE.repeat(20)}`, "utf16le"));
});

const line = fc.constantFrom(
  ...["mysqld 1 [000] 1.0: 3 cycles:", "IO 2 bg 7 [001] 1.0: 5 branches:", "dd 1 1.5: 9 cycles:u:"],
  ...["\t 7f1e a (/x)", "\t 7f2e b+0x1 (/lib/y.so.1)", "\t 7f3e A->B (/tmp/perf-1.map)"],
  ...["  main.c:12", "nonsense", "", "", "", "# comment", "m 1 [0] 1.0: PERF_RECORD_LOST lost 5"],
);

test("any text comes out the same, whoever reads its second half", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 10, maxLength: 80 }),
      fc.boolean(),
      async (lines, crlf) => {
        await foldBoth(SAMPLE + lines.map((text) => text + (crlf ? "\r\n" : "\n")).join(""));
      },
    ),
    { numRuns: 12 },
  );
});
