/**
 * The pages that a tree is looked at in: ours, on a page and as a file, and those of the peers. Each
 * says how a reader zooms and searches there.
 */

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { buildSync } from "esbuild";
import { layout } from "../../pipeline/flamegraph/graph/layout.js";
import { profileGraph } from "../../pipeline/flamegraph/graph/profile_graph.js";
import { ROW } from "../../pipeline/flamegraph/graph/scene.js";
import { inlineProfileSvg, profileSvg } from "../../pipeline/flamegraph/svg/profile_svg.js";
import { foldedProfile } from "../../pipeline/profile/write/folded.js";
import { CACHE } from "./trees.js";

/**
 * @typedef {object} Page
 * @property {string} name
 * @property {Record<string, { type: string, text: string }>} files by address; `/` is the document
 * @property {string} graph selects what is counted as the graph
 * @property {string} zoom program that zooms into the frame `target`, in the page
 * @property {string} unzoom program that goes back to all
 * @property {string} search program that searches for the text `query`, in the page
 * @property {(measure: string) => string} [edit] returns the program for one of the edits and views
 * @property {string} [restore] program that shows all again
 * @property {string} data address of what it is drawn from
 * @property {string} whole whether all of it is drawn, as an expression
 *
 * @typedef {object} Target a frame to zoom into
 * @property {string} name
 * @property {number} weight in the profile's own unit
 * @property {number} x share of the width of its middle
 * @property {number} y pixels from the graph's top
 */

const FLAMEGRAPH = new URL("../../pipeline/flamegraph/", import.meta.url);
const INFERNO = `${CACHE}inferno/bin/inferno-flamegraph`;
const PEERS = `${CACHE}peers/node_modules/`;
const PACKAGES = ["d3@7.9.2", "d3-flame-graph@5.0.0"];
/**
 * @param {import("./trees.js").Profile} profile
 * @returns {Page[]}
 */
export function pagesOf(profile) {
  const inferno = existsSync(INFERNO) ? [infernoFile(profile)] : [];
  return [ourPage(profile), ourFile(profile), ...inferno, d3Page(profile)];
}

/**
 * Choose a frame to zoom into: the one of about a third of the weight that has most below it.
 *
 * @param {import("./trees.js").Profile} profile
 * @returns {Target}
 */
export function targetOf(profile) {
  const graph = profileGraph(profile);
  const [{ tree }] = graph.lanes;
  const { boxes } = layout(tree, { root: 0 });
  const near = boxes.filter(({ width }) => width > 0.2 && width < 0.45);
  const { node, start, width, depth } = near.reduce((a, b) => (b.depth < a.depth ? b : a));
  return {
    name: graph.name(node),
    weight: tree.total[node] * profile.scale,
    x: start + width / 2,
    y: (depth + 0.5) * ROW,
  };
}

/** Keys of the viewer, on the frame that was zoomed to. @type {Record<string, string>} */
const KEYS = {
  hide: "h",
  focus: "f",
  collapse: "c",
  merge: "m",
  callers: "u",
  callees: "d",
  leaves: "l",
};

const OURS = {
  graph: "svg.flame-graph",
  zoom: `
    const { left, top, width } = document.querySelector("svg.flame-graph").getBoundingClientRect();
    const place = { clientX: left + target.x * width, clientY: top + target.y, bubbles: true };
    document.querySelector("svg.flame-graph").dispatchEvent(new MouseEvent("click", place));`,
  unzoom: `
    const { left, top } = document.querySelector("svg.flame-graph").getBoundingClientRect();
    const place = { clientX: left + 50, clientY: top + 5, bubbles: true };
    document.querySelector("svg.flame-graph").dispatchEvent(new MouseEvent("click", place));`,
  search: `
    const field = document.querySelector("input[type=search]");
    field.focus();
    field.value = query;
    field.dispatchEvent(new Event("input", { bubbles: true }));`,
};

/** @param {import("./trees.js").Profile} profile @returns {Page} */
function ourPage(profile) {
  const { svg } = inlineProfileSvg(profile, "large", 1500);
  const [script, style] = ["viewer/index.js", "viewer/graph.css"].map((path) => {
    const entryPoints = [new URL(path, FLAMEGRAPH).pathname];
    return buildSync({ entryPoints, bundle: true, minify: true, write: false }).outputFiles[0].text;
  });
  const html = `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>large</title>
<link rel="stylesheet" href="style.css"><script type="module" src="index.js"></script>
<flame-graph id="cpu" style="display: block" data-profile="profile.json">${svg}</flame-graph>`;
  return {
    ...OURS,
    name: "ours, page",
    data: "/profile.json",
    edit: (measure) => `
      const { view } = document.querySelector("flame-graph");
      const { width } = view.picture.element.getBoundingClientRect();
      view.cursor.moveTo(view.picture.index.at(target.x * width, target.y));
      await painted();
      start = performance.now();
      view.cursor.act(${JSON.stringify(KEYS[measure])});`,
    restore: `
      const { view } = document.querySelector("flame-graph");
      view.cursor.act("r");
      view.cursor.act("w");`,
    whole: "document.querySelector('flame-graph')?.view?.data.parent.length > 1500",
    files: {
      "/": { type: "text/html", text: html },
      "/index.js": { type: "text/javascript", text: script },
      "/style.css": { type: "text/css", text: style },
      "/profile.json": { type: "application/json", text: JSON.stringify(profile) },
    },
  };
}

