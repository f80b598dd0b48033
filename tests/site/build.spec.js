import { gunzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";
import { crawl, idsOf } from "./crawl.js";

const CELL = "reports/servers/11.0-rc.1/select/";
const INVALID_RATE = "77,777";
const REASON = "The server was measured while its data was still being loaded.";

test.describe("the whole site", () => {
  /** @type {import("./crawl.js").Crawl} */
  let site;
  test.beforeAll(async ({ baseURL }) => {
    site = await crawl(String(baseURL));
  });

  test("has the pages of all releases and steps", async ({ baseURL }) => {
    const paths = site.pages.map(({ url }) => url.slice(String(baseURL).length));
    expect(paths).toEqual(
      expect.arrayContaining([
        "",
        "problems/",
        "reports/servers/",
        "reports/servers/9.4/",
        "reports/servers/10.0/insert-range-100/",
        CELL,
        `${CELL}vs/9.4/`,
        `${CELL}vs/10.0/`,
        `${CELL}@lab1--c1--8clients/`,
      ]),
    );
  });

  test("has no link that leads nowhere", () => {
    const ids = new Map(site.pages.map(({ url, html }) => [url, idsOf(html)]));
    const broken = site.pages.flatMap(({ url, links }) =>
      links
        .filter((link) => leadsNowhere(new URL(link), new URL(url).origin))
        .map((link) => `${url}: ${link}`),
    );
    expect(broken).toEqual([]);

    /**
     * @param {URL} link
     * @param {string} origin
     */
    function leadsNowhere(link, origin) {
      if (link.origin !== origin) return false;
      const address = link.href.replace(/#.*/, "");
      if (site.statuses.get(address) !== 200) return true;
      const fragment = decodeURIComponent(link.hash.slice(1));
      // `#graph.frame=…` is the state of a graph, not an anchor.
      if (!fragment || fragment.includes("=")) return false;
      return ids.has(address) && !ids.get(address)?.has(fragment);
    }
  });

  test("needs no other host", () => {
    const elsewhere = site.pages.flatMap(({ url, html }) =>
      [...html.matchAll(/<(?:script|link|img|iframe|source)[^>]*(?:src|href)="(https?:[^"]*)"/g)]
        .map(([, address]) => address)
        .filter((address) => new URL(address).origin !== new URL(url).origin),
    );
    expect(elsewhere).toEqual([]);
  });

  test("is an independent page at every address: one title, one heading, a description", () => {
    const bad = site.pages.filter(
      ({ html }) =>
        html.match(/<title>[^<]+<\/title>/g)?.length === 0 ||
        html.match(/<h1[\s>]/g)?.length !== 1 ||
        !/<meta name="?description"? content="[^"]+"/.test(html),
    );
    expect(bad.map(({ url }) => url)).toEqual([]);
  });

  test("shows nothing of a run that is invalid but its reason", () => {
    const shown = site.pages.filter(({ html }) => html.includes(REASON)).map(({ url }) => url);
    expect(shown.some((url) => url.endsWith("/reports/servers/10.0/select/"))).toBe(true);
    expect(shown.some((url) => url.endsWith("/reports/servers/10.0/"))).toBe(true);
  });
});

test("a slip in a run.toml is told with its place, and the rest is published", async ({ page }) => {
  await page.goto("problems/");
  const problem = page.locator(".problem", { hasText: "operatoin" });
  await expect(problem).toContainText("20260126-120000-00000000/run.toml:22");
  await expect(problem).toContainText("operation");
  await page.goto("reports/servers/10.0/select/");
  await expect(page.locator("h1")).toContainText("select");
});

test("a capture that was cut off is told once, and the others make a graph", async ({ page }) => {
  await page.goto("problems/");
  const problem = page.locator(".problem", { hasText: "insert/perf.2.folded.gz" });
  await expect(problem).toHaveCount(1);
  await page.goto("reports/servers/10.0/insert-range-100/");
  await expect(page.locator("flame-graph svg").first()).toBeVisible();
  await expect(page.locator("main")).toContainText("perf.2.folded.gz");
});

test("an invalid run is in no figure", async ({ page }) => {
  await page.goto("reports/servers/10.0/select/");
  await expect(page.locator("main")).toContainText(REASON);
  const results = page.locator("table").first();
  await expect(results).not.toContainText(INVALID_RATE);
  await expect(results).toContainText("5,0");
});

test.describe("downloads of a step", () => {
  test("the flame graph is well-formed and carries nothing from elsewhere", async ({
    page,
    request,
  }) => {
    const svg = await (await request.get(`${CELL}flamegraph.svg`)).text();
    const error = await page.evaluate((text) => {
      const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
      return parsed.querySelector("parsererror")?.textContent ?? parsed.documentElement.nodeName;
    }, svg);
    expect(error).toBe("svg");
    expect(svg).toContain("hash_search_with_hash_value");
    expect(svg.replaceAll("http://www.w3.org/", "")).not.toMatch(/https?:\/\//);
  });

  test("the stacks are folded stacks, of the weight that the profile has", async ({ request }) => {
    const packed = await (await request.get(`${CELL}stacks.folded.gz`)).body();
    const lines = gunzipSync(packed)
      .toString()
      .split("\n")
      .filter((line) => line && !line.startsWith("#"));
    for (const line of lines) expect(line).toMatch(/^.+ \d+$/);
    const total = lines.reduce((sum, line) => sum + BigInt(line.split(" ").at(-1) ?? 0), 0n);
    const profile = await (await request.get(`${CELL}profile.json`)).json();
    expect(profile.format).toBe("perfpress-profile");
    expect(total).toBe(BigInt(profile.total));
  });

  test("the metrics are the same as CSV and as JSON", async ({ request }) => {
    const csv = await (await request.get(`${CELL}metrics.csv`)).text();
    const [head, ...rows] = csv.trim().split(/\r?\n/);
    expect(rows.length).toBeGreaterThan(0);
    expect(head.split(",").length).toBeGreaterThan(2);
    const metrics = await (await request.get(`${CELL}metrics.json`)).json();
    expect(JSON.stringify(metrics)).toContain("throughput");
    expect(csv).toContain("throughput");
  });
});

test("names that are markup are shown, not obeyed", async ({ page }) => {
  const messages = /** @type {string[]} */ ([]);
  page.on("dialog", (dialog) => {
    messages.push(dialog.message());
    void dialog.dismiss();
  });
  page.on("console", (message) => {
    if (message.type() === "error") messages.push(message.text());
  });
  page.on("pageerror", (error) => messages.push(error.message));
  await page.goto("reports/img-src-x-onerror-alert-1-script-alert-1-script-report/");
  await expect(page.locator("h1")).toContainText("<script>alert(1)</script>");
  const release = page.locator('main a[href*="img-src-x"]').first();
  await release.click();
  await expect(page.locator("h1")).toContainText("<img src=x onerror=alert(1)>");
  await page.locator('main a[href*="calc"]').first().click();
  await expect(page.locator("flame-graph svg").first()).toBeVisible();
  await expect(page.locator('img[src="x"]')).toHaveCount(0);
  expect(messages).toEqual([]);
});
