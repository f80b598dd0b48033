/** What a reader has chosen on one page of a report is chosen on the next, by way of its links. */

import { expect } from "@playwright/test";
import { test } from "./complaints.js";

const DIFF = "reports/servers/11.0-rc.1/select/vs/9.4/";

test("the basis of a diff goes along through pages without one to the next diff", async ({
  page,
}) => {
  await page.goto(DIFF);
  const basis = page.locator("flame-graph").getByLabel("Compare");
  await expect(basis).toHaveValue("operation");
  await basis.selectOption("share");
  await page.locator(".breadcrumbs a").last().click();
  await expect(page).toHaveURL(/11\.0-rc\.1\/select\/#basis=share$/);
  // A link that is followed before the page's script is there leads without what was chosen.
  await page.waitForLoadState();
  await page.locator('main a[href*="/select/vs/10.0/"]').first().press("Enter");
  await expect(page).toHaveURL(/vs\/10\.0\/#diff-11\.0-rc\.1-select-10\.0\.basis=share$/);
  await expect(basis).toHaveValue("share");
  await expect(page.locator(".flame-graph-legend")).toContainText("larger share of");

  // What the page chooses by itself is no choice, and does not go along.
  await basis.selectOption("operation");
  await page.locator(".breadcrumbs a").last().click();
  await expect(page).toHaveURL(/11\.0-rc\.1\/select\/$/);
});

test("the basis goes along to comparisons and back", async ({ page }) => {
  await page.goto(`${DIFF}#diff-11.0-rc.1-select-9.4.basis=second`);
  await page.getByRole("link", { name: "Compare other releases" }).click();
  await expect(page).toHaveURL(/compare\/#step=select&a=9\.4&b=11\.0-rc\.1&diff\.basis=second$/);
  await expect(page.locator("flame-graph").getByLabel("Compare")).toHaveValue("second");
  await page.getByRole("link", { name: "a page of its own" }).click();
  await expect(page).toHaveURL(/vs\/9\.4\/#diff-11\.0-rc\.1-select-9\.4\.basis=second$/);
  await expect(page.locator("flame-graph").getByLabel("Compare")).toHaveValue("second");
});

test("the base of ratios goes along to the tables of a variant, and back", async ({ page }) => {
  await page.goto("reports/servers/");
  const base = page.getByRole("combobox", { name: "Relative to" });
  await base.first().selectOption("10.0");
  const ratio = page.locator("table[data-values]").first().locator("tbody td").first();
  await expect(ratio).toHaveText(/^0\.99$/);
  await page.locator('main a[href$="/@lab1--c1--2clients/"]').first().click();
  await expect(page).toHaveURL(/@lab1--c1--2clients\/#.*\.base=10\.0$/);
  await expect(base.first()).toHaveValue("10.0");
  await expect(ratio).toHaveText(/^0\.99$/);
});

test("a press on an anchor of the page keeps what was chosen", async ({ page }) => {
  await page.goto("reports/servers/#basis=share");
  const base = page.getByRole("combobox", { name: "Relative to" }).first();
  await base.selectOption("10.0");
  // The line that says so moves what is below it: a press in that moment meets nothing.
  await expect(page.getByText("Ratios of medians").first()).toBeVisible();
  await page.locator("#section-releases a.anchor").click();
  await expect(page).toHaveURL(/#section-releases&.*\.base=10\.0&.*\.basis=share$/);
  await expect(base).toHaveValue("10.0");
  await page.goBack();
  await expect(page).toHaveURL(/#(?!section).*\.base=10\.0/);
  await expect(base).toHaveValue("10.0");
});

test("links to other reports, files and places of the page stay as they are", async ({ page }) => {
  await page.goto("reports/servers/11.0-rc.1/select/#basis=share");
  for (const name of ["Problems", "Reports"]) {
    const link = page.locator(`header a:has-text("${name}")`).first();
    await link.dispatchEvent("pointerdown");
    expect(await link.getAttribute("href")).not.toContain("basis");
  }
  const file = page.locator('main a[href$="metrics.csv"]').first();
  await file.dispatchEvent("pointerdown");
  expect(await file.getAttribute("href")).toMatch(/metrics\.csv$/);
});

test("a link to a place on a page leads there with the choice", async ({ page }) => {
  await page.goto("reports/servers/#section-releases&basis=share");
  await expect(page.locator("#section-releases")).toBeInViewport();
  await page.goto("reports/servers/11.0-rc.1/#section-runs&basis=share");
  await expect(page.locator("#section-runs")).toBeInViewport();
});
