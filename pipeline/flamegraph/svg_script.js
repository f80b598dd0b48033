/**
 * Script and style of a downloaded SVG: the viewer's own modules, put together as one script, so that
 * a file by itself and a page behave alike.
 */

import { readFileSync } from "node:fs";

/** In the order of their dependence. */
const MODULES = [
  "tree.js",
  "layout.js",
  "numbers.js",
  "operators.js",
  "labels.js",
  "colours.js",
  "graph.js",
  "sections.js",
  "regrow.js",
  "function_tree.js",
  "recursion.js",
  "idle.js",
  "sides.js",
  "diff_words.js",
  "profile_graph.js",
  "diff_graph.js",
  "scene.js",
  "viewer/elements.js",
  "viewer/graph_of.js",
  "viewer/canvas.js",
  "viewer/controls.js",
  "viewer/frame_path.js",
  "viewer/link_state.js",
  "viewer/neighbours.js",
  "viewer/search.js",
  "viewer/tooltip.js",
  "viewer/view.js",
  "viewer/standalone.js",
];

/** @type {string | undefined} */
let script;
/** @type {string | undefined} */
let style;

/** @returns {string} a classic script; it contains no `]]>` */
export function standaloneScript() {
  // In a strict block, two things of one name are a syntax error, functions too.
  script ??= `"use strict";{\n${MODULES.map(moduleBody).join("")}startStandalone(document.documentElement);\n}`;
  return script;
}

/** @returns {string} */
export function standaloneStyle() {
  style ??= ["viewer/graph.css", "viewer/standalone.css"]
    .map((path) => source(path).replace(/\/\*.*?\*\//gs, ""))
    .join("")
    .replace(/\s*\n\s*/g, "")
    .replace(/\s*([{};,>])\s*/g, "$1")
    .replace(/: /g, ":");
  return style;
}

/**
 * Return a module's text without comments of their own lines, imports and the word `export`; all
 * modules share one scope, so their top-level names differ.
 *
 * @param {string} path
 */
function moduleBody(path) {
  return source(path)
    .replace(/^\s*\/\*\*?.*?\*\/$/gms, "")
    .replace(/^\s*\/\/.*$/gm, "")
    .replace(/\/\*\* @type .*?\*\/ /g, "")
    .replace(/^import\s.*?;$/gms, "")
    .replace(/^export /gm, "")
    .replace(/^\s+/gm, "");
}

/** @param {string} path */
function source(path) {
  return readFileSync(new URL(path, import.meta.url), "utf8");
}
