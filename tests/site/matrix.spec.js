/** All functions of a step by release: what can be asked of them, with a script and without. */

import { expect } from "@playwright/test";
import { test } from "./complaints.js";
import { barriers } from "./visit.js";

const PAGE = "reports/servers/steps/select/";

/** @param {import("@playwright/test").Page} page */
async function open(page, fragment = "") {
  await page.goto(PAGE + fragment);
  await page.locator("function-matrix").scrollIntoViewIfNeeded();
  await expect(page.locator(".matrix-controls")).toBeVisible();
}

/** @param {import("@playwright/test").Page} page */
function rows(page) {
  return page.locator("function-matrix tbody tr");
}

/**
 * @param {import("@playwright/test").Page} page
 * @param {string} name
 */
function row(page, name) {
  return rows(page).filter({ has: page.getByRole("button", { name, exact: true }) });
}

/**
 * @param {import("@playwright/test").Page} page
 * @param {string} name
 */
function field(page, name) {
  return page.getByRole("combobox", { name });
}

/**
 * @param {import("@playwright/test").Locator} locator of a row
 * @returns {Promise<number[]>}
 */
async function numbers(locator) {
  const texts = await locator.first().locator("td:not(.words)").allTextContents();
  return texts.map((text) => Number(text.replace("−", "-").replace("–", "0").replaceAll(",", "")));
}

test.describe("without a script", () => {
  test.use({ javaScriptEnabled: false });

  test("reads as a table, with a sparkline for each function", async ({ page }) => {
    await page.goto(PAGE);
    const count = await rows(page).count();
    expect(count).toBeGreaterThan(20);
    await expect(page.locator("function-matrix svg.sparkline polyline")).toHaveCount(count);
    await expect(page.locator("function-matrix figcaption")).toContainText(
      "over the whole profile",
    );
    // What leads to a frame needs a script; the heads lead to the pages of the graphs.
    await expect(page.locator("function-matrix td a")).toHaveCount(0);
    await expect(page.locator("function-matrix th a").first()).toHaveAttribute(
      "href",
      /\/select\/$/,
    );
  });
});

test("each number leads to the frame once the table has been seen", async ({ page }) => {
  await open(page);
  await expect(rows(page).first().locator("td a").first()).toHaveAttribute("href", /\.frame=/);
});

test("shows what the page showed, until the reader asks for something", async ({
  page,
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL });
  const plain = await context.newPage();
  await plain.goto(PAGE);
  const published = await rows(plain).locator("td:not(.words)").allTextContents();
  await context.close();
  await open(page);
  expect(await rows(page).locator("td:not(.words)").allTextContents()).toEqual(published);
});

test("loads all functions when it is seen, or a link asks for some of them", async ({ page }) => {
  /** @type {string[]} */
  const loaded = [];
  page.on("request", (request) => loaded.push(new URL(request.url()).pathname));
  const isLoaded = () => loaded.some((path) => path.endsWith("/functions.json"));
  await page.goto(PAGE, { waitUntil: "networkidle" });
  expect(isLoaded()).toBe(false);
  await page.locator("function-matrix").scrollIntoViewIfNeeded();
  await expect.poll(isLoaded).toBe(true);
  loaded.length = 0;
  await page.goto("about:blank");
  await page.goto(`${PAGE}#matrix.sort=change`);
  await expect.poll(isLoaded).toBe(true);
});

test("a link that has the focus keeps it when all functions arrive, and a number's when they are sorted", async ({
  page,
}) => {
  const arrival = Promise.withResolvers();
  await page.route("**/functions.json", async (route) => {
    await arrival.promise;
    await route.continue();
  });
  await page.goto(PAGE);
  const anchor = rows(page).nth(1).locator("th .anchor");
  await anchor.focus();
  arrival.resolve(null);
  await expect(rows(page).first().getByRole("button")).toBeVisible();
  await expect(anchor).toBeFocused();
  const link = rows(page).nth(1).locator("td a").first();
  await link.focus();
  await page.evaluate(() => {
    location.hash = "#matrix.sort=change";
  });
  await expect(page.locator("function-matrix th[aria-sort]")).toHaveCount(1);
  await expect(link).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\.frame=/);
});

