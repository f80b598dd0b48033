/**
 * Decides by the tests of a built site whether it is published. What the tests tagged SAFE find keeps it
 * from that: a script that a name made, a request to another host. All else (weight, layout, links,
 * HTML) is listed with its page and the hosts of the runs behind it, and does not let one host's page
 * stop publishing for all.
 */

import { appendFileSync, existsSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { stripVTControlCharacters } from "node:util";

/** The tag of the tests that must pass. */
export const SAFE = "@safe";
/** The type of an annotation that says what is wrong with one page. */
export const FINDING = "finding";
/** Findings that are listed: a summary of GitHub has an end. */
const MOST_LISTED = 200;

/** What Playwright tells of a run of tests. */
export default class PublishingReporter {
  /**
   * @param {unknown} _
   * @param {import("@playwright/test/reporter").Suite} suite
   */
  onBegin(_, suite) {
    this.suite = suite;
  }

  /** @param {import("@playwright/test/reporter").TestError} error */
  onError(error) {
    console.log(error.message);
  }

  /** @param {import("@playwright/test/reporter").FullResult} result */
  onEnd(result) {
    const tests = this.suite?.allTests() ?? [];
    const failed = tests.filter((each) => !passed(each));
    for (const test of failed) report(test);
    const kept = failed.filter(isNeeded);
    const isSafe = tests.some(isNeeded) && kept.length === 0;
    if (result.status !== "failed") return undefined;
    if (!isSafe) {
      const needed = kept.map(nameOf).join(", ") || `a test tagged ${SAFE}`;
      say(`Do not publish the site: ${needed} has to pass.`);
      return undefined;
    }
    const found = `what ${failed.length} test${failed.length > 1 ? "s" : ""} found`;
    say(`Publish the site: ${found} keeps no page back.`);
    write("GITHUB_OUTPUT", "poor=true\n");
    rmSync(path.join(tests[0].parent.project()?.outputDir ?? "", "pages.json"), { force: true });
    return /** @type {const} */ ({ status: "passed" });
  }
}

/** @param {import("@playwright/test/reporter").TestCase} test */
function passed(test) {
  return test.outcome() === "expected" || test.outcome() === "flaky";
}

/** @param {import("@playwright/test/reporter").TestCase} test */
function isNeeded({ tags }) {
  return tags.includes(SAFE);
}

/** @param {import("@playwright/test/reporter").TestCase} test that failed */
function report(test) {
  const last = test.results.at(-1);
  const findings = (last?.annotations ?? [])
    .filter(({ type }) => type === FINDING)
    .map(({ description = "" }) => withHosts(description));
  const errors = last ? last.errors.map(({ message = "" }) => message) : ["did not run"];
  const lines = findings.length > 0 ? findings : errors.flatMap((each) => each.split("\n"));
  const more = lines.length - MOST_LISTED;
  const listed = [nameOf(test), ...lines.slice(0, MOST_LISTED)];
  if (more > 0) listed.push(`and ${more} more`);
  say(stripVTControlCharacters(listed.join("\n  ")));
}

/** @param {import("@playwright/test/reporter").TestCase} test */
function nameOf(test) {
  return test.titlePath().filter(Boolean).join(" › ");
}

/** @param {string} text */
function say(text) {
  console.log(`${text}\n`);
  // Text of strangers: shown as code.
  write("GITHUB_STEP_SUMMARY", `${`${text}\n`.replace(/^/gm, "    ")}\n`);
}

/**
 * @param {string} finding that begins with the address of a page
 * @param {string} results the directory of the runs
 * @returns {string} the finding, and whose runs the page is of
 */
export function withHosts(finding, results = "data/results") {
  const [, report = "", release = ""] = /\/reports\/([^/ ]+)\/([^/ ]+)?/.exec(finding) ?? [];
  const whole = path.join(results, report);
  const ofRelease = path.join(whole, release);
  if (!report || !existsSync(whole)) return finding;
  const releases =
    release && existsSync(ofRelease)
      ? [ofRelease]
      : readdirSync(whole).map((each) => path.join(whole, each));
  const variants = releases.flatMap((each) => readdirSync(each));
  const hosts = [...new Set(variants.map((each) => each.split("--")[0]))].sort();
  return `${finding} (runs of ${hosts.join(", ")})`;
}

/**
 * @param {string} variable that holds the path of a file
 * @param {string} text
 */
function write(variable, text) {
  const file = process.env[variable];
  if (file) appendFileSync(file, text);
}
