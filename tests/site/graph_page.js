/**
 * Flame graphs of a test's own: on pages under the Content-Security-Policy of the site, and in files.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { test } from "@playwright/test";
import { buildSync } from "esbuild";

export const ORIGIN = "http://graphs.test";
/** A context of a browser: the narrowest phone that pages are made for. */
export const PHONE = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true };
const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'";
const VIEWER = new URL("../../pipeline/flamegraph/viewer/", import.meta.url);
const COMPONENTS = new URL("../../assets/css/components/", import.meta.url);

/**
 * @param {string} path
 * @param {string} body
 * @param {Record<string, object>} data
 */
function answer(path, body, data) {
  if (path === "/") return { type: "text/html", text: pageOf(body) };
  if (path === "/style.css") {
    const sheets = [
      "tokens",
      "page",
      "figure",
      "control",
      "flame-graph",
      "flame-graph-diff",
      "print",
    ].map((name) =>
      readFileSync(new URL(`${name}.css`, COMPONENTS), "utf8").replace(
        /@(?:import|font-face)[^;{]*(?:;|\{[^}]*\})/g,
        "",
      ),
    );
    const frames = readFileSync(new URL("graph.css", VIEWER), "utf8");
    return { type: "text/css", text: [...sheets, frames].join("\n") };
  }
  if (data[path]) return { type: "application/json", text: JSON.stringify(data[path]) };
  if (path === "/viewer.js") return { type: "text/javascript", text: viewer() };
  return { type: "image/x-icon", text: "" };
}

/** @type {string | undefined} */
let bundle;

function viewer() {
  // As pages do, which load the viewer after they have gone to the anchor.
  const contents =
    'import { goToAnchorOfLink } from "./anchor.js"; goToAnchorOfLink(); import("./index.js");';
  const stdin = { contents, resolveDir: fileURLToPath(VIEWER) };
  bundle ??= buildSync({ stdin, bundle: true, write: false, format: "esm" }).outputFiles[0].text;
  return bundle;
}

/** @param {string} body */
const pageOf = (body) => `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Graphs</title>
<link rel="stylesheet" href="/style.css"><script type="module" src="/viewer.js"></script>
</head><body><main><h1>Graphs</h1>${body}</main></body></html>`;

/**
 * @param {import("@playwright/test").Page} page
 * @param {{ body: string, data: Record<string, object>, fragment?: string }} options the files of
 *   profiles and diffs, by path
 * @returns {Promise<string[]>} what the page asked for, growing
 */
export async function openGraphs(page, { body, data, fragment = "" }) {
  /** @type {string[]} */
  const requests = [];
  // Of the context: a test's own routes, of its page, go first.
  await page.context().route(`${ORIGIN}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    requests.push(pathname);
    const { type, text } = answer(pathname, body, data);
    await route.fulfill({
      body: text,
      headers: { "Content-Type": `${type}; charset=utf-8`, "Content-Security-Policy": POLICY },
    });
  });
  await page.goto(`${ORIGIN}/${fragment}`);
  return requests;
}

/**
 * Opens an SVG as a file of the test.
 *
 * @param {import("@playwright/test").Page} page
 * @param {string} svg
 * @param {string} [fragment]
 */
export async function openFile(page, svg, fragment = "") {
  const file = test.info().outputPath("graph.svg");
  writeFileSync(file, svg);
  await page.goto(`${pathToFileURL(file)}${fragment}`);
}

/**
 * A graph that the same tests open on a page and as a file.
 *
 * @typedef {object} Graph
 * @property {string} prefix of its keys in the fragment
 * @property {(page: import("@playwright/test").Page, fragment?: string) => Promise<ReturnType<typeof parts>>} open
 */

/**
 * @param {string} body with the graph `g`
 * @param {Record<string, object>} data as of `openGraphs`
 * @returns {Graph}
 */
export const onPage = (body, data) => ({
  prefix: "g.",
  open: async (page, fragment) => {
    await openGraphs(page, { body, data, fragment });
    return parts(page, "g");
  },
});

/**
 * @param {string} svg
 * @returns {Graph}
 */
export const inFile = (svg) => ({
  prefix: "",
  open: async (page, fragment) => {
    await openFile(page, svg, fragment);
    return parts(page, "");
  },
});

/**
 * @param {import("@playwright/test").Page} page
 * @param {string} [id] of the graph; empty for a file that is one
 */
export function parts(page, id = "cpu") {
  const graph = page.locator(id ? `flame-graph#${id}` : ":root");
  // What the page came with has labels, too, but nothing to press.
  const live = page.locator(id ? `flame-graph#${id}.settled` : ":root");
  const button = (/** @type {string} */ name) => graph.getByRole("button", { name, exact: true });
  return {
    graph,
    label: (/** @type {string} */ text) => live.locator("svg text", { hasText: text }),
    search: graph.getByRole("searchbox"),
    found: graph.locator("output"),
    status: graph.locator(".flame-graph-status"),
    message: graph.locator(".flame-graph-message"),
    shown: graph.locator(".flame-graph-shown"),
    trail: graph.getByRole("toolbar"),
    back: button("Back"),
    button,
    frame: graph.getByRole("treeitem"),
  };
}

/**
 * Labels let the pointer through to the frame below.
 *
 * @param {import("@playwright/test").Locator} label
 */
export async function clickFrame(label) {
  const frame = label.first();
  // A click that is forced does not wait until a frame stands still, as after a jump on the page.
  await (await frame.elementHandle())?.waitForElementState("stable");
  await frame.click({ force: true });
}
