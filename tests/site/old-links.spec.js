/** Links that people have kept lead to what they led to, or on to it. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";

const LINKS = readFileSync(fileURLToPath(new URL("old-links.txt", import.meta.url)), "utf8")
  .split("\n")
  .filter((line) => line && !line.startsWith("#"));

test("old links lead to their pages, files and places on pages", async ({ page, request }) => {
  test.setTimeout(LINKS.length * 3000);
  /** @type {string[]} */
  const dead = [];
  for (const link of LINKS) {
    const [address, fragment] = link.split("#");
    const response = await request.get(address);
    if (response.status() !== 200) dead.push(`${link}: ${response.status()}`);
    if (!fragment) continue;
    await page.goto(link);
    // What comes before the dot is a graph of which the rest is the state.
    const id = fragment.includes("=") ? fragment.slice(0, fragment.lastIndexOf(".")) : fragment;
    const target = page.locator(`[id="${decodeURIComponent(id)}"]`);
    if ((await target.count()) !== 1) dead.push(`${link}: no such place`);
  }
  expect(dead).toEqual([]);
});

for (const old of ["2.0-beta/", "2.0-beta/point/", "2.0/point/"]) {
  test(`what was renamed says so at ${old} and leads on`, async ({ page }) => {
    await page.goto(`reports/renamed/${old}`);
    await expect(page.locator("h1")).toContainText("is now called");
    await expect(page.locator("main")).toContainText("is called so since it was released");
    await page.locator("main .links a").click();
    await expect(page).toHaveURL(/\/reports\/renamed\/2\.0\/(select\/)?$/);
    await expect(page.locator("h1")).toContainText("2.0");
  });
}
