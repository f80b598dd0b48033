/**
 * What is true of every page of the site, whatever it shows. All pages are read. Each is visited twice,
 * at a desk and on a phone, and all is looked at there: loading pages is what takes time. Of a large
 * site that was built before, some are visited. Each test lists all pages that fail.
 *
 * What the tests tagged SAFE find keeps a site from being published; for all else see
 * `publishing_reporter.js`.
 */

import { randomInt } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "@playwright/test";
import { HtmlValidate, StaticConfigLoader } from "html-validate";
import { chosenPages, deadLinks, readPage } from "./built_pages.js";
import { FINDING, SAFE } from "./publishing_reporter.js";
import { builtFor, find } from "./site_files.js";
import { barriers, newPage, visit, wakeGraphs } from "./visit.js";

/** Milliseconds that pages may take, on average. */
const PATIENCE = 15_000;
/** Milliseconds that one page may take: it is left then, and listed. */
const LONGEST = 30_000;
/** Pages of a built site that are visited: one or two seconds each, so that publishing ends. */
const MOST_VISITED = 60;
/** What `make test-built` leaves for the next one: the hashes of the pages that passed. */
const PASSED = "data/.cache/tested-pages.json";

const DESK = { width: 1280, height: 800 };
const PHONE = { width: 360, height: 640 };
const WIDTHS = [320, 360, 768, 1366];
/** A4 less 1 cm at each edge. */
const SHEET = { width: 718, height: 1047 };
/** Tables that have a sheet of their own, in landscape: print.css. */
const TURNED = "figure.table:has(thead th:nth-child(32))";

/** Bytes of what a page loads before it is asked for anything. */
const BUDGET = 100_000;
/** Of pages that are about a graph or a matrix; those of reports and releases may have some, too. */
const BUDGET_OF_GRAPHS = 150_000;
/** Elements of a page: a phone takes a second for twice as many. */
const MOST_ELEMENTS = 8000;
const REPORT_OR_RELEASE = /\/reports\/[^/]+\/((?!compare|@)[^/]+\/)?$/;
/** Layout shift that nobody sees: heads of columns that give way by a hair. */
const NO_SHIFT = 0.001;
/** Pixels that letters of charts have at least. */
const LETTERS = 11;

/** What the pages show; comparisons are made in the browser. */
/** Functions beyond those that a page brings, which have ids, are a script's. */
const SHOWN =
  "main :is(td, th, figcaption):not(release-comparison *, tr[data-function]:not([id]) > *)";

const validator = new HtmlValidate(
  new StaticConfigLoader({
    root: true,
    extends: ["html-validate:recommended"],
    rules: {
      // Anchors of cells are `<table>.<row>.<column>`, which HTML allows.
      "valid-id": ["error", { relaxed: true }],
      // Advice for search engines; a title is as long as the names in it.
      "long-title": "off",
      // No form has a button of a note, which opens it: a type would be a hundredth of a page with tables.
      "no-implicit-button-type": "off",
    },
  }),
);

