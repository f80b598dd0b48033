/** A link that names a frame brings it into the window, wherever the link is, by mouse and by keyboard. */

import { expect } from "@playwright/test";
import { inlineProfileSvg } from "../../pipeline/flamegraph/svg/profile_svg.js";
import { profileOfStacks } from "../profile/profiles.js";
import { test } from "./complaints.js";
import { openGraphs, parts } from "./graph_page.js";

const REPORT = "reports/servers/";
const STEP = `${REPORT}11.0-rc.1/select/`;
const DIFF = `${STEP}vs/9.4/`;
const RENAMING_DIFF = `${REPORT}10.0/select/vs/9.4/`;
const MATRIX = `${REPORT}steps/select/`;
const COMPARE = `${REPORT}compare/#step=select&a=9.4&b=11.0-rc.1`;

/** @typedef {{ kind: string, page: string, folded?: string, seen?: string, link: string }} Way */

/** A page, what to open or see there, and a link of the kind. The last of a table is the farthest away. */
const LINKS = /** @type {Way[]} */ ([
  {
    kind: "the table of functions of a profile",
    page: STEP,
    folded: "summary:text('The functions as a table')",
    link: "function-table tbody tr:last-child th a:not(.anchor)",
  },
  {
    kind: "the table of functions of a diff",
    page: DIFF,
    link: "function-table tbody tr:last-child th a:not(.anchor)",
  },
  {
    kind: "a function that is gone",
    page: DIFF,
    link: "function-table tbody th a[href$='CreatePortal']",
  },
  {
    kind: "the table of functions of a comparison",
    page: COMPARE,
    link: "function-table tbody tr:last-child th a:not(.anchor)",
  },
  { kind: "a bar of a diff", page: DIFF, link: ".waterfall a" },
  { kind: "a bar of a step", page: STEP, link: ".waterfall a" },
  { kind: "a bar of a release", page: `${REPORT}11.0-rc.1/`, link: ".waterfall a" },
  { kind: "a suspect", page: DIFF, link: "#suspects tbody a[href*='.frame=']" },
  { kind: "a shift", page: RENAMING_DIFF, link: "#shifts a[href*='.frame=']" },
  { kind: "a drilldown of a report", page: REPORT, link: "#reading-select-along td a:visible" },
  {
    kind: "a drilldown of a step, to its own graph",
    page: STEP,
    link: "#reading-select-along td a[href^='#flamegraph-11.0-rc.1']:visible",
  },
  {
    kind: "a drilldown of a step, to a diff",
    page: STEP,
    folded: "#reading-select-along [popover]:has(a) >> xpath=preceding-sibling::button",
    link: "#reading-select-along td a[href*='/vs/']",
  },
  { kind: "a call tree", page: MATRIX, link: ".calltree tbody tr:last-child td a" },
  {
    kind: "the matrix",
    page: MATRIX,
    seen: "function-matrix",
    link: "function-matrix tbody tr:last-child td a",
  },
]);

const WINDOWS = [
  { width: 360, height: 640 },
  { width: 1440, height: 900 },
];

/**
 * Expect the focus on a frame that is in the window, with nothing over it.
 *
 * @param {import("@playwright/test").Page} page
 * @param {string} [name] of the frame
 */
async function expectInWindow(page, name) {
  const frame = page.locator("flame-graph [role=treeitem]:focus");
  await expect(frame).toHaveCount(1);
  if (name) await expect(frame).toHaveAccessibleName(new RegExp(`^${name}, `));
  else await expect(frame).not.toHaveAccessibleName(/^all, /);
  // The page may still move when the focus is there.
  await expect
    .poll(() =>
      frame.evaluate((element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        if (top < 0 || bottom > innerHeight) return `${top} to ${bottom} of ${innerHeight}`;
        const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return seen?.closest("svg") === element.closest("svg") ? "seen" : `below ${seen?.nodeName}`;
      }),
    )
    .toBe("seen");
}

/**
 * Wait until nothing scrolls, as a person does who reads what the focus is on.
 *
 * @param {import("@playwright/test").Page} page
 */
async function expectStill(page) {
  let last = -1;
  await expect
    .poll(
      async () => {
        const before = last;
        last = await page.evaluate(() => scrollY);
        return last === before;
      },
      { intervals: [200] },
    )
    .toBe(true);
}

