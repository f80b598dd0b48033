/**
 * What is true of every page of the site, whatever it shows. All pages are read. Each is visited twice,
 * at a desk and on a phone, and all is looked at there: loading pages is what takes time. Of a large
 * site that was built before, some are visited. Each test lists all pages that fail.
 */

import { randomInt } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { expect, test } from "@playwright/test";
import { HtmlValidate, StaticConfigLoader } from "html-validate";
import { chosenPages, deadLinks, readPage } from "./built_pages.js";
import { builtFor, find } from "./site_files.js";
import { barriers, newPage, visit, wakeGraphs } from "./visit.js";

/** Milliseconds that a page may take. */
const PATIENCE = 15_000;
/** Pages of a built site that are visited: one or two seconds each, so that publishing ends. */
const MOST_VISITED = 60;
/** What `make test-built` leaves for the next one: the hashes of the pages that passed. */
const PASSED = "data/.cache/tested-pages.json";

const DESK = { width: 1280, height: 800 };
const PHONE = { width: 360, height: 640 };
const WIDTHS = [320, 360, 768];
/** A4 less 1 cm at each edge. */
const SHEET = { width: 718, height: 1047 };

/** Bytes of what a page loads before it is asked for anything. */
const BUDGET = 100_000;
/** Of pages that are about a graph or a matrix; those of reports and releases may have some, too. */
const BUDGET_OF_GRAPHS = 150_000;
const REPORT_OR_RELEASE = /\/reports\/[^/]+\/((?!compare|@)[^/]+\/)?$/;
/** Layout shift that nobody sees: heads of columns that give way by a hair. */
const NO_SHIFT = 0.001;
/** Pixels that letters of charts have at least. */
const LETTERS = 11;

/** What the pages show; comparisons are made in the browser. */
const SHOWN = "main :is(td, th, figcaption):not(release-comparison *)";

const validator = new HtmlValidate(
  new StaticConfigLoader({
    root: true,
    extends: ["html-validate:recommended"],
    rules: {
      // Anchors of cells are `<table>.<row>.<column>`, which HTML allows.
      "valid-id": ["error", { relaxed: true }],
      // Advice for search engines; a title is as long as the names in it.
      "long-title": "off",
    },
  }),
);

test.describe("at a desk, in the light", () => {
  // One worker visits the pages; the tests look at what it saw.
  test.describe.configure({ mode: "default" });

  /** @type {Awaited<ReturnType<typeof lookAtDesk>>[]} */
  let seen;

  test.beforeAll(async ({ browser, baseURL }) => {
    const page = await newPage(browser, { colorScheme: "light" });
    seen = await once("desk", baseURL, (url) => lookAtDesk(page, url));
    await page.close();
  });

  test("is valid HTML", async () => {
    const failures = [];
    for (const { url, html } of seen) {
      const report = await validator.validateString(html, url);
      for (const { messages } of report.results) {
        failures.push(
          ...messages.map(({ line, ruleId, message }) => `${url}:${line}: ${ruleId}: ${message}`),
        );
      }
    }
    expect(failures).toEqual([]);
  });

  test("is accessible", () => {
    expect(seen.flatMap(({ url, barriers }) => barriers.map((each) => `${url} ${each}`))).toEqual(
      [],
    );
  });

  test("asks no other host and says nothing on the console", () => {
    expect(
      seen.flatMap(({ url, complaints }) => complaints.map((each) => `${url} ${each}`)),
    ).toEqual([]);
  });

  test("is light", () => {
    const heavy = seen.filter(({ bytes, budget }) => bytes > budget);
    expect(heavy.map(({ url, bytes, files }) => `${url} loads ${bytes} bytes: ${files}`)).toEqual(
      [],
    );
  });

  test("does not jump while it loads", () => {
    const jumping = seen.filter(({ shift }) => shift > NO_SHIFT);
    expect(
      jumping.map(({ url, shift, moved }) => `${url} shifts by ${shift.toFixed(4)}:${moved}`),
    ).toEqual([]);
  });

  test("never scrolls sideways", () => {
    expect(seen.flatMap(({ url, wide }) => wide.map((each) => `${url} at ${each} px`))).toEqual([]);
  });

  test("is no wider than a sheet of A4 on paper", () => {
    const wider = seen.filter(({ onPaper }) => onPaper > SHEET.width);
    expect(wider.map(({ url, onPaper }) => `${url} is ${onPaper} px wide`)).toEqual([]);
  });
});