test.describe("at a desk, in the light", () => {
  // One worker visits the pages; the tests look at what it saw.
  test.describe.configure({ mode: "default" });

  /** @type {Awaited<ReturnType<typeof lookAtDesk>>[]} */
  let seen;
  /** @type {Finding[]} */
  let unseen;

  test.beforeAll(async ({ browser, baseURL }) => {
    const open = async () => [await newPage(browser, { colorScheme: "light" })];
    ({ seen, unseen } = await once("desk", baseURL, open, lookAtDesk));
  });

  test("can be looked at", () => expectNone(unseen));

  test("is valid HTML", async () => {
    /** @type {Finding[]} */
    const failures = [];
    for (const { url, html } of seen) {
      const { results } = await validator.validateString(html, url);
      for (const { line, ruleId, message } of results.flatMap(({ messages }) => messages)) {
        failures.push([url, `line ${line}: ${ruleId}: ${message}`]);
      }
    }
    expectNone(failures);
  });

  test("is accessible", () => expectNone(each(seen, ({ barriers }) => barriers)));

  test("asks no other host and runs nothing of others", { tag: SAFE }, () => {
    expectNone(each(seen, ({ dangers }) => dangers));
  });

  test("says nothing on the console", () => {
    expectNone(each(seen, ({ complaints }) => complaints));
  });

  test("is light", () => {
    const heavy = seen.filter(({ bytes, budget }) => bytes > budget);
    expectNone(each(heavy, ({ bytes, files }) => [`loads ${bytes} bytes: ${files}`]));
    const crowded = seen.filter(({ elements }) => elements > MOST_ELEMENTS);
    expectNone(each(crowded, ({ elements }) => [`has ${elements} elements`]));
  });

  test("does not jump while it loads", () => {
    expectNone(each(seen.filter(jumps), describeJump));
  });

  test("never scrolls sideways", () => {
    expectNone(each(seen, ({ wide }) => wide.map((width) => `is wider than ${width} px`)));
  });

  test("is no wider than a sheet of A4 on paper", () => {
    const wider = seen.filter(({ onPaper }) => onPaper > SHEET.width);
    expectNone(each(wider, ({ onPaper }) => [`is ${onPaper} px wide`]));
  });
});

test("no page has a script of its own or loads from elsewhere", { tag: SAFE }, async ({
  baseURL,
}) => {
  expectNone(each(await builtPages(baseURL), ({ dangers }) => dangers));
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
    return repeated.map((id) => /** @type {Finding} */ ([url, `has two of #${id}`]));
  });
  expectNone([...dead, ...twice]);
});

test.describe("on a phone, in the dark", () => {
  test.describe.configure({ mode: "default" });

  /** @type {Awaited<ReturnType<typeof lookOnPhone>>[]} */
  let seen;
  /** @type {Finding[]} */
  let unseen;

  test.beforeAll(async ({ browser, baseURL }) => {
    const open = () =>
      Promise.all([
        newPage(browser, { colorScheme: "dark", viewport: PHONE }),
        browser.newPage({ javaScriptEnabled: false, viewport: PHONE }),
      ]);
    ({ seen, unseen } = await once("phone", baseURL, open, lookOnPhone));
  });

  test("can be looked at", () => expectNone(unseen));

  test("is accessible", () => expectNone(each(seen, ({ barriers }) => barriers)));

  test("does not jump while it loads", () => {
    expectNone(each(seen.filter(jumps), describeJump));
  });

  test("has charts whose letters can be read", () => {
    const small = seen.filter(({ letters }) => letters < LETTERS);
    expectNone(each(small, ({ letters }) => [`has letters of ${letters.toFixed(1)} px`]));
  });

  test("shows the same numbers without JavaScript", () => {
    expectNone(each(seen, ({ missing }) => missing));
  });
});

/** @typedef {[url: string, text: string]} Finding what is wrong with a page */

/**
 * @template {{ url: string }} Page
 * @param {readonly Page[]} pages
 * @param {(page: Page) => string[]} texts
 * @returns {Finding[]}
 */
function each(pages, texts) {
  return pages.flatMap((page) =>
    texts(page).map((text) => /** @type {Finding} */ ([page.url, text])),
  );
}

/** @param {Finding[]} findings */
function expectNone(findings) {
  for (const finding of findings) {
    test.info().annotations.push({ type: FINDING, description: finding.join(" ") });
  }
  expect(findings.map((finding) => finding.join(" "))).toEqual([]);
}

/** @param {{ shift: number }} page */
function jumps({ shift }) {
  return shift > NO_SHIFT;
}

/** @param {{ shift: number, moved: string }} page */
function describeJump({ shift, moved }) {
  return [`shifts by ${shift.toFixed(4)}:${moved}`];
}

/**
 * Look at pages, or read what was seen: after a failure the other tests run in a new worker. One that
 * cannot be looked at, or takes too long, costs itself only.
 *
 * @template Seen
 * @param {string} name
 * @param {string | undefined} baseURL
 * @param {() => Promise<import("@playwright/test").Page[]>} open
 * @param {(pages: import("@playwright/test").Page[], url: string) => Promise<Seen>} look
 * @returns {Promise<{ seen: Seen[], unseen: Finding[] }>}
 */
