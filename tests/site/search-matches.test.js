import assert from "node:assert/strict";
import { test } from "node:test";
import { MOST_SHOWN, search } from "../../assets/js/search/matches.js";

/** @type {import("../../assets/js/search/matches.js").Index} */
const INDEX = {
  reports: [
    {
      title: "PostgreSQL over the years",
      url: "/reports/postgres/",
      releases: [
        ["PostgreSQL 17", "17", "11"],
        ["PostgreSQL 18", "18", "01"],
      ],
      steps: [
        ["select", "select"],
        ["insert range=100", "insert-range-100"],
      ],
      changes: [["2 steps dropped at PostgreSQL 18", "@lab1/#level-changes.18-drop"]],
    },
  ],
  hosts: [["lab1", "/hosts/lab1/"]],
  places: [
    [
      "/reports/postgres/18/insert-range-100/#graph.search=",
      "takes most in insert range=100 on PostgreSQL 18",
    ],
    ["/reports/postgres/18/insert-range-100/vs/17/#diff.frame=", "costs more in insert, 17 → 18"],
  ],
  functions: [
    ["_bt_compare", 0, ""],
    ["memcmp", 0, ""],
    ["memcmp", 1, "_bt_compare > memcmp"],
  ],
  left_out: 0,
};

/** @param {string} query */
const urls = (query) => search(INDEX, query).matches.map(({ url }) => url);

test("words of a step and of a release find the page of both, in any order and case", () => {
  assert.deepEqual(urls("INSERT 18"), ["reports/postgres/18/insert-range-100/"]);
  assert.deepEqual(urls("18 insert"), urls("insert 18"));
});

test("a release without the step has no such page", () => {
  assert.deepEqual(urls("select"), [
    "reports/postgres/steps/select/",
    "reports/postgres/17/select/",
  ]);
});

test("a step on all releases comes before those on each, and the newest of these first", () => {
  assert.deepEqual(urls("insert").slice(0, 3), [
    "reports/postgres/steps/insert-range-100/",
    "reports/postgres/18/insert-range-100/",
    "reports/postgres/17/insert-range-100/",
  ]);
  assert.deepEqual(urls("sql").slice(0, 3), [
    "reports/postgres/",
    "reports/postgres/18/",
    "reports/postgres/17/",
  ]);
});

test("a step that no release has is not found", () => {
  const [report] = INDEX.reports;
  const steps = [...report.steps, /** @type {[string, string]} */ (["vacuum", "vacuum"])];
  const releases = report.releases.map(
    ([label, part, has]) => /** @type {[string, string, string]} */ ([label, part, `${has}0`]),
  );
  const index = { ...INDEX, reports: [{ ...report, steps, releases }] };
  assert.equal(search(index, "vacuum").count, 0);
});

test("a function leads to the graph in which it takes most, and is searched for there", () => {
  assert.deepEqual(urls("bt_comp"), [
    "reports/postgres/18/insert-range-100/#graph.search=_bt_compare",
  ]);
});

test("a function that changed leads to the frame that changed, too", () => {
  assert.deepEqual(urls("memcmp more"), [
    "reports/postgres/18/insert-range-100/vs/17/#diff.frame=_bt_compare%20%3E%20memcmp",
  ]);
});

test("a function can be asked for with the step in which it takes most", () => {
  assert.deepEqual(urls("bt_comp 18").length, 1);
  assert.deepEqual(urls("bt_comp 17"), []);
});

test("a report comes before its releases, and these before their steps", () => {
  const kinds = search(INDEX, "postgresql").matches.map(({ kind }) => kind);
  assert.deepEqual([...new Set(kinds)], ["report", "release", "cell", "change"]);
});

test("a level change is found by its release, and leads to its row", () => {
  assert.ok(urls("dropped").includes("reports/postgres/@lab1/#level-changes.18-drop"));
});

test("nothing is found by where it is alone", () => {
  assert.deepEqual(urls("years"), ["reports/postgres/"]);
});

test("nothing typed finds nothing, and what is nowhere neither", () => {
  assert.deepEqual(search(INDEX, "  "), { matches: [], count: 0 });
  assert.deepEqual(search(INDEX, "oracle"), { matches: [], count: 0 });
});

test("of many the best are shown, and all are counted", () => {
  const functions = Array.from(
    { length: 80 },
    (_, at) => /** @type {[string, number, string]} */ ([`scan${at}`, 0, ""]),
  );
  const { matches, count } = search(
    { ...INDEX, functions: [...functions, ["scan", 0, ""]] },
    "scan",
  );
  assert.equal(count, 81);
  assert.equal(matches.length, MOST_SHOWN);
  assert.equal(matches[0].label, "scan");
});
