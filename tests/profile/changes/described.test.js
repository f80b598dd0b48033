import assert from "node:assert/strict";
import { test } from "node:test";
import { findChanges } from "../../../pipeline/profile/changes/find_changes.js";
import { describeFindings } from "../../../pipeline/profile/changes/findings.js";
import { compareProfiles } from "../../../pipeline/profile/diff/diff.js";
import { profileOfStacks } from "../profiles.js";

/** Of so many samples that nothing here is chance. */
const MANY = 1e12;

/** Code that stays as it is, so that not all code grew. */
const STILL = ["still1", "still2", "still3", "still4"].map((name) => `t;${name} 20000`);

/**
 * @param {string[]} before
 * @param {string[]} now
 * @param {Partial<import("../../../pipeline/profile/diff/diff.js").DiffOptions>} [options]
 * @param {{ still?: string[], samples?: number }} [of]
 */
function described(before, now, options, { still = STILL, samples = MANY } = {}) {
  const { diff, captures } = compareProfiles(
    profileOfStacks([...before, ...still], { samples }),
    profileOfStacks([...now, ...still], { samples }),
    {
      baseLabel: "16",
      afterLabel: "18",
      bases: { weight_per_second: { base: 2, after: 2 } },
      ...options,
    },
  );
  return describeFindings(diff, findChanges(diff, captures));
}

/** @param {string} name @param {[number, number, number]} numbers base, after, net */
const plain = (name, [base, after, net]) => ({ function: `user ${name}`, name, base, after, net });

test("an addition has its numbers, where it is called, and what inherits from it", () => {
  const calls = { a: [1000, 1500], b: [2000, 4000], c: [3000, 3400], d: [500, 510], e: [600, 500] };
  /** @param {number} side */
  const stacks = (side) =>
    Object.entries(calls).flatMap(([caller, weights]) => [
      `t;${caller} 4000`,
      `t;${caller};f@libc ${weights[side]}`,
    ]);
  const { additions, savings, shifts, change } = described(stacks(0), stacks(1));
  const [{ noise, ...only }] = additions;
  assert.ok(noise > 0 && noise < 1);
  assert.deepEqual(only, {
    ...plain("f", [14200, 19820, 5620]),
    path: "f",
    only: null,
    part: 5620,
    p: null,
    callers: [
      plain("a", [10000, 11000, 1000]),
      plain("c", [14000, 14800, 800]),
      plain("b", [12000, 16000, 4000]),
    ],
    callees: [],
    // Three of four that grew, the largest first.
    calls: [
      { path: "f", change: 4000 },
      { path: "a > f", change: 1000 },
      { path: "c > f", change: 800 },
    ],
  });
  assert.deepEqual([additions.length, savings, shifts], [1, [], []]);
  assert.deepEqual(change, { whole: 5620, even: 0, additions: 5620, savings: 0, rest: 0 });
});

test("a saving has its changes with their signs", () => {
  const { savings, change } = described(
    ["t;a 100", "t;a;f 3000", "t;b 100", "t;b;f 2000"],
    ["t;a 100", "t;a;f 1800", "t;b 100", "t;b;f 1900"],
  );
  const [{ noise, callers, ...only }] = savings;
  assert.ok(noise > 0);
  assert.deepEqual(only, {
    ...plain("f", [10000, 7400, -2600]),
    path: "a > f",
    only: null,
    part: -2600,
    p: null,
    callees: [],
    calls: [
      { path: "a > f", change: -2400 },
      { path: "f", change: -200 },
    ],
  });
  assert.deepEqual(callers, [plain("a", [6200, 3800, -2400])]);
  assert.deepEqual(change, { whole: -2600, even: 0, additions: 0, savings: -2600, rest: 0 });
});

