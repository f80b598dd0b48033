/** What a reader can do with a table that is too long for one page. */

import { expect, test } from "@playwright/test";

const ROWS = [
  ["1.0", "1.0", 0],
  ["1.0.1", "1.0.1", 0],
  ["2.0", "Two", 1],
];

/** A page of releases, by its place. */
const pageOf = (/** @type {number} */ at) => `<!doctype html><title>A part</title>
  <table id="releases-table"><thead><tr><th>Release</th><th>Runs</th></tr></thead><tbody>${ROWS.filter(
    ([, , page]) => page === at,
  )
    .map(
      ([key, name], row) => `<tr id="releases-table.${key}"><th scope="row">${name}</th>
        <td class="words"><button popovertarget="releases-table@${row + 1}">–</button>
        <span id="releases-table@${row + 1}" popover>Note on ${name}</span></td></tr>`,
    )
    .join("")}</tbody></table>`;

/** A page whose table of releases has others on the pages of another report's, as of a thousand. */
test.beforeEach(async ({ page }) => {
  await page.goto("reports/");
  const reports = await page
    .locator("main a[href*='/reports/']")
    .evaluateAll((links) => [
      ...new Set(links.map((link) => /** @type {HTMLAnchorElement} */ (link).pathname)),
    ]);
  const here = /** @type {string} */ (reports.find((path) => /\/reports\/[^/]+\/$/.test(path)));
  await page.route(`**${here}`, async (route) => {
    const response = await route.fetch();
    const html = await response.text();
    const nav = `<nav class="table-pages" aria-label="All releases" data-table="releases-table"
        data-rows="${here}releases/rows.json"><p>All releases:</p><ul>
        <li><a href="${here}releases/1/">from 1.0</a></li>
        <li><a href="${here}releases/2/">from 2.0</a></li></ul><search></search>
        <p class="all-rows"></p></nav>`;
    await route.fulfill({ response, body: html.replace('<figure class="table', `${nav}$&`) });
  });
  await page.route("**/releases/rows.json", (route) => route.fulfill({ json: { rows: ROWS } }));
  await page.route("**/releases/*/", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: pageOf(
        Number(
          route
            .request()
            .url()
            .match(/(\d+)\/$/)?.[1],
        ) - 1,
      ),
    }),
  );
  await page.goto(here);
});

test("a link to a row leads to the page that has it", async ({ page }) => {
  const { href } = await page.evaluate(() => ({ href: location.href }));
  await page.goto(`${href}#releases-table.2.0`);
  await page.waitForURL("**/releases/2/#releases-table.2.0");
});

test("a link to a cell leads to the page of its row, of names with dots too", async ({ page }) => {
  await page.evaluate(() => {
    location.hash = "#releases-table.1.0.1.base";
  });
  await page.waitForURL("**/releases/1/#releases-table.1.0.1.base");
});

test("a link to a row of this page, and to one that is gone, stays", async ({ page }) => {
  const row = await page.locator("#releases-table tbody tr").first().getAttribute("id");
  for (const id of [row, "releases-table.never"]) {
    await page.evaluate((hash) => {
      location.hash = hash;
    }, `#${id}`);
    await page.waitForTimeout(200);
    expect(page.url()).not.toContain("/releases/");
  }
});

test("a row is found by its name, by keyboard", async ({ page }) => {
  const nav = page.getByRole("navigation", { name: "All releases" });
  const field = nav.getByRole("searchbox", { name: "Search all releases" });
  await field.fill("1.0");
  await expect(nav.getByRole("search").getByRole("status")).toHaveText("2 found");
  await expect(nav.locator("search a")).toHaveText(["1.0", "1.0.1"]);
  await field.fill("tw");
  await expect(nav.locator("search a")).toHaveText(["Two"]);
  await field.press("Enter");
  await page.waitForURL("**/releases/2/#releases-table.2.0");
});

test("what nothing is called is said", async ({ page }) => {
  const nav = page.getByRole("navigation", { name: "All releases" });
  await nav.getByRole("searchbox").fill("never");
  await expect(nav.getByRole("search").getByRole("status")).toHaveText("0 found");
});

const FIRST = "#releases-table tbody th";

test("all rows are shown in one table, which is sorted, named and linked as that", async ({
  page,
}) => {
  const here = page.url();
  await page.getByRole("button", { name: "Show all releases in this table" }).click();
  await expect(page.locator(FIRST)).toHaveText(["1.0 #", "1.0.1 #", "Two #"]);
  await expect(page.locator("#caption-releases-table")).toHaveText("All releases: 3");
  await expect(page.getByRole("button", { name: "Show all releases" })).toBeHidden();
  await page.locator("#releases-table thead button").first().click();
  await expect(page.locator(FIRST)).toHaveText(["Two #", "1.0.1 #", "1.0 #"]);
  expect(page.url()).toBe(`${here}#releases-table.rows=all&releases-table.sort=-%40`);

  await page.reload();
  await expect(page.locator(FIRST)).toHaveText(["Two #", "1.0.1 #", "1.0 #"]);
});

test("among all rows each has its own note", async ({ page }) => {
  await page.getByRole("button", { name: "Show all releases in this table" }).click();
  for (const [key, name] of ROWS) {
    const row = page.locator(`[id="releases-table.${key}"]`);
    await row.locator("td button").click();
    await expect(row.getByText(`Note on ${name}`)).toBeVisible();
    await page.keyboard.press("Escape"); // it may cover the next row
  }
});

test("a link to a row among all of them stays on the page", async ({ page }) => {
  const here = page.url();
  await page.goto("about:blank");
  await page.goto(`${here}#releases-table.2.0&releases-table.rows=all`);
  await expect(page.locator("#releases-table\\.2\\.0")).toBeInViewport();
  expect(page.url()).toContain(here);
});

test("rows that cannot be loaded leave the table as it is", async ({ page }) => {
  const before = await page.locator(FIRST).allTextContents();
  await page.route("**/releases/2/", (route) => route.fulfill({ status: 503, body: "" }));
  const all = page.getByRole("button", { name: "Show all releases in this table" });
  await all.click();
  await expect(page.getByText("The rows of other pages could not be loaded.")).toBeVisible();
  await expect(page.locator(FIRST)).toHaveText(before.map((each) => each.trim()));
  await expect(all).toBeEnabled();
});
