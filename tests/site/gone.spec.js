/** Functions that only the base has: a ranked list on the page, and a lane of the graph on request. */

import { expect } from "@playwright/test";
import { test } from "./complaints.js";

const DIFF = "reports/servers/11.0-rc.1/select/vs/9.4/";
const NAME = /^Gone: in 9\.4, not in 11/;

/** @param {import("@playwright/test").Page} page */
function diffOf(page) {
  const graph = page.locator("flame-graph");
  return { graph, frame: graph.getByRole("treeitem") };
}

test("the list leads to frames that are drawn then, and back the lane is folded", async ({
  page,
}) => {
  await page.goto(DIFF);
  const { graph, frame } = diffOf(page);
  const list = page.getByRole("table", { name: /^Gone: functions of 9\.4/ });
  const button = graph.getByRole("button", { name: NAME });
  await expect(button).toHaveAttribute("aria-expanded", "false");
  await expect(graph.locator("text.lane")).toHaveCount(1);
  const selves = await list.locator("tbody td:nth-child(2)").allTextContents();
  expect(selves.length).toBeGreaterThan(0);
  expect(selves.map(Number)).toEqual(selves.map(Number).sort((a, b) => b - a));
  const link = list.locator("tbody th a:not(.anchor)").first();
  const name = (await link.textContent()) ?? "";
  await link.click();
  await expect(frame).toBeFocused();
  await expect(frame).toHaveAccessibleName(new RegExp(`${name}, gone`));
  await expect(frame).toBeInViewport();
  await page.keyboard.press("w");
  await expect(graph.locator("text.lane")).toHaveCount(1);
});

for (const by of ["mouse", "keyboard"]) {
  for (const width of [360, 1440]) {
    test(`the lane is drawn on demand and brought into view, by ${by} at ${width} px`, async ({
      page,
    }) => {
      await page.setViewportSize({ width, height: 700 });
      await page.goto(DIFF);
      const { graph, frame } = diffOf(page);
      const button = graph.getByRole("button", { name: NAME });
      if (by === "mouse") await button.click();
      else {
        await frame.focus();
        await page.keyboard.press("PageDown");
      }
      await expect(button).toHaveAttribute("aria-expanded", "true");
      await expect(graph.locator("text.lane")).toHaveCount(2);
      await expect(frame).toBeFocused();
      await expect(frame).toBeInViewport();
      await page.reload();
      await expect(graph.locator("text.lane")).toHaveCount(2);
      await button.click();
      await expect(graph.locator("text.lane")).toHaveCount(1);
      await expect(page).not.toHaveURL(/gone/);
    });
  }
}

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the list is read, and the drawing opened", async ({ page }) => {
    await page.goto(DIFF);
    await expect(page.getByRole("table", { name: /^Gone: functions of 9\.4/ })).toBeVisible();
    const fold = page.locator("details.flame-graph-gone");
    await expect(fold.locator("svg").first()).toBeHidden();
    await fold.locator("summary").click();
    await expect(fold.locator("svg").first()).toBeVisible();
  });
});
