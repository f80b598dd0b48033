/** The timeline of one operation, on the page of a step. */

import { expect, test } from "@playwright/test";

const PAGE = "reports/servers/10.0/insert-range-100/";

test("shows where the time of an operation went, and which spans are slow", async ({ page }) => {
  await page.goto(PAGE);
  const figure = page.locator("figure.chart", { has: page.locator(".chart-timeline") });
  await expect(figure).toHaveCount(1);
  await expect(figure.locator("figcaption").first()).toContainText(
    "Marked as slow: a span whose own time, without that of the spans inside it",
  );
  await expect(figure.locator(".chart-bar")).toHaveCount(6);
  await expect(figure.locator(".chart-colour-slow .chart-label")).toHaveText([
    "read the record",
    "read the metadata",
  ]);
  const drawing = figure.getByRole("img", { name: "Timeline of EXPLAIN (TRACE) INSERT" });
  await expect(drawing).toBeVisible();
  await expect(drawing.locator("desc")).toContainText("Marked as slow: a span whose own time");
});

test("has all of it as a table that says what is marked as slow", async ({ page }) => {
  await page.goto(PAGE);
  const figure = page.locator("figure.chart", { has: page.locator(".chart-timeline") });
  await figure.getByText("as a table").click();
  const table = figure.getByRole("table");
  await expect(table.locator("tbody tr")).toHaveCount(6);
  const slow = table.locator("tbody tr", { has: page.locator("td", { hasText: /^slow$/ }) });
  await expect(slow).toHaveCount(2);
  await expect(slow.first()).toContainText("4.573606");
});

test("is read without a script, and its names are text", async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(new URL(PAGE, baseURL).href);
  const labels = page.locator(".chart-timeline .chart-label");
  await expect(labels.nth(3)).toContainText('"><img src=x');
  await expect(page.locator("figure.chart img")).toHaveCount(0);
  await context.close();
});

test("fits a telephone", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(PAGE);
  const drawing = page.locator(".chart-timeline");
  const box = await drawing.boundingBox();
  expect(box?.width ?? 0).toBeGreaterThan(250);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360);
});
