/** The home page on a phone: the answer is in the window, without scrolling a table. */

import { expect } from "@playwright/test";
import { test } from "./complaints.js";

test("on a phone each change has its size and its verdict in the window", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto("");
  const rows = page.locator("#latest-changes tbody tr");
  expect(await rows.count()).toBeGreaterThan(0);
  const ends = await rows.evaluateAll((found) =>
    found.flatMap((row) =>
      [...row.querySelectorAll("td")].slice(0, 2).map((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return range.getBoundingClientRect().right;
      }),
    ),
  );
  expect(Math.max(...ends)).toBeLessThanOrEqual(360 - 16);
});
