/** The table of functions beside a graph, in a browser; it has more than fit on one page of it. */

import { expect } from "@playwright/test";
import { diffGraph } from "../../pipeline/flamegraph/graph/diff_graph.js";
import {
  diffFunctions,
  profileFunctions,
  tableHead,
} from "../../pipeline/flamegraph/graph/function_table.js";
import { profileGraph } from "../../pipeline/flamegraph/graph/profile_graph.js";
import { inlineDiffSvg } from "../../pipeline/flamegraph/svg/diff_svg.js";
import { escapeXml } from "../../pipeline/flamegraph/svg/markup.js";
import { inlineProfileSvg } from "../../pipeline/flamegraph/svg/profile_svg.js";
import { diffProfiles } from "../../pipeline/profile/diff/diff.js";
import { HOSTILE_NAMES, profileOf } from "../profile/profiles.js";
import { test } from "./complaints.js";
import { openGraphs } from "./graph_page.js";
import { barriers } from "./visit.js";

/** `small_0` to `small_119` of weights 1 to 120, below `scan`, which is also below itself. */
const PROFILE = profileOf([
  ...Array.from({ length: 120 }, (_, index) => ({
    frames: ["t", "scan", `small_${index}`],
    weight: index + 1,
  })),
  { frames: ["t", "scan", "next", "scan"], weight: 500 },
  { frames: ["t", "sort", "compare"], weight: 2000 },
  { frames: ["t", "sort", "write@kernel"], weight: 240 },
]);
const HOSTILE = profileOf(
  HOSTILE_NAMES.map((name, index) => ({ frames: ["t", name], weight: 100 + index })),
);

/** Rows that the page comes with. */
const BROUGHT = 30;

const BASE = profileOf([
  { frames: ["t", "scan"], weight: 300 },
  { frames: ["t", "sort", "compare"], weight: 700 },
]);
const AFTER = profileOf([
  { frames: ["t", "scan"], weight: 600 },
  { frames: ["t", "sort", "compare"], weight: 600 },
]);
const DIFF = diffProfiles(BASE, AFTER, {
  baseLabel: "16",
  afterLabel: "18",
  bases: { cost_per_operation: { base: 1 / 100, after: 1 / 100 } },
});

/**
 * What the template writes.
 *
 * @param {string} svg
 * @param {import("../../pipeline/flamegraph/graph/function_table.js").FunctionTable} functions
 */
function bodyOf(svg, functions) {
  const head = tableHead(functions, BROUGHT);
  const heads = head.columns.map(
    ({ key, label, unit }) =>
      `<th scope="col" class="number" data-column="${key}">${label} <span class="unit">${unit}</span></th>`,
  );
  const rows = head.rows.map(
    ({ id, name, kind, cells }, index) =>
      `<tr id="f${index}" data-function="${escapeXml(id)}"><th scope="row" class="name">${escapeXml(name)} <a class="anchor" href="#f${index}" aria-label="Link">#</a></th>${cells.map(({ text }) => `<td>${text}</td>`).join("")}<td class="words">${kind}</td></tr>`,
  );
  const meanings = head.columns.map(
    ({ label, unit, meaning }) =>
      `<div><dt>${label} <span class="unit">${unit}</span></dt><dd>${meaning}</dd></div>`,
  );
  return `<flame-graph id="cpu" data-profile="profile.json">${svg}</flame-graph>
<function-table data-graph="cpu"><figure><section class="scroller" aria-label="Functions" tabindex="0"><table aria-label="Functions"><thead><tr><th scope="col">Function</th>${heads.join("")}<th scope="col" data-column="kind">Kind</th></tr></thead><tbody>${rows.join("")}</tbody></table></section><details class="legend"><summary>Columns</summary><dl>${meanings.join("")}</dl></details></figure></function-table>`;
}

/**
 * @param {import("@playwright/test").Page} page
 * @param {{ profile?: typeof PROFILE, fragment?: string }} [options]
 */
async function open(page, { profile = PROFILE, fragment = "" } = {}) {
  const { svg } = inlineProfileSvg(profile, "PostgreSQL 18", 12);
  const body = bodyOf(svg, profileFunctions(profile, profileGraph(profile)));
  const data = { "/profile.json": profile };
  return parts(page, await openGraphs(page, { body, data, fragment }));
}