/** @param {import("./trees.js").Profile} profile @returns {Page} */
function ourFile(profile) {
  const { svg } = profileSvg(profile, "large", []);
  return {
    ...OURS,
    name: "ours, file",
    data: "/",
    whole: "document.querySelector('input[type=search]') !== null",
    files: { "/": { type: "image/svg+xml", text: svg } },
  };
}

/** @param {import("./trees.js").Profile} profile @returns {Page} */
function infernoFile(profile) {
  const folded = Buffer.concat(Array.from(foldedProfile(profile), (piece) => Buffer.from(piece)));
  const options = { input: folded, maxBuffer: 2 ** 30, encoding: /** @type {const} */ ("utf8") };
  const svg = execFileSync(INFERNO, ["--minwidth", "0"], options);
  return {
    name: "inferno, file",
    data: "/",
    whole: "document.readyState === 'complete'",
    files: { "/": { type: "image/svg+xml", text: svg } },
    graph: "svg",
    zoom: `
      const titles = [...document.querySelectorAll("#frames title")];
      const wanted = titles.filter(({ textContent }) => textContent.startsWith(target.name));
      const weight = (title) => Number(/\\(([\\d,]+)/.exec(title.textContent)[1].replaceAll(",", ""));
      const closest = wanted.reduce((a, b) =>
        Math.abs(weight(b) - target.weight) < Math.abs(weight(a) - target.weight) ? b : a);
      const frame = closest.parentNode.querySelector("rect");
      start = performance.now();
      frame.dispatchEvent(new MouseEvent("click", { bubbles: true }));`,
    unzoom:
      'document.querySelector("#unzoom").dispatchEvent(new MouseEvent("click", { bubbles: true }));',
    search: "window.search(query);",
  };
}

/** @param {import("./trees.js").Profile} profile @returns {Page} */
function d3Page(profile) {
  if (!existsSync(PEERS)) {
    const flags = ["--prefix", `${CACHE}peers`, "--ignore-scripts", "--no-audit", "--no-fund"];
    execFileSync("npm", ["install", ...flags, ...PACKAGES], { stdio: "ignore" });
  }
  const [library, chart] = [
    "d3/dist/d3.min.js",
    "d3-flame-graph/dist/d3-flamegraph.umd.min.js",
  ].map((path) => readFileSync(PEERS + path, "utf8"));
  const style = readFileSync(`${PEERS}d3-flame-graph/dist/d3-flamegraph.css`, "utf8");
  const html = `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>large</title>
<link rel="stylesheet" href="style.css"><script src="d3.js"></script><script src="chart.js"></script>
<div id="chart"></div><script src="page.js"></script>`;
  const page = `
    fetch("tree.json").then((response) => response.json()).then((tree) => {
      window.chart = flamegraph.default().width(innerWidth).transitionDuration(0).minFrameSize(0);
      d3.select("#chart").datum(tree).call(chart);
    });`;
  return {
    name: "d3-flame-graph",
    data: "/tree.json",
    whole: "document.querySelector('#chart g.frame') !== null",
    files: {
      "/": { type: "text/html", text: html },
      "/page.js": { type: "text/javascript", text: page },
      "/style.css": { type: "text/css", text: style },
      "/d3.js": { type: "text/javascript", text: library },
      "/chart.js": { type: "text/javascript", text: chart },
      "/tree.json": { type: "application/json", text: JSON.stringify(nested(profile)) },
    },
    graph: "#chart svg",
    zoom: `
      const frames = d3.selectAll("#chart g.frame").filter(({ data }) => data.name === target.name);
      const distance = ({ value }) => Math.abs(value - target.weight);
      const closest = frames.nodes().reduce((a, b) =>
        distance(b.__data__) < distance(a.__data__) ? b : a);
      start = performance.now();
      closest.dispatchEvent(new MouseEvent("click", { bubbles: true }));`,
    unzoom: "window.chart.resetZoom();",
    search: "window.chart.search(query);",
  };
}

/** @param {import("./trees.js").Profile} profile */
function nested(profile) {
  const graph = profileGraph(profile);
  const [{ tree }] = graph.lanes;
  const nodes = Array.from(tree.parent, (_, node) => ({
    name: graph.name(node),
    value: tree.total[node] * profile.scale,
    children: /** @type {object[]} */ ([]),
  }));
  nodes.forEach((node, index) => {
    if (index > 0) nodes[tree.parent[index]].children.push(node);
  });
  return nodes[0];
}

/**
 * Return what a reader has to load, as a server that compresses sends it.
 *
 * @param {Page} page
 */
export function transferred({ files }) {
  return Object.values(files).reduce((sum, { text }) => sum + gzipSync(text).length, 0);
}
