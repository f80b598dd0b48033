import assert from "node:assert/strict";
import { test } from "node:test";
import { basesOf, builtPage, commonPairs, pairOf } from "../../assets/js/compare/pairs.js";
import {
  compared,
  filled,
  headlineOf,
  noticesOf,
  sidesOf,
  verdictOf,
} from "../../assets/js/compare/words.js";
import { vectors } from "../vectors/vectors.js";

/**
 * @param {string} event
 * @param {Partial<import("../../assets/js/compare/choice.js").Profile>} [facts]
 */
function profile(event, facts = {}) {
  return { event, unit: event, url: `/${event}.json`, work: "", ...facts };
}

/**
 * @param {string} release
 * @param {import("../../assets/js/compare/choice.js").Profile[]} [profiles]
 * @param {Partial<import("../../assets/js/compare/choice.js").Cell>} [facts]
 */
function cell(release, profiles, facts = {}) {
  return { release, variant: "lab1", step: "select", profiles, ...facts };
}

const WORDS = {
  heading: "{step}: {after} against {base}",
  functions: "",
  cost: "Cost per operation",
  not_known: "not known",
  no_change_known: "no change known",
  no_common_event: "no event of both",
  no_common_cost: "no cost of both",
};

const RATE = [{ key: "throughput", label: "Throughput", unit: "" }];

const DATA = {
  words: WORDS,
  ...{
    base: "16",
    step: "select",
    metrics: [],
    renames: [],
    aliases: {},
    overdispersion: {},
    steps: [],
    cells: [],
  },
  releases: ["16", "18"].map((id) => ({ id, label: id })),
  variants: ["lab1", "lab2"].map((id) => ({ id, label: `host ${id}` })),
};

/**
 * @param {import("../../assets/js/compare/choice.js").Cell} base
 * @param {import("../../assets/js/compare/choice.js").Cell} after
 * @param {import("../../assets/js/compare/choice.js").Cell[]} [cells] of the report
 */
function notices(base, after, cells = [cell("17", [profile("cycles")])]) {
  const pair = pairOf(base, after, "");
  const events = commonPairs(base, after).map(({ event }) => event);
  const data = { ...DATA, cells };
  return noticesOf(data, sidesOf(data, base, after), pair, events).map(({ text }) => text);
}

test("a pair has the verdict that the pages of its release have, and another says why it has none", () => {
  const [base, after] = [cell("16"), cell("18", [], { verdicts: { 16: "slower, one run" } })];
  const data = { ...DATA, cells: [base, after] };
  assert.equal(verdictOf(data, sidesOf(data, base, after)), "Verdict against 16: slower, one run.");
  assert.equal(
    verdictOf(data, sidesOf(data, after, base)),
    "No verdict for this pair: releases are judged against the base and against the one before.",
  );
  const others = { 15: "faster", 16: "slower, one run" };
  const judged = cell("18", [], { verdicts: others });
  for (const unlike of [cell("17"), cell("16", [], { variant: "lab2" })]) {
    assert.equal(
      verdictOf(data, sidesOf(data, unlike, judged)),
      "No verdict for this pair. 18 against 15: faster; against 16: slower, one run.",
    );
  }
  assert.equal(verdictOf({ ...DATA, cells: [base] }, sidesOf(DATA, base, cell("18"))), "");
});

test("in a report without profiles nothing says that a pair has none, or no cost", () => {
  const [base, after] = ["16", "18"].map((release) =>
    cell(release, undefined, { metrics: { throughput: 5 } }),
  );
  assert.deepEqual(notices(base, after, [base, after]), []);
  const data = { ...DATA, cells: [base, after], metrics: RATE };
  const labels = headlineOf(data, sidesOf(data, base, after), null).map(({ label }) => label);
  assert.deepEqual(labels, ["Throughput"]);
});

test("numbers of both sides are written as on built pages", () => {
  for (const [base, after, unit, value, note] of vectors("facts")) {
    assert.deepEqual(compared(WORDS, "Rate", base ?? undefined, after ?? undefined, unit), {
      label: "Rate",
      value,
      note,
    });
  }
});

test("a template shows names as they are", () => {
  const names = { step: "q {base}", after: "$&", base: "16" };
  assert.equal(filled(WORDS.heading, names), "q {base}: $& against 16");
});

test("the event of the report's tables is compared first, and the others are offered", () => {
  const base = cell("16", [profile("cycles"), profile("wait")]);
  const after = cell("18", [profile("cycles"), profile("wait", { main: true })]);
  assert.deepEqual(
    commonPairs(base, after).map(({ event }) => event),
    ["wait", "cycles"],
  );
  assert.equal(pairOf(base, after, "")?.event, "wait");
  assert.equal(pairOf(base, after, "cycles")?.base.url, "/cycles.json");
  assert.match(notices(base, after)[0], /This is of wait\. .* with cycles, too/);
});

