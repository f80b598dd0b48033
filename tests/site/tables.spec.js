/** What a reader can do with a table. */

import { expect, test } from "@playwright/test";

/** The first table of the site that has a column of numbers and enough rows to sort. */
test.beforeEach(async ({ page, request, baseURL }) => {
  const sitemap = await (await request.get("sitemap.xml")).text();
  const { origin } = new URL(baseURL ?? "");
  for (const [, url] of sitemap.matchAll(/<loc>(.*?)<\/loc>/g)) {
    await page.goto(origin + new URL(url).pathname);
    if ((await sortable(page).count()) > 0) return;
  }
  throw new Error("no page of this site has a table to sort");
});

test("sorts by a column, either way, and back to the order of the page", async ({ page }) => {
  const table = sortable(page).first();
  const column = await table
    .locator("tbody tr")
    .first()
    .evaluate((row) =>
      [.../** @type {HTMLTableRowElement} */ (row).cells].findIndex((cell) => cell.dataset.sort),
    );
  const head = table.locator("thead th").nth(column);
  const published = await sortValues(table, column);
  const ascending = [...published].filter(Number.isFinite).sort((a, b) => a - b);

  await head.getByRole("button").click();
  await expect(head).toHaveAttribute("aria-sort", "descending");
  expect((await sortValues(table, column)).filter(Number.isFinite)).toEqual(ascending.toReversed());

  await head.getByRole("button").press("Enter");
  await expect(head).toHaveAttribute("aria-sort", "ascending");
  const values = await sortValues(table, column);
  expect(values.filter(Number.isFinite)).toEqual(ascending);
  expect(values.slice(ascending.length).some(Number.isFinite)).toBe(false);

  await head.getByRole("button").press("Enter");
  await expect(head).not.toHaveAttribute("aria-sort");
  expect(await sortValues(table, column)).toEqual(published);
});

test("keeps the first column in sight where it scrolls sideways", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const table = sortable(page).first();
  const scroller = page.locator(".scroller").filter({ has: table }).first();
  const head = table.locator("tbody th").first();
  const before = await head.boundingBox();
  await scroller.evaluate((element) => element.scrollTo({ left: element.scrollWidth }));
  expect((await head.boundingBox())?.x).toBe(before?.x);
});

test("copies the link of a row", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const row = sortable(page).first().locator("tbody tr").first();
  const id = await row.getAttribute("id");
  await row.hover();
  await row.locator("a.anchor").click();
  await expect(page.getByText("Link copied")).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(decodeURIComponent(new URL(copied).hash)).toBe(`#${id}`);
  expect(page.url()).toBe(copied);
});

test("opens the note of a cell by key, and closes it", async ({ page }) => {
  const value = page.locator("main .noted:visible").first();
  const note = page.locator(`[id="${await value.getAttribute("popovertarget")}"]`);
  await expect(note).toBeHidden();
  await value.press("Enter");
  await expect(note).toBeVisible();
  await expect(note).toBeInViewport({ ratio: 1 });
  await page.keyboard.press("Escape");
  await expect(note).toBeHidden();
});

/** @param {import("@playwright/test").Page} page */
function sortable(page) {
  return page
    .locator("table")
    .filter({ has: page.locator("tbody tr:nth-child(3)") })
    .filter({ has: page.locator("tbody tr:first-child td[data-sort]") })
    .filter({ visible: true });
}

/**
 * @param {import("@playwright/test").Locator} table
 * @param {number} column
 */
function sortValues(table, column) {
  return table
    .locator("tbody tr")
    .evaluateAll(
      (rows, column) =>
        rows.map((row) =>
          Number(/** @type {HTMLTableRowElement} */ (row).cells[column].dataset.sort ?? "NaN"),
        ),
      column,
    );
}
