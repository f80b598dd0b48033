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

test("a function leads to its frame in the diff where it changed most", async ({ page }) => {
  await page.goto("search/?q=hash_search_with");
  const result = page.locator(".search-results li").filter({ hasText: "costs more in select" });
  await expect(result).toContainText("Function, costs more in select, 9.4 → 11.0 rc1");
  await result.getByRole("link", { name: "hash_search_with_hash_value" }).click();
  await expect(page).toHaveURL(/\/select\/vs\/9\.4\/#diff-.*\.frame=hash_search_with_hash_value$/);
  await expect(page.locator("flame-graph")).toContainText("hash_search_with");
});

test("a function leads to its row in a drilldown", async ({ page }) => {
  await page.goto("search/?q=hash_search_with");
  const result = page.locator(".search-results li").filter({ hasText: "in the drilldown" });
  await result.getByRole("link").click();
  const row = page.locator(":target");
  await expect(row).toBeInViewport();
  await expect(row.locator("td a").first()).toHaveAttribute("href", /frame=/);
});

test("a function leads into the graph where it takes most, and is searched for there", async ({
  page,
}) => {
  await page.goto("search/?q=hash_search_with");
  const result = page.locator(".search-results li").filter({ hasText: "takes most in select" });
  await result.getByRole("link").click();
  await expect(page.locator("flame-graph input").first()).toHaveValue(
    "hash_search_with_hash_value",
  );
});

test("a function that is in no short table leads to its row over all releases", async ({
  page,
}) => {
  await page.goto("search/?q=emplace_back+releases");
  const result = page.locator(".search-results li").first();
  await result.getByRole("link").click();
  await expect(page).toHaveURL(/\/steps\/.*#matrix\./);
  await expect(page.locator(":target")).toBeInViewport();
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
