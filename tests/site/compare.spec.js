/** Any two releases, compared in a browser: the choices, the link, the same numbers as built pages. */

import { readFile } from "node:fs/promises";
import { expect } from "@playwright/test";
import { test } from "./complaints.js";
import { barriers } from "./visit.js";

const PAGE = "reports/servers/compare/";
const PAIR = "#step=select&a=9.4&b=11.0-rc.1";

/** @param {import("@playwright/test").Page} page */
function partsOf(page) {
  const result = page.locator(".comparison-result");
  return {
    result,
    title: result.getByRole("heading", { level: 2 }),
    facts: result.locator("dl.facts").first(),
    matched: result.locator("[data-part=matched]"),
    graph: result.locator("flame-graph"),
    rows: result.locator("function-table tbody tr"),
    status: page.locator(".comparison-status"),
    step: page.getByLabel("Step"),
    base: page.locator("select[name=a]"),
    after: page.locator("select[name=b]"),
    swap: page.getByRole("button", { name: "Swap base and after" }),
  };
}

/**
 * @param {import("@playwright/test").Page} page
 * @param {string} [fragment]
 */
async function open(page, fragment = PAIR) {
  // A change of the fragment alone loads nothing.
  await page.goto("about:blank");
  await page.goto(PAGE + fragment);
  await expect(partsOf(page).matched).toHaveText(/could be matched/);
}

/** @param {import("@playwright/test").Locator} cells */
async function texts(cells) {
  return (await cells.allTextContents()).map((text) => text.replace(/\s+/g, " ").trim());
}

test("shows the same as every built page, number by number", async ({ page, baseURL }) => {
  test.slow(); // two pages a pair
  await page.goto(PAGE);
  const built = await page
    .locator("#section-built ~ figure a")
    .evaluateAll((links) => links.map((link) => /** @type {HTMLAnchorElement} */ (link).href));
  const pages = built.filter((url) => url.includes("/vs/"));
  expect(pages.length).toBeGreaterThan(4);
  for (const url of pages) {
    const [, release, step, base] = /([^/]+)\/([^/]+)\/vs\/([^/]+)\/$/.exec(url) ?? [];
    await page.goto(url);
    const published = await (await page.request.get(new URL("diff.json", url).href)).json();
    const facts = await texts(page.locator(".lead > dl.facts").first().locator("dt, dd"));
    // Above it a built page has the verdict, for which a comparison would need the runs.
    const matched = await texts(page.locator(".lead p.small", { hasText: "could be matched" }));
    // The graph wakes its table: names are links from then on.
    await expect(page.locator("function-table th button.sort").first()).toBeVisible();
    const heads = await texts(page.locator("function-table thead th"));
    const rows = await texts(page.locator("function-table tbody :is(th.name > a:first-child, td)"));
    const legend = await texts(page.locator(".flame-graph-legend span"));
    expect(await page.locator(".about-graph > p").count()).toBeGreaterThan(1);
    const about = await texts(page.locator(".about-graph > p"));

    await open(page, `#step=${step}&a=${base}&b=${release}`);
    const parts = partsOf(page);
    expect(await texts(parts.facts.locator("dt, dd"))).toEqual(facts);
    expect(await texts(parts.matched)).toEqual(matched);
    expect(await texts(parts.result.locator("function-table thead th"))).toEqual(heads);
    const own = parts.result.locator("function-table tbody :is(th.name > a:first-child, td)");
    await expect.poll(() => texts(own)).toEqual(rows);
    expect(await texts(parts.result.locator(".flame-graph-legend span"))).toEqual(legend);
    const lines = await texts(parts.result.locator(".about-graph > p"));
    expect(about.slice(0, 2)).toEqual(lines.slice(0, 2));
    await expect(parts.result.getByRole("link", { name: "a page of its own" })).toHaveAttribute(
      "href",
      new URL(url, baseURL).href,
    );
    // The whole of it: tree, weights, noise, what was joined.
    const download = page.waitForEvent("download");
    await parts.result.getByRole("button", { name: "Diff, JSON" }).click();
    expect(JSON.parse(await readFile(await (await download).path(), "utf8"))).toEqual(published);
  }
});

