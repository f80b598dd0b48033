import { expect, test } from "@playwright/test";

test("a slash leads to the search, and the arrows to what it finds", async ({ page }) => {
  await page.goto("reports/servers/10.0/");
  await page.keyboard.press("/");
  await expect(page).toHaveURL(/\/search\/$/);
  await expect(page.getByRole("searchbox")).toBeFocused();
  await page.keyboard.type("10.0 insert");
  await expect(page.getByRole("status").first()).toHaveText(/^\d+ found\.$/);
  await expect(page.locator(".search-results a").first()).toHaveText("insert range=100 on 10.0");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/reports\/servers\/10\.0\/insert-range-100\/$/);
});

test("what was searched for stands in the link, and a function leads into a graph", async ({
  page,
}) => {
  await page.goto("search/?q=hash_search_with");
  await page.getByRole("link", { name: "hash_search_with_hash_value" }).click();
  await expect(page.locator("flame-graph input").first()).toHaveValue(
    "hash_search_with_hash_value",
  );
});

test("the index is small, and what is markup in it is shown as it is", async ({
  page,
  request,
}) => {
  const index = await (await request.get("search/index.json")).body();
  expect(index.length).toBeLessThan(100_000);
  await page.goto("search/?q=img");
  await expect(page.locator(".search-results a").first()).toContainText("<img src=x");
  await expect(page.locator('img[src="x"]')).toHaveCount(0);
});

test("without JavaScript the page says where to look instead", async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${baseURL}search/`);
  await page.getByRole("link", { name: "the list of reports" }).click();
  await expect(page).toHaveURL(/\/reports\/$/);
  await context.close();
});
