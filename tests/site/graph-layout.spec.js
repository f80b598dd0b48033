/** What stands where around a graph. */

import { expect } from "@playwright/test";
import { test } from "./complaints.js";

const STEP = "reports/servers/11.0-rc.1/select/";
const DIFF = `${STEP}vs/9.4/`;

/**
 * Return where an element is on the page, however far it is scrolled.
 *
 * @param {import("@playwright/test").Locator} element
 */
function boxOf(element) {
  return element.evaluate((each) => {
    const { top, bottom, left, right, height } = each.getBoundingClientRect();
    return { top: top + scrollY, bottom: bottom + scrollY, left, right, height };
  });
}

for (const address of [STEP, DIFF]) {
  test(`controls of ${address} are one line, and what is said about the graph is folded below it`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 1440, height: 800 });
    await page.goto(address);
    const figure = page.locator("figure.graph").first();
    const graph = figure.locator("flame-graph");
    const controls = graph.locator(".flame-graph-bar > :is(label, button, details)");
    await graph.scrollIntoViewIfNeeded();
    await expect(controls).not.toHaveCount(0);
    const tops = await controls.evaluateAll((all) =>
      all.map((each) => {
        const { top, bottom } = each.getBoundingClientRect();
        return (top + bottom) / 2;
      }),
    );
    expect(Math.max(...tops) - Math.min(...tops)).toBeLessThan(8);
    const about = figure.locator(".about-graph");
    await expect(about.locator("p").first()).toBeHidden();
    expect((await boxOf(graph)).bottom).toBeLessThanOrEqual((await boxOf(about)).top);
    await about.locator("summary").click();
    await expect(about.locator("p").first()).toBeVisible();
  });
}

for (const address of [STEP, DIFF]) {
  test(`the table of functions of ${address} is beside the graph, and each follows the other`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 1440, height: 600 });
    await page.goto(address);
    const graph = page.locator("flame-graph").first();
    const table = page.locator("function-table").first();
    await graph.scrollIntoViewIfNeeded();
    await expect(table.locator("th button.sort").first()).toBeVisible();
    const [left, right] = [await boxOf(graph), await boxOf(table)];
    expect(right.left).toBeGreaterThanOrEqual(left.right);
    expect(right.top).toBeLessThan(left.bottom);
    // The last row is below the edge of the table's own window.
    const last = table.locator("tbody tr").last();
    const name = (await last.locator("th a").first().textContent()) ?? "";
    const scrolled = () => page.evaluate(() => scrollY);
    await expect(last).not.toBeInViewport();
    await graph.getByRole("treeitem").focus();
    await graph
      .locator("svg text", { hasText: new RegExp(`^${name}`) })
      .first()
      .click({ force: true });
    const before = await scrolled();
    await expect(last).toHaveAttribute("aria-current", "true");
    await expect(last).toBeInViewport();
    expect(await scrolled()).toBe(before);
    const first = table.locator("tbody tr").first();
    await first.locator("th a").first().click();
    await expect(graph.getByRole("treeitem")).toBeFocused();
    await expect(first).toHaveAttribute("aria-current", "true");
  });

  test(`below 1,100 px the table of functions of ${address} is below the graph`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 1099, height: 800 });
    await page.goto(address);
    const [graph, table] = [
      page.locator("flame-graph").first(),
      page.locator(".functions").first(),
    ];
    expect((await boxOf(table)).top).toBeGreaterThanOrEqual((await boxOf(graph)).bottom);
  });
}

test("the legend of a diff has both ends of the scale", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(DIFF);
  const legend = page.locator(".flame-graph-legend");
  await expect(legend).toBeVisible();
  await expect(legend.locator("span").first()).toHaveText(/^−[\d.,]+\+[\d.,]+ .*per operation$/);
});

test.describe("without a script", () => {
  test.use({ javaScriptEnabled: false });

  test("a diff has its legend, and what is said about it", async ({ page }) => {
    await page.goto(DIFF);
    const [legend, drawing] = await page.locator("flame-graph > svg").all();
    const [above, below] = [await boxOf(legend), await boxOf(drawing)];
    expect(above.height).toBeGreaterThan(50);
    expect(above.bottom).toBeLessThanOrEqual(below.top);
    await page.locator(".about-graph > summary").click();
    await expect(page.locator(".about-graph")).toContainText("Width: cost per operation");
  });
});
