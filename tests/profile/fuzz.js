/**
 * Damages captures at random, and holds readers to what they promise of any input. `make fuzz` runs
 * longer; a failure prints its seed, and `PERFPRESS_FUZZ_SEED` repeats it.
 */

import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import fc from "fast-check";
import { formatColumns } from "../../pipeline/profile/model/columns.js";
import { BadInput } from "../../pipeline/profile/model/problems.js";
import { DEEPEST_STACK } from "../../pipeline/profile/model/profile_builder.js";
import { parseProfile } from "../../pipeline/profile/model/profile_check.js";
import { callTree } from "../../pipeline/profile/model/tree.js";

/** Few runs and always the same, where nobody asks for as many as fit into some seconds. */
const { PERFPRESS_FUZZ_SECONDS: seconds, PERFPRESS_FUZZ_SEED: seed } = process.env;
const HOW_MANY =
  seconds === undefined
    ? { numRuns: 60 }
    : { numRuns: 1e9, interruptAfterTimeLimit: 1000 * Number(seconds) };
const SEED = seed === undefined && seconds === undefined ? 1 : Number(seed ?? Date.now() % 2 ** 31);

/** CPU seconds in which any input of a few megabytes is read: a hundred times what is usual. */
const LONGEST_RUN = 10;

/** What breaks careless readers of text. */
const TOKENS = [
  "\0",
  "\n",
  "\r\n",
  "\n\n",
  "\ufeff",
  " ",
  "\t",
  ";",
  ":",
  "/",
  "[",
  "(",
  ")",
  "-1",
  "0",
  "99999999999999999999",
  "1e400",
  "0.0000000000000000000001",
  "[unknown]",
].map((text) => Buffer.from(text));

/** Bytes that are no UTF-8: a lone continuation, a cut sequence, a surrogate, one that is too long. */
const NO_UTF8 = [[0x80], [0xc3], [0xed, 0xa0, 0x80], [0xf8, 0x88, 0x80, 0x80, 0x80], [0xff, 0xfe]];

/**
 * One damage. Places are taken modulo the length of what there is.
 *
 * @typedef {{ kind: "flip", at: number, bits: number }
 *   | { kind: "cut", at: number, length: number }
 *   | { kind: "repeat", at: number, length: number, to: number }
 *   | { kind: "splice", at: number, other: number, from: number }
 *   | { kind: "insert", at: number, token: number, times: number }} Damage
 */

const place = fc.nat(2 ** 24);
const length = fc.oneof(fc.integer({ min: 1, max: 16 }), fc.integer({ min: 1, max: 2 ** 12 }));
const times = fc.oneof(
  { weight: 60, arbitrary: fc.constant(1) },
  { weight: 8, arbitrary: fc.integer({ min: 2, max: 5000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 2, max: 2 ** 21 }) }, // longer than any line may be
);

/** @param {number} tokens how many there are to insert */
function damages(tokens) {
  /** @type {fc.Arbitrary<Damage>} */
  const damage = fc.oneof(
    fc.record({
      kind: fc.constant("flip"),
      at: place,
      bits: fc.integer({ min: 1, max: 255 }),
    }),
    fc.record({ kind: fc.constant("cut"), at: place, length }),
    fc.record({ kind: fc.constant("repeat"), at: place, length, to: place }),
    fc.record({ kind: fc.constant("splice"), at: place, other: place, from: place }),
    fc.record({
      kind: fc.constant("insert"),
      at: place,
      token: fc.nat(tokens - 1),
      times,
    }),
  );
  return fc.array(damage, { maxLength: 8 });
}

/**
 * @param {Buffer} bytes
 * @param {Damage} damage
 * @param {Buffer[]} seeds
 * @param {Buffer[]} tokens
 */
function damaged(bytes, damage, seeds, tokens) {
  const at = damage.at % (bytes.length + 1);
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  switch (damage.kind) {
    case "flip": {
      const turned = Buffer.from(bytes);
      if (at < bytes.length) turned[at] ^= damage.bits;
      return turned;
    }
    case "cut":
      return Buffer.concat([before, after.subarray(damage.length)]);
    case "repeat": {
      const to = damage.to % (bytes.length + 1);
      const copy = after.subarray(0, damage.length);
      return Buffer.concat([bytes.subarray(0, to), copy, bytes.subarray(to)]);
    }
    case "splice": {
      const other = seeds[damage.other % seeds.length];
      return Buffer.concat([before, other.subarray(damage.from % (other.length + 1))]);
    }
    case "insert": {
      const token = tokens[damage.token];
      const long = Math.min(token.length * damage.times, 2 ** 21);
      return Buffer.concat([before, Buffer.alloc(long, token), after]);
    }
  }
}

