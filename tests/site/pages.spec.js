/**
 * What is true of every page of the site, whatever it shows. Each page is visited twice, at a desk and
 * on a phone, and all is looked at there: loading pages is what takes time. Each test lists all
 * pages that fail.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { HtmlValidate, StaticConfigLoader } from "html-validate";
import { barriers, newPage, visit, wakeGraphs } from "./visit.js";

/** Milliseconds that a page may take. */
const PATIENCE = 15_000;
/** Pages that axe looks at: of a larger site every second, third …, as it takes a second for each. */
const MOST_LOOKED_AT = 120;

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

  test.beforeAll(async ({ browser, request, baseURL }) => {
    seen = await once("desk", request, baseURL, async (url, isLookedAt) => {
      const page = await newPage(browser, { colorScheme: "light", viewport: DESK });
      const found = await lookAtDesk(page, url, isLookedAt);
      await page.close();
      return found;
    });
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

  test("has no dead link and no dead fragment", async ({ request }) => {
    const anchors = new Map(seen.map(({ url, ids }) => [new URL(url).pathname, new Set(ids)]));
    /** @type {Map<string, number>} */
    const statuses = new Map();
    const failures = [];
    for (const { url, links } of seen) {
      const { origin } = new URL(url);
      for (const link of links) {
        const { origin: host, pathname, hash } = new URL(link);
        if (host !== origin) continue;
        let status = statuses.get(pathname);
        if (status === undefined) {
          status = anchors.has(pathname)
            ? 200
            : (await request.get(origin + pathname, { maxRedirects: 0 })).status();
          statuses.set(pathname, status);
        }
        const ids = anchors.get(pathname);
        if (status !== 200) failures.push(`${url} links to ${link}: ${status}`);
        // A fragment with an equals sign is the state of a graph, not an anchor.
        else if (
          hash &&
          ids &&
          !hash.includes("=") &&
          !ids.has(decodeURIComponent(hash.slice(1)))
        ) {
          failures.push(`${url} links to ${link}: no such anchor`);
        }
      }
    }
    expect([...new Set(failures)]).toEqual([]);
  });
});

test.describe("on a phone, in the dark", () => {
  test.describe.configure({ mode: "default" });

  /** @type {Awaited<ReturnType<typeof lookOnPhone>>[]} */
  let seen;

  test.beforeAll(async ({ browser, request, baseURL }) => {
    const withoutScripts = await browser.newContext({ javaScriptEnabled: false, viewport: PHONE });
    const plain = await withoutScripts.newPage();
    seen = await once("phone", request, baseURL, async (url, isLookedAt) => {
      const page = await newPage(browser, { colorScheme: "dark", viewport: PHONE });
      const found = await lookOnPhone(page, plain, url, isLookedAt);
      await page.close();
      return found;
    });
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
 * Look at all pages, or read what was seen: after a failure the other tests run in a new worker.
 *
 * @template Seen
 * @param {string} name
 * @param {import("@playwright/test").APIRequestContext} request
 * @param {string | undefined} baseURL
 * @param {(url: string, isLookedAt: boolean) => Promise<Seen>} look
 * @returns {Promise<Seen[]>}
 */
async function once(name, request, baseURL, look) {
  const folder = test.info().project.outputDir; // empty when a run begins
  const file = path.join(folder, `${name}.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8"));
  const seen = [];
  for (const [url, isLookedAt] of await pagesOf(request, baseURL)) {
    seen.push(await look(url, isLookedAt));
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, JSON.stringify(seen));
  return seen;
}

/**
 * @param {import("@playwright/test").Page} page
 * @param {string} url
 * @param {boolean} isLookedAt by axe
 */
async function lookAtDesk(page, url, isLookedAt) {
  const visited = await visit(page, url);
  const { hasGraph, ...parts } = await page.evaluate(() => ({
    hasGraph: document.querySelector("flame-graph, function-matrix, release-comparison") !== null,
    ids: [...document.querySelectorAll("[id]")].map(({ id }) => id),
    links: [...document.querySelectorAll("[href], [src], [data-profile]")].map(
      (element) =>
        new URL(
          element.getAttribute("href") ??
            element.getAttribute("src") ??
            element.getAttribute("data-profile") ??
            "",
          document.baseURI,
        ).href,
    ),
  }));
  await wakeGraphs(page);
  const found = isLookedAt ? await barriers(page) : [];
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
  return { url, ...visited, ...parts, barriers: found, wide, onPaper, budget };
}

/**
 * @param {import("@playwright/test").Page} page
 * @param {import("@playwright/test").Page} plain without JavaScript
 * @param {string} url
 * @param {boolean} isLookedAt by axe
 */
async function lookOnPhone(page, plain, url, isLookedAt) {
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
  return { url, shift, moved, letters, missing, barriers: isLookedAt ? await barriers(page) : [] };
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
 * The addresses of all pages, where this test's server has them, and of the one for lost readers;
 * and whether axe looks at each.
 *
 * @param {import("@playwright/test").APIRequestContext} request
 * @param {string | undefined} baseURL
 * @returns {Promise<[string, boolean][]>}
 */
async function pagesOf(request, baseURL) {
  const sitemap = await (await request.get(new URL("sitemap.xml", baseURL).href)).text();
  const { origin } = new URL(baseURL ?? "");
  const urls = [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(
    ([, url]) => origin + new URL(url).pathname,
  );
  expect(urls.length).toBeGreaterThan(4);
  test.setTimeout(urls.length * PATIENCE);
  const step = Math.ceil(urls.length / MOST_LOOKED_AT);
  return [...urls, new URL("404.html", baseURL).href].map((url, at) => [url, at % step === 0]);
}
