/** The page for addresses that do not exist: where to look, and the nearest that do. */

import { expect } from "@playwright/test";
import { test } from "./complaints.js";

const NEAR = "near-addresses a";

/** @type {[string, string, string][]} */
const LOST = [
  ["a misspelled step", "reports/servers/10.0/selcet/", "reports/servers/10.0/select/"],
  ["a release that is not there", "reports/servers/10.1/select/", "reports/servers/10.0/select/"],
  ["a part too much", "reports/servers/10.0/select/vs/8/", "reports/servers/10.0/select/"],
  ["no slash and other letters", "Reports/Servers/10.0/SELECT.", "reports/servers/10.0/select/"],
  ["a section of the site", "problem/", "problems/"],
];

for (const [what, address, nearest] of LOST) {
  test(`${what} leads to the nearest address`, async ({ page, baseURL, complaints }) => {
    await page.goto(address);
    const link = page.locator(NEAR).first();
    await expect(link).toHaveAttribute("href", new URL(`${baseURL}${nearest}`).pathname);
    await link.click();
    await expect(page).toHaveURL(`${baseURL}${nearest}`);
    await expect(page.locator("h1")).not.toHaveText("No such page");
    forgiveMissing(complaints);
  });
}

test("the proposals are announced, and follow the links in the order of keys", async ({
  page,
  complaints,
}) => {
  await page.goto("reports/servers/10.0/selcet/");
  await expect(page.getByRole("status").getByRole("heading", { level: 2 })).toHaveText(
    /^The nearest address/,
  );
  await page.getByRole("link", { name: "at home" }).focus();
  await page.keyboard.press("Tab");
  await expect(page.locator(NEAR).first()).toBeFocused();
  forgiveMissing(complaints);
});

for (const address of [
  "reports/servers/10.0/%3Cimg%20src=x%20onerror=alert(1)%3E/",
  "reports/servers/10.0/select%22%3E%3Cscript%3Ealert(1)%3C/script%3E/",
  "%E0%A4%A/%00/..%2f..%2fetc/passwd",
  `${"a/".repeat(500)}${"b".repeat(2000)}`,
]) {
  test(`a hostile address is no more than text: ${address.slice(0, 40)}`, async ({
    page,
    baseURL,
    complaints,
  }) => {
    // Whatever the server makes of it: the page is that for lost readers.
    await page.route(`${baseURL}${address}`, async (route) => {
      const response = await route.fetch({ url: `${baseURL}404.html` });
      await route.fulfill({ response, status: 404 });
    });
    const index = page.waitForResponse(/search\/index\.json$/);
    await page.goto(`${baseURL}${address}`);
    await (await index).finished();
    await page.waitForFunction(() => customElements.get("near-addresses"));
    await expect(page.locator("main :is(img, script)")).toHaveCount(0);
    for (const link of await page.locator(NEAR).all()) {
      expect(await link.getAttribute("href")).toMatch(/^\/perf\/[\w./-]*$/);
    }
    forgiveMissing(complaints);
  });
}

test("what is near to nothing gets no proposal, and no heading above it", async ({
  page,
  complaints,
}) => {
  const index = page.waitForResponse(/search\/index\.json$/);
  await page.goto("wp-login.php");
  await (await index).finished();
  await expect(page.locator("h1")).toHaveText("No such page");
  await expect(page.locator("near-addresses")).toBeEmpty();
  forgiveMissing(complaints);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("an address that never was shows where to look, from any depth", async ({
    page,
    baseURL,
    complaints,
  }) => {
    const response = await page.goto("reports/servers/12/no/such/page/");
    expect(response?.status()).toBe(404);
    const links = await page
      .locator("main a")
      .evaluateAll((found) => found.map((link) => /** @type {HTMLAnchorElement} */ (link).href));
    expect(links).toEqual(
      ["search/", "reports/", "hosts/", "problems/", ""].map((place) => `${baseURL}${place}`),
    );
    forgiveMissing(complaints);
  });
});

/**
 * The page itself is what the browser complains of.
 *
 * @param {string[]} complaints
 */
function forgiveMissing(complaints) {
  const others = complaints.filter((each) => !each.includes("404"));
  complaints.length = 0;
  complaints.push(...others);
}
