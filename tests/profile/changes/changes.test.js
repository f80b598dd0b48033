import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { profiles } from "../profiles.js";
import {
  captured,
  exactly,
  foundByShare,
  foundOf,
  heavier,
  merged,
  rewritten,
  server,
  slower,
  slowerItself,
} from "./programs.js";

const CAPTURES = 5;
const SEEDS = [1, 2, 3, 4, 5, 6];

/**
 * @param {import("./programs.js").Program} before
 * @param {import("./programs.js").Program} now
 * @param {number} seed
 */
const compared = (before, now, seed) =>
  foundOf(captured(before, 2 * seed, CAPTURES), captured(now, 2 * seed + 1, CAPTURES));

for (const count of [1, 2, 3, 6]) {
  test(`${count} captures a side of one program name nothing, neither as changed nor as moved`, () => {
    const named = Array.from({ length: 20 }, (_, seed) => {
      const all = captured(server(seed), seed, 2 * count);
      const [base, after] = [all.slice(0, count), all.slice(count)];
      return [foundOf(base, after), foundByShare(merged(base), merged(after))].flatMap(
        ({ additions, savings, shifts }) => [...additions, ...savings, ...shifts],
      );
    }).filter((each) => each.length > 0);
    assert.ok(named.length <= 1, named.join("; "));
  });
}

test("with one capture a side, growth by a fiftieth of all comes first", () => {
  for (const seed of SEEDS) {
    const program = server(seed).map(({ frames, cost }) => ({ frames, cost: 12 * cost }));
    const steps = program.filter(({ frames }) => frames.at(-1) === "scan_step16").length;
    const all = program.reduce((sum, { cost }) => sum + cost, 0);
    const now = heavier(program, "scan_step16", (0.02 * all) / steps);
    const [base, after] = [program, now].map((each, at) => captured(each, 2 * seed + at, 1));
    assert.equal(foundOf(base, after).additions[0], "scan_step16", `seed ${seed}`);
    assert.equal(foundByShare(base[0], after[0]).additions[0], "scan_step16", `seed ${seed}`);
    assert.equal(foundOf(after, base).savings[0], "scan_step16", `seed ${seed}`);
  }
});

/** @type {[string, string, (program: import("./programs.js").Program) => import("./programs.js").Program][]} */
const PLANTED = [
  ["a step that costs more itself", "scan_step16", (p) => heavier(p, "scan_step16", 150)],
  ["a library's function", "memcmp", (p) => slowerItself(p, "memcmp", 1.3)],
  ["a function of the kernel", "copy_page", (p) => slowerItself(p, "copy_page", 1.3)],
  ["a step that is called oftener", "scan_step2", (p) => slower(p, "scan_step2", 1.3)],
  [
    "a function that is new under an old one",
    "check_rights",
    (p) => [
      ...p,
      { frames: ["worker", "begin", "plan_step1", p[12].frames[3], "check_rights"], cost: 150 },
    ],
  ],
];

for (const [what, name, change] of PLANTED) {
  test(`${what} comes first, with captures and without`, () => {
    for (const seed of SEEDS) {
      const program = server(seed);
      const changed = change(program);
      assert.equal(compared(program, changed, seed).additions[0], name, `seed ${seed}`);
      assert.equal(foundByShare(exactly(program), exactly(changed)).additions[0], name);
    }
  });
}

test("callers that only inherit growth are folded under what grew, deepest first", () => {
  const program = server(1);
  const { additions, folded } = compared(program, heavier(program, "scan_step16", 150), 1);
  assert.deepEqual(additions, ["scan_step16"]);
  assert.deepEqual(folded(0), ["scan_step2"]);
});

test("what is called oftener is the suspect, and what it calls is folded under it", () => {
  const program = server(1);
  const { additions, folded } = compared(program, slower(program, "scan_step2", 1.6), 1);
  assert.equal(additions[0], "scan_step2");
  assert.ok(folded(0).some((name) => name.endsWith("step16")));
  assert.ok(!additions.some((name) => folded(0).includes(name)));
});

/** @param {string} from @param {string} to @returns {(frames: string[]) => string[]} */
const renamed = (from, to) => (frames) => frames.map((name) => (name === from ? to : name));

/**
 * What only moves, and which function is to be among the shifts.
 *
 * @type {[string, string, (program: import("./programs.js").Program) => [import("./programs.js").Program, import("./programs.js").Program]][]}
 */
