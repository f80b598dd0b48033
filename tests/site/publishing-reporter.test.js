/** What keeps a built site from being published, and what is only listed. */

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { test } from "node:test";
import PublishingReporter, { FINDING, SAFE, withHosts } from "./publishing_reporter.js";

/**
 * @param {string} title
 * @param {string} outcome
 * @param {string[]} tags
 * @param {string} outputDir
 */
const testCase = (title, outcome, tags, outputDir) => ({
  tags,
  outcome: () => outcome,
  titlePath: () => ["", title],
  parent: { project: () => ({ outputDir }) },
  results:
    outcome === "skipped"
      ? []
      : [
          {
            errors: [{ message: "\x1b[31mtoo slow\x1b[39m" }],
            annotations: tags.includes(SAFE) ? [] : [{ type: FINDING, description: "/a/ is x" }],
          },
        ],
});

/**
 * @param {[outcome: string, tags: string[]][]} outcomes
 * @returns what the run ends with, its outputs, and its summary
 */
function ended(outcomes) {
  const directory = mkdtempSync(path.join(tmpdir(), "reporter-"));
  const file = (/** @type {string} */ name) => path.join(directory, name);
  for (const name of ["output", "summary", "pages.json"]) writeFileSync(file(name), "");
  process.env.GITHUB_OUTPUT = file("output");
  process.env.GITHUB_STEP_SUMMARY = file("summary");
  const tests = outcomes.map(([outcome, tags], at) =>
    testCase(`test ${at}`, outcome, tags, directory),
  );
  const reporter = new PublishingReporter();
  reporter.onBegin(undefined, /** @type {any} */ ({ allTests: () => tests }));
  const status = outcomes.every(([outcome]) => outcome === "expected") ? "passed" : "failed";
  const end = reporter.onEnd(/** @type {any} */ ({ status }));
  return {
    status: end?.status ?? status,
    output: readFileSync(file("output"), "utf8"),
    summary: readFileSync(file("summary"), "utf8"),
  };
}

test("a site without findings is published, and nothing is said", () => {
  const { status, output, summary } = ended([
    ["expected", [SAFE]],
    ["expected", []],
  ]);
  assert.deepEqual([status, output, summary], ["passed", "", ""]);
});

test("a heavy page is listed and does not keep the site back", () => {
  const { status, output, summary } = ended([
    ["expected", [SAFE]],
    ["unexpected", []],
  ]);
  assert.deepEqual([status, output], ["passed", "poor=true\n"]);
  assert.match(summary, /^ {4}test 1\n {6}\/a\/ is x$/m);
  assert.match(summary, /^ {4}Publish the site: what 1 test found keeps no page back\.$/m);
});

test("a page that runs what is not of the site keeps it back, and so does one that nobody saw", () => {
  for (const outcome of ["unexpected", "skipped"]) {
    const { status, output, summary } = ended([
      [outcome, [SAFE]],
      ["unexpected", []],
    ]);
    assert.deepEqual([status, output], ["failed", ""], outcome);
    assert.match(summary, /^ {4}Do not publish the site: test 0 has to pass\.$/m);
    assert.match(summary, outcome === "skipped" ? /^ {6}did not run$/m : /^ {6}too slow$/m);
  }
  assert.equal(ended([["unexpected", []]]).status, "failed", "no test looked for it");
});

test("a finding names the hosts whose runs its page shows", () => {
  const results = mkdtempSync(path.join(tmpdir(), "results-"));
  for (const place of ["servers/17/lab1--c1", "servers/17/lab1--c2", "servers/18/lab2"]) {
    mkdirSync(path.join(results, place), { recursive: true });
  }
  const shown = (/** @type {string} */ url) => withHosts(`${url} is wide`, results);
  const site = "http://127.0.0.1:4610/perf";
  assert.equal(
    shown(`${site}/reports/servers/17/select/`),
    `${site}/reports/servers/17/select/ is wide (runs of lab1)`,
  );
  assert.match(shown(`${site}/reports/servers/`), /\(runs of lab1, lab2\)$/);
  assert.match(shown(`${site}/reports/servers/compare/`), /\(runs of lab1, lab2\)$/);
  for (const url of [`${site}/docs/`, `${site}/reports/gone/`, `${site}/reports/`]) {
    assert.equal(shown(url), `${url} is wide`);
  }
});