test("an addition has the callees that are parts of it, and only the calls that grew", () => {
  const { additions } = described(
    ["t;a 100", "t;a;b 100", "t;a;c 100", "t;x 9000", "t;x;f 1000", "t;y 9000", "t;y;f 1000"],
    ["t;a 100", "t;a;b 600", "t;a;c 600", "t;x 9000", "t;x;f 2500", "t;y 9000", "t;y;f 900"],
  );
  assert.deepEqual(
    additions.map(({ name, calls }) => [name, calls.map(({ change }) => change)]),
    [
      ["f", [3000]],
      ["a", [2000]],
    ],
  );
  assert.deepEqual(additions[1].callees, [
    plain("b", [200, 1200, 1000]),
    plain("c", [200, 1200, 1000]),
  ]);
});

test("a function of one side alone is said to be that", () => {
  const { additions, savings } = described(
    ["t;a 9000", "t;a;gone 800", "t;b 9000"],
    ["t;a 9000", "t;b 9000", "t;b;fresh 900"],
  );
  assert.deepEqual([additions[0].name, additions[0].only], ["fresh", "after"]);
  assert.deepEqual([savings[0].name, savings[0].only], ["gone", "base"]);
});

test("functions that were called as much in several places are in the order of the tree", () => {
  const { additions } = described(
    ["t;b 9000", "t;b;f 1000", "t;a 9000", "t;a;f 1000", "t;c 9000", "t;c;f 1000"],
    ["t;b 9000", "t;b;f 1400", "t;a 9000", "t;a;f 1400", "t;c 9000", "t;c;f 1400"],
  );
  assert.deepEqual(
    additions[0].calls.map(({ path }) => path),
    ["f", "b > f", "c > f"],
  );
  assert.deepEqual(
    additions[0].callers.map(({ name }) => name),
    ["a", "b", "c"],
  );
});

test("a shift says where from, and who grew or shrank there", () => {
  const { shifts } = described(
    ["t;x 3000", "t;x;g 2000", "t;y 3000", "t;y;g 50"],
    ["t;x 3000", "t;x;g 500", "t;y 3000", "t;y;g 1550"],
  );
  assert.deepEqual(shifts, [
    {
      ...plain("g", [4100, 4100, 0]),
      path: "g",
      risen: 3000,
      from: "calls",
      class: "",
      sources: [{ name: "x", own: false, change: -3000 }],
      proposal: null,
    },
  ]);
  const out = described(["t;load 5000"], ["t;load 4000", "t;load;parse 1000"]).shifts;
  assert.deepEqual(
    out.map(({ name, from, sources, proposal }) => [name, from, sources, proposal]),
    [["parse", "caller", [{ name: "load", own: true, change: -2000 }], null]],
  );
});

test("a rename is proposed where names are alike, and each is of one side with about the weight", () => {
  /** @param {string} was @param {string} is @param {string[]} [before] @param {string[]} [now] */
  const proposals = (was, is, before = [], now = []) =>
    described(
      ["t;load 5000", `t;load;${was} 1000`, ...before],
      ["t;load 5000", `t;load;${is} 990`, ...now],
    ).shifts.map(({ name, proposal }) => [name, proposal]);
  const [was, is] = ["read_cursor_row", "read_cursor_row_fast"];
  assert.deepEqual(proposals(was, is), [[is, { name: is, other: was }]]);
  assert.deepEqual(proposals(was, "write_log_buffer"), [["write_log_buffer", null]]);
  assert.deepEqual(proposals(was, is, [], [`t;other;${was} 10`]), [[is, null]]);
  assert.deepEqual(proposals(was, is, [`t;other;${is} 10`]), [[is, null]]);
});

test("names that were joined by similarity are proposed as an alias", () => {
  const stacks = (/** @type {string} */ name, /** @type {string} */ at) => [
    "t;x 9000",
    "t;y 9000",
    `t;${at};${name};a 500`,
    `t;${at};${name};b 500`,
    `t;${name};a 500`,
    `t;${name};b 500`,
  ];
  const { shifts } = described(
    stacks("page_get_offsets_func", "x"),
    stacks("page_get_offsets", "y"),
  );
  assert.deepEqual(
    shifts.map(({ name, proposal }) => [name, proposal]),
    [["page_get_offsets", { name: "page_get_offsets", other: "page_get_offsets_func" }]],
  );
});

