/**
 * One recording as `perf script` prints it with many options: as far as its fields go, all give the
 * same stacks.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as perfScript from "../../../../pipeline/profile/read/perf_script/reader.js";
import { answerTo, readPerf } from "../../captures.js";

const TEXT = readFileSync(new URL("fields.txt", import.meta.url), "utf8");
const [, ...SECTIONS] = TEXT.split(/^=== perf script /m);

/** What perf prints unless -F asks for less. */
const ALL_FIELDS = ["comm", "tid", "cpu", "time", "period", "event", "ip", "sym", "symoff", "dso"];

/**
 * The samples, each as its thread, event, period and frames.
 *
 * @typedef {{ thread: string, event: string, period: number, frames: string[] }} Sample
 */

/** Read the section without options, in a way of its own: a paragraph a sample. */
const SAMPLES = SECTIONS[0]
  .slice(SECTIONS[0].indexOf("\n") + 1)
  .trim()
  .split("\n\n")
  .map((paragraph) => {
    const [header, ...lines] = paragraph.split("\n");
    const found = /^(.*?) +\d+ \[\d+\] +[\d.]+: +(\d+) +(.*?): *$/.exec(header);
    assert.ok(found, header);
    const [, thread, period, event] = found;
    const frames = lines.map((line) =>
      line
        .trim()
        .split(" ")[1]
        .replace(/\+0x.*/, ""),
    );
    return { thread, event, period: Number(period), frames };
  });

/**
 * What is left of the samples where some fields are not printed.
 *
 * @param {string[]} fields
 * @param {number} depth
 */
function expected(fields, depth) {
  /** @type {Record<string, Record<string, number>>} */
  const events = {};
  for (const { thread, event, period, frames } of SAMPLES) {
    const name = fields.includes("event") ? event : "unknown";
    const library = fields.includes("dso") ? "_[l]" : "";
    const words = (fields.includes("ip") ? frames.slice(0, depth) : []).map((frame) => {
      if (!fields.includes("sym")) return "[unknown]";
      return frame === "start_thread" ? frame + library : frame;
    });
    // a thread called 42 cannot be distinguished from an id, where no id follows
    const named = fields.includes("comm") && (thread !== "42" || fields.includes("tid"));
    const first = named ? thread.replaceAll(" ", "_") : "[unknown]";
    const stack = [first, ...words.reverse()].join(";");
    events[name] ??= {};
    events[name][stack] = (events[name][stack] ?? 0) + (fields.includes("period") ? period : 1);
  }
  return Object.fromEntries(
    Object.entries(events).map(([event, sums]) => [
      event,
      Object.entries(sums)
        .map(([stack, sum]) => `${stack} ${sum}`)
        .sort(),
    ]),
  );
}

test("the recording has threads of several kinds", () => {
  const threads = [...new Set(SAMPLES.map(({ thread }) => thread))].sort();
  assert.deepEqual(threads, ["42", "IO 2 bg", "m", "rocksdb:low", "wal(main) [1]"]);
});

for (const section of SECTIONS) {
  const [options] = section.split("\n", 1);
  const text = section.slice(options.length + 1);
  const asked = /-F (\S+)/.exec(options)?.[1].split(",") ?? ALL_FIELDS;
  const depth = /-G|max-stack/.test(options) ? 1 : Number.POSITIVE_INFINITY;

  test(`perf script ${options}`, () => {
    for (const each of [text, text.replaceAll("\n", "\r\n")]) {
      const { stacks, skipped } = readPerf(each);
      const sorted = Object.entries(stacks).map(([event, lines]) => [event, [...lines].sort()]);
      assert.deepEqual(Object.fromEntries(sorted), expected(asked, depth));
      const records = skipped.filter(({ reason }) => !/PERF_RECORD/.test(reason));
      assert.deepEqual(records, []);
      assert.equal(answerTo(perfScript, each), "yes");
    }
  });

  test(`perf script ${options}, cut off in front`, () => {
    // the first sample loses its first line: its stack has no header then, and does not count
    const lines = text.split("\n");
    const { profiles } = readPerf(lines.slice(1).join("\n"));
    const samples = Object.values(profiles).reduce((sum, { samples }) => sum + Number(samples), 0);
    assert.ok(samples >= SAMPLES.length - 1 && samples <= SAMPLES.length, String(samples));
  });
}