async function once(name, baseURL, open, look) {
  const folder = test.info().project.outputDir; // empty when a run begins
  const file = path.join(folder, `${name}.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8"));
  const seen = [];
  /** @type {Finding[]} */
  const unseen = [];
  mkdirSync(folder, { recursive: true });
  const chosen = await visited(name, baseURL);
  const end = Date.now() + chosen.length * PATIENCE;
  test.setTimeout(chosen.length * PATIENCE + 2 * LONGEST);
  let pages = await open();
  for (const url of chosen) {
    const left = Math.min(LONGEST, end - Date.now());
    try {
      seen.push(await within(left, () => look(pages, url)));
    } catch (error) {
      unseen.push([url, `cannot be looked at: ${error}`]);
      for (const page of pages) void page.context().close();
      pages = await open();
    }
  }
  for (const page of pages) await page.context().close();
  writeFileSync(file, JSON.stringify({ seen, unseen }));
  return { seen, unseen };
}

/**
 * @template Result
 * @param {number} milliseconds
 * @param {() => Promise<Result>} work
 * @returns {Promise<Result>}
 */
async function within(milliseconds, work) {
  if (milliseconds <= 0) throw new Error("the pages before it took all the time");
  const over = new AbortController();
  const timeOut = setTimeout(milliseconds, undefined, over).then(() => {
    throw new Error(`it took more than ${milliseconds / 1000} s`);
  });
  try {
    return await Promise.race([work(), timeOut]);
  } finally {
    timeOut.catch(() => {});
    over.abort();
  }
}

/**
 * @param {import("@playwright/test").Page[]} pages
 * @param {string} url
 */
async function lookAtDesk([page], url) {
  await page.setViewportSize(DESK);
  await page.emulateMedia({ media: "screen" });
  const visited = await visit(page, url);
  const { hasGraph, elements } = await page.evaluate(() => ({
    hasGraph: document.querySelector("flame-graph, function-matrix, release-comparison") !== null,
    elements: document.querySelectorAll("*").length,
  }));
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
  const onPaper = await page.evaluate(
    ([turned, more]) => {
      const tables = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(`${turned}`)]);
      const over = tables.map(({ scrollWidth }) => scrollWidth - Number(more));
      for (const table of tables) table.style.display = "none";
      return Math.max(document.documentElement.scrollWidth, ...over);
    },
    [TURNED, SHEET.height - SHEET.width],
  );
  const budget = hasGraph && !REPORT_OR_RELEASE.test(url) ? BUDGET_OF_GRAPHS : BUDGET;
  return { url, ...visited, elements, barriers: found, wide, onPaper, budget };
}

/**
 * @param {import("@playwright/test").Page[]} pages the second one without JavaScript
 * @param {string} url
 */
async function lookOnPhone([page, plain], url) {
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
  await wakeGraphs(page);
  await plain.goto(url);
  const [without, with_] = await Promise.all([plain, page].map(shownNumbers));
  const missing = [];
  if (!(await plain.locator("h1").isVisible())) missing.push("no heading");
  if (without.tables !== with_.tables) missing.push("other tables");
  if (without.emptyDrawings > 0) missing.push(`${without.emptyDrawings} drawings are not there`);
  return { url, shift, moved, letters, missing, barriers: await barriers(page) };
}

/** @param {import("@playwright/test").Page} page */
function shownNumbers(page) {
  return page.evaluate((shown) => {
    const parts = [...document.querySelectorAll(shown)].map((part) => {
      const copy = /** @type {Element} */ (part.cloneNode(true));
      // Links to rows are a script's.
      for (const link of copy.querySelectorAll(".anchor")) link.remove();
      return copy.textContent?.trim();
    });
    const drawings = [...document.querySelectorAll("flame-graph > svg, svg.chart-drawing")];
    return {
      tables: parts.join("\n"),
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