test("a pair without a page has the diff as well, and the other way round leads to its page", async ({
  page,
}) => {
  await open(page, "#step=select&a=10.0&b=9.4");
  const parts = partsOf(page);
  await expect(parts.title).toHaveText("select: 9.4 against 10.0");
  await expect(parts.facts).toContainText("5,063 → 5,003 transactions/s −1.2 %");
  await expect(parts.result.locator(".flame-graph-legend")).toContainText("in 9.4 than in 10.0");
  await expect(parts.result.locator("figure.graph")).toContainText("captures of 10.0");
  await expect(parts.result.getByRole("link", { name: "a page of its own" })).toHaveAttribute(
    "href",
    /servers\/10\.0\/select\/vs\/9\.4\/$/,
  );
});

test("without a choice the base and the newest release are compared, and the address says so", async ({
  page,
}) => {
  await page.goto(PAGE);
  const parts = partsOf(page);
  await expect(parts.facts).toContainText(/transactions\/s −\d/);
  await expect(parts.result.getByRole("link", { name: "a page of its own" })).toBeVisible();
  await expect(parts.result).toContainText("Verdict against 9.4: slower");
  // At once, without a click.
  await expect(parts.matched).toHaveText(/could be matched/);
  await expect(parts.graph).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`${PAGE}${PAIR}$`));
  await expect(page).toHaveTitle(/select: 11\.0 rc1 against 9\.4, Servers from 9\.4 to 11\.0 – /);
});

