/**
 * What a reader does with a graph besides zooming: callees and callers of a function, recursion and
 * waiting, the line of callers, keys, fingers. Each on a page and in a file, of a profile and a diff.
 */

import { expect } from "@playwright/test";
import { diffSvg, inlineDiffSvg } from "../../pipeline/flamegraph/svg/diff_svg.js";
import { inlineProfileSvg, profileSvg } from "../../pipeline/flamegraph/svg/profile_svg.js";
import { diffProfiles } from "../../pipeline/profile/diff/diff.js";
import { profileOfStacks } from "../profile/profiles.js";
import { test } from "./complaints.js";
import { clickFrame, inFile, onPage, openGraphs, PHONE, parts } from "./graph_page.js";
import { barriers } from "./visit.js";

/** @param {number} sorting */
const profile = (sorting) =>
  profileOfStacks([
    `postgres;main;ExecSort;compare;memcmp@libc ${sorting}`,
    "postgres;main;ExecScan;memcmp@libc 500",
    "postgres;main;ExecScan;ExecScan;heap_getnext;page_fault@kernel 3000",
    "postgres;main;idling;epoll_wait@libc 2000",
    "checkpointer;main;write@kernel 1000",
  ]);
const BASE = profile(500);
const AFTER = profile(1500);
const DIFF = diffProfiles(BASE, AFTER, { baseLabel: "16", afterLabel: "18" });
const WORK = { operations: 4000, cost_unit: "cycles per insert" };
const DATA = /** @type {Record<string, object>} */ ({ "/profile.json": AFTER, "/diff.json": DIFF });
const PROFILE_ON_PAGE = `<flame-graph id="g" data-profile="profile.json" data-operations="4000" data-cost-unit="cycles per insert">${inlineProfileSvg(AFTER, "PostgreSQL 18", 14).svg}</flame-graph>`;
const DIFF_ON_PAGE = `<flame-graph id="g" data-profile="diff.json">${inlineDiffSvg(DIFF, "18 against 16", 1500).svg}</flame-graph>`;

const GRAPHS = [
  { of: "a profile on a page", share: "25.00 % of all", ...onPage(PROFILE_ON_PAGE, DATA) },
  {
    of: "a profile in a file",
    share: "25.00 % of all",
    ...inFile(profileSvg(AFTER, "PostgreSQL 18", [], WORK).svg),
  },
  { of: "a diff on a page", share: "25.00 % in 18", ...onPage(DIFF_ON_PAGE, DATA) },
  { of: "a diff in a file", share: "25.00 % in 18", ...inFile(diffSvg(DIFF, "18 against 16").svg) },
];

/**
 * @param {string} prefix
 * @param {string} state
 */
const ending = (prefix, state) => new RegExp(`#${prefix.replace(".", "\\.")}${state}$`);