test("all pages have links that lead somewhere, and no anchor twice", async ({ baseURL }) => {
  const { site, base } = placeOf(baseURL);
  const pages = await builtPages(baseURL);
  const dead = await deadLinks(pages, async (address) => {
    const { status } = await find(site, base, decodeURI(new URL(address).pathname));
    return status;
  });
  const twice = pages.flatMap(({ url, ids }) => {
    const repeated =
      new Set(ids).size < ids.length ? ids.filter((id, at) => ids.indexOf(id) < at) : [];
    return repeated.map((id) => `${url} has two of #${id}`);
  });
  expect([...dead, ...twice]).toEqual([]);
});

test.describe("on a phone, in the dark", () => {
  test.describe.configure({ mode: "default" });

  /** @type {Awaited<ReturnType<typeof lookOnPhone>>[]} */
  let seen;

  test.beforeAll(async ({ browser, baseURL }) => {
    const withoutScripts = await browser.newContext({ javaScriptEnabled: false, viewport: PHONE });
    const plain = await withoutScripts.newPage();
    const page = await newPage(browser, { colorScheme: "dark", viewport: PHONE });
    seen = await once("phone", baseURL, (url) => lookOnPhone(page, plain, url));
    await page.close();
    await withoutScripts.close();
  });

  test("is accessible", () => {
    expect(seen.flatMap(({ url, barriers }) => barriers.map((each) => `${url} ${each}`))).toEqual(
      [],
    );
  });

  test("does not jump while it loads", () => {
    const jumping = seen.filter(({ shift }) => shift > NO_SHIFT);
    expect(
      jumping.map(({ url, shift, moved }) => `${url} shifts by ${shift.toFixed(4)}:${moved}`),
    ).toEqual([]);
  });

  test("has charts whose letters can be read", () => {
    const small = seen.filter(({ letters }) => letters < LETTERS);
    expect(small.map(({ url, letters }) => `${url}: ${letters.toFixed(1)} px`)).toEqual([]);
  });

  test("shows the same numbers without JavaScript", () => {
    expect(seen.flatMap(({ url, missing }) => missing.map((each) => `${url}: ${each}`))).toEqual(
      [],
    );
  });
});

/**
 * Look at pages, or read what was seen: after a failure the other tests run in a new worker.
 *
 * @template Seen
 * @param {string} name
 * @param {string | undefined} baseURL
 * @param {(url: string) => Promise<Seen>} look
 * @returns {Promise<Seen[]>}
 */
