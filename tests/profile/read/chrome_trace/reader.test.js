/**
 * A trace of a page that computes for 50 ms, which Chromium wrote with the category disabled-by-default-v8.cpu_profiler
 * on; what it says of the machine was removed.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import * as chromeTrace from "../../../../pipeline/profile/read/chrome_trace/reader.js";
import { foldBytes, readAs } from "../../captures.js";
import { readFixture } from "../../fixtures.js";

test("samples of the pieces of a profile are those of the thread that was profiled", async () => {
  const { format, profiles, stacks, problems } = await readFixture(
    "chrome.trace.json",
    import.meta.url,
  );
  assert.equal(format, "chrome-trace");
  assert.deepEqual(problems, []);
  assert.equal(profiles.time.samples, 20);
  assert.ok(stacks.time.every((line) => line.startsWith("CrRendererMain;")));
  assert.ok(stacks.time.some((line) => line.includes(";UtilityScript_[l]")));
});

test("pieces of two profiles are kept apart by process and id", () => {
  const piece = (/** @type {number} */ pid, /** @type {string} */ name) => ({
    name: "ProfileChunk",
    ph: "P",
    pid,
    tid: 1,
    id: "0x1",
    args: {
      data: {
        cpuProfile: {
          nodes: [
            { id: 1, callFrame: { functionName: "(root)" } },
            { id: 2, parent: 1, callFrame: { functionName: name, url: "https://a.org/x.js" } },
          ],
          samples: [2, 2],
        },
        timeDeltas: [5, 7],
      },
    },
  });
  const { stacks } = readAs(chromeTrace, JSON.stringify([piece(1, "a"), piece(2, "b")]));
  assert.deepEqual(stacks.time, ["[process];a (x.js) 7000", "[process];b (x.js) 7000"]);
});

test("a trace without samples is refused with what to record", async () => {
  const trace = '{"traceEvents":[{"name":"f","ph":"X","ts":1,"dur":3,"pid":1,"tid":1}]}';
  await assert.rejects(
    foldBytes(trace),
    /: a Chrome trace without samples.*py-spy record -f speedscope$/,
  );
  await assert.rejects(
    foldBytes(JSON.stringify(JSON.parse(trace).traceEvents)),
    /Chrome trace without samples/,
  );
});