test("sorts by the change, and the link says so", async ({ page }) => {
  await open(page);
  const head = page.locator("function-matrix thead th").filter({ hasText: "Change" });
  await head.getByRole("button").click();
  await expect(head).toHaveAttribute("aria-sort", "descending");
  await expect(page).toHaveURL(/#matrix\.sort=change$/);
  const changes = [];
  for (const each of await rows(page).all()) changes.push((await numbers(each)).at(-1));
  expect(changes).toEqual(changes.toSorted((a = 0, b = 0) => b - a));
  await page.reload();
  await expect(head).toHaveAttribute("aria-sort", "descending");
});

test("opens a function up to what it called", async ({ page }) => {
  await open(page);
  const before = await rows(page).count();
  const button = row(page, "ExecIndexScan").first().getByRole("button");
  await button.press("Enter");
  await expect(row(page, "ExecIndexScan").first().getByRole("button")).toBeFocused();
  await expect(row(page, "ExecIndexScan").first().getByRole("button")).toHaveAttribute(
    "aria-expanded",
    "true",
  );
  const callees = page.locator('function-matrix tr[data-depth="1"]');
  expect(await rows(page).count()).toBe(before + (await callees.count()));
  const [whole] = await numbers(row(page, "ExecIndexScan"));
  let sum = 0;
  for (const each of await callees.all()) sum += (await numbers(each))[0];
  expect(sum).toBeGreaterThan(0);
  expect(sum).toBeLessThan(whole + 0.05);
  const address = page.url();
  await page.goto("about:blank");
  await page.goto(address);
  await expect(callees.first()).toBeVisible();
});

test("relates to a function, keeps to a call path, and shows self and cost", async ({ page }) => {
  await open(page);
  await field(page, "Percent of").fill("ExecIndexScan");
  await field(page, "Percent of").press("Enter");
  expect((await numbers(row(page, "ExecIndexScan"))).slice(0, 3)).toEqual([100, 100, 100]);
  await expect(page.locator("function-matrix figcaption")).toContainText("below ExecIndexScan");

  await field(page, "Percent of").fill("");
  await field(page, "Only below").fill("PortalRun >> ExecIndexScan");
  await field(page, "Only below").press("Enter");
  await expect(row(page, "PortalRun")).toHaveCount(0);
  const [total] = await numbers(row(page, "ExecIndexScan"));
  expect(total).toBeLessThan(100);

  await page.locator(".matrix-controls select").selectOption("self");
  expect((await numbers(row(page, "btint4cmp")))[0]).toBeGreaterThan(0);
  await page.locator(".matrix-controls select").selectOption("cost");
  await expect(page.locator("function-matrix thead .unit").first()).toContainText("CPU ns/");

  await field(page, "Only below").fill("nothing");
  await field(page, "Only below").press("Enter");
  await expect(page.getByText("No profile has nothing.")).toBeVisible();
});

test("a number leads to the frame in the release's graph", async ({ page }) => {
  await open(page);
  await row(page, "ExecIndexScan").first().locator("td a").first().click();
  await expect(page).toHaveURL(/servers\/9\.4\/select\/#flamegraph/);
  await expect(page.locator("flame-graph").first()).toContainText("ExecIndexScan");
});

test("has nothing that keeps readers out", async ({ page }) => {
  await open(page);
  await row(page, "ExecIndexScan").first().getByRole("button").click();
  expect(await barriers(page)).toEqual([]);
});

test("a call tree stands in the text, indented, in the order of the profile", async ({ page }) => {
  await page.goto("reports/servers/");
  const tree = page.locator(".calltree");
  await expect(tree.locator("figcaption")).toContainText("along the call path");
  await expect(tree.locator("tbody th").first()).toContainText("ExecIndexScan");
  await expect(tree.locator('tr[data-depth="1"]').first()).toBeVisible();
  await expect(tree.locator("thead button")).toHaveCount(0);
});
