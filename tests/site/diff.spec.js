/** What a reader can ask of a diff, in a browser: bases, colour by self, the other way round. */

import { expect } from "@playwright/test";
import { diffGraph } from "../../pipeline/flamegraph/graph/diff_graph.js";
import { diffSvg, inlineDiffSvg } from "../../pipeline/flamegraph/svg/diff_svg.js";
import { diffProfiles } from "../../pipeline/profile/diff/diff.js";
import { profileOfStacks } from "../profile/profiles.js";
import { test } from "./complaints.js";
import { clickFrame, openFile, openGraphs, parts } from "./graph_page.js";
import { barriers } from "./visit.js";

const BASE_CAPTURES = [0, 1, 2].map((at) =>
  profileOfStacks(
    [
      `postgres;main;ExecScan;heap_getnext ${4000 + 10 * at}`,
      `postgres;main;ExecSort;tuplesort ${2000 - 10 * at}`,
      `checkpointer;main;write@kernel ${1000 + at}`,
    ],
    { event: "wall-clock" },
  ),
);
const AFTER_CAPTURES = [0, 1, 2].map((at) =>
  profileOfStacks(
    [
      `postgres;main;ExecScan;heap_getnext ${3000 + 10 * at}`,
      `postgres;main;ExecAgg;hash_search ${3000 - 10 * at}`,
      `checkpointer;main;write@kernel ${1000 + at}`,
    ],
    { event: "wall-clock" },
  ),
);
const BASE = profileOfStacks(
  [
    "postgres;main;ExecScan;heap_getnext 12030",
    "postgres;main;ExecSort;tuplesort 5970",
    "checkpointer;main;write@kernel 3003",
  ],
  { event: "wall-clock" },
);
const AFTER = profileOfStacks(
  [
    "postgres;main;ExecScan;heap_getnext 9030",
    "postgres;main;ExecAgg;hash_search 8970",
    "checkpointer;main;write@kernel 3003",
  ],
  { event: "wall-clock" },
);
const DIFF = diffProfiles(BASE, AFTER, {
  baseLabel: "16",
  afterLabel: "18",
  basis: "cost_per_operation",
  bases: {
    cost_per_operation: { base: 1 / 1000, after: 1 / 900 },
    weight_per_second: { base: 1 / 30, after: 1 / 30 },
  },
  baseCaptures: BASE_CAPTURES.map((profile) => ({ profile, exposure: 1 })),
  afterCaptures: AFTER_CAPTURES.map((profile) => ({ profile, exposure: 1 })),
});

const PAGE = {
  body: `<flame-graph id="change" data-profile="diff.json">${inlineDiffSvg(DIFF, "18 against 16", 1500).svg}</flame-graph>`,
  data: { "/diff.json": DIFF },
};

/** @param {import("@playwright/test").Page} page */
function choices(page) {
  return {
    // Not by their labels: in a document that is SVG, Playwright knows none.
    compare: page.getByRole("combobox", { name: "Compare" }),
    colour: page.getByRole("combobox", { name: "Colour by" }),
    flip: page.getByRole("checkbox", { name: "Flip base and after" }),
    legend: page.locator(".flame-graph-legend"),
  };
}

/** @param {import("@playwright/test").Page} page */
function openOptions(page) {
  return page.locator(".flame-graph-options > summary").click();
}

