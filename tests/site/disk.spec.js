/** A site that was built to be read from disk, without a server and without scripts. */

import { execFileSync } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect } from "@playwright/test";
import { test } from "./complaints.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** In a tag: the text has its quotes escaped. */
const LINK = / (?:href|src)="([^"]*)"/g;

/** @type {string} */
let site;

test.beforeAll(({ baseURL }) => {
  // What the server of the tests has built from.
  const work = path.join(ROOT, "data", ".cache", `test-site-${new URL(baseURL ?? "").port}`);
  const content = path.join(ROOT, "tests", "site", "fixture", "content");
  site = path.join(work, "disk");
  test.setTimeout(120_000);
  execFileSync(path.join(ROOT, ".venv", "bin", "perfpress"), [
    ...["build", "--results", path.join(work, "results"), "--content", content],
    ...["--out", site, "--base-url", "file:"],
  ]);
});

test("looks as it does on a server, and complains of nothing", async ({ page }) => {
  await page.goto(pathToFileURL(path.join(site, "index.html")).href);
  const family = await page.locator("body").evaluate((body) => getComputedStyle(body).fontFamily);
  expect(family).toContain("Perfpress Serif");
});

test("says what compares files in the place of what needs scripts", async ({ page }) => {
  await page.goto(pathToFileURL(path.join(site, "compare-files", "index.html")).href);
  await expect(page.getByText("browsers run no scripts of a page")).toBeVisible();
  await expect(page.locator("input[type=file]")).toHaveCount(0);
});

test("leads from page to page, and to numbers and graphs", async ({ page }) => {
  await page.goto(pathToFileURL(path.join(site, "index.html")).href);
  await page.getByRole("link", { name: "Reports", exact: true }).click();
  await expect(page).toHaveURL(/\/reports\/index\.html$/);
  await page.locator('.listing a[href="servers/index.html"]').click();
  await expect(page).toHaveURL(/\/reports\/servers\/index\.html$/);
  await page.locator('[id^="against-base"] td a').first().click();
  await expect(page).toHaveURL(/\/index\.html#results\./);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});

test("has no link that leads nowhere, or into a directory", async () => {
  const files = await readdir(site, { recursive: true, withFileTypes: true });
  const known = new Set(
    files
      .filter((file) => file.isFile())
      .map(({ parentPath, name }) => pathToFileURL(path.join(parentPath, name)).href),
  );
  const failures = [];
  for (const url of [...known].filter((each) => each.endsWith("/index.html"))) {
    const html = await readFile(fileURLToPath(url), "utf8");
    const links = [...html.matchAll(LINK)].map(([, link]) => new URL(unescaped(link), url).href);
    for (const link of links) {
      const [file] = link.split("#");
      if (link.startsWith("file:") && !known.has(decoded(file)) && !known.has(file)) {
        failures.push(`${url} links to ${link}`);
      }
    }
  }
  expect([...new Set(failures)]).toEqual([]);
});

/** @param {string} url with other letters escaped than Node escapes */
function decoded(url) {
  return pathToFileURL(fileURLToPath(url)).href;
}

/** @param {string} text of an attribute */
function unescaped(text) {
  return text.replaceAll("&#34;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&");
}
