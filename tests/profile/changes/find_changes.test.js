import assert from "node:assert/strict";
import { test } from "node:test";
import { findChanges } from "../../../pipeline/profile/changes/find_changes.js";
import { compareProfiles } from "../../../pipeline/profile/diff/diff.js";
import { profileOfStacks } from "../profiles.js";

/** Of so many samples that nothing here is chance. */
const MANY = 1e12;

/** Code that stays as it is, so that not all code grew. */
const STILL = ["still1", "still2", "still3", "still4"].map((name) => `t;${name} 20000`);

/**
 * What is found by weight per second between two profiles of 100,000 in all, or more.
 *
 * @param {string[]} before without what stays as it is
 * @param {string[]} now
 * @param {{ samples?: number, share?: boolean, still?: string[] }} [options]
 */
function found(before, now, { samples = MANY, share = false, still = STILL } = {}) {
  const { diff, captures } = compareProfiles(
    profileOfStacks([...before, ...still], { samples }),
    profileOfStacks([...now, ...still], { samples }),
    {
      baseLabel: "16",
      afterLabel: "18",
      bases: share ? {} : { weight_per_second: { base: 1, after: 1 } },
    },
  );
  const all = findChanges(diff, captures);
  /** @param {number} index */
  const name = (index) => all.functions.ids[index].replace("code ", "");
  /** @param {import("../../../pipeline/profile/changes/find_changes.js").Direction} of */
  const listed = ({ listed: some }) =>
    Object.fromEntries(some.map(({ index, net }) => [name(index), Math.round(net)]));
  return {
    all,
    additions: listed(all.additions),
    savings: listed(all.savings),
    parts: Object.fromEntries(
      Array.from(all.parts, ([index, part]) => [name(index), Math.round(part)]),
    ),
    shifts: all.shifts.map(({ index }) => name(index)),
  };
}

test("growth and savings from two thousandths of all on are listed", () => {
  const { additions, savings, parts } = found(
    ["t;f 5000", "t;g 5000", "t;h 5000", "t;i 5000"],
    ["t;f 5200", "t;g 4800", "t;h 5199", "t;i 4801"],
  );
  assert.deepEqual(additions, { f: 200 });
  assert.deepEqual(savings, { g: 200 });
  assert.deepEqual(parts, { f: 200, g: -200 });
});

test("what is new or gone is listed, too, where it is as large", () => {
  const { additions, savings } = found(
    ["t;a 10000", "t;a;gone 300", "t;b 9700"],
    ["t;a 10000", "t;b 9700", "t;b;fresh 300"],
  );
  assert.deepEqual([additions, savings], [{ fresh: 300 }, { gone: 300 }]);
});

test("code without symbols, threads and what starts them are not listed", () => {
  const { additions } = found(
    ["t;[unknown] 5000", "t;main;[libc.so] 5000", "t;f[] 5000", "t;g [x] 5000", "t;[x] h 5000"],
    ["t;[unknown] 7000", "t;main;[libc.so] 8000", "t;f[] 5300", "t;g [x] 5400", "t;[x] h 5500"],
  );
  assert.deepEqual(additions, { main: 3000, "[x] h": 500, "g [x]": 400, "f[]": 300 });
});

test("what is nine tenths of either side starts the program", () => {
  /** @param {number} rest */
  const listed = (rest) =>
    found(
      ["t;start;f 5000", ...STILL.map((each) => each.replace("t;", "t;start;")), `t;rest ${rest}`],
      ["t;start;f 9000", ...STILL.map((each) => each.replace("t;", "t;start;")), `t;rest ${rest}`],
      { still: [] },
    );
  // All is in `start` that grew; its growth is f's.
  const isLooked = (/** @type {number} */ rest) => {
    const { all } = listed(rest);
    return Number.isFinite(
      all.additions.significance.noise[all.functions.ids.indexOf("code start")],
    );
  };
  // 89,000 of 98,888 after are nine tenths; before, 85,000 of 94,444 are.
  assert.equal(isLooked(9888), false);
  assert.equal(isLooked(9889), true);
  assert.deepEqual(listed(9889).additions, { f: 4000 });
});