for (const viewport of WINDOWS) {
  const isPhone = viewport.width < 400;
  test.describe(`${viewport.width} px wide`, () => {
    for (const by of ["mouse", "keyboard"]) {
      for (const { kind, page: address, folded, seen, link: selector } of LINKS) {
        test(`${kind} leads to its frame, by ${by}`, async ({ browser, baseURL }) => {
          const touch = isPhone && by === "mouse";
          const page = await browser.newPage({
            baseURL,
            viewport,
            hasTouch: touch,
            isMobile: touch,
          });
          await page.goto(address);
          // Where there is room it is open beside the graph.
          const fold = folded ? page.locator(folded).first() : null;
          if (await fold?.isVisible()) await fold?.click();
          else if (fold) await page.locator("flame-graph").first().scrollIntoViewIfNeeded();
          // Links that come when their table is seen.
          if (seen) await page.locator(seen).scrollIntoViewIfNeeded();
          const link = page.locator(selector).first();
          for (let times = 0; times < 2; times++) {
            if (by === "mouse") await link.click();
            else {
              await link.focus();
              await expectStill(page);
              await page.keyboard.press("Enter");
            }
            await expectInWindow(page);
            // The link again, where the graph shows the frame already.
            if (!(await link.isVisible())) break;
          }
          await page.close();
        });
      }
    }
  });
}

const DEEP = profileOfStacks([
  `postgres;${Array.from({ length: 70 }, (_, depth) => `f${depth}`).join(";")};leaf 900`,
  ...Array.from({ length: 60 }, (_, index) => `postgres;f0;f1;other_${index} 1`),
  "postgres;wide 2000",
]);
const SVG = inlineProfileSvg(DEEP, "Deep", 90).svg;
const FAR = `<p>${"<br>".repeat(90)}</p>`;
const BODY = `<p><a href="#cpu.frame=f60">Into the depth</a> <a href="#end">The end</a></p>${FAR}
  <flame-graph id="cpu" data-profile="profile.json">${SVG}</flame-graph>${FAR}<h2 id="end">The end</h2>`;
const PAGE = { body: BODY, data: { "/profile.json": DEEP } };
const PHONE = { width: 360, height: 640 };

test("a frame deeper than the window is high is led to, also from another page", async ({
  page,
}) => {
  await page.setViewportSize(PHONE);
  await openGraphs(page, { ...PAGE, fragment: "#cpu.frame=leaf" });
  await expectInWindow(page, "leaf");
  await page.getByRole("link", { name: "Into the depth" }).click();
  await expectInWindow(page, "f60");
  await openGraphs(page, { ...PAGE, fragment: "#cpu.frame=f55&cpu.draw=flame" });
  await page.reload();
  await page.getByRole("link", { name: "Into the depth" }).press("Enter");
  await expectInWindow(page, "f60");
});

test("a share link, with the anchor of the graph, leads to the frame", async ({ page }) => {
  await page.setViewportSize(PHONE);
  await openGraphs(page, { ...PAGE, fragment: "#cpu&cpu.frame=leaf" });
  await expectInWindow(page, "leaf");
});

test("a link to an anchor leads there, whatever the graph shows", async ({ page }) => {
  await openGraphs(page, { ...PAGE, fragment: "#end&cpu.frame=leaf" });
  await expect(page.getByRole("heading", { name: "The end" })).toBeInViewport();
  await parts(page).graph.scrollIntoViewIfNeeded();
  await expect(parts(page).trail).toHaveText(/leaf$/);
  await expect(page.locator("[role=treeitem]:focus")).toHaveCount(0);
});

test("who reloads or goes back is left where they were", async ({ page }) => {
  const link = page.getByRole("link", { name: "Into the depth" });
  await openGraphs(page, { ...PAGE, fragment: "#cpu.frame=leaf" });
  await expectInWindow(page, "leaf");
  await link.scrollIntoViewIfNeeded();
  await page.reload();
  await expect(parts(page).trail).toHaveText(/leaf$/);
  await expect(link).toBeInViewport();
  await link.click();
  await expectInWindow(page, "f60");
  await page.goBack();
  await expect(parts(page).trail).toHaveText(/leaf$/);
  await expect(link).toBeInViewport();
});

test("nothing moves by itself for who wants no motion", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await openGraphs(page, PAGE);
  const link = page.getByRole("link", { name: "Into the depth" });
  const jump = page.evaluate(
    () =>
      new Promise((resolve) => {
        const places = /** @type {number[]} */ ([]);
        addEventListener("scroll", () => places.push(scrollY));
        addEventListener("scrollend", () => resolve(new Set(places).size));
      }),
  );
  await link.click();
  expect(await jump).toBe(1);
  await expectInWindow(page, "f60");
});
