/**
 * Selecting a function in the table beside a graph, or a frame in the graph, shows both, and moves the
 * window only where they are out of it.
 */

import { expect } from "@playwright/test";
import { test } from "./complaints.js";

const STEP = "reports/servers/11.0-rc.1/select/";
const PAGES = [STEP, `${STEP}vs/9.4/`];
const HEIGHT = 700;

/**
 * Scroll so that the top of a graph is so far below the window's upper edge.
 *
 * @param {import("@playwright/test").Page} page
 * @param {number} below pixels
 */
async function scrollGraphTo(page, below) {
  // The viewer comes when its graph does.
  await page.locator("flame-graph").first().scrollIntoViewIfNeeded();
  const drawing = page.locator("flame-graph svg[role=group]").first();
  await expect(drawing).toBeAttached();
  await drawing.evaluate((element, top) => {
    scrollTo({ top: element.getBoundingClientRect().top + scrollY - top, behavior: "instant" });
  }, below);
}

/**
 * @param {import("@playwright/test").Page} page
 * @param {string} selector
 * @returns {Promise<boolean>} whether all of an element is in the window, and in its scroller
 */
function isInSight(page, selector) {
  return page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      const around = element.closest(".scroller")?.getBoundingClientRect();
      const [first, last] = [Math.max(around?.top ?? 0, 0), around?.bottom ?? innerHeight];
      return top >= first - 1 && bottom <= Math.min(last, innerHeight) + 1;
    });
}

/** @param {import("@playwright/test").Page} page */
const windowTop = (page) => page.evaluate(() => scrollY);

/**
 * Wait until the page has settled after a selection.
 *
 * @param {import("@playwright/test").Page} page
 */
async function expectFrameInSight(page) {
  await expect(page.locator("flame-graph [role=treeitem]:focus")).toHaveCount(1);
  await expect.poll(() => isInSight(page, "flame-graph .cursor")).toBe(true);
}

for (const address of PAGES) {
  for (const by of ["mouse", "keyboard"]) {
    /**
     * @param {import("@playwright/test").Page} page
     * @param {number} row
     */
    const selectRow = async (page, row) => {
      const link = page
        .locator("function-table tbody tr")
        .nth(row)
        .locator("th a:not(.anchor)")
        .first();
      if (by === "mouse") return link.click();
      await link.evaluate((element) => element.focus({ preventScroll: true }));
      await page.keyboard.press("Enter");
    };

    test(`a row of ${address} moves no window that shows its frame, by ${by}`, async ({ page }) => {
      await page.setViewportSize({ width: 1440, height: HEIGHT });
      await page.goto(address);
      for (const below of [40, 180]) {
        for (const row of [0, 1, 2]) {
          await scrollGraphTo(page, below);
          const before = await windowTop(page);
          await selectRow(page, row);
          await expectFrameInSight(page);
          await expect.poll(() => isInSight(page, "function-table tr.current")).toBe(true);
          expect(await windowTop(page)).toBe(before);
        }
      }
    });

    test(`a row of ${address} brings its frame into view where it is not, by ${by}`, async ({
      page,
    }) => {
      await page.setViewportSize({ width: 1440, height: HEIGHT });
      await page.goto(address);
      // All but the first rows of the graph are below the window's edge.
      await scrollGraphTo(page, HEIGHT - 60);
      const before = await windowTop(page);
      await selectRow(page, 0);
      await expectFrameInSight(page);
      await expect.poll(() => isInSight(page, "function-table tr.current")).toBe(true);
      // No farther than need be: half a window would be the middle.
      if (by === "keyboard") expect((await windowTop(page)) - before).toBeLessThan(HEIGHT / 2);
    });

    test(`a frame of ${address} moves no window, and its row is in sight, by ${by}`, async ({
      page,
    }) => {
      await page.setViewportSize({ width: 1440, height: HEIGHT });
      await page.goto(address);
      const tree = page.locator("flame-graph [role=treeitem]").first();
      // At 500 most of the table is below the window's edge.
      for (const below of [60, 500]) {
        await scrollGraphTo(page, below);
        const before = await windowTop(page);
        if (by === "mouse") {
          const box = await page.locator("flame-graph svg[role=group]").first().boundingBox();
          await page.mouse.click((box?.x ?? 0) + 12, (box?.y ?? 0) + 74);
        } else {
          await tree.evaluate((element) => element.focus({ preventScroll: true }));
          for (const key of ["ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
        }
        await expect(page.locator("function-table tr.current")).toHaveCount(1);
        await expectFrameInSight(page);
        await expect.poll(() => isInSight(page, "function-table tr.current")).toBe(true);
        if (below < 100) expect(await windowTop(page)).toBe(before);
        await page.keyboard.press("w");
      }
    });

    test(`on a phone a row of ${address} leads to its frame, and a frame stays, by ${by}`, async ({
      page,
    }) => {
      await page.setViewportSize({ width: 360, height: 640 });
      await page.goto(address);
      const fold = page.locator("details.functions > summary").first();
      if (await fold.isVisible()) await fold.click();
      await scrollGraphTo(page, 40);
      await selectRow(page, 0);
      await expectFrameInSight(page);
      const before = await windowTop(page);
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("Enter");
      await expectFrameInSight(page);
      expect(await windowTop(page)).toBe(before);
    });
  }
}

for (const viewport of [
  { width: 1440, height: 500 },
  { width: 360, height: 500 },
]) {
  test(`what can be done with a frame is in sight with it, ${viewport.width} px wide`, async ({
    page,
  }) => {
    await page.setViewportSize(viewport);
    await page.goto(`${STEP}vs/9.4/`);
    await scrollGraphTo(page, 450);
    await page.locator("flame-graph input[type=search]").first().press("Enter");
    await page.locator("flame-graph [role=treeitem]").first().focus();
    await page.keyboard.press("End");
    await expectFrameInSight(page);
    await expect.poll(() => isInSight(page, ".flame-graph-views")).toBe(true);
    const frame = await page.locator("flame-graph .cursor").first().boundingBox();
    const foot = await page.locator(".flame-graph-foot").first().boundingBox();
    expect((frame?.y ?? 0) + (frame?.height ?? 0)).toBeLessThanOrEqual((foot?.y ?? 0) + 1);
  });
}
