/**
 * What a reader does with the libraries of a graph: sees how much each has, hides, focuses on and finds
 * one. Each on a page and in a file, of a profile and a diff, on a phone and on a wide screen.
 */

import { expect } from "@playwright/test";
import { profileFunctions, tableHead } from "../../pipeline/flamegraph/graph/function_table.js";
import { profileGraph } from "../../pipeline/flamegraph/graph/profile_graph.js";
import { diffSvg, inlineDiffSvg } from "../../pipeline/flamegraph/svg/diff_svg.js";
import { inlineProfileSvg, profileSvg } from "../../pipeline/flamegraph/svg/profile_svg.js";
import { diffProfiles } from "../../pipeline/profile/diff/diff.js";
import { profileOfStacks } from "../profile/profiles.js";
import { test } from "./complaints.js";
import { clickFrame, inFile, onPage, openGraphs, parts } from "./graph_page.js";
import { barriers } from "./visit.js";

/**
 * @param {number} sorting
 * @param {string} libc its file
 */
const profile = (sorting, libc) =>
  profileOfStacks([
    `postgres;main@user=postgres;ExecSort@user=postgres;memcmp@libc=${libc} ${sorting}`,
    `postgres;main@user=postgres;ExecScan@user=postgres;memcpy@libc=${libc} 1000`,
    "postgres;main@user=postgres;ExecScan@user=postgres;inflate@libc=libz.so.1.3 1000",
    "postgres;main@user=postgres;ExecScan@user=postgres 2000",
    "postgres;main@user=postgres;read@kernel=[kernel];ext4_read@kernel=[ext4] 1000",
  ]);
const BASE = profile(2000, "libc-2.31.so");
const AFTER = profile(3000, "libc.so.6");
const DIFF = diffProfiles(BASE, AFTER, { baseLabel: "16", afterLabel: "18" });
const DATA = /** @type {Record<string, object>} */ ({ "/profile.json": AFTER, "/diff.json": DIFF });

/** @param {string} file @param {string} svg */
const bodyOf = (file, svg) => `<flame-graph id="g" data-profile="${file}">${svg}</flame-graph>`;

const OF_PROFILE = [
  "libc.so.6: 50.00 %",
  "postgres: 25.00 %",
  "[ext4]: 12.50 %",
  "libz.so.1.3: 12.50 %",
  "library: 62.50 %",
  "user code: 25.00 %",
  "kernel: 12.50 %",
];
const OF_DIFF = [
  "libc: 42.86 % → 50.00 %",
  "postgres: 28.57 % → 25.00 %",
  "[ext4]: 14.29 % → 12.50 %",
  "libz.so.1.3: 14.29 % → 12.50 %",
  "library: 57.14 % → 62.50 %",
  "user code: 28.57 % → 25.00 %",
  "kernel: 14.29 % → 12.50 %",
];
const GRAPHS = [
  {
    of: "a profile on a page",
    options: OF_PROFILE,
    libc: "libc.so.6",
    ...onPage(bodyOf("profile.json", inlineProfileSvg(AFTER, "18", 6).svg), DATA),
  },
  {
    of: "a profile in a file",
    options: OF_PROFILE,
    libc: "libc.so.6",
    ...inFile(profileSvg(AFTER, "18", []).svg),
  },
  {
    of: "a diff on a page",
    options: OF_DIFF,
    libc: "libc",
    ...onPage(bodyOf("diff.json", inlineDiffSvg(DIFF, "18 against 16", 1500).svg), DATA),
  },
  {
    of: "a diff in a file",
    options: OF_DIFF,
    libc: "libc",
    ...inFile(diffSvg(DIFF, "18 against 16").svg),
  },
];

/** @param {import("@playwright/test").Locator} graph */
const controls = (graph) => graph.locator("details.flame-graph-libraries");

