/** Every page is beside itself as Markdown, for scripts and assistants. */

import { expect, test } from "@playwright/test";

for (const [address, says] of /** @type {[string, RegExp[]][]} */ ([
  ["./", [/\S/]],
  ["reports/servers/", [/^# Servers from/, /got slower in 4,403: /, /\n\| select \| base /]],
  ["reports/servers/11.0-rc.1/select/vs/9.4/", [/^# select: /, /\n\*\*Functions of /]],
])) {
  test(`${address} announces what it says as Markdown`, async ({ page, request }) => {
    await page.goto(address);
    const link = page.locator('head link[type="text/markdown"]');
    const url = await link.evaluate((node) => /** @type {HTMLLinkElement} */ (node).href);
    expect(new URL(url).pathname).toBe(`${new URL(page.url()).pathname}index.md`);
    const text = await (await request.get(url)).text();
    for (const each of says) expect(text).toMatch(each);
    expect(text).not.toContain("{{");
  });
}

test("a list for assistants leads to reports and documents", async ({ request }) => {
  const text = await (await request.get("llms.txt")).text();
  const links = [...text.matchAll(/\]\(([^)]+index\.md)\)/g)].map(([, link]) => new URL(link));
  expect(links.length).toBeGreaterThan(2);
  expect(text).not.toMatch(/[^\\]<script>/);
  for (const link of links) expect((await request.get(link.pathname)).status()).toBe(200);
});