/**
 * @param {import("@playwright/test").Page} page
 * @param {string[]} requests
 */
function parts(page, requests) {
  const table = page.locator("function-table");
  return {
    requests,
    table,
    head: (/** @type {string} */ name) => table.getByRole("columnheader", { name }),
    names: table.locator("tbody th a:not(.anchor)"),
    search: page.getByRole("searchbox"),
    count: table.locator("output"),
  };
}

test("functions come a page at a time", async ({ page }) => {
  const { table, names, count } = await open(page);
  await expect(count).toHaveText("1 to 50 of 126 functions");
  await expect(names).toHaveCount(50);
  await expect(names.first()).toHaveText("compare");
  await expect(table.getByRole("button", { name: "Previous page" })).toBeDisabled();
  await table.getByRole("button", { name: "Next page" }).click();
  await table.getByRole("button", { name: "Next page" }).click();
  await expect(count).toHaveText("101 to 126 of 126 functions");
  await expect(table.getByRole("button", { name: "Next page" })).toBeDisabled();
  await expect(names).toHaveCount(26);
  await expect(names.last()).toHaveText("t");
});

test("the first rows are those that the page brought, in the same words, with their links", async ({
  page,
  complaints,
}) => {
  await page.route("**/profile.json", (route) => route.abort());
  const brought = await open(page);
  const { table } = brought;
  const rows = () =>
    table
      .locator("tbody tr")
      .evaluateAll((all) =>
        all.map((row) => [
          row.id,
          row.querySelector("a.anchor")?.getAttribute("href"),
          ...[...row.children].map((cell) => cell.textContent?.replace(/\s*#?\s*$/, "")),
        ]),
      );
  const before = await rows();
  expect(before).toHaveLength(BROUGHT);
  complaints.length = 0; // of the fetch
  await page.unroute("**/profile.json");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(table.locator("output")).toContainText("126");
  expect((await rows()).slice(0, BROUGHT)).toEqual(before);
});

test("each column sorts, the largest first, and the link keeps the order", async ({ page }) => {
  const { head, names } = await open(page);
  await expect(head("Self % of all")).toHaveAttribute("aria-sort", "descending");
  await head("Total % of all").getByRole("button").click();
  await expect(head("Total % of all")).toHaveAttribute("aria-sort", "descending");
  await expect(head("Self % of all")).not.toHaveAttribute("aria-sort");
  await expect(names.first()).toHaveText("t");
  // `scan` calls itself, and counts once: less than `sort`, though its frames add up to more.
  await expect(names.nth(1)).toHaveText("scan");
  await expect(page).toHaveURL(/#cpu\.sort=-total$/);
  await head("Total % of all").getByRole("button").press("Enter");
  await expect(head("Total % of all")).toHaveAttribute("aria-sort", "ascending");
  await expect(names.first()).toHaveText("small_0");
  await head("Function").getByRole("button").click();
  await expect(names.first()).toHaveText("compare");
  await page.reload();
  await expect(head("Function")).toHaveAttribute("aria-sort", "ascending");
  await expect(names.nth(1)).toHaveText("next");
});

test("the graph's search filters, and zooming keeps it", async ({ page }) => {
  const { names, search, count, table } = await open(page, { fragment: "#note&cpu.sort=name" });
  await search.fill("small_11");
  await expect(count).toHaveText("1 to 11 of 11 functions found");
  await expect(names).toHaveText(
    ["11", ...Array.from({ length: 10 }, (_, index) => `11${index}`)].map((end) => `small_${end}`),
  );
  await search.fill("/^(sort|compare)$/");
  await expect(names).toHaveText(["compare", "sort"]);
  await search.fill("nowhere");
  await expect(count).toHaveText("0 functions found");
  await expect(table.locator("tbody tr")).toHaveCount(0);
  await expect(page).toHaveURL(/#note&cpu\.search=nowhere&cpu\.sort=name$/);
});

test("a name leads to the function in the graph, whose row is then marked", async ({ page }) => {
  const { table, names } = await open(page, { fragment: "#cpu.sort=-total" });
  await expect(names.first()).toHaveText("t");
  await names.filter({ hasText: /^compare$/ }).click();
  await expect(page).toHaveURL(/#cpu\.frame=compare&cpu\.sort=-total$/);
  await expect(page.getByText("The graph shows compare.")).toBeVisible();
  const current = table.locator("tr[aria-current]");
  await expect(current).toHaveCount(1);
  await expect(current.locator("th")).toContainText("compare");
  await page.getByRole("treeitem").focus();
  await page.keyboard.press("ArrowUp");
  await expect(current.locator("th")).toContainText("sort");
  await page.keyboard.press("Escape");
  await expect(current.locator("th")).toContainText("sort");
  await page.keyboard.press("Home");
  await expect(current).toHaveCount(0);
});

test("a name too thin for the page's picture leads there too", async ({ page }) => {
  const { table, names } = await open(page, { fragment: "#cpu.sort=self" });
  await expect(names.first()).toHaveText("next");
  await names.filter({ hasText: /^small_0$/ }).click();
  await expect(page).toHaveURL(/cpu\.frame=small_0/);
  await expect(table.locator("tr[aria-current] th")).toContainText("small_0");
});

test("a row of a thread leads to the thread, not to the function of its name", async ({ page }) => {
  const profile = profileOf([
    { frames: ["postgres", "main", "postgres", "write"], weight: 300 },
    { frames: ["postgres", "main", "write@kernel"], weight: 500 },
    { frames: ["other", "postgres"], weight: 900 },
  ]);
  const { table } = await open(page, { profile });
  /** @param {string} name @param {string} kind */
  const link = (name, kind) =>
    table.locator("tr", { hasText: kind }).getByRole("link", { name, exact: true });
  await link("postgres", "thread").click();
  await expect(page.getByRole("toolbar")).toHaveText("all › postgres");
  await expect(table.locator("tr[aria-current]")).toContainText("thread");
  await page.getByRole("button", { name: "callees" }).click();
  await expect(page.locator(".flame-graph-shown")).toContainText("What postgres (thread) calls");
  await expect(page.locator(".flame-graph-status")).toContainText("total 800 cycles");
  await link("write", "kernel").click();
  await expect(page).toHaveURL(/cpu\.frame=write$/);
  await expect(page.getByRole("toolbar")).toHaveText("all › postgres › main › write");
  await link("write", "user code").click();
  await expect(page.getByRole("toolbar")).toHaveText("all › postgres › main › postgres › write");
  await page.reload();
  await expect(page.getByRole("toolbar")).toHaveText("all › postgres › main › postgres › write");
});

const WAITING = profileOf([
  { frames: ["t", "work"], weight: 600 },
  { frames: ["t", "epoll_wait"], weight: 400 },
]);

test("what waits is hidden in the table as in the graph", async ({ page }) => {
  const { table, names, count } = await open(page, {
    profile: WAITING,
    fragment: "#cpu.hide=idle",
  });
  await expect(names).toHaveText(["work", "t"]);
  await expect(count).toHaveText("1 to 2 of 2 functions");
  await expect(table.locator("tbody tr").first()).toContainText("100");
  await expect(table.getByText("As edited in the graph.")).toBeVisible();
  await page.getByText("Options", { exact: true }).click();
  await page.getByRole("checkbox", { name: "Hide waiting frames" }).uncheck();
  await expect(names).toHaveText(["work", "epoll_wait", "t"]);
  await expect(table.getByText("As edited in the graph.")).toHaveCount(0);
});

test("a row keeps the focus when the graph comes alive", async ({ page }) => {
  const arrives = Promise.withResolvers();
  await page.route("**/profile.json", async (route) => {
    await arrives.promise;
    await route.fallback();
  });
  const { table, count } = await open(page);
  const row = table.locator("tbody tr").nth(20);
  await row.getByRole("link").focus();
  arrives.resolve(null);
  await expect(count).toHaveText("1 to 50 of 126 functions");
  await expect(row.getByRole("link").first()).toBeFocused();
});

test("a link holds no page of the table, but leads to the page of its function", async ({
  page,
}) => {
  const { table, names, count, search } = await open(page);
  await table.getByRole("button", { name: "Next page" }).click();
  await expect(count).toHaveText("51 to 100 of 126 functions");
  await table.getByRole("button", { name: "Next page" }).click();
  await expect(table.getByRole("button", { name: "Previous page" })).toBeFocused();
  await names.first().click();
  await expect(page).toHaveURL(/#cpu\.frame=[^&]*$/);
  await page.reload();
  await expect(count).toHaveText("101 to 126 of 126 functions");
  await expect(names.first()).toBeInViewport();
  await search.fill("small");
  await expect(count).toHaveText("1 to 50 of 120 functions found");
});

test("names that mean harm stay names, in rows, links and the graph", async ({ page }) => {
  const { table, names } = await open(page, { profile: HOSTILE });
  await expect(table.locator("output")).toContainText("functions");
  for (let index = 0; index < HOSTILE_NAMES.length; index++) {
    const name = (await names.nth(index).textContent()) ?? "";
    await names.nth(index).click();
    const state = new URLSearchParams(new URL(page.url()).hash.slice(1)).get("cpu.frame") ?? "";
    expect(state.length).toBeLessThan(2010);
    if (/^\w/.test(name)) expect(state).not.toBe("");
  }
  await expect(page.locator("img, main script")).toHaveCount(0);
});

test("a diff's table is in the basis of its graph", async ({ page }) => {
  const { svg } = inlineDiffSvg(DIFF, "18 against 16", 1500);
  const body = bodyOf(svg, diffFunctions(DIFF, diffGraph(DIFF)));
  const data = { "/profile.json": DIFF };
  const fragment = "#cpu.basis=operation";
  const { head, table } = parts(page, await openGraphs(page, { body, data, fragment }));
  await expect(head("Change self, cycles per operation")).toBeVisible();
  await expect(table.locator("tbody tr").first()).toContainText("scan");
  await expect(table.locator("tbody tr").first()).toContainText("+3.0003.0006.000");
  await page.goto("about:blank");
  await openGraphs(page, { body, data });
  await expect(head("Change self, %")).toBeVisible();
  await expect(table.locator("output")).toHaveText("1 to 4 of 4 functions");
  await expect(table.locator("tbody tr").first()).toContainText("+20.00");
});

test("a diff's table is the same way round as its graph", async ({ page }) => {
  const { svg } = inlineDiffSvg(DIFF, "18 against 16", 1500);
  const body = bodyOf(svg, diffFunctions(DIFF, diffGraph(DIFF)));
  const data = { "/profile.json": DIFF };
  const fragment = "#cpu.sides=flipped&cpu.basis=frame";
  const { table } = parts(page, await openGraphs(page, { body, data, fragment }));
  const scan = table.locator("tbody tr", { hasText: "scan" });
  await expect(scan).toContainText("−20.0050.0030.00");
  await expect(table.locator("thead th").nth(2)).toContainText("18");
  await expect(table.locator("dd").first()).toHaveText("the function alone, 16 less 18");
  await expect(table.getByText("The table shows shares of the whole profile.")).toBeVisible();
  await page.locator(".flame-graph-options > summary").click();
  await page.getByRole("checkbox", { name: "Flip base and after" }).uncheck();
  await expect(scan).toContainText("+20.0030.0050.00");
  await expect(table.locator("thead th").nth(2)).toContainText("16");
});

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  test(`axe finds nothing to say, in ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    const { table } = await open(page);
    await expect(table.locator("output")).toContainText("126");
    expect(await barriers(page)).toEqual([]);
  });
}

test("without JavaScript the first rows are there, largest self first", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  const { table } = await open(page);
  await expect(table.locator("tbody tr")).toHaveCount(BROUGHT);
  await expect(table.locator("tbody tr").first()).toContainText("compare");
  await expect(table.getByRole("button")).toHaveCount(0);
  await context.close();
});

test("the site's own pages have such tables, sorted once they are asked", async ({
  page,
  request,
  baseURL,
}) => {
  const sitemap = await (await request.get("sitemap.xml")).text();
  const addresses = Array.from(sitemap.matchAll(/<loc>(.*?)<\/loc>/g), ([, url]) => url);
  const diff = addresses.find((url) => url.includes("/vs/")) ?? "";
  await page.goto(new URL(baseURL ?? "").origin + new URL(diff).pathname);
  const table = page.locator("function-table").first();
  await expect(table.locator("[aria-sort=descending]")).toContainText("Change");
  await table
    .getByRole("columnheader", { name: /^Function/ })
    .getByRole("button")
    .click();
  await expect(page).toHaveURL(/\.sort=name$/);
  await expect(table.locator("output")).toContainText("functions");
});