const MOVED = [
  ["a rename", "zero_order", (p) => [p, rewritten(p, renamed("scan_step16", "zero_order"))]],
  [
    "a function that is no longer inlined",
    "scan_step16",
    (p) => [rewritten(p, (frames) => frames.filter((name) => name !== "scan_step16")), p],
  ],
  [
    "a step that another thread does now",
    "scan_step16",
    (p) => [
      p,
      rewritten(p, (frames) =>
        frames[3] === "scan_step16" ? ["cleaner", "begin", ...frames.slice(3)] : frames,
      ),
    ],
  ],
  [
    "a step that another step calls now",
    "scan_step16",
    (p) => [
      p,
      rewritten(p, (frames) =>
        frames[3] === "scan_step16"
          ? ["worker", "begin", "plan_step1", ...frames.slice(3)]
          : frames,
      ),
    ],
  ],
  [
    "a function that moved within its class",
    "Table::find",
    (p) => [
      [...p, { frames: ["worker", "begin", "parse_step0", "Table::seek"], cost: 300 }],
      [...p, { frames: ["worker", "begin", "plan_step1", "Table::find"], cost: 300 }],
    ],
  ],
  [
    "a wrapper under another name at another place",
    "pwrite",
    (p) => [
      [...p, { frames: ["worker", "begin", "parse_step0", "put_out", "pwrite@libc"], cost: 300 }],
      [...p, { frames: ["cleaner", "begin", "join_step5", "write_all", "pwrite@libc"], cost: 300 }],
    ],
  ],
];

for (const [what, name, change] of MOVED) {
  test(`${what} is no suspect, and is listed as a shift`, () => {
    for (const seed of SEEDS) {
      const [before, now] = change(server(seed));
      const exact = foundByShare(exactly(before), exactly(now));
      assert.ok(!exact.additions.includes(name), `seed ${seed}`);
      const found = compared(before, now, seed);
      assert.deepEqual(found.additions, [], `seed ${seed}`);
      const isListed = [exact, found].some(({ shifts }) => shifts.includes(name));
      const isJoined = exact.found.functions.ids.every((id) => !id.endsWith(` ${name}`));
      assert.ok(isListed || isJoined, `seed ${seed}: ${exact.shifts}`);
    }
  });
}

test("a function that moved and grew is a suspect by what it grew", () => {
  const program = server(1);
  const moved = rewritten(program, (frames) =>
    frames[3] === "scan_step16" ? ["cleaner", "begin", ...frames.slice(3)] : frames,
  );
  const { additions, found } = compared(program, slowerItself(moved, "scan_step16", 2), 1);
  assert.equal(additions[0], "scan_step16");
  const [{ index, net }] = found.additions.listed;
  const { base, after } = found.additions.growth.functions;
  assert.ok(Math.abs(net - (after[index] - base[index])) < 0.2 * net);
});

test("growth of all code names no suspect, and its size is reported", () => {
  for (const seed of SEEDS) {
    const program = server(seed);
    const now = program.map(({ frames, cost }) => ({ frames, cost: cost * 1.09 }));
    const { found, additions } = compared(program, now, seed);
    assert.deepEqual(additions, []);
    assert.ok(found.additions.isEven, `seed ${seed}`);
    const [was, is] = found.additions.growth.whole;
    assert.ok(
      Math.abs(found.additions.growth.even - is / was) < 0.01,
      `${found.additions.growth.even}`,
    );
  }
});

test("shares that grow as one function costs less name no suspects", () => {
  for (const seed of SEEDS) {
    const program = heavier(server(seed), "scan_step16", 1500);
    const { additions } = foundByShare(exactly(program), exactly(server(seed)));
    assert.deepEqual(additions, []);
  }
});

test("what grew beyond the growth of all code is a suspect by what it grew beyond it", () => {
  const program = server(1);
  const all = program.map(({ frames, cost }) => ({ frames, cost: cost * 1.09 }));
  const { found, additions } = compared(program, slowerItself(all, "memcmp", 1.4), 1);
  assert.equal(additions[0], "memcmp");
  assert.ok(!found.additions.isEven);
  assert.ok(Math.abs(found.additions.growth.even - 1.09) < 0.02, `${found.additions.growth.even}`);
});

test("one heavy function that grew is not taken for growth of all code", () => {
  const program = slowerItself(server(1), "scan_step16", 200);
  const { found, additions } = compared(program, slowerItself(program, "scan_step16", 1.5), 1);
  assert.equal(additions[0], "scan_step16");
  assert.ok(found.additions.growth.even < 1.02, `${found.additions.growth.even}`);
});

test("one heavy function that grew does not count for more than others in the growth of all", () => {
  const program = slowerItself(server(1), "scan_step16", 60);
  const all = program.map(({ frames, cost }) => ({ frames, cost: cost * 1.09 }));
  const { found, additions } = compared(program, slowerItself(all, "scan_step16", 2), 1);
  assert.equal(additions[0], "scan_step16");
  assert.ok(Math.abs(found.additions.growth.even - 1.09) < 0.03, `${found.additions.growth.even}`);
});

