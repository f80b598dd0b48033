/**
 * The flame graph on a page and as a downloaded file, in a browser: pages of this file's own, under
 * the Content-Security-Policy of the site.
 */

import { expect } from "@playwright/test";
import { diffSvg, inlineDiffSvg } from "../../pipeline/flamegraph/svg/diff_svg.js";
import { inlineProfileSvg, profileSvg } from "../../pipeline/flamegraph/svg/profile_svg.js";
import { diffProfiles } from "../../pipeline/profile/diff/diff.js";
import { HOSTILE_NAMES, profileOf, profileOfStacks } from "../profile/profiles.js";
import { test } from "./complaints.js";
import { clickFrame, ORIGIN, openFile, openGraphs, PHONE, parts } from "./graph_page.js";
import { barriers } from "./visit.js";

const thin = Array.from({ length: 60 }, (_, index) => `postgres;main;ExecScan;thin_${index} 1`);
const BASE = profileOfStacks([
  ...thin,
  "postgres;main;ExecScan;heap_getnext 4000",
  "postgres;main;ExecSort;tuplesort 2000",
  "checkpointer;main;write@kernel 1000",
]);
const AFTER = profileOfStacks([
  ...thin,
  "postgres;main;ExecScan;heap_getnext 3000",
  "postgres;main;ExecScan;memcmp@libc 500",
  "postgres;main;ExecAgg;hash_search 2500",
  "checkpointer;main;write@kernel 1000",
]);
const DIFF = diffProfiles(BASE, AFTER, { baseLabel: "16", afterLabel: "18" });
const HOSTILE = profileOf(
  HOSTILE_NAMES.map((name, index) => ({
    frames: ["t", name, `below ${name}`],
    weight: 10 + index,
  })),
);

const TWO_GRAPHS = `
  <flame-graph id="cpu" data-profile="profile.json">${inlineProfileSvg(AFTER, "PostgreSQL 18", 12).svg}</flame-graph>
  <flame-graph id="change" data-profile="diff.json">${inlineDiffSvg(DIFF, "18 against 16", 1500).svg}</flame-graph>`;
const DATA = /** @type {Record<string, object>} */ ({
  "/profile.json": AFTER,
  "/diff.json": DIFF,
});

/**
 * @param {import("@playwright/test").Page} page
 * @param {{ body?: string, fragment?: string }} [options]
 */
const openPage = (page, options) => openGraphs(page, { body: TWO_GRAPHS, data: DATA, ...options });

/**
 * @param {import("@playwright/test").Page} page
 * @param {import("../../pipeline/profile/model/profile.js").Profile} profile
 */
const openProfile = (page, profile) =>
  openGraphs(page, {
    body: `<flame-graph id="cpu" data-profile="own.json">${inlineProfileSvg(profile, "own", 1500).svg}</flame-graph>`,
    data: { "/own.json": profile },
  });

test("a graph of thousands of frames stays at a few elements, zoomed and searched", async ({
  page,
}) => {
  const stacks = Array.from({ length: 20_000 }, (_, index) => {
    const calls = [index % 7, index % 101, index % 1009, index].map((each) => `f${each}`);
    return `t;${calls.join(";")} ${1 + (index % 5)}`;
  });
  await openProfile(page, profileOfStacks(stacks));
  const { graph, label, search, found } = parts(page);
  const elements = () => graph.locator("svg.flame-graph *").count();
  expect(await elements()).toBeLessThan(2000);
  await clickFrame(label("f3"));
  expect(await elements()).toBeLessThan(2000);
  await search.fill("f1");
  await expect(found).toContainText("Matched");
  expect(await elements()).toBeLessThan(2000);
});

