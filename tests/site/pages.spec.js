/** What is true of every page of the site, whatever it shows. Each test lists all pages that fail. */

import { AxeBuilder } from "@axe-core/playwright";
import { expect, test } from "@playwright/test";
import { HtmlValidate, StaticConfigLoader } from "html-validate";

/** Milliseconds that a page may take. */
const PATIENCE = 10_000;
/** Pages that axe looks at: of a larger site every second, third …, as it takes seconds for each. */
const MOST_LOOKED_AT = 40;

const NARROW = { width: 320, height: 640 };
const WIDE = { width: 1280, height: 800 };
/** A4 less 1 cm at each edge. */
const SHEET = { width: 718, height: 1047 };

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

test("is valid HTML", async ({ request, baseURL }) => {
  const failures = [];
  for (const url of await pagesOf(request, baseURL)) {
    const html = await (await request.get(url)).text();
    const report = await validator.validateString(html, url);
    for (const { messages } of report.results) {
      failures.push(
        ...messages.map(({ line, ruleId, message }) => `${url}:${line}: ${ruleId}: ${message}`),
      );
    }
  }
  expect(failures).toEqual([]);
});

for (const { scheme, viewport } of /** @type {const} */ ([
  { scheme: "light", viewport: WIDE },
  { scheme: "dark", viewport: NARROW },
])) {
  test(`is accessible, ${scheme} and ${viewport.width} px wide`, async ({
    browser,
    request,
    baseURL,
  }) => {
    const context = await browser.newContext({ colorScheme: scheme, viewport });
    const page = await context.newPage();
    const failures = [];
    const pages = await pagesOf(request, baseURL);
    const step = Math.ceil(pages.length / MOST_LOOKED_AT);
    for (const url of pages.filter((_, index) => index % step === 0)) {
      await page.goto(url);
      const { violations } = await new AxeBuilder({ page }).analyze();
      for (const { id, nodes } of violations) {
        failures.push(
          ...nodes.map(({ target, failureSummary }) => [url, id, target, failureSummary]),
        );
      }
    }
    await context.close();
    expect(failures).toEqual([]);
  });
}

test("never scrolls sideways", async ({ page, request, baseURL }) => {
  /** @type {string[]} */
  const failures = [];
  for (const url of await pagesOf(request, baseURL)) {
    await page.goto(url);
    for (const width of [320, 360, 768]) {
      await page.setViewportSize({ width, height: 640 });
      // The viewer draws anew when it has seen the new width.
      const fits = page.waitForFunction(
        () => document.documentElement.scrollWidth <= document.documentElement.clientWidth,
        undefined,
        { timeout: 2000 },
      );
      await fits.catch(() => failures.push(`${url} at ${width} px`));
    }
  }
  expect(failures).toEqual([]);
});

test("is no wider than a sheet of A4 on paper", async ({ page, request, baseURL }) => {
  /** @type {string[]} */
  const failures = [];
  await page.setViewportSize(SHEET);
  await page.emulateMedia({ media: "print" });
  for (const url of await pagesOf(request, baseURL)) {
    await page.goto(url);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    if (width > SHEET.width) failures.push(`${url} is ${width} px wide`);
  }
  expect(failures).toEqual([]);
});

test("asks no other host and says nothing on the console", async ({ page, request, baseURL }) => {
  /** @type {string[]} */
  const failures = [];
  const { origin } = new URL(baseURL ?? "");
  page.on("request", (asked) => {
    const url = new URL(asked.url());
    if (url.protocol !== "data:" && url.origin !== origin) {
      failures.push(`${page.url()} asks for ${asked.url()}`);
    }
  });
  page.on("requestfailed", (asked) => {
    // Going on to the next page stops what is still on its way.
    if (asked.failure()?.errorText === "net::ERR_ABORTED") return;
    failures.push(`${page.url()} fails to get ${asked.url()}`);
  });
  page.on("console", (message) => failures.push(`${page.url()} says ${message.text()}`));
  page.on("pageerror", (error) => failures.push(`${page.url()} throws ${error.message}`));
  for (const url of await pagesOf(request, baseURL)) await page.goto(url);
  expect(failures).toEqual([]);
});

test("shows the same numbers without JavaScript", async ({ browser, page, request, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const plain = await context.newPage();
  const failures = [];
  for (const url of await pagesOf(request, baseURL)) {
    await page.goto(url);
    await plain.goto(url);
    if (!(await plain.locator("h1").isVisible())) failures.push(`${url}: no heading`);
    const [without, with_] = await Promise.all(
      // What a reader chooses to compare is not there without a script.
      [plain, page].map((shown) =>
        shown.locator("main :is(td, th, figcaption):not(release-comparison *)").allTextContents(),
      ),
    );
    if (without.join("\n") !== with_.join("\n")) failures.push(`${url}: other tables`);
    const drawings = plain.locator("flame-graph > svg, svg.chart-drawing");
    for (const drawing of await drawings.all()) {
      const box = await drawing.boundingBox();
      if (!box?.height) failures.push(`${url}: a drawing is not there`);
    }
  }
  await context.close();
  expect(failures).toEqual([]);
});

test("has no dead link and no dead fragment", async ({ page, request, baseURL }) => {
  /** @type {Map<string, Set<string>>} */
  const anchors = new Map();
  /** @type {[string, string][]} */
  const links = [];
  for (const url of await pagesOf(request, baseURL)) {
    await page.goto(url);
    const found = await page.evaluate(() => ({
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
    anchors.set(new URL(url).pathname, new Set(found.ids));
    for (const link of found.links) links.push([url, link]);
  }

  const { origin } = new URL(baseURL ?? "");
  /** @type {Map<string, number>} */
  const statuses = new Map();
  const failures = [];
  for (const [from, link] of links) {
    const { origin: host, pathname, hash } = new URL(link);
    if (host !== origin) continue;
    let status = statuses.get(pathname);
    if (status === undefined) {
      status = (await request.get(origin + pathname)).status();
      statuses.set(pathname, status);
    }
    const ids = anchors.get(pathname);
    if (status !== 200) failures.push(`${from} links to ${link}: ${status}`);
    // A fragment with an equals sign is the state of a graph, not an anchor.
    else if (hash && ids && !hash.includes("=") && !ids.has(decodeURIComponent(hash.slice(1)))) {
      failures.push(`${from} links to ${link}: no such anchor`);
    }
  }
  expect([...new Set(failures)]).toEqual([]);
});

/**
 * The addresses of all pages, where this test's server has them, and of the one for lost readers.
 *
 * @param {import("@playwright/test").APIRequestContext} request
 * @param {string | undefined} baseURL
 */
async function pagesOf(request, baseURL) {
  const sitemap = await (await request.get("sitemap.xml")).text();
  const { origin } = new URL(baseURL ?? "");
  const urls = [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(
    ([, url]) => origin + new URL(url).pathname,
  );
  expect(urls.length).toBeGreaterThan(4);
  test.setTimeout(urls.length * PATIENCE);
  return [...urls, new URL("404.html", baseURL).href];
}
