/** What `node --cpu-prof --cpu-prof-interval 5000 w.js` wrote, of a program and of one with a comment above it. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { diffProfiles } from "../../../../pipeline/profile/diff/diff.js";
import * as cpuprofile from "../../../../pipeline/profile/read/cpuprofile/reader.js";
import { readAs } from "../../captures.js";
import { readFixture, totalWeight } from "../../fixtures.js";

/** @param {string} name */
const read = (name) => readFixture(name, import.meta.url);

test("samples weigh the time until the next one, all together that of the recording", async () => {
  const { format, profiles, problems } = await read("w.cpuprofile");
  assert.equal(format, "cpuprofile");
  assert.deepEqual(problems, []);
  assert.equal(profiles.time.unit, "ns");
  assert.equal(profiles.time.samples, 60);
  assert.equal(profiles.time.total, "735559000"); // endTime - startTime - the first delta
});

test("functions have their file, and Node's own are a library's", async () => {
  const { stacks } = await read("w.cpuprofile");
  const own = stacks.time.filter((line) => /;inner \(tmp\/readers\/w\.js\)/.test(line));
  assert.ok(own.length > 0);
  assert.ok(totalWeight(stacks.time, "inner (tmp/readers/w.js)") > 600e6);
  assert.ok(stacks.time.every((line) => line.startsWith("[process]")));
  assert.ok(stacks.time.some((line) => line.includes("(garbage collector)_[l]")));
});

test("a comment above all functions unmatches none of them", async () => {
  const [{ profiles: base }, { profiles: after }] = await Promise.all(
    ["w.cpuprofile", "w2.cpuprofile"].map(read),
  );
  const { matched } = diffProfiles(base.time, after.time, { baseLabel: "a", afterLabel: "b" });
  assert.ok(matched.percent > 95, `${matched.percent}`);
});

test("samples out of order count from one to the next, and none twice", () => {
  const root = { id: 1, callFrame: { functionName: "(root)", url: "" }, children: [2, 3] };
  const a = { id: 2, callFrame: { functionName: "a", url: "file:///x/a.js" } };
  const b = { id: 3, callFrame: { functionName: "", url: "file:///x/a.js" } };
  const text = JSON.stringify({
    nodes: [root, a, b],
    startTime: 0,
    endTime: 40,
    samples: [2, 3, 2],
    timeDeltas: [10, 20, -5],
  });
  const { stacks } = readAs(cpuprofile, text);
  assert.deepEqual(stacks.time, [
    "[process];(anonymous) (x/a.js) 10000",
    "[process];a (x/a.js) 20000",
  ]);
});

test("without times, each sample counts once", () => {
  const nodes = [
    { id: 1, callFrame: { functionName: "(root)", url: "" }, hitCount: 0, children: [2] },
    { id: 2, callFrame: { functionName: "a", url: "https://a.org/app.min.js" }, hitCount: 3 },
  ];
  const { stacks } = readAs(cpuprofile, JSON.stringify({ nodes }));
  assert.deepEqual(stacks.unknown, ["[process];a (app.min.js) 3"]);
});

test("what is wrong is counted and the rest read", () => {
  const circle = [
    { id: 1, callFrame: {}, children: [2] },
    { id: 2, children: [1] },
    { id: 3, callFrame: { functionName: "(root)" } },
  ];
  const text = JSON.stringify({
    nodes: circle,
    samples: [1, 9, 3],
    timeDeltas: [1, 1, 1],
    endTime: 5,
    startTime: 0,
  });
  const { stacks, skipped } = readAs(cpuprofile, text);
  assert.deepEqual(stacks.time, ["[process] 2000"]);
  assert.deepEqual(skipped, [
    { reason: "sample of a node that is not listed", count: 2, first_line: 0 },
  ]);
  for (const damaged of [
    '{"nodes":',
    '{"nodes":7}',
    "[]",
    "null",
    '{"nodes":[null,3],"samples":[{}]}',
  ])
    readAs(cpuprofile, damaged);
});
