import assert from "node:assert/strict";
import { test } from "node:test";
import {
  cellOf,
  notMeasured,
  notSampled,
  readChoice,
  stepOf,
  writeChoice,
} from "../../assets/js/compare/choice.js";

/** @param {string} release @param {string} step @param {string} [variant] */
function cell(release, step, variant = "lab1") {
  return { release, step, variant, profiles: [] };
}

/** @type {import("../../assets/js/compare/choice.js").Data} */
const DATA = {
  base: "9.4",
  step: "select",
  metrics: [],
  words: {
    heading: "",
    functions: "",
    cost: "",
    not_known: "",
    no_change_known: "",
    no_common_event: "",
    no_common_cost: "",
  },
  releases: ["9.4", "10.0", "11.0"].map((id) => ({ id, label: `Server ${id}` })),
  variants: [
    { id: "lab1", label: "lab1" },
    { id: "lab2", label: "lab2, 8 clients" },
  ],
  steps: ["select", "insert"].map((id) => ({ id, label: id, rate_unit: "", cells: "" })),
  renames: [
    { what: "release", old: "9.3-beta", new: "9.4-beta", words: "Once." },
    { what: "release", old: "9.4-beta", new: "9.4", words: "Twice." },
    { what: "step", old: "10.0", new: "select", words: "A step." },
  ],
  aliases: {},
  overdispersion: {},
  cells: [
    ...["9.4", "10.0", "11.0"].map((release) => cell(release, "select")),
    cell("9.4", "insert"),
    cell("11.0", "insert"),
    cell("11.0", "select", "lab2"),
  ],
};

/** @param {string} fragment */
function asked(fragment) {
  const { choice, renamed, wrong } = readChoice(fragment, DATA);
  return { link: writeChoice("", choice, DATA), renamed, wrong };
}

test("the first release with a profile stands in for a base without", () => {
  const { profiles: _, ...without } = cell("9.4", "select");
  const cells = [without, cell("10.0", "select"), cell("11.0", "select")];
  /** @param {string} fragment */
  const chosen = (fragment) => readChoice(fragment, { ...DATA, cells }).choice.a.release;
  assert.equal(chosen(""), "10.0");
  assert.equal(chosen("#a=9.4"), "9.4");
});

test("what a link leaves open is the base against the newest release", () => {
  assert.equal(asked("").link, "#step=select&a=9.4&b=11.0");
  assert.equal(asked("#step=insert&b=9.4").link, "#step=insert&a=11.0&b=9.4");
  assert.equal(asked("#base=10.0").link, "#step=select&a=10.0&b=11.0");
  assert.equal(asked("#base=8.0").link, "#step=select&a=9.4&b=11.0");
  assert.equal(asked("#a=11.0").link, "#step=select&a=11.0&b=10.0");
});

test("a side may be of another variant, and the link says so", () => {
  const link = "#step=select&a=9.4&b=11.0@lab2";
  assert.equal(asked(link).link, link);
  assert.deepEqual(readChoice(link, DATA).choice.b, { release: "11.0", variant: "lab2" });
});

test("the step of a link is known before what was measured of it", () => {
  const { cells: _, ...choices } = DATA;
  const of = (/** @type {string} */ fragment) => stepOf(fragment, { ...choices, step: "insert" });
  assert.equal(of(""), "insert");
  assert.equal(of("#a=9.4&step=10.0"), "select");
  assert.equal(of("#step=delete"), "");
});

test("a link under former names is followed to the last, and says why", () => {
  assert.deepEqual(asked("#step=select&a=9.3-beta&b=11.0"), {
    link: "#step=select&a=9.4&b=11.0",
    renamed: ["Once.", "Twice."],
    wrong: [],
  });
});

test("a name that is in use is never taken for a former one", () => {
  assert.deepEqual(asked("#step=select&a=10.0&b=11.0").renamed, []);
});

test("what is not there is renamed with what there is, and stays open", () => {
  const { link, wrong } = asked("#step=delete&a=8.0&b=11.0@lab7");
  assert.equal(link, "#b=11.0@");
  assert.deepEqual(wrong, [
    "The link asks for the step “delete”, which is not in this report. Its steps: select, insert.",
    "The link asks for the release “8.0”, which is not in this report. Its releases: 9.4, 10.0, 11.0.",
    "The link asks for the variant “lab7”, which is not in this report. Its variants: lab1, lab2.",
  ]);
});

test("a megabyte in a link is not said back", () => {
  const [sentence] = asked(`#step=select&a=${"x".repeat(1e6)}`).wrong;
  assert.ok(sentence.length < 250);
});

test("a stray % and keys of nobody break nothing, and are kept", () => {
  const fragment = "#results&a=%&step=select&diff.frame=a%3Eb&__proto__=1";
  const { choice, wrong } = readChoice(fragment, DATA);
  assert.equal(wrong.length, 1);
  assert.equal(
    writeChoice(fragment, { ...choice, a: { release: "9.4", variant: "lab1" } }, DATA),
    "#step=select&a=9.4&b=11.0&results&diff.frame=a%3Eb&__proto__=1",
  );
});

test("a release that a step was not measured on is renamed, with those that it was", () => {
  const { choice } = readChoice("#step=insert&a=9.4&b=10.0", DATA);
  assert.equal(cellOf(DATA, choice, choice.b), undefined);
  assert.equal(
    notMeasured(DATA, choice, choice.b),
    "Server 10.0 was not measured with insert on lab1. Measured: Server 9.4, Server 11.0.",
  );
});

test("an event that the link asks for is renamed, and not a megabyte of it", () => {
  assert.equal(
    notSampled("cycles", ["cpu-clock"]),
    "The two have no profiles of cycles. They have cpu-clock.",
  );
  assert.ok(notSampled("x".repeat(1e6), ["cpu-clock"]).length < 150);
});
