/** What the tests of the charts share: looking at a drawing, and comparing it with a golden file. */

import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import process from "node:process";

/**
 * `PERFPRESS_BLESS=1` writes the golden file instead.
 *
 * @param {string} name
 * @param {string} svg
 */
export function assertGolden(name, svg) {
  const file = new URL(`./golden/${name}.svg`, import.meta.url);
  if (process.env.PERFPRESS_BLESS === "1" || !existsSync(file)) writeFileSync(file, svg);
  assert.equal(
    svg,
    readFileSync(file, "utf8"),
    `${name}.svg; PERFPRESS_BLESS=1 accepts the change`,
  );
}

/**
 * The texts of elements of a class, or in groups of it, in order.
 *
 * @param {string} svg
 * @param {string} kind
 */
export function textsOf(svg, kind) {
  return [...ofClass(svg, kind).matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);
}

/**
 * The points of paths of a class, or in groups of it, in order.
 *
 * @param {string} svg
 * @param {string} kind
 * @returns {[number, number][][]}
 */
export function pathsOf(svg, kind) {
  return [...ofClass(svg, kind).matchAll(/<path[^>]* d="([^"]*)"/g)].map(([, path]) =>
    path
      .split(/[ML]/)
      .slice(1)
      .map((point) => /** @type {[number, number]} */ (point.split(/[, ]/).map(Number))),
  );
}

/**
 * @param {string} svg
 * @param {string} kind
 */
function ofClass(svg, kind) {
  const found = new RegExp(
    `<g class="${kind}"[^>]*>.*?</g>|<\\w+ class="${kind}"[^>]*>[^<]*(</text>)?`,
    "gs",
  );
  return [...svg.matchAll(found)].map(([element]) => element).join("");
}

/**
 * What the pages' Content-Security-Policy and their other charts ask of a drawing.
 *
 * @param {string} svg
 */
export function assertFitForPages(svg) {
  assert.doesNotMatch(svg, / (style|id|width|height|on\w+)="/);
  assert.doesNotMatch(svg, /<(style|script|a|image|use|foreignObject)\b/);
  assert.doesNotMatch(svg, /NaN|undefined|Infinity|null/);
  assert.match(svg, /^<svg [^>]*viewBox="0 0 [\d.]+ [\d.]+"[^>]*>\n<title>[^<]*<\/title>\n<desc>/);
}
