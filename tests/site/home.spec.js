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

test("what changed stays beside the reports in a wide window, however long its names", async ({
  page,
}) => {
  await page.setViewportSize({ width: 2560, height: 900 });
  await page.goto("");
  const table = page.locator("#latest-changes");
  await table.locator("tbody td.words").evaluateAll((cells) => {
    for (const cell of cells) cell.textContent = "A name that is long, and longer. ".repeat(4);
  });
  const box = await page.locator(".scroller", { has: table }).boundingBox();
  const reports = await page.locator(".with-changes .listing").boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan(reports?.x ?? 0);
});

for (const width of [768, 1100, 1366]) {
  test(`long names break before a column is out of sight at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto("");
    const table = page.locator("#latest-changes");
    await table.locator("tbody td.words:not(:nth-child(3))").evaluateAll((cells) => {
      for (const cell of cells) cell.textContent = "A name that is long, and longer. ".repeat(2);
    });
    const scroller = page.locator(".scroller", { has: table });
    expect(await scroller.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  });
}

test("no word of a short name is broken for the long ones beside it", async ({ page }) => {
  await page.setViewportSize({ width: 768, height: 900 });
  await page.goto("");
  const rows = page.locator("#latest-changes tbody tr");
  const lines = await rows.locator("td.words:not(:nth-child(3))").evaluateAll((cells) => {
    for (const cell of cells) cell.textContent = "A name that is long, and longer. ".repeat(8);
    return cells
      .filter((cell) => cell.matches(":last-child"))
      .map((cell) => {
        cell.textContent = "Benchmark";
        const word = document.createRange();
        word.selectNodeContents(cell);
        return word;
      })
      .map((word) => word.getClientRects().length);
  });
  expect(new Set(lines)).toEqual(new Set([1]));
});

test("the list of reports uses the page: what each found stands beside its name", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("reports/");
  const first = page.locator(".listing li").first();
  await first
    .locator("p")
    .first()
    .evaluate((text) => {
      text.textContent = "What was found, in many words. ".repeat(40);
    });
  const [name, note, text] = await Promise.all(
    ["a", ".note", "p"].map((part) => first.locator(part).first().boundingBox()),
  );
  expect(text?.x).toBeGreaterThan(500);
  // What the report holds follows its name at once.
  expect((note?.y ?? 0) - (name?.y ?? 0)).toBeLessThan(60);
});

test("words of a host's few columns take one line where the page has room", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("hosts/lab1/");
  const lines = await page.locator("#releases tbody td.words").evaluateAll((cells) =>
    cells.map((cell) => {
      if (!cell.querySelector("*"))
        cell.textContent = "22 slower, 3 faster, 7 faster in one run, 3 too noisy for a verdict";
      const range = document.createRange();
      range.selectNodeContents(cell);
      return new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size;
    }),
  );
  expect(Math.max(...lines)).toBe(1);
});
