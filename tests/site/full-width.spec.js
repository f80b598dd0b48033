/** A graph in the whole width of the window: on request, in the link, and back. */

import { expect } from "@playwright/test";
import { test } from "./complaints.js";

const DIFF = "reports/servers/10.0/select/vs/9.4/";

for (const width of [360, 1100, 1440]) {
  test(`it fills a window of ${width} px, and the table is below it`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(DIFF);
    const graph = page.locator("flame-graph").first();
    const id = (await graph.getAttribute("id")) ?? "";
    const button = graph.getByRole("button", { name: "Full width" });
    await button.click();
    await expect(button).toHaveAttribute("aria-pressed", "true");
    await expect.poll(() => new URL(page.url()).hash).toBe(`#${id}.width=full`);
    await page.reload();
    const picture = graph.locator("svg.flame-graph[role=group]");
    const gutters = async () => width - ((await picture.boundingBox())?.width ?? 0);
    await expect.poll(gutters).toBeLessThan(Math.max(40, width * 0.09));
    const [above, below] = await Promise.all(
      [graph, page.locator("function-table").first()].map((part) => part.boundingBox()),
    );
    expect(below?.y).toBeGreaterThan((above?.y ?? 0) + (above?.height ?? 0) - 1);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    await button.press("Enter");
    await expect(page).toHaveURL(/\/$/);
  });
}

for (const width of [1100, 1280, 1440]) {
  for (const [what, address] of [
    ["a diff", DIFF],
    ["a profile", "reports/servers/10.0/select/"],
  ]) {
    test(`the table beside ${what} shows its columns whole at ${width} px`, async ({ page }) => {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(address);
      const graph = page.locator("flame-graph").first();
      await graph.scrollIntoViewIfNeeded();
      const table = page.locator(".beside > .functions").first();
      const heads = table.locator("thead th");
      const visible = () =>
        heads.evaluateAll((all) => all.filter((each) => each.checkVisibility()).length);
      expect((await table.boundingBox())?.x).toBeGreaterThan(width / 2);
      expect(await visible()).toBeGreaterThan(2);
      const scroller = table.locator(".scroller");
      // As long as kinds are where the capture names libraries.
      await table.locator("tbody tr > :last-child").evaluateAll((cells) => {
        const shown = cells.filter((cell) => cell.checkVisibility());
        for (const cell of shown) cell.textContent = "library libstdc++.so.6.0.33";
      });
      expect(await scroller.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
      await graph.getByRole("button", { name: "Full width" }).click();
      await expect.poll(visible).toBe(await heads.count());
    });
  }
}

test("without a script the table has the page's width", async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL });
  const page = await context.newPage();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(DIFF);
  const heads = page.locator(".beside > .functions thead th");
  for (const head of await heads.all()) await expect(head).toBeVisible();
  expect((await heads.first().boundingBox())?.x).toBeLessThan(100);
  await context.close();
});

for (const width of [1100, 1220, 1340]) {
  test(`the controls of a diff are one line at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(DIFF);
    const bar = page.locator(".flame-graph-bar").first();
    await expect(bar).toBeVisible();
    const tops = await bar.evaluate((element) =>
      [...element.querySelectorAll(":scope > :is(input, button, label, details)")].map(
        (part) => part.getBoundingClientRect().bottom,
      ),
    );
    expect(Math.max(...tops) - Math.min(...tops)).toBeLessThan(12);
  });
}