test("what is compared can be chosen, stays in the link, and the legend follows", async ({
  page,
}) => {
  await openGraphs(page, PAGE);
  const { compare, legend } = choices(page);
  const { label, status, shown } = parts(page, "change");
  await expect(compare.locator("option")).toHaveText([
    "share of all",
    "share of the zoomed frame",
    "cost per operation",
    "weight per captured second",
  ]);
  await expect(compare).toHaveValue("operation");
  await expect(legend).toContainText("red, +: larger cost per operation in 18 than in 16");
  // Both ends of the scale, with the unit once.
  await expect(legend.locator("span").first()).toHaveText(/^−([\d.,]+)\+\1 .*per operation$/);
  await expect(page).not.toHaveURL(/basis/);
  await compare.selectOption("share of all");
  await expect(page).toHaveURL(/#change\.basis=share$/);
  await expect(legend).toContainText("red, +: larger share of 18 than of 16");
  await expect(shown).toContainText("Width: share in 18.");
  await clickFrame(label("heap_getnext"));
  await expect(status).toContainText(/total 57\.28 % in 16, 42\.99 % in 18: −14\.28 points/);
  await compare.selectOption("cost per operation");
  await expect(page).not.toHaveURL(/basis/);
  await expect(shown).not.toContainText("Width");
});

test("shares of the zoomed frame follow the zoom", async ({ page }) => {
  await openGraphs(page, { ...PAGE, fragment: "#change.basis=frame" });
  const { label, status, graph } = parts(page, "change");
  await expect(choices(page).compare).toHaveValue("frame");
  await clickFrame(label("ExecScan"));
  await expect(page).toHaveURL(/#change\.frame=ExecScan&change\.basis=frame$/);
  await expect(status).toContainText("total 100 % in 16, 100 % in 18: ±0 points");
  // Its callers have no share of it, and so no colour.
  await expect(label("all")).toHaveText("all");
  await graph.getByRole("button", { name: "Back", exact: true }).click();
  await expect(status).toContainText("ExecScan · shrunk");
  await expect(status).toContainText("total 57.28 % in 16");
});

test("by self, only what changed itself is coloured", async ({ page }) => {
  await openGraphs(page, PAGE);
  const { label } = parts(page, "change");
  await expect(label("ExecScan")).toHaveText(/[+−]\d/);
  await openOptions(page);
  await choices(page).colour.selectOption("self");
  await expect(page).toHaveURL(/change\.colour=self$/);
  await expect(label("ExecScan")).toHaveText("ExecScan");
  await expect(label("heap_getnext")).toHaveText(/−\d/);
  await expect(choices(page).legend).toContainText("larger own cost per operation");
});

test("flipped, the base is on top, and a link shows it so", async ({ page }) => {
  await openGraphs(page, PAGE);
  const { flip, legend } = choices(page);
  const { label, graph } = parts(page, "change");
  const gone = graph.locator("button.flame-graph-gone");
  await openOptions(page);
  await flip.check();
  await expect(page).toHaveURL(/change\.sides=flipped$/);
  await expect(label("16: every frame it has")).toBeVisible();
  await expect(gone).toHaveText(/^Gone: in 18, not in 16/);
  await expect(legend).toContainText("larger cost per operation in 16 than in 18");
  await page.reload();
  await openOptions(page);
  await expect(flip).toBeChecked();
  await expect(label("tuplesort")).toHaveText("tuplesort  new");
  await flip.uncheck();
  await expect(label("18: every frame it has")).toBeVisible();
});

test("what is above the graph follows what it shows", async ({ page }) => {
  const { about } = diffGraph(DIFF);
  const body = `<figure><p class="about">${about}</p>${PAGE.body}</figure>`;
  await openGraphs(page, { ...PAGE, body });
  const { shown } = parts(page, "change");
  const line = page.locator(".about");
  await expect(line).toContainText("Width: cost per operation in 18.");
  await openOptions(page);
  await choices(page).flip.check();
  await choices(page).compare.selectOption("share of all");
  await expect(line).toContainText("Width: share in 16.");
  await expect(shown).toHaveText(
    "Base and after have changed places: this is what changed from 18 to 16.",
  );
  await choices(page).flip.uncheck();
  await choices(page).compare.selectOption("cost per operation");
  await expect(line).toHaveText(about);
  await expect(shown).toHaveText("");
});

test("a change no larger than the noise says so, with the noise", async ({ page }) => {
  await openGraphs(page, { ...PAGE, fragment: "#change.basis=share" });
  const { label, status } = parts(page, "change");
  await clickFrame(label("checkpointer"));
  await expect(status).toContainText(/unchanged|no change above the noise \(±/);
  await clickFrame(label("all"));
  await clickFrame(label("heap_getnext"));
  await expect(status).toContainText(/shrunk, by more than the noise \(±\d\.\d+ points\)/);
});

test("its choices are reached by keyboard, named, and readable in both colour schemes", async ({
  page,
}) => {
  await openGraphs(page, PAGE);
  for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    await page.emulateMedia({ colorScheme });
    expect(await barriers(page)).toEqual([]);
  }
  await choices(page).compare.focus();
  await page.keyboard.press("ArrowDown");
  await expect(page).toHaveURL(/basis=second/);
});

test("on a phone nothing is wider than the screen", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  await openGraphs(page, PAGE);
  await expect(choices(page).compare).toBeVisible();
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(wider).toBeLessThanOrEqual(0);
});

test("on paper the legend stays and the choices go", async ({ page }) => {
  await openGraphs(page, PAGE);
  await page.emulateMedia({ media: "print" });
  await expect(choices(page).legend).toBeVisible();
  await expect(choices(page).compare).toBeHidden();
});

test("a downloaded file has the same choices", async ({ page }) => {
  const { svg } = diffSvg(DIFF, "18 against 16", ["Throughput: 1 → 2."]);
  await openFile(page, svg, "#basis=share&sides=flipped");
  const { compare, flip, legend } = choices(page);
  await expect(page.getByText("Throughput: 1 → 2.", { exact: true })).toBeVisible();
  await expect(compare).toHaveJSProperty("value", "share");
  await openOptions(page);
  await expect(flip).toHaveJSProperty("checked", true);
  await expect(legend).toHaveCount(1);
  await expect(legend).toContainText("red, +: larger share of 16 than of 18");
  await expect(page.getByText("red, +:")).toHaveCount(1);
});