for (const { of, prefix, share, open } of GRAPHS) {
  test.describe(of, () => {
    test("shows callees, callers and both of a function, by mouse", async ({ page }) => {
      const { label, button, shown, status, back, frame } = await open(page);
      await clickFrame(label("memcmp"));
      await button("callers").click();
      await expect(shown).toContainText("What calls memcmp, and what calls that.");
      await expect(page).toHaveURL(ending(prefix, `view=callers&${prefix}of=memcmp`));
      await expect(status).toContainText(share);
      await expect(label("compare")).toHaveCount(1);
      await expect(label("heap_getnext")).toHaveCount(0);
      await clickFrame(label("compare"));
      await expect(status).toContainText("memcmp from here");
      await button("both").click(); // of compare
      await expect(shown).toContainText("What calls compare above it, what it calls below.");
      await expect(frame).toHaveAccessibleName(/^compare, /);
      await back.click();
      await expect(shown).toContainText("What calls memcmp");
      await back.click();
      await back.click();
      await expect(shown).toHaveText("");
      await back.click();
      await expect(back).toBeDisabled();
      await expect(label("heap_getnext")).toHaveCount(1);
    });

    test("shows the leaves of the whole graph first, by option, key and link", async ({ page }) => {
      const { graph, label, shown, status, frame, back } = await open(page);
      const option = graph.locator("label", { hasText: "Leaf first" }).locator("input");
      await graph.getByText("Options", { exact: true }).click();
      await option.check();
      await expect(shown).toContainText("Each function is as wide as its own weight");
      await expect(page).toHaveURL(ending(prefix, "view=leaves"));
      await expect(label("postgres").first()).toBeVisible();
      await clickFrame(label("memcmp").first());
      await expect(status).toContainText("self");
      await page.keyboard.press("Escape");
      await back.click();
      await expect(option).not.toBeChecked();
      await frame.focus();
      await page.keyboard.press("l");
      await expect(option).toBeChecked();
      await page.keyboard.press("w");
      await expect(shown).toHaveText("");
      const linked = await open(page, `#${prefix}view=leaves`);
      await expect(linked.shown).toContainText("Each function is as wide as its own weight");
    });

    test("shows them by keyboard, and walks from callers to callees", async ({ page }) => {
      const { label, frame, shown } = await open(page, `#${prefix}frame=ExecScan`);
      await expect(label("checkpointer")).toHaveCount(0);
      await frame.focus();
      await page.keyboard.press("d");
      await expect(shown).toContainText("What ExecScan calls, wherever it was called from.");
      await expect(frame).toBeFocused();
      await page.keyboard.press("u");
      await expect(shown).toContainText("What calls ExecScan, and what calls that.");
      await page.keyboard.press("b");
      await expect(shown).toContainText("What calls ExecScan above it, what it calls below.");
      await expect(frame).toHaveAccessibleName(/^ExecScan, /);
      await page.keyboard.press("ArrowUp");
      await expect(frame).toHaveAccessibleName(/^main, /);
      await page.keyboard.press("ArrowUp");
      await expect(frame).toHaveAccessibleName(/^postgres, /);
      await page.keyboard.press("Home");
      await expect(frame).toHaveAccessibleName(/^ExecScan, /);
      await page.keyboard.press("End");
      await expect(frame).toHaveAccessibleName(/^page_fault, /);
      await page.keyboard.press("w");
      await expect(shown).toHaveText("");
      await expect(frame).toHaveAccessibleName(/^page_fault, /);
      await expect(frame).toBeFocused();
    });

    test("opens at a function that a link names, and says when it is not there", async ({
      page,
    }) => {
      const { shown, label } = await open(page, `#${prefix}view=callees&${prefix}of=ExecScan`);
      await expect(shown).toContainText("What ExecScan calls");
      await expect(label("checkpointer")).toHaveCount(0);
      const gone = await open(page, `#${prefix}view=both&${prefix}of=Vanished`);
      await expect(gone.shown).toHaveText("“Vanished” is not in this graph.");
      await expect(gone.label("checkpointer")).not.toHaveCount(0);
    });

    test("merges recursion, and hides what waits", async ({ page }) => {
      const { graph, label, shown } = await open(page);
      const option = (/** @type {string} */ name) =>
        graph.locator("label", { hasText: name }).locator("input");
      await expect(label("ExecScan")).toHaveCount(2);
      await graph.locator("summary", { hasText: "Options" }).click();
      await option("Merge recursion").check();
      await expect(label("ExecScan")).toHaveCount(1);
      await expect(page).toHaveURL(ending(prefix, "merge=recursion"));
      await option("Hide waiting frames").check();
      await expect(label("epoll_wait")).toHaveCount(0);
      await expect(shown).toContainText(
        /Hidden: 2[5-9]\.\d+ %.*waiting in epoll_wait\. Percentages are relative to/,
      );
      await expect(page).toHaveURL(ending(prefix, `merge=recursion&${prefix}hide=idle`));
      await page.reload();
      await expect(label("ExecScan")).toHaveCount(1);
      await expect(option("Hide waiting frames")).toBeChecked();
      await graph.locator("summary", { hasText: "Options" }).click();
      await option("Hide waiting frames").uncheck();
      await option("Merge recursion").uncheck();
      await expect(label("epoll_wait")).not.toHaveCount(0);
      await expect(shown).toHaveText("");
    });

    test("leaves out functions, kinds of code and all else, by mouse and by keyboard", async ({
      page,
    }) => {
      const { graph, label, button, shown, frame } = await open(page);
      await clickFrame(label("memcmp"));
      await button("Hide").click();
      await expect(label("memcmp")).toHaveCount(0);
      await frame.focus();
      await page.keyboard.press("w");
      await expect(label("epoll_wait")).not.toHaveCount(0);
      await expect(shown).toHaveText(/^Hidden: .*%.*\. Percentages are relative to what is left\./);
      await expect(page).toHaveURL(new RegExp(`[#&]${prefix}hide=memcmp$`));
      await page.reload();
      await expect(label("memcmp")).toHaveCount(0);
      await button("Hidden: memcmp: undo").click();
      await expect(label("memcmp")).not.toHaveCount(0);
      await expect(frame).toBeFocused();

      await clickFrame(label("page_fault"));
      await graph.getByRole("combobox", { name: "Applies to" }).selectOption("kind");
      await button("Focus").click();
      await frame.focus();
      await page.keyboard.press("w");
      await expect(label("write")).not.toHaveCount(0);
      await expect(label("memcmp")).toHaveCount(0);
      await expect(page).toHaveURL(new RegExp(`${prefix}only=%5Bkernel%5D`));
      await frame.focus();
      await page.keyboard.press("r");
      await expect(label("memcmp")).not.toHaveCount(0);

      await clickFrame(label("ExecSort"));
      await frame.focus();
      await page.keyboard.press("c");
      await expect(label("compare")).toHaveCount(0);
      await expect(label("ExecSort")).not.toHaveCount(0);
      await expect(button("Collapsed: ExecSort: undo")).toBeVisible();
      await expect(shown).toHaveText("");
    });

    test("merges a function into its callers, by button, key and link", async ({ page }) => {
      const { label, button, status, frame, shown } = await open(page);
      await clickFrame(label("ExecSort"));
      await expect(status).toContainText("self 0");
      await clickFrame(label("compare"));
      await button("Merge").click();
      await expect(label("compare")).toHaveCount(0);
      await expect(frame).toHaveAccessibleName(/^ExecSort, /);
      await clickFrame(label("memcmp"));
      await page.keyboard.press("m");
      await expect(label("memcmp")).toHaveCount(0);
      await expect(status).not.toContainText("self 0");
      await expect(shown).toHaveText("");
      await expect(page).toHaveURL(new RegExp(`${prefix}merge=compare%20%7C%20memcmp`));
      await page.reload();
      await button("Merged: compare: undo").click();
      await expect(label("compare")).toHaveCount(1);
      await expect(label("memcmp")).toHaveCount(0);
    });

    test("copies a frame's name, its stack and a folded line, by button and key", async ({
      page,
    }) => {
      await page.addInitScript(() => {
        const copied = /** @type {string[]} */ ([]);
        const writeText = (/** @type {string} */ text) => copied.push(text);
        Object.defineProperty(navigator, "clipboard", { value: { writeText } });
        document.addEventListener("copy", ({ clipboardData }) => {
          copied.push(clipboardData?.getData("text/plain") ?? "");
        });
        Object.assign(window, { copied });
      });
      const copied = () => page.evaluate(() => /** @type {any} */ (window).copied.splice(0));
      const { graph, label, button, message } = await open(page);
      await clickFrame(label("compare"));
      await clickFrame(label("memcmp"));
      const stack = "postgres\nmain\nExecSort\ncompare\nmemcmp";
      const weights = of.startsWith("a diff") ? "500 1500" : "1500";
      const line = `postgres;main;ExecSort;compare;memcmp_[l] ${weights}`;
      for (const key of ["ControlOrMeta+c", "s", "S"]) await page.keyboard.press(key);
      expect(await copied()).toEqual(["memcmp", stack, line]);
      const choice = graph.getByRole("combobox", { name: "Copy" });
      await choice.selectOption("name");
      await expect(message).toHaveText("Copied the name.");
      await choice.selectOption("stack");
      await choice.selectOption("folded line");
      await expect(message).toHaveText("Copied the folded line.");
      expect(await copied()).toEqual(["memcmp", stack, line]);
      // Callers are drawn the other way round.
      await button("callers").click();
      await clickFrame(label("ExecSort"));
      await choice.selectOption("folded line");
      expect(await copied()).toEqual([`ExecSort;compare;memcmp_[l] ${weights}`]);
    });

    test("shows what the browser does not let it copy", async ({ page }) => {
      const { label, message } = await open(page);
      await clickFrame(label("ExecSort"));
      await page.keyboard.press("s");
      await expect(message).toHaveText("The browser refused to copy: postgres main ExecSort");
    });

    test("stays at the frame when it shows the whole again, and when it changes its look", async ({
      page,
    }) => {
      const { label, button, frame, graph, shown } = await open(page);
      await clickFrame(label("ExecSort"));
      await page.keyboard.press("ArrowDown");
      await expect(frame).toHaveAccessibleName(/^compare, /);
      await page.keyboard.press("w");
      await expect(label("checkpointer")).toHaveCount(1);
      await expect(frame).toHaveAccessibleName(/^compare, /);
      await graph.getByText("Options", { exact: true }).click();
      await graph.getByRole("checkbox", { name: "Flame" }).check();
      await expect(frame).toHaveAccessibleName(/^compare, /);
      await button("callees").click();
      await page.keyboard.press("ArrowDown");
      await frame.focus();
      await expect(frame).toHaveAccessibleName(/^(compare|memcmp), /);
      await page.keyboard.press("w");
      await expect(shown).toHaveText("");
      await expect(frame).toBeFocused();
      await expect(frame).toHaveAccessibleName(/^(compare|memcmp), /);
      await page.keyboard.press("l");
      await clickFrame(label("memcmp"));
      await page.keyboard.press("w");
      await expect(frame).toHaveAccessibleName(/^memcmp, /);
      await page.keyboard.press("ArrowDown");
      await expect(frame).toHaveAccessibleName(/^(compare|ExecScan), /);
      // Back at a frame that was zoomed to, the selection is there.
      await clickFrame(label("checkpointer"));
      await page.keyboard.press("w");
      await page.keyboard.press("Escape");
      await expect(frame).toHaveAccessibleName(/^checkpointer, /);
      await expect(frame).toBeFocused();
    });

    test("counts the matches of a search where it steps through them", async ({ page }) => {
      const { search, found, graph } = await open(page);
      await search.fill("/mem|heap/");
      await expect(found).not.toContainText(" of 3");
      await search.press("Enter");
      await expect(found).toHaveText(/ · 1 of 3$/);
      await page.keyboard.press("n");
      await expect(found).toHaveText(/ · 2 of 3$/);
      await page.keyboard.press("N");
      await page.keyboard.press("N");
      await expect(found).toHaveText(/ · 3 of 3$/);
      await page.keyboard.press("ArrowUp");
      await expect(found).not.toContainText(" of 3");
      await expect(graph.locator("output")).toHaveCount(1);
    });

    test("takes back by keyboard what hides everything", async ({ page }) => {
      const { label, button, frame } = await open(page, `#${prefix}only=postgres`);
      await frame.focus();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("h");
      await expect(button("Hidden: postgres: undo")).toBeVisible();
      await expect(frame).toHaveCount(0);
      await expect(button("Only postgres: undo")).toBeFocused();
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await expect(label("ExecScan")).not.toHaveCount(0);
    });

    test("says which names of a link it does not have", async ({ page }) => {
      const { shown } = await open(page, `#${prefix}hide=memcmp%20%7C%20vanished`);
      await expect(shown).toHaveText(/^“vanished” is not in this graph\. Hidden: .* %/);
    });

    test("stays at the frame that calls itself when recursion is merged", async ({ page }) => {
      const { graph, trail } = await open(page, `#${prefix}frame=ExecScan%20%3E%20ExecScan`);
      await expect(trail).toHaveText("all › postgres › main › ExecScan › ExecScan");
      await graph.locator("summary", { hasText: "Options" }).click();
      await graph.locator("label", { hasText: "Merge recursion" }).locator("input").check();
      await expect(trail).toHaveText("all › postgres › main › ExecScan");
    });

    test("leads back along the callers of the zoomed frame", async ({ page }) => {
      await page.setViewportSize({ width: 320, height: 640 });
      const { trail, button, frame } = await open(page, `#${prefix}frame=page_fault`);
      await expect(trail).toHaveText(/^all › postgres › main › ExecScan › .*page_fault$/);
      await button("main").click();
      await expect(page).toHaveURL(ending(prefix, "frame=.*main"));
      await expect(trail).toHaveText("all › postgres › main");
      await button("postgres").focus();
      await page.keyboard.press("ArrowLeft");
      await expect(button("all")).toBeFocused();
      await page.keyboard.press("Enter");
      await expect(trail).toHaveText("all");
      await expect(frame).toHaveAccessibleName(/^all, /);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(wide).toBe(320);
    });

    test("leads through its matches by keys, and says its keys in words", async ({ page }) => {
      const { search, frame, graph } = await open(page);
      await search.fill("mem");
      await frame.focus();
      await page.keyboard.press("n");
      await expect(frame).toHaveAccessibleName(/^memcmp, /);
      const first = await frame.getAttribute("aria-level");
      await page.keyboard.press("n");
      await expect(frame).not.toHaveAttribute("aria-level", first ?? "");
      await page.keyboard.press("N");
      await expect(frame).toHaveAttribute("aria-level", first ?? "");
      await page.keyboard.press("?");
      await expect(graph.getByText("down the widest callees")).toBeVisible();
      await expect(graph.locator("summary", { hasText: "Options" })).toBeFocused();
    });

    test("keeps in the link which way it stands", async ({ page }) => {
      const { graph, label } = await open(page);
      const top = async () => (await label("checkpointer").boundingBox())?.y ?? 0;
      const before = await top();
      await graph.locator("summary", { hasText: "Options" }).click();
      await graph.locator("label", { hasText: "Flame: callers" }).locator("input").check();
      await graph.locator("summary", { hasText: "Options" }).click();
      await expect(page).toHaveURL(ending(prefix, "draw=flame"));
      const isLower = async () => expect(await top()).toBeGreaterThan(before);
      await expect(isLower).toPass();
      await page.reload();
      await expect(isLower).toPass();
    });

    test("gives up a search that would not end", async ({ page }) => {
      const { search, found } = await open(page);
      await search.fill("/(\\w+)+(\\w+)+(\\w+)+$!/");
      await expect(found).toHaveText(/^Matched: 0 %/, { timeout: 3000 });
      await search.fill("/(a)\\1/");
      await expect(found).toContainText("cannot be searched for: back-references");
    });
  });
}