test("what was nine tenths before started the program, too", () => {
  /** @param {number} rest */
  const isLooked = (rest) => {
    const { all } = found(
      ["t;start 5000", ...STILL.map((each) => each.replace("t;", "t;start;")), `t;rest ${rest}`],
      ["t;start 1000", ...STILL.map((each) => each.replace("t;", "t;start;")), "t;rest 20000"],
      { still: [] },
    );
    return [all.additions, all.savings].map(({ significance }) =>
      Number.isFinite(significance.noise[all.functions.ids.indexOf("code start")]),
    );
  };
  // 85,000 are nine tenths of 94,444.
  assert.deepEqual(isLooked(9444), [false, false]);
  assert.deepEqual(isLooked(9445), [true, true]);
});

test("functions of two thousandths of the larger side are looked at, before or after", () => {
  const { all } = found(
    ["t;a 240", "t;b 239", "t;c 60000", "t;d 1"],
    ["t;a 1", "t;b 2", "t;c 39518", "t;d 479"],
  );
  const looked = ["a", "b", "c", "d"].map((name) =>
    Number.isFinite(all.additions.significance.noise[all.functions.ids.indexOf(`code ${name}`)]),
  );
  // Before all is 140,480, after it is 120,000: two thousandths are 280.96.
  assert.deepEqual(looked, [false, false, true, true]);
});

test("growth of less than two thousandths of the larger side is not even counted as noise", () => {
  const { additions, all } = found(["t;f 5000", "t;g 15000"], ["t;f 5300", "t;g 115000"]);
  assert.deepEqual(additions, { g: 100000 });
  assert.equal(all.additions.withinNoise, 0);
});

test("what several threads begin with is looked at in none", () => {
  const lines = (/** @type {number} */ cost) => [
    ...STILL,
    `one;begin;f ${cost}`,
    "one;begin;shared 300",
    "two;begin;shared 300",
    "two;begin;g 5000",
    "two;begin;g;deep 4000",
    "two;begin 500",
    "three;only;h 3000",
  ];
  const { all } = found(lines(5000), lines(7000));
  const looked = all.functions.ids.filter((_, index) =>
    Number.isFinite(all.additions.significance.noise[index]),
  );
  assert.deepEqual(looked, [
    "code f",
    "code shared",
    "code still1",
    "code still2",
    "code still3",
    "code still4",
    "code only",
    "code h",
    "code g",
    "code deep",
  ]);
});

test("what moved, but for three tenths of what it grew by, is a shift and no addition", () => {
  /** @param {number} left own weight of its caller after */
  const of = (left) =>
    found(["t;load 5000", "t;rest 9000"], [`t;load ${left}`, "t;load;parse 1000", "t;rest 9000"]);
  assert.deepEqual(of(4300).additions, { parse: 300 });
  assert.deepEqual(of(4300).shifts, []);
  assert.deepEqual(of(4299).additions, { load: 299 });
  assert.deepEqual(of(4299).shifts, ["parse"]);
});

test("what grew in one place by as much as two thousandths of all and shrank in another is a shift", () => {
  /** @param {number} more @param {number} less */
  const of = (more, less) =>
    found(
      ["t;a 6000", "t;a;f 1000", "t;b 6000", "t;b;f 6000", "t;pad 1000"],
      ["t;a 6000", `t;a;f ${1000 + more}`, "t;b 6000", `t;b;f ${6000 - less}`, "t;pad 1000"],
    ).shifts;
  assert.deepEqual(of(200, 200), ["f"]);
  assert.deepEqual(of(199, 199), []);
  // What shrank by twice as much elsewhere is less, and has not moved.
  assert.deepEqual(of(400, 800), ["f"]);
  assert.deepEqual(of(400, 801), []);
  // Of 300 half are left, which is no shift, and too little for an addition.
  assert.deepEqual(of(300, 150), []);
});