test("two events are compared by shares alone, and the page says why", () => {
  const base = cell("16", [profile("cycles", { operations: 10, seconds: 2 })]);
  const after = cell("18", [profile("wait", { operations: 10, seconds: 2 })]);
  const pair = pairOf(base, after, "");
  assert.ok(pair);
  assert.deepEqual([pair.isCommon, basesOf(pair)], [false, {}]);
  assert.match(notices(base, after)[0], /cycles .* wait .* only shares can be compared/);
});

test("one event in two units is two events", () => {
  const after = cell("18", [profile("cycles", { unit: "0.01 cycles" })]);
  assert.equal(pairOf(cell("16", [profile("cycles")]), after, "")?.isCommon, false);
});

test("a basis is there where both sides announce what it takes", () => {
  const base = profile("cycles", { operations: 10, seconds: 2 });
  const after = profile("cycles", { operations: 5 });
  const pair = pairOf(cell("16", [base]), cell("18", [after]), "");
  assert.deepEqual(pair && basesOf(pair), {
    cost_per_operation: { base: 1 / 10, after: 1 / 5 },
  });
});

test("a side without a profile has only numbers, and the page says so", () => {
  const base = cell("16", undefined, { notices: ["Run 1 is invalid: loading"] });
  assert.equal(pairOf(base, cell("18", [profile("cycles")]), ""), null);
  assert.deepEqual(notices(base, cell("18", [profile("cycles")])), [
    "16: Run 1 is invalid: loading",
    "There is no profile of 16, so there are only these numbers to compare.",
  ]);
});

test("two variants and two scopes are reported", () => {
  const base = cell("16", [profile("cycles", { scope: "the process" })]);
  const facts = { variant: "lab2" };
  const after = cell("16", [profile("cycles", { scope: "the whole host" })], facts);
  assert.deepEqual(notices(base, after), [
    "The two were measured on different variants: a difference can come from either.",
    "What was sampled differs. 16 on host lab1: the process. 16 on host lab2: the whole host.",
  ]);
});

test("a pair has a page only where the data names one, whatever its releases are called", () => {
  const after = cell("18", [], { diffs: { 16: "/18/vs/16/" } });
  assert.equal(builtPage(cell("16"), after), "/18/vs/16/");
  assert.equal(builtPage(cell("constructor"), after), undefined);
  assert.equal(builtPage(cell("16"), cell("17")), undefined);
  assert.equal(builtPage(cell("16", [], { variant: "lab2" }), after), undefined);
});

test("costs by an author's rates are compared on one variant, and with no measured ones", () => {
  const cost = { value: 125, factor: 1, unit: "% of 16, author’s rates" };
  const relative = profile("cycles", { operations: 8, cost_of: "one insert on 16", cost });
  const measured = profile("cycles", { operations: 8, cost: { ...cost, unit: "cycles/insert" } });
  const [base, after, other] = [
    cell("16", [relative]),
    cell("18", [{ ...relative, operations: 4 }]),
    cell("18", [relative], { variant: "lab2" }),
  ];
  /** @param {import("../../assets/js/compare/choice.js").Cell} now */
  const bases = (now) => {
    const pair = pairOf(base, now, "");
    assert.ok(pair);
    return basesOf(pair);
  };
  assert.deepEqual(bases(after), { relative_cost: { base: 1 / 8, after: 1 / 4 } });
  assert.deepEqual(bases(other), {});
  assert.deepEqual(bases(cell("18", [measured])), {});
  const sides = sidesOf(DATA, base, other);
  const [fact] = headlineOf({ ...DATA, metrics: RATE }, sides, pairOf(base, other, ""));
  assert.deepEqual([fact.value, fact.note], ["–", "no cost of both"]);
});

test("a reason that both sides share is said once", () => {
  /** @param {string} work */
  const side = (work) => profile("cycles", { work, operations: undefined });
  /** @param {string} was @param {string} is */
  const note = (was, is) => {
    const [base, after] = [cell("16", [side(was)]), cell("18", [side(is)])];
    base.metrics = { throughput: 5 };
    const data = { ...DATA, cells: [base, after], metrics: RATE };
    return headlineOf(data, sidesOf(data, base, after), pairOf(base, after, ""))[1].note;
  };
  assert.equal(note("no length", "no length"), "no length");
  assert.equal(note("no length", "no rate"), "16: no length; 18: no rate");
});

test("a throughput that no release has is not missed, one that others have is", () => {
  const bare = ["16", "17"].map((release) => cell(release, [profile("cycles")]));
  const [base, after] = bare;
  const of = (/** @type {typeof bare} */ cells) =>
    headlineOf(
      { ...DATA, cells, metrics: RATE },
      sidesOf(DATA, base, after),
      pairOf(base, after, ""),
    );
  assert.deepEqual(of(bare), []);
  const measured = cell("18", [], { metrics: { throughput: 5 } });
  const labels = of([...bare, measured]).map(({ label, value }) => [label, value]);
  assert.deepEqual(labels, [
    ["Throughput", "not known"],
    ["Cost per operation", "not known"],
  ]);
});