for (const { of, open } of GRAPHS.slice(0, 2)) {
  test(`${of} says what a frame costs per operation`, async ({ page }) => {
    const { label, status, graph } = await open(page);
    await clickFrame(label("heap_getnext"));
    await expect(status).toContainText("37.50 % of all, 0.750 cycles per insert");
    await label("page_fault").first().hover({ force: true });
    await expect(graph.locator(".flame-graph-tooltip")).toContainText(
      "100 % of the zoomed frame, 0.750 cycles per insert",
    );
  });
}

test("in a diff, keys lead to what is gone and back", async ({ page }) => {
  const gone = diffProfiles(
    profileOfStacks(["t;old 5", "t;kept 5"], { samples: 1e6 }),
    profileOfStacks(["t;kept 5"], { samples: 1e6 }),
    {
      baseLabel: "16",
      afterLabel: "18",
    },
  );
  const body = `<flame-graph id="g" data-profile="diff.json">${inlineDiffSvg(gone, "18 against 16", 1500).svg}</flame-graph>`;
  await openGraphs(page, { body, data: { "/diff.json": gone } });
  const { frame } = parts(page, "g");
  await frame.focus();
  await page.keyboard.press("PageDown");
  await page.keyboard.press("End");
  await expect(frame).toHaveAccessibleName(/^old, gone, /);
  await page.keyboard.press("PageUp");
  await expect(frame).toHaveAccessibleName(/^all, /);
});