for (const count of [1, 20]) {
  test(`what grew in ${count} of twice as many places has moved if that is more than noise makes of them`, () => {
    const places = Array.from({ length: 2 * count }, (_, place) => `t;caller${place}`);
    /** @param {number} more */
    const stacks = (more) =>
      places.flatMap((place, at) => [
        `${place} 3000`,
        `${place};f ${at % 2 === 0 ? 3000 + more : 5000 - more}`,
      ]);
    /** @param {number} more */
    const of = (more) => {
      const { all, shifts } = found(stacks(0), stacks(more), { samples: 300000 });
      const { noise, factor, limit, variance } = all.additions.significance;
      const index = all.functions.ids.indexOf("code f");
      const variances = places.map((_, at) =>
        at % 2 === 0 ? variance(3000, 3000 + more) : variance(5000, 5000 - more),
      );
      /** @param {(variance: number) => number} of */
      const sum = (of) => variances.reduce((all, each) => all + of(factor[index] * each), 0);
      // The mean of what is left of a normal above 0, and its variance.
      const mean = sum((each) => Math.sqrt(each / (2 * Math.PI)));
      const spread = sum((each) => each * (0.5 - 0.5 / Math.PI));
      const least = Math.max(noise[index], mean + limit[index] * Math.sqrt(spread));
      return { isMoved: shifts.includes("f"), least: least / count };
    };
    const { least } = of(1000);
    for (const more of [0.9, 0.97, 1.03, 1.1].map((each) => Math.round(each * least))) {
      assert.equal(of(more).isMoved, more > of(more).least, `${more} of ${of(more).least}`);
    }
    const [less, more] = [0.8, 1.2].map((each) => of(Math.round(each * least)).isMoved);
    assert.deepEqual([less, more], [false, true]);
  });
}

test("growth within noise is counted, and not listed", () => {
  const [before, now] = [
    ["t;f 5000", "t;g 5000"],
    ["t;f 5250", "t;g 6500"],
  ];
  const { all, additions } = found(before, now, { samples: 20000 });
  assert.deepEqual(additions, { g: 1500 });
  assert.deepEqual([all.additions.withinNoise, all.additions.notRanked], [1, 0]);
  const few = found(before, now, { samples: 100 });
  assert.deepEqual(few.additions, {});
  assert.equal(few.all.additions.withinNoise, 2);
});

test("of more than 500 that grew, the others are counted", () => {
  const chain = Array.from({ length: 503 }, (_, index) => `f${index}`).join(";");
  const { all } = found([`t;${chain} 1000`, "t;rest 19000"], [`t;${chain} 2000`, "t;rest 19000"]);
  assert.equal(all.additions.notRanked, 3);
  const [{ index, callers, callees }] = all.additions.listed;
  assert.equal(callers.length + callees.length, 499);
  assert.equal(all.additions.withinNoise, 0);
  assert.equal(all.functions.ids[index], "code f499", "of equals the first");
});

test("of more than 500 that grew, those that grew most are ranked", () => {
  const names = Array.from({ length: 503 }, (_, index) => `f${index}`);
  const chain = `t;${names.join(";")}`;
  // Each fell elsewhere, the callers by more than what they call.
  const { all } = found(
    [...names.map((name) => `u;${name} 600`), `${chain} 10000`],
    [...names.map((name, index) => `u;${name} ${97 + index}`), `${chain} 20000`],
  );
  assert.equal(all.additions.notRanked, 3);
  const ranked = all.additions.listed.flatMap(({ index, callers }) => [index, ...callers]);
  assert.deepEqual(
    ranked.map((index) => all.functions.ids[index]).sort(),
    names
      .slice(3)
      .map((name) => `code ${name}`)
      .sort(),
  );
});

test("parts are disjoint: what is listed below another is that one's, in both directions", () => {
  const { additions, savings, parts } = found(
    ["t;a 6000", "t;a;b 3000", "t;a;c 3000", "t;a;c;b 1000"],
    ["t;a 10000", "t;a;b 4000", "t;a;c 2400", "t;a;c;b 1000"],
  );
  assert.deepEqual([additions, savings], [{ a: 4400, b: 1000 }, { c: 600 }]);
  assert.deepEqual(parts, { a: 4000, b: 1000, c: -600 });
});