test("what is gone is a saving, and not a part of what most code saves", () => {
  for (const seed of SEEDS) {
    const program = heavier(server(seed), "scan_step16", 1500);
    const less = program
      .filter(({ frames }) => !frames.includes("scan_step16"))
      .map(({ frames, cost }) => ({ frames, cost: cost * 0.8 }));
    // So much more that the whole fell by less than most code did.
    const now = heavier(less, "malloc", 150);
    const { found, additions, savings } = compared(program, now, seed);
    assert.equal(additions[0], "malloc");
    assert.equal(savings[0], "scan_step16");
    assert.ok(!found.savings.isEven);
    assert.ok(found.savings.growth.even > 1.05, `${found.savings.growth.even}`);
  }
});

test("parts are disjoint: what two additions grew by counts once", () => {
  const program = server(2);
  const changed = slowerItself(slowerItself(program, "scan_step16", 2), "memcmp", 1.4);
  const { found, additions } = compared(program, changed, 2);
  assert.deepEqual(additions.slice(0, 2).sort(), ["memcmp", "scan_step16"]);
  const whole = found.additions.growth.whole[1] - found.additions.growth.whole[0];
  const explained = [...found.parts.values()].reduce((sum, part) => sum + part, 0);
  assert.ok(Math.abs(explained - whole) < 0.15 * whole, `${explained} of ${whole}`);
});

test("the order of the captures changes nothing", () => {
  const program = server(3);
  const [base, after] = [program, slowerItself(program, "memcmp", 1.3)].map((each, at) =>
    captured(each, 50 + at, 8),
  );
  /** @param {ReturnType<typeof foundOf>} of */
  const summary = ({
    additions,
    found: {
      additions: { significance },
      functions,
    },
  }) => [
    additions,
    Object.fromEntries(functions.ids.map((id, index) => [id, significance.p?.[index]])),
  ];
  const one = foundOf(base, after);
  assert.equal(one.found.additions.significance.ways, 12870);
  assert.equal(one.found.additions.significance.tried, 2000);
  assert.deepEqual(summary(foundOf(base.toReversed(), after.toReversed())), summary(one));
});

test("a profile compared with itself has no suspects and no shifts, whatever is in it", () => {
  fc.assert(
    fc.property(profiles, (profile) => {
      const { additions, shifts } = foundByShare(profile, profile);
      assert.deepEqual([additions, shifts], [[], []]);
    }),
  );
});

test("whatever is compared, what is found is finite, and a function is one thing only", () => {
  fc.assert(
    fc.property(profiles, profiles, (base, after) => {
      for (const { found } of [foundByShare(base, after), foundOf([base], [after])]) {
        const numbers = [...found.parts.values(), ...found.additions.listed.map(({ net }) => net)];
        assert.ok(numbers.every(Number.isFinite));
        const { base: was, after: is } = found.additions.growth.functions;
        for (const { index, net } of found.additions.listed) {
          assert.ok(net > 0 && net <= is[index] - was[index] + 1e-9 * is[index]);
        }
        const named = found.additions.listed.flatMap(({ index, callees }) => [index, ...callees]);
        const moved = found.shifts.map(({ index }) => index);
        assert.equal(new Set(moved).size, moved.length);
        assert.ok(!moved.some((index) => named.includes(index)));
      }
    }),
  );
});

test("threads, and what begins them, are no suspects", () => {
  const program = server(1);
  const grown = slower(program, "cleaner", 1.5);
  for (const { additions } of [
    compared(program, grown, 1),
    foundByShare(exactly(program), exactly(grown)),
  ]) {
    assert.ok(additions.length > 0);
    assert.ok(!additions.includes("cleaner") && !additions.includes("begin"), `${additions}`);
  }
});

/** @param {string[]} names below a worker's begin @param {number} cost */
const call = (names, cost) => ({ frames: ["worker", "begin", ...names], cost });

test("what a frame does in one place and not in another has not grown", () => {
  /** @param {number} sort @param {number} rest */
  const program = (sort, rest) => [
    ...server(1),
    call(["run_query", "sort_rows"], sort),
    ...["open", "lock", "fetch", "close"].map((name) => call(["run_query", name], rest / 4)),
  ];
  const { additions, shifts } = foundByShare(
    exactly(program(500, 400)),
    exactly(program(600, 300)),
  );
  assert.deepEqual(additions, []);
  assert.deepEqual(shifts, ["sort_rows"]);
});

