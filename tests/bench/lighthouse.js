/**
 * Let Lighthouse look at a built site as at a phone on a slow net: `make bench`, or
 * `node tests/bench/lighthouse.js DIR LEAST` for another site. Of each kind of page it takes the largest.
 * Lighthouse is fetched into tests/bench/.cache; where it cannot be, this says so and measures nothing.
 */

import { execFile, execFileSync, spawn } from "node:child_process";
import { existsSync, globSync, statSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { findBrowser } from "../site/browser.js";

const LIGHTHOUSE = "lighthouse@12.8.2";
const FOLDER = fileURLToPath(new URL(".cache/lighthouse", import.meta.url));
const CLI = path.join(FOLDER, "node_modules", "lighthouse", "cli", "index.js");
const SERVER = fileURLToPath(new URL("../site/serve.js", import.meta.url));
const PORT = 4629;
const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];
const RUNS = 3;

/** @type {Record<string, string>} pages of a site, by kind */
const KINDS = {
  home: "index.html",
  report: "reports/*/index.html",
  release: "reports/*/[!@cs]*/index.html",
  step: "reports/*/[!@cs]*/[!v]*/index.html",
  diff: "reports/*/*/*/vs/*/index.html",
  matrix: "reports/*/steps/*/index.html",
  variant: "reports/*/@*/index.html",
  host: "hosts/*/index.html",
  docs: "docs/*/index.html",
  search: "search/index.html",
};

/** @param {string[]} args */
async function main([site = "public", least = "95"]) {
  const missing = fetchLighthouse();
  if (missing) {
    console.log(`Lighthouse is not measured: ${missing}`);
    return;
  }
  const base = `http://127.0.0.1:${PORT}/`;
  const server = spawn(process.execPath, [SERVER, base, site], { stdio: "inherit" });
  try {
    console.log(["", ...CATEGORIES].map(cell).join(""));
    for (const [kind, pattern] of Object.entries(KINDS)) {
      const file = largest(globSync(pattern, { cwd: site }), site);
      if (!file) continue;
      const page = file.replace(/index\.html$/, "");
      const scores = await scoresOf(new URL(page, base).href);
      const low = scores.some((score) => score < Number(least)) ? `  below ${least}` : "";
      console.log(`${[kind, ...scores.map(String)].map(cell).join("")}  /${page}${low}`);
      if (low) process.exitCode = 1;
    }
  } finally {
    server.kill();
  }
}

/** @returns {string} why it is not there; empty where it is */
function fetchLighthouse() {
  if (existsSync(CLI)) return "";
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  try {
    execFileSync("npm", ["install", "--prefix", FOLDER, ...flags, LIGHTHOUSE], { stdio: "pipe" });
    return "";
  } catch (error) {
    return `${LIGHTHOUSE} could not be fetched: ${error instanceof Error ? error.message : error}`;
  }
}

/**
 * @param {string[]} files
 * @param {string} site
 */
function largest(files, site) {
  const size = (/** @type {string} */ file) => statSync(path.join(site, file)).size;
  return files.sort((a, b) => size(b) - size(a))[0];
}

/**
 * @param {string} url
 * @returns {Promise<number[]>} of each category the median of the runs, in percent
 */
async function scoresOf(url) {
  /** @type {number[][]} */
  const runs = [];
  for (let run = 0; run < RUNS; run++) {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        ...[CLI, url, "--output=json", "--quiet", "--chrome-flags=--headless=new --no-sandbox"],
        `--only-categories=${CATEGORIES.join()}`,
      ],
      { env: { ...process.env, CHROME_PATH: findBrowser() }, maxBuffer: 2 ** 28 },
    ).catch(({ stderr }) => {
      throw new Error(`Lighthouse could not look at ${url}: ${stderr.trim()}`);
    });
    const { categories } = JSON.parse(stdout);
    runs.push(CATEGORIES.map((name) => Math.round(100 * categories[name].score)));
  }
  return CATEGORIES.map((_, at) => runs.map((run) => run[at]).sort((a, b) => a - b)[RUNS >> 1]);
}

/**
 * @param {string} text
 * @param {number} column
 */
function cell(text, column) {
  return column === 0 ? text.padEnd(10) : text.padStart(16);
}

await main(process.argv.slice(2)).catch(({ message }) => {
  console.error(message);
  process.exitCode = 1;
});
