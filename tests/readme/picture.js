/**
 * Take the picture in the README from the site in public/: `make picture`. Beside it stands what it
 * shows, the hash of the report's text and runs: `picture.test.js` says when that has changed.
 */

import { createHash } from "node:crypto";
import { globSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";
import { findBrowser } from "../site/browser.js";

const ROOT = path.join(path.dirname(fileURLToPath(import.meta.url)), "..", "..");
const REPORT = "cpython-releases";
const SITE = "http://localhost";
export const PICTURE = path.join(ROOT, "static/images/report-page.png");
export const RECORD = path.join(ROOT, "tests/readme/picture.json");

/** The hash of what the page shows: the text of its report, and all files of its runs. */
export function hashOfInputs() {
  const hash = createHash("sha256");
  const patterns = [`content/reports/${REPORT}/**`, `data/results/${REPORT}/**`];
  const found = patterns.flatMap((each) => globSync(each, { cwd: ROOT })).sort();
  for (const file of found.filter((each) => statSync(path.join(ROOT, each)).isFile())) {
    hash.update(`${file}\0`).update(readFileSync(path.join(ROOT, file)));
  }
  return hash.digest("hex");
}

/** @param {Buffer} picture */
export const hashOfPicture = (picture) => createHash("sha256").update(picture).digest("hex");

async function main() {
  const browser = await chromium.launch({ executablePath: findBrowser(), args: ["--no-sandbox"] });
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.route(`${SITE}/**`, (route) => {
    const { pathname } = new URL(route.request().url());
    return route.fulfill({ path: path.join(ROOT, "public", pathname) });
  });
  await page.goto(`${SITE}/reports/${REPORT}/index.html`);
  await page.evaluate(() => document.fonts.ready);
  const picture = await page.screenshot({ path: PICTURE });
  await browser.close();
  const record = { inputs: hashOfInputs(), picture: hashOfPicture(picture) };
  writeFileSync(RECORD, `${JSON.stringify(record, null, 2)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