test("of what only moved in part, the rest is its part", () => {
  const { additions, parts } = found(["t;load 5000"], ["t;load 4600", "t;load;parse 1000"]);
  assert.deepEqual(additions, { parse: 600 });
  // 400 of 1,000 were its caller's code.
  assert.deepEqual(parts, { parse: 600 });
});

test("what grew in two callers is a part of either by what it grew there, and counts once", () => {
  const { all, additions, parts } = found(
    ["t;a 10", "t;a;both 1000", "t;a;other 1000", "t;b 17000", "t;b;both 1000"],
    ["t;a 10", "t;a;both 1700", "t;a;other 1700", "t;b 17000", "t;b;both 1400"],
  );
  assert.deepEqual(additions, { a: 1400, b: 400 });
  assert.deepEqual(parts, { a: 1400, b: 400 });
  const [of, after] = all.additions.growth.whole;
  assert.equal(after - of, 1400 + 400);
});

/** @param {number} times @param {number} [count] */
const even = (times, count = 20) =>
  Array.from({ length: count }, (_, index) => `t;f${index} ${Math.round(5000 * times)}`);

test("growth of all code is spread evenly from a hundredth on, and names nothing", () => {
  for (const [times, isEven] of /** @type {const} */ ([
    [1.012, true],
    [1.009, false],
    [1.3, true],
  ])) {
    const { all, additions } = found(even(1), even(times), { still: [] });
    assert.equal(all.additions.isEven, isEven, `${times}`);
    assert.deepEqual(additions, {});
    assert.equal(all.savings.isEven, false);
  }
  const back = found(even(1.3), even(1), { still: [] }).all;
  assert.deepEqual([back.additions.isEven, back.savings.isEven], [false, true]);
});

test("growth of all code that may be chance is not said to be spread evenly", () => {
  const { all } = found(even(1), even(1.02), { still: [], samples: 1000 });
  assert.deepEqual([all.additions.isEven, all.additions.growth.even], [false, 1.02]);
});

test("all code grew by as much as the whole did, without what single functions fell by", () => {
  const one = "t;one 5000";
  const { all, savings } = found([...even(1, 40), one], even(1.2, 40), { still: [] });
  assert.deepEqual(savings, { one: 5000 });
  assert.equal(all.additions.isEven, true);
  const { even: risen } = all.additions.growth;
  assert.ok(Math.abs(risen - 245000 / 205000) < 1e-9, `${risen}`);
});

test("all code may have grown by as much as one function fell, so that the whole did not", () => {
  const { all, additions, savings } = found(
    [...even(1, 40), "t;one 30000"],
    [...even(1.05, 40), "t;one 20000"],
    { still: [] },
  );
  assert.deepEqual([additions, savings], [{}, { one: 10000 }]);
  assert.equal(all.additions.isEven, true);
  assert.ok(Math.abs(all.additions.growth.even - 240000 / 230000) < 1e-9);
});

test("what was inlined into all others is no growth of all code", () => {
  const names = Array.from({ length: 40 }, (_, index) => `t;f${index}`);
  const { all, additions, savings } = found(
    names.flatMap((name) => [`${name} 4000`, `${name};one 1000`]),
    names.flatMap((name) => [`${name} 4600`, `${name};one 400`]),
    { still: [] },
  );
  assert.equal(all.additions.growth.even, 1);
  assert.equal(all.additions.isEven, false);
  assert.deepEqual([additions, savings], [{}, {}]);
});

test("shares are never spread evenly", () => {
  const one = ["t;one 100000"];
  const { all } = found([...even(1), ...one], [...even(1), "t;one 10"], { still: [], share: true });
  assert.equal(all.additions.isEven, false);
  assert.ok(all.additions.growth.even > 1.5);
});

test("what one function grew by beyond all code is named, from a fortieth of all on", () => {
  /** @param {number} one */
  const of = (one) => {
    const { all, additions } = found([...even(1), "t;one 5000"], [...even(1.2), `t;one ${one}`], {
      still: [],
    });
    return [all.additions.isEven, additions];
  };
  assert.deepEqual(of(6000 + 3000), [true, {}]);
  assert.deepEqual(of(6000 + 3300), [false, { one: 3300 }]);
});
