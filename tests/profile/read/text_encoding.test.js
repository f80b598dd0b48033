import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Utf8Stream } from "../../../pipeline/profile/read/input/text_encoding.js";
import { foldBytes, stacksOf } from "../captures.js";

const STACKS = "main;größe;\u{1f525} 3\r\nmain;read 4\r\n";
const PERF = "mysqld 1 1.0: 3 cycles:\r\n\t 7f1e größe (/x)\r\n\r\n";

/** @param {string} text */
function littleEndian(text) {
  return Buffer.from(text, "utf16le");
}

/** @param {string} text */
function bigEndian(text) {
  return littleEndian(text).swap16();
}

/** @type {[string, (text: string) => Buffer][]} */
const ENCODINGS = [
  ["UTF-8", (text) => Buffer.from(text)],
  ["UTF-8 with a mark", (text) => Buffer.from(`\ufeff${text}`)],
  ["UTF-16 LE", littleEndian],
  ["UTF-16 LE with a mark", (text) => littleEndian(`\ufeff${text}`)],
  ["UTF-16 BE", bigEndian],
  ["UTF-16 BE with a mark", (text) => bigEndian(`\ufeff${text}`)],
];

/** Without a mark, the first letters have to be English ones. */
const COMMENT = "# stacks of a benchmark of our table\r\n";

for (const [name, encode] of ENCODINGS) {
  test(`stacks in ${name}, lines ending in CRLF, are read as they are`, async () => {
    const folded = await foldBytes(encode(COMMENT + STACKS));
    assert.deepEqual(folded.problems, []);
    assert.deepEqual(stacksOf(folded.profiles[0]), ["main;größe;\u{1f525} 3", "main;read 4"]);
    const perf = await foldBytes(encode(PERF));
    assert.deepEqual(stacksOf(perf.profiles[0]), ["mysqld;größe 3"]);
  });
}

test("UTF-16 that breaks off in a line or in a letter was cut off", async () => {
  for (const cut of [1, 3, 4]) {
    const bytes = littleEndian(`\ufeff${STACKS}${STACKS}main;x 7\n`);
    const { profiles, problems } = await foldBytes(bytes.subarray(0, -cut));
    assert.deepEqual(
      problems.map(({ found }) => found),
      ["the file ends in the middle of a line"],
    );
    assert.equal(profiles[0].total, "14");
  }
});

/**
 * @param {Buffer} bytes
 * @param {number[]} cuts lengths of the chunks, over and over
 */
function decoded(bytes, cuts) {
  const stream = new Utf8Stream();
  const parts = [];
  for (let at = 0, next = 0; at < bytes.length; next++) {
    const end = at + cuts[next % cuts.length];
    parts.push(Buffer.from(stream.push(bytes.subarray(at, end))));
    at = end;
  }
  return Buffer.concat([...parts, stream.finish()]).toString("utf8");
}

test("wherever chunks are cut, in a letter or between two halves of one, the text is the same", () => {
  const text = fc.string({ unit: "grapheme" }).map((some) => `some text ${some} \u{1f525}\n`);
  const cuts = fc.array(fc.integer({ min: 1, max: 70 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(text, cuts, fc.constantFrom(...ENCODINGS), (some, lengths, [name, encode]) => {
      const marked = name === "UTF-8" || name.endsWith("mark");
      const whole = marked ? some : COMMENT + COMMENT + some;
      assert.equal(decoded(encode(whole), lengths), whole);
    }),
  );
});

test("binary data passes as it is", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const harmless = Buffer.concat([Buffer.from([0, 0, 7, 7]), bytes]);
      const stream = new Utf8Stream();
      const out = [stream.push(harmless), stream.finish()];
      assert.deepEqual(Buffer.concat(out), harmless);
    }),
  );
});
