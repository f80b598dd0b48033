/** A reader with a keyboard alone: one page of each kind, walked through from its top to its end. */

import { expect, test } from "@playwright/test";

const STEP = "reports/servers/11.0-rc.1/select/";
const PAGES = [
  "",
  "reports/servers/",
  "reports/servers/10.0/",
  STEP,
  `${STEP}vs/9.4/`,
  "reports/servers/steps/select/",
  "reports/servers/@lab1--c1--2clients/",
  "reports/servers/compare/#step=select",
  "hosts/lab1/",
  "docs/tables/",
  "problems/",
  `${STEP}embed/`,
];
/**
 * What scripts add to a page once its data came. It moves what stands below it, so a walk that began
 * before it stood there would find the focus out of sight.
 */
const ADDED = new Map([["reports/servers/compare/#step=select", ".comparison-result svg"]]);
/** Presses of a key on a page; what has more stops than this has a trap. */
const MOST = 600;
const SIZES = [
  { width: 1024, height: 600, pages: PAGES },
  { width: 360, height: 640, pages: ["reports/servers/", STEP, "reports/servers/steps/select/"] },
];

for (const { pages, ...viewport } of SIZES) {
  for (const address of pages) {
    test(`walks through /${address} at ${viewport.width} pixels`, async ({ page }) => {
      await page.setViewportSize(viewport);
      await page.goto(address);
      const added = ADDED.get(address);
      if (added) await expect(page.locator(added).first()).toBeVisible();
      await page.evaluate(prepare);
      const found = [];
      let presses = 0;
      for (; presses < MOST; presses += 1) {
        await page.keyboard.press("Tab");
        const faults = await page.evaluate(() => /** @type {any} */ (window).look());
        if (faults === null) break;
        found.push(...faults);
      }
      expect(found).toEqual([]);
      expect(presses, "stops").toBeGreaterThan(0);
      expect(presses, "it does not end").toBeLessThan(MOST);
    });
  }
}

test("skips to the content", async ({ page }) => {
  await page.goto(STEP);
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to the content" });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport({ ratio: 1 });
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect(page.locator("main :focus")).toHaveCount(1);
  await expect(page.locator("nav[aria-label='Main'] :focus")).toHaveCount(0);
});

/** In the page: `look` returns what is wrong with the focus, and null at the end of the page. */
function prepare() {
  document.documentElement.style.scrollBehavior = "auto";
  /** @type {Element | null} */
  let last = null;

  /** @param {Element} element */
  function nameOf(element) {
    const labels = /** @type {HTMLInputElement} */ (element).labels ?? [];
    const by = element.getAttribute("aria-labelledby")?.split(" ") ?? [];
    const texts = [
      element.getAttribute("aria-label"),
      ...by.map((id) => document.getElementById(id)?.textContent),
      ...[...labels].map((label) => label.textContent),
      element.matches("input, select, svg, section") ? "" : element.textContent,
    ];
    return texts.map((text) => text?.trim()).find(Boolean) ?? "";
  }

  /**
   * Whether any of it is to be seen: in the window, and beneath nothing that stays in sight.
   *
   * @param {Element} element
   */
  function isSeen(element) {
    return [...element.getClientRects()].some((box) => {
      const [left, right] = [Math.max(box.left, 0), Math.min(box.right, innerWidth)];
      const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)];
      if (right - left < 2 || bottom - top < 2) return false;
      const places = [
        [(left + right) / 2, (top + bottom) / 2],
        [left + 1, (top + bottom) / 2],
        [right - 1, (top + bottom) / 2],
      ];
      return places.some(([x, y]) => {
        const there = document.elementFromPoint(x ?? 0, y ?? 0);
        return there !== null && (element.contains(there) || there.contains(element));
      });
    });
  }

  Object.assign(window, {
    look() {
      const focus = document.activeElement;
      if (!focus || focus === document.body) return null;
      const label = `${focus.nodeName} ${focus.id || focus.className} “${nameOf(focus).slice(0, 40)}”`;
      const faults = [];
      if (!nameOf(focus)) faults.push("has no name");
      if (!isSeen(focus)) faults.push("is not in sight");
      const { outlineStyle, outlineWidth, opacity } = getComputedStyle(focus);
      // A frame of a graph has its line drawn around it.
      const line = focus instanceof SVGElement && focus.querySelector("rect");
      const isMarked = line ? getComputedStyle(line).stroke !== "none" : outlineStyle !== "none";
      if (!isMarked || outlineWidth === "0px") faults.push("does not look focused");
      if (opacity === "0") faults.push("is transparent");
      const follows = Node.DOCUMENT_POSITION_FOLLOWING;
      if (last && !(last.compareDocumentPosition(focus) & follows)) {
        faults.push("stands before what had the focus");
      }
      last = focus;
      return faults.map((fault) => `${label} ${fault}`);
    },
  });
}
