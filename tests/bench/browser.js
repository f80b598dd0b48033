/**
 * Measure graphs in a browser, ours beside inferno's and d3-flame-graph's of the same tree: `make
 * bench`. The pages take turns, each loaded anew, so that what else the machine does disturbs all
 * alike; medians count, and ratios to a peer are taken turn by turn. A time ends with the second
 * frame after an event, by when what it changed has been painted; on an idle page that takes 16 to
 * 33 ms.
 */

import { createServer } from "node:http";
import process from "node:process";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { chromium } from "@playwright/test";
import { findBrowser } from "../site/browser.js";
import { pagesOf, targetOf, transferred } from "./pages.js";
import { heaviest, largeProfile } from "./trees.js";

const SIZES = [8000, 45_000];
const VIEWPORT = { width: 1280, height: 900 };
const QUERY = "lock";
const MEASURES = /** @type {const} */ ([
  ...["ready", "zoom", "unzoom", "search"],
  ...["hide", "focus", "collapse", "merge", "callers", "callees", "leaves"],
]);
/** What is measured of our page alone; NaN elsewhere. */
const EDITS = MEASURES.slice(4);

/**
 * @typedef {import("./pages.js").Page} Page
 * @typedef {Record<typeof MEASURES[number], number> & { elements: number }} Taken milliseconds, and
 *   the most elements that the graph had
 */

/** In the page, before anything else. */
const PAINTED = `
  window.painted = () => new Promise((resolve) =>
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now()))));
  window.paintedWhen = (isDone) => new Promise((resolve) => {
    const look = () => isDone() ? painted().then(resolve) : requestAnimationFrame(look);
    look();
  });`;

/** @param {string[]} args */
async function main(args) {
  const { values } = parseArgs({ args, options: { turns: { type: "string", default: "5" } } });
  const { profile, source } = largeProfile();
  const browser = await chromium.launch({ executablePath: findBrowser(), args: ["--no-sandbox"] });
  console.log(
    `${source.replace(/^.*\//, "")}, Chromium ${browser.version()}, ${values.turns} turns`,
  );
  for (const size of SIZES) {
    const tree = heaviest(profile, size);
    const target = targetOf(tree);
    const pages = pagesOf(tree);
    /** @type {Map<Page, Taken[]>} */
    const taken = new Map(pages.map((page) => [page, []]));
    for (let turn = 0; turn < Number(values.turns); turn++) {
      for (const [page, list] of taken) list.push(await look(browser, page, target));
    }
    report(size, taken);
  }
  await browser.close();
}

/**
 * Look at a page as a reader does.
 *
 * @param {import("@playwright/test").Browser} browser
 * @param {Page} shown
 * @param {import("./pages.js").Target} target
 * @returns {Promise<Taken>}
 */
async function look(browser, shown, target) {
  const server = await serve(shown);
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  const page = await browser.newPage({ viewport: VIEWPORT });
  await page.addInitScript(`${PAINTED} window.whole = paintedWhen(() => ${shown.whole});`);
  await page.goto(`http://127.0.0.1:${port}/`);
  const given = `const target = ${JSON.stringify(target)}; let query = ${JSON.stringify(QUERY)};`;
  const ready = await page.evaluate(`(async () => {
    const end = await whole;
    const [data] = performance.getEntriesByName(new URL("${shown.data}", location).href);
    return end - data.responseEnd;
  })()`);
  let elements = 0;
  /** @param {string} program */
  const time = async (program) => {
    await page.evaluate("new Promise((resolve) => setTimeout(resolve, 200))");
    const taken = await page.evaluate(`(async () => {
      ${given} let start = performance.now();
      ${program}
      return (await painted()) - start;
    })()`);
    const graph = JSON.stringify(shown.graph);
    const count = `document.querySelector(${graph}).querySelectorAll("*").length`;
    elements = Math.max(elements, await page.evaluate(count));
    return taken;
  };
  /** @type {any} */
  const taken = {
    ready,
    zoom: await time(shown.zoom),
    unzoom: await time(shown.unzoom),
    search: await time(shown.search),
  };
  await time(`query = ""; ${shown.search}`);
  for (const measure of EDITS) {
    taken[measure] = Number.NaN;
    if (!shown.edit) continue;
    taken[measure] = await time(shown.edit(measure));
    await time(shown.restore ?? "");
  }
  taken.elements = elements;
  await page.close();
  server.close();
  return taken;
}

/**
 * @param {Page} page
 * @returns {Promise<import("node:http").Server>}
 */
async function serve({ files }) {
  const packed = new Map(Object.entries(files).map(([url, { text }]) => [url, gzipSync(text)]));
  const server = createServer(({ url = "/" }, response) => {
    const body = packed.get(url);
    if (!body) {
      response.writeHead(404).end();
      return;
    }
    const type = `${files[url].type}; charset=utf-8`;
    response.writeHead(200, { "Content-Type": type, "Content-Encoding": "gzip" }).end(body);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", () => listening(undefined)));
  return server;
}

/**
 * @param {number} size
 * @param {Map<Page, Taken[]>} taken
 */
function report(size, taken) {
  console.log(`${size} frames: milliseconds, and how many times those of ours, page`);
  console.log(["", ...MEASURES, "elements", "KB"].map(cell).join(""));
  const [ours] = taken.values();
  for (const [page, list] of taken) {
    const times = MEASURES.map((measure) => {
      if (Number.isNaN(list[0][measure])) return "";
      const ratio = median(list.map((turn, index) => turn[measure] / ours[index][measure]));
      return `${median(list.map((turn) => turn[measure])).toFixed(0)} (${ratio.toFixed(1)})`;
    });
    const elements = Math.max(...list.map((turn) => turn.elements));
    const bytes = (transferred(page) / 1000).toFixed(0);
    console.log([page.name, ...times, String(elements), bytes].map(cell).join(""));
  }
}

/**
 * @param {string} text
 * @param {number} column
 */
function cell(text, column) {
  return column === 0 ? text.padEnd(16) : text.padStart(13);
}

/** @param {number[]} values */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 > 0 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

await main(process.argv.slice(2));