test("choices stand in the address, and the browser goes back through them", async ({ page }) => {
  await open(page);
  const parts = partsOf(page);
  await parts.base.selectOption("10.0");
  await expect(parts.title).toHaveText("select: 11.0 rc1 against 10.0");
  await expect(page).toHaveURL(/#step=select&a=10\.0&b=11\.0-rc\.1$/);
  await parts.step.selectOption("insert range=100");
  await expect(parts.title).toHaveText("insert range=100: 11.0 rc1 against 10.0");
  await parts.swap.press("Enter");
  await expect(parts.title).toHaveText("insert range=100: 10.0 against 11.0 rc1");
  await expect(parts.swap).toBeFocused();
  await expect(page).toHaveURL(/#step=insert-range-100&a=11\.0-rc\.1&b=10\.0$/);
  await expect(parts.matched).toHaveText(/could be matched/);
  for (const title of [
    "insert range=100: 11.0 rc1 against 10.0",
    "select: 11.0 rc1 against 10.0",
    "select: 11.0 rc1 against 9.4",
  ]) {
    await page.goBack();
    await expect(parts.title).toHaveText(title);
  }
  await expect(parts.base).toHaveValue("9.4");
  await page.goForward();
  await expect(parts.title).toHaveText("select: 11.0 rc1 against 10.0");
  await expect(parts.rows.first()).toBeVisible();
});

test("the link keeps what the graph shows, from one pair to the next", async ({ page }) => {
  await open(page, `${PAIR}&x=1&diff.basis=share&diff.frame=ExecIndexScan`);
  const parts = partsOf(page);
  const basis = parts.graph.getByLabel("Compare");
  await expect(basis).toHaveValue("share");
  await expect(parts.graph.locator(".flame-graph-legend")).toContainText("larger share of");
  await expect(parts.result.locator("function-table thead")).toContainText("self, %");
  await parts.base.selectOption("10.0");
  await expect(parts.title).toHaveText("select: 11.0 rc1 against 10.0");
  await expect(basis).toHaveValue("share");
  await expect(page).toHaveURL(/&x=1&.*diff\.frame=.*ExecIndexScan/);
  await basis.selectOption("operation");
  await expect(page).toHaveURL(/#step=select&a=10\.0&b=11\.0-rc\.1&x=1&diff\.frame=/);
});

test("a press on an anchor of the page keeps the pair and the graph's state", async ({ page }) => {
  await open(page, "#step=select&a=10.0&b=9.4&diff.basis=share");
  await page.locator("#section-built a.anchor").click();
  await expect(page).toHaveURL(/#step=select&a=10\.0&b=9\.4&section-built&diff\.basis=share$/);
  await expect(partsOf(page).title).toHaveText("select: 9.4 against 10.0");
  await expect(partsOf(page).graph.getByLabel("Compare")).toHaveValue("share");
});

test("a name in the table leads to the frame, sorts and searches", async ({ page }) => {
  await open(page);
  const { rows, graph, result } = partsOf(page);
  const name = (await rows.first().locator("th a").textContent()) ?? "";
  await rows.first().locator("th a").click();
  await expect(page).toHaveURL(/diff\.frame=/);
  await expect(graph).toContainText(`The graph shows ${name}`);
  await graph.getByRole("searchbox").fill("hash");
  await expect(rows.first()).toContainText("hash");
  await expect(result.locator("function-table output")).toContainText("found");
});

test("what a link asks for and is not there is reported with what there is", async ({ page }) => {
  await page.goto(`${PAGE}#step=select&a=8.0&b=11.0-rc.1`);
  const { status, result, base, title } = partsOf(page);
  await expect(status).toContainText(
    "asks for the release “8.0”, which is not in this report. Its releases: 9.4, 10.0, 11.0-rc.1.",
  );
  await expect(result).toHaveCount(0);
  await expect(page).toHaveURL(/a=8\.0/);
  await base.selectOption("10.0");
  await expect(title).toHaveText("select: 11.0 rc1 against 10.0");
  await expect(status).toBeEmpty();
});

test("one release on both sides is nothing to compare", async ({ page }) => {
  await page.goto(`${PAGE}#step=select&a=9.4&b=9.4`);
  await expect(partsOf(page).status).toHaveText(/Both sides are the same/);
});

test("a link under former names is followed, and says why", async ({ page }) => {
  await page.goto("reports/renamed/compare/#step=point&a=2.0-beta&b=2.0-beta");
  const { status } = partsOf(page);
  await expect(status).toContainText("Release “2.0-beta” is now called “2.0”");
  await expect(status).toContainText("Step “point” is now called “select”");
  await expect(page).toHaveURL(/#step=select&a=2\.0&b=2\.0$/);
});

test("another variant is compared by its numbers, where it has no profile", async ({ page }) => {
  await open(page, "#step=select&a=10.0&b=11.0-rc.1");
  const { title, facts, result, graph } = partsOf(page);
  await page.locator("select[name=b-variant]").selectOption("lab1--c1--8clients");
  await expect(title).toContainText("11.0 rc1 on");
  await expect(page).toHaveURL(/&b=11\.0-rc\.1@lab1--c1--8clients$/);
  await expect(facts).toContainText("→ 11,007 transactions/s +117.4 %");
  await expect(result).toContainText("There is no profile of 11.0 rc1 on");
  await expect(result).toContainText("different variants");
  await expect(graph).toHaveCount(0);
});

/**
 * Let the page have other profiles than those of the site.
 *
 * @param {import("@playwright/test").Page} page
 * @param {(profiles: any[], release: string) => any[]} change
 */
async function changeProfiles(page, change) {
  await page.route("**/compare/steps/select.json", async (route) => {
    const data = await (await route.fetch()).json();
    for (const cell of data.cells) {
      if (cell.profiles) cell.profiles = change(cell.profiles, cell.release);
    }
    await route.fulfill({ json: data });
  });
}

test("events that the two have no part of in common are compared by shares", async ({ page }) => {
  await changeProfiles(page, ([profile], release) => [
    release === "9.4" ? { ...profile, event: "cycles", unit: "cycles" } : profile,
  ]);
  await open(page);
  const { result, graph, facts } = partsOf(page);
  await expect(result).toContainText("9.4 was sampled by cycles (cycles), 11.0 rc1 by cpu-clock");
  await expect(facts).toContainText("the two have no profiles of the same event and unit");
  expect(await texts(graph.getByLabel("Compare").locator("option"))).toEqual([
    "share of all",
    "share of the zoomed frame",
  ]);
});

test("of several events that both have, one can be chosen", async ({ page }) => {
  await changeProfiles(page, ([profile]) => [
    profile,
    { ...profile, event: "wait", main: undefined },
  ]);
  await open(page);
  const { result } = partsOf(page);
  await expect(result).toContainText("Both were captured with wait, too");
  await page.getByLabel("Event").selectOption("wait");
  await expect(result).toContainText("This is of wait. Both were captured with cpu-clock, too");
  await expect(page).toHaveURL(/&b=11\.0-rc\.1&event=wait$/);
  await page.reload();
  await expect(page.getByLabel("Event")).toHaveValue("wait");
  await page.goto(`${PAGE}${PAIR}&event=branches`);
  await expect(partsOf(page).status).toHaveText(
    "The two have no profiles of branches. They have cpu-clock, wait.",
  );
});

test("a run that a correction takes out is reported", async ({ page }) => {
  await open(page, "#step=select&a=9.4&b=10.0");
  await expect(partsOf(page).result).toContainText("10.0: Run 20260126-091500-");
  await expect(partsOf(page).result).toContainText("data was still being loaded");
});

test("a release whose runs are all taken out says why, and has nothing to compare", async ({
  page,
}) => {
  await page.route("**/compare/steps/select.json", async (route) => {
    const data = await (await route.fetch()).json();
    const cell = data.cells.find((/** @type {any} */ { release }) => release === "9.4");
    const notices = ["Run 1 is invalid: a disk was full"];
    Object.assign(cell, { metrics: {}, profiles: undefined, missing: "a disk was full", notices });
    await route.fulfill({ json: data });
  });
  await page.goto(PAGE + PAIR);
  const { result, facts, base } = partsOf(page);
  await expect(facts).toContainText("– → 4,403 transactions/s 9.4: a disk was full");
  await expect(result).toContainText("9.4: Run 1 is invalid: a disk was full");
  await expect(result).toContainText("There is no profile of 9.4, so there are only these numbers");
  await expect(base.locator("option:checked")).toHaveText("9.4, no profile");
});

test("a profile that cannot be fetched is reported, and the numbers stay", async ({
  page,
  complaints,
}) => {
  await page.route("**/9.4/select/profile.json", (route) => route.abort());
  await page.goto(PAGE + PAIR);
  const { result, facts } = partsOf(page);
  await expect(result).toContainText("The profiles could not be compared");
  await expect(facts).toContainText("5,003 → 4,403 transactions/s");
  complaints.length = 0;
});

for (const [kind, file, body, words] of /** @type {const} */ ([
  ["profile", "profile.json", '{"format": "perfpress-profile", "version": 2}', "version 2"],
  ["cut profile", "profile.json", '{"format": "perfpr', "no JSON"],
  ["list of captures", "captures.json.gz", "[]", "no captures"],
])) {
  test(`a ${kind} that is not what it should be is reported`, async ({ page }) => {
    await page.route(`**/9.4/select/${file}`, (route) => route.fulfill({ body }));
    await page.goto(PAGE + PAIR);
    const { result } = partsOf(page);
    await expect(result).toContainText(
      new RegExp(`could not be compared: http.*${file}: ${words}`),
    );
  });
}

test("hostile names stay names", async ({ page }) => {
  await page.goto("reports/");
  const report = await page.locator('a[href*="report/"]').first().getAttribute("href");
  await page.goto(`${report}compare/`);
  await expect(partsOf(page).status).toHaveText(/Choose a step, and a release on either side/);
  expect(await page.locator("release-comparison img").count()).toBe(0);
});

test.describe("without a script", () => {
  test.use({ javaScriptEnabled: false });

  test("says that choosing needs one, and lists the pairs that have pages", async ({ page }) => {
    await page.goto(PAGE);
    await expect(page.getByText("Choosing needs JavaScript.")).toBeVisible();
    await expect(page.locator(".comparison-choices")).toBeHidden();
    const pairs = page.locator("#section-built ~ figure tbody tr");
    await expect(pairs).toHaveCount(3);
    await expect(pairs.first().locator("td a").first()).toHaveAttribute("href", /\/vs\/9\.4\/$/);
  });
});

test("is chosen and read by keyboard alone", async ({ page }) => {
  await open(page);
  const { base, after, title, swap } = partsOf(page);
  await base.focus();
  await page.keyboard.press("ArrowDown");
  await expect(title).toHaveText("select: 11.0 rc1 against 10.0");
  await expect(base).toBeFocused();
  for (let presses = 0; presses < 3; presses++) {
    await page.keyboard.press("Tab");
    if (await after.evaluate((element) => element === document.activeElement)) break;
  }
  await expect(after).toBeFocused();
  await swap.focus();
  await page.keyboard.press("Space");
  await expect(title).toHaveText("select: 10.0 against 11.0 rc1");
});

for (const { colorScheme, width } of /** @type {const} */ ([
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 360 },
])) {
  test(`has nothing that keeps readers out, ${colorScheme} and ${width} px wide`, async ({
    page,
  }) => {
    test.slow(); // axe looks at every frame
    await page.setViewportSize({ width, height: 740 });
    await page.emulateMedia({ colorScheme });
    await open(page);
    await expect(partsOf(page).rows.first()).toBeVisible();
    expect(await barriers(page)).toEqual([]);
    const scrolled = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(scrolled).toBeLessThanOrEqual(width);
  });
}