async function once(name, baseURL, look) {
  const folder = test.info().project.outputDir; // empty when a run begins
  const file = path.join(folder, `${name}.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8"));
  const seen = [];
  mkdirSync(folder, { recursive: true });
  for (const url of await visited(name, baseURL)) seen.push(await look(url));
  writeFileSync(file, JSON.stringify(seen));
  return seen;
}

/**
 * @param {import("@playwright/test").Page} page
 * @param {string} url
 */
async function lookAtDesk(page, url) {
  await page.setViewportSize(DESK);
  await page.emulateMedia({ media: "screen" });
  const visited = await visit(page, url);
  const hasGraph = await page.evaluate(
    () => document.querySelector("flame-graph, function-matrix, release-comparison") !== null,
  );
  await wakeGraphs(page);
  const found = await barriers(page);
  /** @type {number[]} */
  const wide = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 640 });
    // The viewer redraws when it has seen the new width.
    const fits = page.waitForFunction(
      () => document.documentElement.scrollWidth <= document.documentElement.clientWidth,
      undefined,
      { timeout: 2000 },
    );
    await fits.catch(() => wide.push(width));
  }
  await page.setViewportSize(SHEET);
  await page.emulateMedia({ media: "print" });
  const onPaper = await page.evaluate(() => document.documentElement.scrollWidth);
  const budget = hasGraph && !REPORT_OR_RELEASE.test(url) ? BUDGET_OF_GRAPHS : BUDGET;
  return { url, ...visited, barriers: found, wide, onPaper, budget };
}

/**
 * @param {import("@playwright/test").Page} page
 * @param {import("@playwright/test").Page} plain without JavaScript
 * @param {string} url
 */
async function lookOnPhone(page, plain, url) {
  const { shift, moved } = await visit(page, url);
  const letters = await page.evaluate(() =>
    [...document.querySelectorAll(".chart-drawing text")]
      .filter((text) => text.checkVisibility())
      .map((text) => {
        const drawing = /** @type {SVGSVGElement} */ (text.closest("svg"));
        const scale = drawing.getBoundingClientRect().width / drawing.viewBox.baseVal.width;
        return Number.parseFloat(getComputedStyle(text).fontSize) * scale;
      })
      .reduce((least, each) => Math.min(least, each), 99),
  );
  await plain.goto(url);
  const [without, with_] = await Promise.all([plain, page].map(shownNumbers));
  const missing = [];
  if (!(await plain.locator("h1").isVisible())) missing.push("no heading");
  if (without.tables !== with_.tables) missing.push("other tables");
  if (without.emptyDrawings > 0) missing.push(`${without.emptyDrawings} drawings are not there`);
  await wakeGraphs(page);
  return { url, shift, moved, letters, missing, barriers: await barriers(page) };
}

/** @param {import("@playwright/test").Page} page */
function shownNumbers(page) {
  return page.evaluate((shown) => {
    const parts = [...document.querySelectorAll(shown)];
    const drawings = [...document.querySelectorAll("flame-graph > svg, svg.chart-drawing")];
    return {
      tables: parts.map(({ textContent }) => textContent).join("\n"),
      emptyDrawings: drawings.filter((each) => each.getBoundingClientRect().height === 0).length,
    };
  }, SHOWN);
}

/**
 * The addresses of the pages to visit: of the tests' own site all.
 *
 * @param {string} name of what they are visited for
 * @param {string | undefined} baseURL
 */
async function visited(name, baseURL) {
  const pages = await builtPages(baseURL);
  const known = existsSync(PASSED) ? JSON.parse(readFileSync(PASSED, "utf8")) : {};
  const seed = Number(process.env.PERFPRESS_FUZZ_SEED ?? randomInt(2 ** 31));
  const most = process.env.PERFPRESS_TEST_SITE ? MOST_VISITED : pages.length;
  const chosen = chosenPages(pages, most, known, seed).map(({ url }) => url);
  if (chosen.length < pages.length) {
    const again = `PERFPRESS_FUZZ_SEED=${seed} chooses the same`;
    console.log(`${name}: ${chosen.length} of ${pages.length} pages are visited; ${again}`);
  }
  const hashes = Object.fromEntries(pages.map(({ url, hash }) => [url, hash]));
  writeFileSync(path.join(test.info().project.outputDir, "pages.json"), JSON.stringify(hashes));
  test.setTimeout(chosen.length * PATIENCE);
  return chosen;
}

/**
 * All pages, where this test's server has them, and the one for lost readers.
 *
 * @param {string | undefined} baseURL
 */
async function builtPages(baseURL) {
  const { site, origin, base } = placeOf(baseURL);
  const sitemap = readFileSync(path.join(site, "sitemap.xml"), "utf8");
  const paths = [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => new URL(url).pathname);
  expect(paths.length).toBeGreaterThan(4);
  const pages = [];
  for (const each of [...paths, `${base}404.html`]) {
    const { status, file = "" } = await find(site, base, decodeURI(each));
    expect(status, `${each}, which the sitemap lists`).toBe(200);
    pages.push(readPage(origin + each, readFileSync(file, "utf8")));
  }
  return pages;
}

/**
 * The directory of the site, and the parts of its address.
 *
 * @param {string | undefined} baseURL
 */
function placeOf(baseURL) {
  const { href, origin, pathname: base } = new URL(baseURL ?? "");
  return { site: process.env.PERFPRESS_TEST_SITE ?? builtFor(href), origin, base };
}
