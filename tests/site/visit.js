/** What a page does when a reader comes to it: how much it loads, whether it jumps, what it says. */

import { gzipSync } from "node:zlib";
import { AxeBuilder } from "@axe-core/playwright";

/** Milliseconds for what a page loads after its own files. */
const PATIENCE = 5000;
/** Files that are compressed as they are. */
const PACKED = /\.(woff2|png|gz)$/;

/**
 * @typedef {object} Visit
 * @property {string} html as the server sent it
 * @property {number} bytes of all that the page loads by itself, as a server that compresses sends it
 * @property {string} files those bytes by file, the largest first
 * @property {number} shift cumulative layout shift
 * @property {string} moved the elements that it moved
 * @property {string[]} complaints of scripts, and missing files
 * @property {string[]} dangers requests to other hosts, what the policy forbids, windows of scripts
 */

/**
 * Return a page that one address after another is visited with: each visit is that of a reader who
 * was never here, and notes what moves. Scripts come when the page is seen, as they do over a slow
 * line; on a fast one they would come before, now and then, and what they move would not count.
 *
 * @param {import("@playwright/test").Browser} browser
 * @param {import("@playwright/test").BrowserContextOptions} options
 */
export async function newPage(browser, options) {
  const page = await browser.newPage(options);
  await page.addInitScript(() => {
    localStorage.clear();
    sessionStorage.clear();
    const seen = /** @type {any} */ (window);
    seen.shift = 0;
    seen.moved = "";
    new PerformanceObserver((list) => {
      for (const { value, sources } of /** @type {any} */ (list.getEntries())) {
        seen.shift += value;
        for (const { node } of sources) {
          seen.moved += ` ${node?.nodeName} of ${node?.parentElement?.closest("[id]")?.id}`;
        }
      }
    }).observe({ type: "layout-shift", buffered: true });
    seen.painted = new Promise((resolve) => {
      new PerformanceObserver(resolve).observe({ type: "paint", buffered: true });
    });
  });
  await page.route(/\.js$/, async (route) => {
    await page.evaluate(async () => {
      await /** @type {any} */ (window).painted;
    });
    await route.continue();
  });
  return page;
}

/**
 * Open a page, and wait until it has loaded what it loads without being asked.
 *
 * @param {import("@playwright/test").Page} page from `newPage`
 * @param {string} url
 * @returns {Promise<Visit>}
 */
export async function visit(page, url) {
  const { origin } = new URL(url);
  /** @type {Set<string>} */
  const asked = new Set();
  let waiting = 0;
  /** @type {string[]} */
  const complaints = [];
  /** @type {string[]} */
  const dangers = [];
  const emitter = /** @type {any} */ (page);
  /** @type {Record<string, (event: any) => void>} */
  const listeners = {
    request: (request) => {
      asked.add(request.url());
      waiting += 1;
    },
    requestfinished: () => {
      waiting -= 1;
    },
    requestfailed: (request) => {
      waiting -= 1;
      complaints.push(`fails to get ${request.url()}: ${request.failure()?.errorText}`);
    },
    console: (message) => {
      const isForbidden = message.text().includes("Content Security Policy");
      (isForbidden ? dangers : complaints).push(`says ${message.text()}`);
    },
    dialog: (dialog) => {
      dangers.push(`opens a window that says ${dialog.message()}`);
      void dialog.dismiss();
    },
    pageerror: (error) => complaints.push(`throws ${error.message}`),
  };
  // What the page before still fetches ends here, and is no complaint of this one.
  await page.goto("about:blank");
  for (const [event, listener] of Object.entries(listeners)) emitter.on(event, listener);
  const response = await page.goto(url);
  const html = (await response?.text()) ?? "";
  for (const end = Date.now() + PATIENCE; waiting > 0 && Date.now() < end; ) {
    await page.waitForTimeout(20);
  }
  const { shift, moved } = await page.evaluate(async () => {
    await new Promise((resolve) => {
      requestAnimationFrame(() => setTimeout(resolve));
    });
    const { shift, moved } = /** @type {any} */ (window);
    return { shift, moved };
  });
  for (const [event, listener] of Object.entries(listeners)) emitter.off(event, listener);
  /** @type {[string, number][]} */
  const sizes = [];
  for (const each of asked) {
    const { protocol, origin: host, pathname } = new URL(each);
    if (protocol === "data:") continue;
    if (host !== origin) dangers.push(`asks for ${each}`);
    else sizes.push([pathname, each === url ? gzipSync(html).length : await sizeOf(page, each)]);
  }
  return {
    html,
    bytes: sizes.reduce((sum, [, bytes]) => sum + bytes, 0),
    files: sizes
      .sort(([, a], [, b]) => b - a)
      .map(([file, bytes]) => `${file} ${bytes}`)
      .join(", "),
    shift,
    moved,
    complaints,
    dangers,
  };
}

/** @type {Map<string, number>} most pages ask for the same files */
const known = new Map();

/**
 * @param {import("@playwright/test").Page} page
 * @param {string} url
 */
async function sizeOf(page, url) {
  let size = known.get(url);
  if (size === undefined) {
    const body = await (await page.request.get(url)).body();
    size = PACKED.test(url) ? body.length : gzipSync(body).length;
    known.set(url, size);
  }
  return size;
}

/**
 * Go to the first graph, which then is drawn from its profile, and its table with it.
 *
 * @param {import("@playwright/test").Page} page
 */
export async function wakeGraphs(page) {
  // That of a comparison nobody asked for yet is hidden.
  const graph = page.locator("flame-graph").filter({ visible: true }).first();
  if ((await graph.count()) === 0) return;
  await graph.scrollIntoViewIfNeeded();
  await page.locator("flame-graph:is(:not([data-profile]), .settled)").first().waitFor();
}

/**
 * @param {import("@playwright/test").Page} page
 * @param {string} part a selector of what is looked at
 * @returns {Promise<string[]>} what keeps readers out, by all rules of axe
 */
export async function barriers(page, part = ":root") {
  // Its other mode opens a page for each run; what has passed need not be listed. Pages have no audio,
  // and no rule that is run reads style sheets: axe need not fetch them again.
  const axe = new AxeBuilder({ page })
    .include(part)
    .setLegacyMode()
    .options({
      preload: false,
      resultTypes: ["violations"],
      rules: { "target-size": { enabled: true } },
    });
  const { violations } = await axe.analyze();
  const found = violations.flatMap(({ id, nodes }) => nodes.map((node) => ({ id, ...node })));
  const isWhole = found.map(
    async ({ id, target }) => id !== "target-size" || !(await page.evaluate(isCut, `${target}`)),
  );
  const kept = await Promise.all(isWhole);
  return found
    .filter((_, at) => kept[at])
    .map(({ id, target, failureSummary }) => `${id}: ${target}: ${failureSummary}`);
}

/**
 * @param {string} target a selector
 * @returns whether the rim of a scrolled table or its first column hides a part of it: it is whole
 *   once scrolled. To axe a row below the rim is on what follows the table.
 */
function isCut(target) {
  const element = document.querySelector(target);
  const scroller = element?.closest(".scroller");
  const first = scroller?.querySelector("thead th");
  if (!element || !scroller || !first || first.contains(element)) return false;
  const own = element.getBoundingClientRect();
  const { top, bottom } = scroller.getBoundingClientRect();
  const { left, right } = first.getBoundingClientRect();
  return own.top < top || own.bottom > bottom || (own.left < right && own.right > left);
}