for (const { of, prefix, open } of [GRAPHS[0], GRAPHS[2]]) {
  test(`${of} is read by finger on a phone`, async ({ browser }) => {
    const context = await browser.newContext(PHONE);
    const page = await context.newPage();
    const { label, status, button, shown, graph, trail, frame } = await open(page);
    await expect(frame).toBeAttached(); // the viewer's controls are above the graph from now on
    // A finger that stays reads; the graph is not zoomed.
    const centre = (/** @type {Element} */ element) =>
      element.scrollIntoView({ block: "center", behavior: "instant" });
    await label("heap_").first().evaluate(centre);
    const box = await label("heap_").first().boundingBox();
    const point = { x: (box?.x ?? 0) + 3, y: (box?.y ?? 0) + 5 };
    const client = await context.newCDPSession(page);
    await client.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [point] });
    await expect(graph.locator(".flame-graph-tooltip")).toBeVisible();
    await page.waitForTimeout(700);
    await client.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    await expect(trail).toHaveText("all");
    // A tap zooms.
    await label("heap_").first().tap({ force: true });
    await expect(page).toHaveURL(ending(prefix, "frame=heap_getnext"));
    await expect(status).toContainText("heap_getnext · ");
    await expect(status).toBeInViewport();
    await button("both").tap();
    await expect(shown).toContainText("What calls heap_getnext above it");
    await trail.getByRole("button", { name: "all" }).tap();
    await expect(shown).toHaveText("");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    await context.close();
  });
}

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  for (const { of, prefix, open } of [GRAPHS[0], GRAPHS[2]]) {
    test(`axe finds nothing to say of ${of} with all open, in ${colorScheme}`, async ({ page }) => {
      await page.emulateMedia({ colorScheme });
      const state = `#${prefix}view=both&${prefix}of=ExecScan&${prefix}hide=idle&${prefix}frame=memcmp`;
      const { graph, frame } = await open(page, state);
      await graph.locator("summary", { hasText: "Options" }).click();
      await frame.focus();
      expect(await barriers(page)).toEqual([]);
    });
  }
}

test("steps go from match to match, also where one is too thin to be seen", async ({ page }) => {
  const thin = profileOfStacks(["t;a;heap_copy 500000", "t;b;heap_add 1", "t;c;heap_next 499999"]);
  const { svg } = inlineProfileSvg(thin, "heaps", 1500);
  const { search, found, button, frame } = await onPage(
    `<flame-graph id="g" data-profile="thin.json">${svg}</flame-graph>`,
    { "/thin.json": thin },
  ).open(page);
  await search.fill("heap");
  await expect(found).toHaveText("Matched: 100 %");
  for (const name of ["heap_copy", "heap_add", "heap_next", "heap_copy"]) {
    await button("Next").click();
    await expect(frame).toHaveAccessibleName(new RegExp(name));
  }
});
