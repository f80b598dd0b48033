/** Names of functions: where they break on a phone, and that they are copied as they are. */

import { expect, test } from "@playwright/test";

const CELL = "reports/servers/11.0-rc.1/select/";
const MATRIX = "reports/servers/steps/select/";

/** What a line may end with: a space, a scope, a sign between the parts of a long word. */
const END_OF_LINE = /(\s|::|[_<./(@,-]|[a-z](?=\n[A-Z]))\n/;

/**
 * @param {import("@playwright/test").Locator} names
 * @returns {Promise<string[]>} their texts, a line break where the browser starts a line
 */
function linesOf(names) {
  return names.evaluateAll((found) =>
    found.map((name) => {
      const walker = document.createTreeWalker(name, NodeFilter.SHOW_TEXT);
      let [text, top] = ["", Number.NaN];
      while (walker.nextNode()) {
        const node = /** @type {Text} */ (walker.currentNode);
        if (node.parentElement?.matches(".anchor")) continue;
        for (let at = 0; at < node.data.length; at += 1) {
          const range = document.createRange();
          range.setStart(node, at);
          range.setEnd(node, at + 1);
          const [box] = range.getClientRects();
          if (box && box.top > top + 4) text += "\n";
          if (box) top = box.top;
          text += node.data[at];
        }
      }
      return text.trim();
    }),
  );
}

/** @param {import("@playwright/test").Page} page whose folded tables are opened: some are beside a graph */
function unfold(page) {
  return page.locator("details.functions").evaluateAll((all) => {
    for (const each of all) /** @type {HTMLDetailsElement} */ (each).open = true;
  });
}

test.describe("on a phone", () => {
  test.use({ viewport: { width: 360, height: 740 } });

  for (const [what, address, selector] of [
    ["a table of functions", CELL, "function-table tbody th"],
    ["a matrix", MATRIX, "function-matrix tbody th"],
    ["a diff", `${CELL}vs/9.4/`, "main .name"],
  ]) {
    test(`names of ${what} break between their parts`, async ({ page }) => {
      await page.goto(address);
      await unfold(page);
      const names = page.locator(selector);
      await names.first().scrollIntoViewIfNeeded();
      const shown = await linesOf(names);
      expect(shown.length).toBeGreaterThan(3);
      for (const text of shown) {
        const broken = text.split(/(?<=\n)/).slice(0, -1);
        for (const [at, line] of broken.entries()) {
          expect(line + text.split("\n")[at + 1], text).toMatch(END_OF_LINE);
        }
      }
      expect(shown.join("")).toContain("\n");
    });
  }
});

test("a name breaks where the page lets it, whoever made the row", async ({ page }) => {
  await page.goto(CELL);
  await unfold(page);
  const table = page.locator("function-table").first();
  await page.locator("flame-graph").first().scrollIntoViewIfNeeded();
  await expect(table.locator("tbody th > a:not(.anchor)").first()).toBeVisible();
  const names = () =>
    table
      .locator("tbody th > a:not(.anchor)")
      .evaluateAll((found) => found.map((name) => [name.textContent, name.innerHTML]));
  const published = await names();
  expect(published.join()).toContain("<wbr>");
  await table.locator("thead th").nth(1).getByRole("button").click();
  await expect(table.locator("output")).toContainText("functions");
  const made = new Map(/** @type {[string, string][]} */ (await names()));
  let compared = 0;
  for (const [name, html] of published) {
    if (!made.has(name ?? "")) continue;
    expect(made.get(name ?? "")).toBe(html);
    compared += 1;
  }
  expect(compared).toBeGreaterThan(5);
});

test("a name whose namespace the head says is copied whole", async ({ page }) => {
  await page.goto(CELL);
  await unfold(page);
  const name = page.locator("function-table tbody th").first();
  const copied = await name.evaluate((link) => {
    link.innerHTML = '<span class="namespace">db::</span>Heap::<wbr>push';
    getSelection()?.selectAllChildren(link);
    return getSelection()?.toString();
  });
  expect(copied).toBe("db::Heap::push");
  const own = name.locator(".namespace");
  expect(await own.evaluate((each) => getComputedStyle(each, "::before").content)).toContain("…");
  expect((await own.boundingBox())?.width).toBeLessThan(12);
});
