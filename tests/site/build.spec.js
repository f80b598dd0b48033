import { gunzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";

const CELL = "reports/servers/11.0-rc.1/select/";
/** As the run's own row shows it. */
const INVALID_RATE = "77,824";
const REASON = "The server was measured while its data was still being loaded.";

test("every release and step has its page, other variants too", async ({ request }) => {
  for (const path of [
    "reports/servers/",
    "reports/servers/9.4/",
    "reports/servers/10.0/insert-range-100/",
    CELL,
    `${CELL}vs/9.4/`,
    `${CELL}vs/10.0/`,
    `${CELL}@lab1--c1--8clients/`,
  ]) {
    expect((await request.get(path)).status(), path).toBe(200);
  }
});

test("a slip in a run.toml is reported with its place, and the rest is published", async ({
  page,
}) => {
  await page.goto("problems/");
  const problem = page.locator(".problem", { hasText: "operatoin" });
  await expect(problem).toContainText("20260126-120000-00000000/run.toml:22");
  await expect(problem).toContainText("operation");
  await page.goto("reports/servers/10.0/select/");
  await expect(page.locator("h1")).toContainText("select");
});

test("a capture that was cut off is reported once, and the others make a graph", async ({
  page,
}) => {
  await page.goto("problems/");
  const problem = page.locator(".problem", { hasText: "ends too early" });
  await expect(problem).toHaveCount(1);
  await expect(problem).toContainText("insert/perf.2.folded.gz");
  await page.goto("reports/servers/10.0/insert-range-100/");
  await expect(page.locator("flame-graph svg").first()).toBeVisible();
  await expect(page.locator("main")).toContainText("1 of 2 captures ended too early");
  // The whole one alone gives what an operation costs.
  await expect(page.locator("main")).toContainText(/One insert cost [\d,]+ CPU ns/);
});

test("each event of a step has its graph and its files, CPU time first", async ({
  page,
  request,
}) => {
  await page.goto("reports/servers/11.0-rc.1/insert-range-100/");
  await expect(page.locator("h2", { hasText: "Where" })).toContainText([
    "Where the time goes: cpu-clock",
    "Where it waits: wait",
  ]);
  // The drawing of the page has each label in a drawing of its own.
  await expect(page.locator("flame-graph svg:not(svg svg)")).toHaveCount(2);
  const stacks = page.getByRole("link", { name: "Folded stacks" });
  const addresses = await stacks.evaluateAll((links) =>
    links.map((link) => link.getAttribute("href") ?? ""),
  );
  expect(new Set(addresses).size).toBe(2);
  for (const address of addresses) expect((await request.get(address)).status()).toBe(200);
});

test("the quality of a profile is beside its graph, and what is poor in words", async ({
  page,
}) => {
  await page.goto(CELL);
  const graph = page.locator("figure.graph").first();
  await expect(graph.locator(".notice")).toContainText([/\d+ samples only/]);
  const facts = graph.locator("dl.facts");
  await expect(facts).toBeHidden();
  await graph.getByText("Profile quality").click();
  await expect(facts).toBeVisible();
  await expect(facts.locator("dt")).toContainText(["Captures", "Captured", "Event", "Samples"]);
  await expect(facts).toContainText("the process under test");
  await expect(facts.locator("div", { hasText: "What it does" })).toContainText("other");
});

test("a release lists its profiles with their quality", async ({ page }) => {
  await page.goto("reports/servers/11.0-rc.1/");
  const rows = page.locator("#quality tbody tr");
  await expect(rows).toContainText([
    "select, lab1, c1, 2 clients, cpu-clock",
    "insert range=100, lab1, c1, 2 clients, cpu-clock",
    "insert range=100, lab1, c1, 2 clients, wait",
  ]);
});

test("an invalid run is in no figure, and its reason is shown", async ({ page }) => {
  await page.goto("reports/servers/10.0/");
  await expect(page.locator("main")).toContainText(REASON);
  await page.goto("reports/servers/10.0/select/");
  await expect(page.locator("main")).toContainText(REASON);
  const results = page.locator("table").first();
  await expect(results).not.toContainText(INVALID_RATE);
  await expect(results).toContainText("5,063");
  const row = page.locator("tr", { hasText: INVALID_RATE });
  await expect(row).toContainText("20260126-091500-");
});

test("a page with a graph needs the letters alone that nearly every page has", async ({ page }) => {
  /** @type {string[]} */
  const fonts = [];
  page.on("request", (request) => {
    if (request.resourceType() === "font") fonts.push(request.url().replace(/.*\//, ""));
  });
  await page.goto(CELL);
  const graph = page.locator("flame-graph").first();
  await graph.scrollIntoViewIfNeeded();
  await graph.getByRole("searchbox").fill("hash");
  await expect(graph.locator(".flame-graph-found")).not.toBeEmpty();
  await page.evaluate(() => document.fonts.ready);
  expect(fonts).toEqual(["serif-roman.woff2"]);
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
  const release = page.locator('#releases-table a[href*="img-src-x"]').first();
  await release.click();
  await expect(page.locator("h1")).toContainText("<img src=x onerror=alert(1)>");
  await page.locator('main a[href*="calc"]').first().click();
  await expect(page.locator("flame-graph svg").first()).toBeVisible();
  await expect(page.locator('img[src="x"]')).toHaveCount(0);
  expect(messages).toEqual([]);
});
