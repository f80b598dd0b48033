/** cpu.otlp.pb and cpu.otlp.json are the pprof file of ../pprof as OpenTelemetry's own library writes it: convert.go. */

import assert from "node:assert/strict";
import { test } from "node:test";
import * as otlp from "../../../../pipeline/profile/read/otlp/reader.js";
import { answerTo, foldBytes, readAs } from "../../captures.js";
import { bytesOf, readFixture } from "../../fixtures.js";

/** The thread that an attribute names in the first sample of OTLP, and pprof lacks. */
const OF_FIRST = /^writer;/;

test("protobuf and JSON hold what the pprof file does that they were made of", async () => {
  const pprof = await readFixture("../pprof/cpu.pb.gz", import.meta.url);
  const expected = totals(pprof.stacks.cpu);
  for (const name of ["cpu.otlp.pb", "cpu.otlp.json"]) {
    const { format, profiles, stacks, problems } = await readFixture(name, import.meta.url);
    assert.equal(format, "otlp", name);
    assert.deepEqual(problems, []);
    assert.deepEqual(Object.keys(profiles), ["cpu"]);
    assert.equal(profiles.cpu.unit, "CPU ns");
    assert.equal(profiles.cpu.total, pprof.profiles.cpu.total);
    assert.equal(profiles.cpu.samples, pprof.profiles.cpu.samples);
    assert.deepEqual(profiles.cpu.libraries, pprof.profiles.cpu.libraries);
    assert.deepEqual(totals(stacks.cpu), expected);
  }
});

/**
 * Return the weights of stacks without their thread.
 *
 * @param {string[]} stacks folded
 */
function totals(stacks) {
  /** @type {Record<string, number>} */
  const sums = {};
  for (const stack of stacks) {
    const [, inner, weight] = /^[^;]+;(.*) (\d+)$/.exec(stack) ?? [];
    sums[inner] = (sums[inner] ?? 0) + Number(weight);
  }
  return sums;
}

test("an attribute names the thread, the resource the program of the others", async () => {
  const { stacks } = await readFixture("cpu.otlp.pb", import.meta.url);
  assert.equal(stacks.cpu.filter((stack) => OF_FIRST.test(stack)).length, 1);
  assert.ok(stacks.cpu.every((stack) => /^(?:writer|store);/.test(stack)));
});

test("messages that follow each other are added up, each after its size or in a line", async () => {
  const message = await bytesOf("cpu.otlp.pb", import.meta.url);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(message.length);
  const json = (await bytesOf("cpu.otlp.json", import.meta.url)).toString().trim();
  for (const file of [
    Buffer.concat([size, message, size, message]),
    Buffer.from(`${json}\n${json}\n`),
  ]) {
    const { profiles, problems } = await foldBytes(file);
    assert.deepEqual(problems, []);
    assert.equal(profiles[0].samples, 2 * 88);
  }
});

/**
 * @param {object} profile
 * @param {object} [tables] of the dictionary
 */
function message(profile, tables = {}) {
  return JSON.stringify({
    resourceProfiles: [{ scopeProfiles: [{ profiles: [profile] }] }],
    dictionary: {
      stringTable: ["", "samples", "count", "cpu", "nanoseconds", "main", "profile.frame.type"],
      functionTable: [{}, { nameStrindex: 5 }],
      locationTable: [{}, { lines: [{ functionIndex: 1 }] }],
      stackTable: [{}, { locationIndices: [1] }],
      ...tables,
    },
  });
}

const SAMPLES = { typeStrindex: 1, unitStrindex: 2 };
const CPU = { typeStrindex: 3, unitStrindex: 4 };

test("samples of a period count the time between them", () => {
  const profile = { sampleType: SAMPLES, periodType: CPU, period: "50000000" };
  const text = message({ ...profile, samples: [{ stackIndex: 1, values: ["19"] }] });
  const { profiles, stacks } = readAs(otlp, text);
  assert.deepEqual(stacks, { cpu: ["[process];main 950000000"] });
  assert.equal(profiles.cpu.samples, 19);
  assert.equal(profiles.cpu.unit, "CPU ns");
});

test("a sample without values counts as often as it was seen", () => {
  const times = ["1764000000000000000", "1764000000050000000", "1764000000100000000"];
  const sample = { stackIndex: 1, timestampsUnixNano: times };
  const { stacks } = readAs(otlp, message({ sampleType: SAMPLES, samples: [sample] }));
  assert.deepEqual(stacks, { samples: ["[process];main 3"] });
});

test("locations that say they are the kernel's are", () => {
  const tables = {
    locationTable: [{}, { lines: [{ functionIndex: 1 }], attributeIndices: [1] }],
    attributeTable: [{}, { keyStrindex: 6, value: { stringValue: "kernel" } }],
  };
  const samples = [{ stackIndex: 1, values: [2] }];
  const { stacks } = readAs(otlp, message({ sampleType: SAMPLES, samples }, tables));
  assert.deepEqual(stacks.samples[0].split(";").slice(1), ["main_[k] 2"]);
});

test("samples that refer to nothing, or weigh less than nothing, are skipped", () => {
  const samples = [
    { stackIndex: 9, values: ["1"] },
    { stackIndex: "x", values: ["1"] },
    { stackIndex: 1, values: ["-4"] },
    { stackIndex: 1, values: ["4"] },
    null,
    7,
  ];
  const { stacks, skipped } = readAs(otlp, message({ sampleType: SAMPLES, samples }));
  assert.deepEqual(stacks, { samples: ["[process];main 4"] });
  assert.deepEqual(
    skipped.map(({ reason, count }) => [count, reason]),
    [
      [2, "sample of a stack that the file lacks"],
      [1, "sample of a value below zero, or of too many"],
    ],
  );
});

test("drafts without a table of stacks are refused by name", async () => {
  const samples = [{ stackIndex: 1, values: ["19"] }];
  const text = message({ sampleType: SAMPLES, samples }, { stackTable: undefined });
  await assert.rejects(
    foldBytes(text),
    /: profiles of OpenTelemetry in a draft of OTLP before version 1\.8, .*; .* or export them as pprof$/,
  );
});

test("a message that is cut says so, and those before it count", async () => {
  const whole = await bytesOf("cpu.otlp.pb", import.meta.url);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(whole.length);
  const cut = Buffer.concat([size, whole, size, whole.subarray(0, 900)]);
  const { profiles, problems } = await foldBytes(cut);
  assert.equal(profiles[0].samples, 88);
  assert.equal(profiles[0].captures[0].partial, true);
  assert.match(JSON.stringify(problems), /a message without its end/);
});

test("neither pprof nor other messages are taken for OTLP", async () => {
  const pprof = await bytesOf("../pprof/cpu.pb.gz", import.meta.url);
  assert.equal(answerTo(otlp, pprof), "no");
  assert.equal(answerTo(otlp, Buffer.from([0x0a, 0x02, 0x08, 0x01])), "no");
  assert.equal(answerTo(otlp, Buffer.from([0x0a, 0xff, 0x7f, 0x12, 0x10])), "yes");
  assert.equal(answerTo(otlp, '{"resourceSpans": [] }'), "more");
});
