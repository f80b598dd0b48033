/** Two files of the reader's own, compared in the browser. */

import { gzipSync } from "node:zlib";
import { expect } from "@playwright/test";
import { test } from "./complaints.js";
import { barriers } from "./visit.js";

const BASE = "db;execute;compare 5000\ndb;execute;copy 2000\ndb;reply 3000\n";
const AFTER = "db;execute;compare 5000\ndb;execute;copy 4500\ndb;reply 3000\n";

/**
 * @param {import("@playwright/test").Page} page
 * @param {string} name of a side
 * @param {string} file
 * @param {string | Buffer} content
 */
async function choose(page, name, file, content) {
  const buffer = Buffer.from(content);
  await page.locator(`input[name=${name}]`).setInputFiles({ name: file, mimeType: "", buffer });
}

test("shows the diff of two files, and sends nothing", async ({ page, baseURL }) => {
  await page.goto("compare-files/");
  await page.waitForLoadState("load");
  await expect(page.getByText("browsers run no scripts of a page")).toHaveCount(0);
  /** @type {import("@playwright/test").Request[]} */
  const asked = [];
  page.on("request", (request) => asked.push(request));
  await choose(page, "a", "before.folded", BASE);
  await expect(page.getByText("Choose the other file.")).toBeVisible();
  await choose(page, "b", "after.folded.gz", gzipSync(AFTER));
  await expect(page.locator("[data-part=matched]")).toHaveText(/^100\.0\s% of the weight/);
  await expect(page.getByRole("heading", { level: 2 })).toHaveText(
    "after.folded.gz against before.folded",
  );
  await expect(page.locator("flame-graph")).toContainText("copy");
  const first = page.locator("function-table tbody tr").first();
  await expect(first).toContainText("copy");
  await expect(first).toContainText("+16.00");
  // The worker's program, and fonts, are all that is fetched.
  const addresses = asked.map((request) => {
    expect([request.method(), request.postData()]).toEqual(["GET", null]);
    return request.url().replace(baseURL ?? "", "");
  });
  expect(addresses.filter((each) => !/^(js\/compare-files\/worker|fonts\/)/.test(each))).toEqual(
    [],
  );
  expect(await barriers(page)).toEqual([]);
});

test("swaps the sides", async ({ page }) => {
  await page.goto("compare-files/");
  await choose(page, "a", "before.folded", BASE);
  await choose(page, "b", "after.folded", AFTER);
  await expect(page.locator("[data-part=matched]")).toHaveText(/weight/);
  await page.getByRole("button", { name: "Swap base and after" }).click();
  await expect(page.getByRole("heading", { level: 2 })).toHaveText(
    "before.folded against after.folded",
  );
  await expect(page.locator("function-table tbody tr").first()).toContainText("−16.00");
});

test("says what a file is that is no capture", async ({ page }) => {
  await page.goto("compare-files/");
  await choose(page, "a", "before.folded", BASE);
  await choose(page, "b", "notes.txt", "nothing that a profiler wrote\n");
  await expect(page.locator("[data-part=status]")).toHaveText(
    /notes\.txt.*expected the output of a profiler/,
  );
});