test("a click zooms, the link says where, and zooming out goes back", async ({ page }) => {
  await openPage(page);
  const { label, status, back } = parts(page);
  await clickFrame(label("ExecAgg"));
  await expect(page).toHaveURL(/#cpu\.frame=ExecAgg$/);
  await expect(status).toContainText("total 2,500 cycles, 35.41 % of all");
  await expect(label("heap_getnext")).toHaveCount(0);
  await clickFrame(label("hash_search"));
  await expect(page).toHaveURL(/#cpu\.frame=hash_search$/);
  await back.click();
  await expect(page).toHaveURL(/#cpu\.frame=ExecAgg$/);
  await clickFrame(label("all"));
  await expect(page).toHaveURL(`${ORIGIN}/`);
  await expect(label("heap_getnext")).toHaveCount(1);
});

test("the keyboard walks, zooms and goes back", async ({ page }) => {
  await openPage(page);
  const { frame, status } = parts(page);
  await frame.focus();
  await page.keyboard.press("ArrowDown");
  await expect(frame).toHaveAccessibleName(/^postgres, /);
  await page.keyboard.press("ArrowLeft");
  await expect(frame).toHaveAccessibleName(/^checkpointer, /);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(frame).toHaveAccessibleName(/^ExecScan, /);
  await expect(frame).toBeFocused();
  await expect(status).toContainText(
    "ExecScan · total 3,560 cycles, 50.42 % of all · self 0 cycles",
  );
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/#cpu\.frame=ExecScan$/);
  await page.keyboard.press("ArrowUp");
  await expect(frame).toHaveAccessibleName(/^main, /);
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(`${ORIGIN}/`);
});

test("the search shows the matched share of what is shown, and steps through matches", async ({
  page,
}) => {
  await openPage(page);
  const { label, search, found, frame, graph } = parts(page);
  await search.fill("hash");
  await expect(found).toHaveText("Matched: 35.41 %");
  await expect(page).toHaveURL(/#cpu\.search=hash$/);
  await search.fill("/^(heap|hash)_/");
  await expect(found).toHaveText("Matched: 77.90 %");
  await search.press("Enter");
  await expect(frame).toHaveAccessibleName(/^hash_search, /);
  await graph.getByRole("button", { name: "Next" }).click();
  await expect(frame).toHaveAccessibleName(/^heap_getnext, /);
  await search.fill("/(/");
  await expect(found).toHaveText(/^Not a regular expression: \S/);
  await search.fill("HASH");
  await clickFrame(label("ExecAgg"));
  await expect(found).toHaveText("Matched: 100 %");
});

test("what the picture left out is in the graph: it is of the whole profile", async ({ page }) => {
  const requests = await openPage(page);
  const { search, found } = parts(page);
  await search.fill("thin_7");
  await expect(found).toHaveText("Matched: 0.01 %");
  expect(requests.filter((path) => path === "/profile.json")).toHaveLength(1);
});

test("a link opens the graph where it was", async ({ page }) => {
  await openPage(page, { fragment: "#cpu.frame=main%20%3E%20ExecScan&cpu.search=thin_5&note" });
  const { search, status, found } = parts(page);
  await expect(search).toHaveValue("thin_5");
  await expect(status).toContainText("ExecScan · total 3,560 cycles");
  await expect(found).toHaveText("Matched: 0.31 %");
  await page.keyboard.press("Tab");
  await expect(page).toHaveURL(/#note&cpu\.frame=ExecScan&cpu\.search=thin_5$/);
});

test("a link to a frame that is gone says so", async ({ page }) => {
  await openPage(page, { fragment: "#cpu.frame=Vanished" });
  await expect(parts(page).message).toHaveText("The link's frame “Vanished” is not in this graph.");
});

test("two graphs on a page do not know of each other", async ({ page }) => {
  await openPage(page);
  const cpu = parts(page);
  const change = parts(page, "change");
  await cpu.search.fill("hash");
  await clickFrame(change.label("ExecScan"));
  await expect(page).toHaveURL(/#cpu\.search=hash&change\.frame=ExecScan$/);
  await expect(change.search).toHaveValue("");
  await expect(cpu.label("ExecAgg")).toHaveCount(1);
  await expect(cpu.back).toBeDisabled();
  await expect(change.back).toBeEnabled();
});

test("the slash leads to the search field, and Ctrl-F stays the browser's", async ({ page }) => {
  await openPage(page);
  await expect(parts(page).search).toBeVisible();
  await page.keyboard.press("/");
  await expect(parts(page).search).toBeFocused();
  await parts(page, "change").frame.focus();
  const prevented = await page.evaluate(() => {
    const event = new KeyboardEvent("keydown", {
      key: "f",
      ctrlKey: true,
      cancelable: true,
      bubbles: true,
    });
    document.activeElement?.dispatchEvent(event);
    return event.defaultPrevented;
  });
  expect(prevented).toBe(false);
  await page.keyboard.press("/");
  await expect(parts(page, "change").search).toBeFocused();
});

test("a diff says both sides' numbers in words, and shows what is gone", async ({ page }) => {
  await openPage(page);
  const { graph, label, status } = parts(page, "change");
  await expect(label("Gone: in 16, not in 18")).toHaveCount(0);
  await graph.getByRole("button", { name: "Gone: in 16, not in 18 (28.33 %)" }).click();
  await expect(label("Gone: in 16, not in 18")).toBeVisible();
  await expect(page).toHaveURL(/change\.gone=drawn$/);
  await clickFrame(label("ExecSort"));
  await expect(status).toContainText(
    "ExecSort · gone, by more than the noise (±5.80 points) · total 28.33 % in 16, 0 % in 18: −28.33 points",
  );
  await expect(graph).toContainText("red, +: larger share of 18 than of 16");
});

test("a frame under the pointer is shown in full", async ({ page }) => {
  await openPage(page);
  const { label, graph } = parts(page);
  await label("heap_getnext").hover({ force: true });
  await expect(graph.locator(".flame-graph-tooltip")).toContainText(
    "heap_getnexttotal 3,000 cycles",
  );
  await expect(graph.locator(".flame-graph-tooltip")).toBeVisible();
});

test("names cannot become markup, on the page or in its tooltip", async ({ page }) => {
  await openProfile(page, HOSTILE);
  const { frame, graph } = parts(page);
  await frame.focus();
  await page.keyboard.press("ArrowDown");
  for (let step = 0; step < HOSTILE_NAMES.length; step++) {
    await page.keyboard.press(step === 0 ? "ArrowDown" : "ArrowLeft");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
  }
  await expect(graph.locator("img, script")).toHaveCount(0);
});

test("what is not to be seen in a name is spelled out, on every surface", async ({ page }) => {
  const profile = profileOf([{ frames: ["t", "right\u202Eto\u0007left"], weight: 10 }]);
  await openProfile(page, profile);
  const { label, status, graph, trail, frame } = parts(page);
  const shown = "right[U+202E]to[U+0007]left";
  await clickFrame(label("right"));
  await expect(label("right")).toHaveText(shown);
  await expect(status.locator("bdi")).toHaveText(shown);
  await expect(trail.locator("strong")).toHaveText(shown);
  await expect(frame).toHaveAccessibleName(/^right\[U\+202E\]to\[U\+0007\]left, /);
  await label("right").hover({ force: true });
  await expect(graph.locator(".flame-graph-tooltip strong")).toHaveText(shown);
  await page.reload();
  await expect(status).toContainText(shown);
});

test("where the reader chose the colours, what cannot be pressed has one of its own", async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: "active" });
  await openPage(page);
  const { button } = parts(page);
  const colour = (/** @type {string} */ name) =>
    button(name).evaluate((element) => getComputedStyle(element).color);
  expect(await colour("Back")).not.toBe(await colour("Full width"));
});

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  test(`axe finds nothing to say, in ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await openPage(page);
    await parts(page).frame.focus();
    await parts(page).search.fill("hash");
    expect(await barriers(page)).toEqual([]);
  });
}

test("a phone's page is not wider than the phone, and a tap zooms", async ({ browser }) => {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  await openPage(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await parts(page).label("ExecAgg").tap({ force: true });
  await expect(page).toHaveURL(/#cpu\.frame=ExecAgg$/);
  await context.close();
});

test("on a phone, the text about a frame leaves the graph to be seen", async ({ browser }) => {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  const long = `${"std::vector<".repeat(12)}int`;
  const profile = profileOfStacks([`t;${long};${"deep;".repeat(40)}end 5`, "t;b 5"]);
  await openProfile(page, profile);
  const { label, graph, status } = parts(page);
  await label("std").first().tap({ force: true });
  await expect(status).toBeInViewport();
  const box = await graph.locator(".flame-graph-foot").boundingBox();
  expect(box?.height).toBeLessThan(640 / 5);
  await context.close();
});

test("without JavaScript the picture is there, with its names", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await openPage(page);
  await expect(page.locator("#cpu svg text", { hasText: "ExecAgg" })).toBeVisible();
  await expect(page.getByRole("img", { name: /^PostgreSQL 18\..*too thin to draw/ })).toBeVisible();
  await context.close();
});

test("once it runs, a graph of thousands of frames is few elements", async ({ page }) => {
  const profile = profileOf(
    Array.from({ length: 6000 }, (_, index) => ({
      frames: ["t", `a${index % 50}`, `b${index % 600}`, `c${index}`],
      weight: 100 + (index % 13),
    })),
  );
  await openProfile(page, profile);
  await parts(page).search.fill("b1");
  expect(await page.locator("#cpu *").count()).toBeLessThan(2000);
});

test.describe("a downloaded file", () => {
  test("works by itself: zoom, search, keyboard, link", async ({ page }) => {
    await openFile(page, profileSvg(AFTER, "PostgreSQL 18", ["cycles"]).svg);
    await clickFrame(page.locator("text", { hasText: "ExecAgg" }));
    await expect(page).toHaveURL(/#frame=ExecAgg$/);
    await page.keyboard.press("Escape");
    await expect(page).toHaveURL(/\.svg$/);
    await page.getByRole("searchbox").click(); // which is there to be seen
    await page.locator("summary", { hasText: "Options" }).click();
    await page.locator("label", { hasText: "Flame: callers" }).locator("input").check();
    await page.locator("summary", { hasText: "Options" }).click();
    await page.keyboard.press("/");
    await page.keyboard.type("hash");
    await expect(page.locator("output")).toHaveText("Matched: 35.41 %");
    await expect(page).toHaveURL(/#search=hash&draw=flame$/);
    await page.reload();
    await expect(page.locator("output")).toHaveText("Matched: 35.41 %");
  });

  test("says on paper where it is zoomed to", async ({ page }) => {
    await openFile(page, profileSvg(AFTER, "PostgreSQL 18", ["cycles"]).svg, "#frame=ExecAgg");
    await page.emulateMedia({ media: "print" });
    await expect(page.getByRole("toolbar")).toHaveText("all › postgres › main › ExecAgg");
    await expect(page.getByRole("toolbar")).toBeVisible();
    await expect(page.getByRole("searchbox")).toBeHidden();
    await expect(page.locator(".flame-graph-foot")).toBeHidden();
  });

  test("of a diff works too", async ({ page }) => {
    await openFile(page, diffSvg(DIFF, "18 against 16").svg, "#frame=ExecSort");
    await expect(page.locator(".flame-graph-status")).toContainText(
      "(±5.80 points) · total 28.33 % in 16",
    );
  });

  test("is well-formed for a browser whatever the names", async ({ page }) => {
    await openFile(page, profileSvg(HOSTILE, HOSTILE_NAMES[0], HOSTILE_NAMES).svg);
    await expect(page.locator("parsererror")).toHaveCount(0);
    await expect(page.getByRole("searchbox")).toBeVisible();
    await expect(page.locator("img")).toHaveCount(0);
  });

  test("is readable without JavaScript", async ({ browser }) => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await openFile(page, profileSvg(AFTER, "PostgreSQL 18", ["cycles"]).svg);
    await expect(page.locator("text", { hasText: "ExecAgg" })).toBeVisible();
    await expect(page.locator("text", { hasText: "PostgreSQL 18" })).toBeVisible();
    await context.close();
  });
});