test("a function that is called without a wrapper now grew by what it costs more", () => {
  const before = [
    ...server(1),
    call(["run_query", "old_wrapper"], 100),
    call(["run_query", "old_wrapper", "sort_rows"], 300),
    call(["run_query", "sort_rows"], 10),
  ];
  const now = [...server(1), call(["run_query", "sort_rows"], 610)];
  const { additions, found } = foundByShare(exactly(before), exactly(now));
  assert.equal(additions[0], "sort_rows");
  // 300 more, of which the wrapper's own 100 may be a part.
  const whole = Number(exactly(now).total) / 1000;
  assert.ok(Math.abs(found.additions.listed[0].net - 200 / whole) < 0.002);
});

test("a function that many call explains the growth of a small caller", () => {
  /** @param {number} cost */
  const program = (cost) => [
    ...server(1),
    call(["parse_step0", "memcmp@libc"], 2000),
    call(["parse_step0", "free_row", "memcmp@libc"], cost),
  ];
  const { additions, folded } = foundByShare(exactly(program(100)), exactly(program(400)));
  assert.deepEqual(additions, ["memcmp"]);
  assert.ok(folded(0).includes("free_row"));
});

test("of a function that came out of its caller and grew, its part is what it grew by", () => {
  const program = server(1);
  const inlined = rewritten(program, (frames) => frames.filter((name) => name !== "scan_step16"));
  const { found, additions } = compared(inlined, heavier(program, "scan_step16", 200), 1);
  assert.deepEqual(additions, ["scan_step16"]);
  assert.ok(Math.abs([...found.parts.values()][0] - 200) < 40, `${[...found.parts.values()][0]}`);
});

test("p is the chance of any function at all: among captures of one program, it is seldom small", () => {
  const small = Array.from({ length: 20 }, (_, seed) => {
    const all = captured(server(seed), seed, 10);
    const { p } = foundOf(all.slice(0, 5), all.slice(5)).found.additions.significance;
    return Math.min(...(p ?? []).filter((each) => !Number.isNaN(each)));
  }).filter((p) => p <= 0.1);
  assert.ok(small.length <= 5, `${small}`);
});

test("captures that agree on one function by luck make no small difference certain", () => {
  /** @param {number} seed @param {number} cost */
  const captures = (seed, cost) =>
    captured(server(1), seed, 5).map((profile, at) =>
      merged([profile, exactly([call(["steady_step"], cost + (at === 0 ? 0.1 : 0))])]),
    );
  const { found } = foundOf(captures(1, 400), captures(2, 405));
  const index = found.functions.ids.indexOf("code steady_step");
  assert.ok(Number(found.additions.significance.p?.[index]) > 0.5);
});

test("what several threads begin with is no suspect, though it is not nearly all", () => {
  const program = [1, 2, 3].flatMap((number) =>
    server(number).map(({ frames: [, , ...frames], cost }) => ({
      frames: [`thread${number}`, number === 1 ? "launch" : "begin", ...frames],
      cost,
    })),
  );
  const grown = program.map(({ frames, cost }, at) => ({
    frames,
    cost: frames[0] === "thread1" ? cost : cost * (1.2 + (at % 3) / 5),
  }));
  const { additions, found } = foundByShare(exactly(program), exactly(grown));
  const all = found.additions.listed.flatMap(({ index, callers }) => [index, ...callers]);
  assert.ok(additions.length > 0);
  assert.ok(!all.some((index) => found.functions.ids[index] === "code begin"));
});

test("what moved as a whole is one shift: not what it calls, nor what calls it now", () => {
  const program = server(1);
  const tower = rewritten(program, (frames) =>
    frames[3] === "scan_step16" ? ["cleaner", "begin", "idle_step", ...frames.slice(3)] : frames,
  );
  assert.deepEqual(foundByShare(exactly(program), exactly(tower)).shifts, ["scan_step16"]);
});

test("what calls now what cost more elsewhere is a shift by it", () => {
  const before = [...server(1), call(["parse_step0", "put_out", "pwrite@libc"], 600)];
  const now = [...server(1), call(["plan_step1", "write_all", "pwrite@libc"], 250)];
  const { additions, shifts, found } = foundByShare(exactly(before), exactly(now));
  assert.deepEqual(additions, []);
  assert.deepEqual(shifts, ["write_all"]);
  const [{ from, parts }] = found.shifts;
  assert.deepEqual([from, parts.length], ["callees", 1]);
});

test("thousands of functions that call one another are ranked, the deepest first", () => {
  const chain = Array.from({ length: 20_000 }, (_, index) => `f${index}`);
  const [before, now] = [1000, 2000].map((cost) =>
    exactly([{ frames: ["worker", "other"], cost: 4000 }, call(chain, cost)]),
  );
  const { additions, folded, found } = foundByShare(before, now);
  assert.ok(found.additions.notRanked > 0);
  assert.equal(additions.length, 1);
  assert.equal(folded(0).length, 499);
});