for (const { of, prefix, options, libc, open } of GRAPHS) {
  for (const width of [360, 1440]) {
    test.describe(`${of}, ${width} pixels wide`, () => {
      test.use({ viewport: { width, height: 800 } });
      const hidden = new RegExp(`#${prefix.replace(".", "\\.")}hide=lib%3A${libc}$`);

      test("lists libraries by their share, and hides and focuses on one, by mouse", async ({
        page,
      }) => {
        const { graph, label, shown, button } = await open(page);
        const menu = controls(graph);
        await menu.getByText("Libraries", { exact: true }).click();
        const choice = menu.getByLabel("Library or kind of code");
        await expect(choice.locator("option")).toHaveText(options);
        await choice.selectOption({ value: `lib:${libc}` });
        await menu.getByRole("button", { name: "Hide", exact: true }).click();
        await expect(page).toHaveURL(hidden);
        await expect(label("memcmp")).toHaveCount(0);
        await expect(label("inflate").first()).toBeAttached();
        await expect(shown).toContainText("Hidden: ");
        await button(`Hidden: lib:${libc}: undo`).click();
        await expect(label("memcmp").first()).toBeAttached();
        await choice.selectOption({ value: "lib:[ext4]" });
        await menu.getByRole("button", { name: "Focus", exact: true }).click();
        await expect(label("inflate")).toHaveCount(0);
        await expect(label("ext4_read").first()).toBeAttached();
        await button("Only lib:[ext4]: undo").click();
        await choice.selectOption({ value: `lib:${libc}` });
        await menu.getByRole("button", { name: "Find", exact: true }).click();
        await expect(graph.getByRole("searchbox")).toHaveJSProperty("value", `lib:${libc}`);
        await expect(graph.locator("output")).toContainText("Matched: ");
        await expect(graph.locator("output")).toContainText("50.00 %");
        await choice.selectOption({ value: "[kernel]" });
        await expect(menu.getByRole("button", { name: "Find", exact: true })).toBeDisabled();
        // All of it is in the window.
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - innerWidth,
        );
        expect(overflow).toBeLessThanOrEqual(0);
      });

      test("hides the library of the frame that is selected, by keyboard and by link", async ({
        page,
      }) => {
        const { graph, label, status, frame, button } = await open(page);
        await clickFrame(label("memcmp"));
        await expect(status).toContainText(`library ${libc}`);
        await expect(frame).toHaveAccessibleName(new RegExp(`library ${libc}`));
        await graph.getByLabel("Applies to").selectOption(`same library (${libc})`);
        await frame.focus();
        await page.keyboard.press("h");
        await expect(button(`Hidden: lib:${libc}: undo`)).toBeVisible();
        await expect(label("memcmp")).toHaveCount(0);
        await frame.focus();
        await page.keyboard.press("r");
        await expect(label("memcmp").first()).toBeAttached();
        await controls(graph).locator("summary").focus();
        await page.keyboard.press("Enter");
        await page.keyboard.press("Tab");
        const choice = graph.getByLabel("Library or kind of code");
        await expect(choice).toHaveJSProperty("value", `lib:${libc}`);
        await page.keyboard.press("ArrowDown");
        await expect(choice).toHaveJSProperty("value", "lib:postgres");
        await page.keyboard.press("Tab");
        await page.keyboard.press("Tab");
        await page.keyboard.press("Tab");
        await page.keyboard.press("Enter");
        await expect(button("Collapsed: lib:postgres: undo")).toBeVisible();
        await expect(label("ExecScan")).toHaveCount(0);
        // A link of another release names another version of it.
        const linked = await open(page, `#${prefix}hide=lib:libc-2.28.so`);
        await expect(linked.button("Hidden: lib:libc-2.28.so: undo")).toBeVisible();
        await expect(linked.label("memcmp")).toHaveCount(0);
        const searched = await open(page, `#${prefix}search=lib:libz`);
        await expect(searched.found).toContainText("12.50 %");
      });
    });
  }

  test(`${of} says in print what is hidden, and breaks no rule of accessibility`, async ({
    page,
  }) => {
    const { graph, button, shown } = await open(page, `#${prefix}hide=lib:${libc}`);
    await expect(button(`Hidden: lib:${libc}: undo`)).toBeVisible();
    await controls(graph).locator("summary").click();
    expect(await barriers(page)).toEqual([]);
    await page.emulateMedia({ media: "print" });
    await expect(button(`Hidden: lib:${libc}: undo`)).toBeVisible();
    await expect(shown).toBeVisible();
    await expect(controls(graph).locator("select")).toBeHidden();
  });
}

test("a graph without libraries has no choice of them", async ({ page }) => {
  const plain = profileOfStacks(["t;main;memcmp@libc 1"]);
  const svg = inlineProfileSvg(plain, "t", 100).svg;
  const body = `<flame-graph id="g" data-profile="plain.json">${svg}</flame-graph>`;
  await openGraphs(page, { body, data: { "/plain.json": plain } });
  const { graph, label } = parts(page, "g");
  await clickFrame(label("memcmp"));
  await expect(graph.getByLabel("Applies to").locator("option")).toHaveText([
    "this function",
    "same kind (library)",
  ]);
  await expect(graph.getByText("Libraries")).toHaveCount(0);
});

test("names of libraries are text, however they are spelled", async ({ page }) => {
  const name = '<img src=x onerror=alert(1)>" \u202e.so';
  const hostile = profileOfStacks([`t;main;f@libc=${name} 1`, "t;main;g@libc=libc.so.6 1"]);
  const svg = inlineProfileSvg(hostile, "t", 100).svg;
  const body = `<flame-graph id="g" data-profile="hostile.json">${svg}</flame-graph>`;
  await openGraphs(page, { body, data: { "/hostile.json": hostile } });
  const { graph, label, button } = parts(page, "g");
  await controls(graph).locator("summary").click();
  const choice = graph.getByLabel("Library or kind of code");
  const shown = '<img src=x onerror=alert(1)>" [U+202E].so';
  await choice.selectOption({ label: `${shown}: 50.00 %` });
  await controls(graph).getByRole("button", { name: "Hide", exact: true }).click();
  await expect(button(`Hidden: lib:${shown}: undo`)).toBeVisible();
  await expect(label("f")).toHaveCount(0);
  await expect(page.locator("img")).toHaveCount(0);
});

test("the table of functions is narrowed to a library, and says which each is of", async ({
  page,
}) => {
  const { columns, rows } = tableHead(profileFunctions(AFTER, profileGraph(AFTER)), 50);
  const heads = columns.map(({ key }) => `<th class="number" data-column="${key}">${key}</th>`);
  const body = `<flame-graph id="g" data-profile="profile.json">${inlineProfileSvg(AFTER, "18", 100).svg}</flame-graph>
<function-table data-graph="g"><table><thead><tr><th>Function</th>${heads.join("")}<th data-column="kind">Kind</th></tr></thead>
<tbody>${rows.map(({ id, name, kind, cells }) => `<tr data-function="${id}"><th>${name}</th>${cells.map(({ text }) => `<td>${text}</td>`).join("")}<td class="words">${kind}</td></tr>`).join("")}</tbody></table></function-table>`;
  await openGraphs(page, { body, data: DATA });
  const table = page.locator("function-table tbody");
  await expect(table.getByRole("row")).toHaveCount(9);
  await expect(table.getByRole("row", { name: "ext4_read" })).toContainText("kernel in [ext4]");
  await page.getByRole("searchbox").fill("lib:libc");
  await expect(table.getByRole("row")).toHaveCount(2);
  await expect(table).toContainText("memcmp");
  await expect(table).toContainText("memcpy");
});