test("a hostile number of samples is cut to the largest that JSON has as a whole number", () => {
  const { base } = described([], [], {}, { samples: 1e30 });
  assert.equal(base.samples, Number.MAX_SAFE_INTEGER);
  assert.equal(base.samples_stated, true);
});

test("both sides have their label, samples and whole, and nothing is counted of what is not stated", () => {
  const { base, after, format, version } = described(["t;f 9000"], ["t;f 9900"]);
  assert.deepEqual(base, {
    label: "16",
    captures: 0,
    samples: 1e12,
    samples_stated: true,
    whole: 178000,
  });
  assert.deepEqual(after, {
    label: "18",
    captures: 0,
    samples: 1e12,
    samples_stated: true,
    whole: 179800,
  });
  assert.deepEqual([format, version], ["perfpress-suspects", 2]);
  const empty = described([], [], {}, { still: [], samples: 0 });
  assert.deepEqual([empty.base.samples, empty.base.whole, empty.even], [0, 0, 1]);
});

test("units follow the basis", () => {
  /** @param {Partial<import("../../../pipeline/profile/diff/diff.js").DiffOptions>} options */
  const units = (options) => {
    const { unit, shown } = described(["t;f 5000"], ["t;f 900000"], options);
    return [unit, shown.unit, shown.factor, shown.decimals];
  };
  const [small, large] = [
    { base: 1e-3, after: 1e-3 },
    { base: 1e3, after: 1e3 },
  ];
  assert.deepEqual(units({ bases: {} }), ["cycles", "% of all", 100, 2]);
  assert.deepEqual(units({ bases: { cost_per_operation: small } })[1], "cycles per operation");
  assert.deepEqual(units({ bases: { weight_per_second: small } })[1], "cycles per second");
  assert.deepEqual(units({ bases: { relative_cost: large }, costOf: "one insert on 17" }), [
    "% of one insert on 17",
    "% of one insert on 17, author’s rates",
    1,
    2,
  ]);
  // The larger side says in what all are shown.
  const there = described(["t;f 5000"], ["t;f 90000000"]).shown;
  const back = described(["t;f 90000000"], ["t;f 5000"]).shown;
  assert.deepEqual(there, back);
  assert.deepEqual(there, described(["t;f 90000000"], ["t;f 90000000"]).shown);
  assert.notDeepEqual(there, described(["t;f 5000"], ["t;f 5000"]).shown);
});

/** @param {number} times */
const all = (times) =>
  Array.from({ length: 20 }, (_, index) => `t;f${index} ${Math.round(5000 * times)}`);

test("growth of all code is part of the change, in either direction", () => {
  const there = described(all(1), all(1.2), {}, { still: [] });
  assert.deepEqual([there.spread_evenly, there.additions], [true, []]);
  assert.ok(Math.abs(there.even - 1.2) < 1e-9);
  const back = described(all(1.2), all(1), {}, { still: [] });
  assert.equal(back.spread_evenly, true);
  assert.ok(Math.abs(back.even - 1 / 1.2) < 1e-9);
  for (const [{ change }, sign] of /** @type {const} */ ([
    [there, 1],
    [back, -1],
  ])) {
    assert.equal(change.whole, sign * 40000);
    assert.ok(Math.abs(change.even - sign * 40000) < 1e-6);
    assert.ok(Math.abs(change.rest) < 1e-6);
  }
  assert.equal(described(["t;f 5000"], ["t;f 9000"]).spread_evenly, false);
});

test("what is within noise or not ranked is counted in both directions", () => {
  const [one, other] = [
    ["t;f 5250", "t;g 5000"],
    ["t;f 5000", "t;g 5260"],
  ];
  assert.equal(described(one, other, {}, { samples: 10000 }).within_noise, 2);
  const chain = Array.from({ length: 503 }, (_, index) => `f${index}`).join(";");
  const [small, large] = [1000, 2000].map((weight) => [`t;${chain} ${weight}`]);
  assert.equal(described(small, large).not_ranked, 3);
  assert.equal(described(large, small).not_ranked, 3);
});