/**
 * Test that any damaged input passes a check, and within a bound of time.
 *
 * @param {string} name of the test
 * @param {(Buffer | string)[]} inputs good ones, to be damaged
 * @param {(bytes: Buffer, chunkSize: number) => void | Promise<void>} check throws where something
 *   is wrong with what was made of the input
 * @param {(Buffer | string)[]} [words] of the format, to be put in anywhere
 */
export function fuzz(name, inputs, check, words = []) {
  const seeds = inputs.map((input) => Buffer.from(input));
  const tokens = [...TOKENS, ...NO_UTF8, ...words].map((token) => Buffer.from(token));
  const chunkSizes = fc.oneof(
    fc.integer({ min: 1, max: 64 }),
    fc.integer({ min: 1, max: 2 ** 16 }),
  );
  test(name, async () => {
    await fc.assert(
      fc.asyncProperty(place, damages(tokens.length), chunkSizes, async (first, list, size) => {
        let bytes = seeds[first % seeds.length];
        for (const damage of list) bytes = damaged(bytes, damage, seeds, tokens);
        const start = process.cpuUsage();
        await check(bytes, Math.max(size, bytes.length >> 11));
        const { user, system } = process.cpuUsage(start);
        assert.ok(user + system < LONGEST_RUN * 1e6, `${(user + system) / 1e6} CPU seconds`);
      }),
      { seed: SEED, ...HOW_MANY },
    );
  });
}

/**
 * Test that a reader makes of any damaged capture either BadInput or call trees whose weights add
 * up, the same whatever the chunks are, and counts what it skipped.
 *
 * @param {string} name of the format, in words
 * @param {import("../../pipeline/profile/read/stacks/format.js").Format} format a module of read/
 * @param {(Buffer | string)[]} seeds good captures
 * @param {{ event?: string, words?: (Buffer | string)[] }} [options] words of the format, to be put
 *   in anywhere
 */
export function fuzzReader(name, format, seeds, { event, words } = {}) {
  /** @type {(bytes: Buffer, size: number) => void} */
  const check = (bytes, size) => {
    format.recognise({ bytes, lines: bytes.toString("utf8").split(/\r?\n/) });
    for (const partial of [false, true]) {
      const whole = outcomeOf(format, event, bytes, bytes.length || 1, partial);
      assert.equal(outcomeOf(format, event, bytes, size, partial), whole);
    }
  };
  fuzz(`${name}: any damage is counted or refused`, seeds, check, words);
}

/**
 * Return what a reader makes of a capture, as text, once it was found to be sound.
 *
 * @param {import("../../pipeline/profile/read/stacks/format.js").Format} format
 * @param {string | undefined} event
 * @param {Buffer} bytes
 * @param {number} size of a chunk
 * @param {boolean} partial
 */
function outcomeOf(format, event, bytes, size, partial) {
  try {
    const reader = new format.Reader(event);
    for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
    const folded = reader.finish(partial);
    const { lost = 0, skipped, sharesOnly } = folded;
    const texts = folded.events.map((one) => {
      const text = formatColumns(profileOf(one, lost, skipped, sharesOnly));
      checkProfile(text, one.builder.total());
      return text;
    });
    return JSON.stringify([folded.partial, lost, skipped, sharesOnly, ...texts]);
  } catch (error) {
    if (error instanceof BadInput) return error.message;
    throw error;
  }
}

/**
 * @param {import("../../pipeline/profile/read/stacks/format.js").FoldedEvent} event
 * @param {number} lost
 * @param {import("../../pipeline/profile/model/profile.js").Skipped[]} skipped
 * @param {string} [sharesOnly]
 */
function profileOf({ event, unit, builder, samples, samplesByNode }, lost, skipped, sharesOnly) {
  const capture = {
    file: "fuzz",
    sha256: "",
    format: "",
    samples,
    weight: String(builder.total()),
    lost,
    partial: false,
    shares_only: sharesOnly ?? null,
    skipped,
  };
  return builder.build({ event, unit: unit ?? "", samples, samplesByNode, captures: [capture] });
}

/**
 * Check a profile as one is checked that comes from a stranger: its tree, its sums, its counts.
 *
 * @param {string} text
 * @param {bigint} total
 */
export function checkProfile(text, total) {
  const profile = parseProfile(text, "fuzz");
  assert.equal(profile.total, String(total));
  const { depth } = callTree(profile.parent, profile.self.map(Number));
  const deepest = depth.reduce((most, one) => Math.max(most, one), 0);
  assert.ok(deepest <= DEEPEST_STACK + 1, `a stack of ${deepest} frames`);
  for (const { skipped } of profile.captures) {
    for (const { reason, count } of skipped) {
      assert.ok(count > 0 && reason.length < 500, `${count} × ${reason.slice(0, 500)}`);
    }
  }
}
