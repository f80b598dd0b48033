/** Writes folded stacks; read/folded.js says what they are. */

import { exactWeight, INLINED, JIT, KERNEL, LIBRARY, selfWeights } from "../profile.js";
import { decimalsOf } from "../units.js";

/** What the first line begins with: facts that stacks alone do not tell. */
export const HEAD = "# perfpress-folded ";

/** @type {Record<number, string>} */
export const SUFFIX_OF_CLASS = {
  [KERNEL]: "_[k]",
  [JIT]: "_[j]",
  [INLINED]: "_[i]",
  [LIBRARY]: "_[l]",
};

/**
 * Write a profile as folded stacks, in the order of its nodes.
 *
 * @param {import("../profile.js").Profile} profile
 */
export function formatFolded(profile) {
  const self = selfWeights(profile);
  const lines = [head(profile)];
  for (const [node, stack] of foldedStacks(profile).entries()) {
    if (self[node]) lines.push(`${stack} ${weightText(profile, self[node])}`);
  }
  return `${lines.join("\n")}\n`;
}

/**
 * Write the stack of each node.
 *
 * @param {import("../graph.js").NamedNodes} nodes
 * @returns {string[]}
 */
export function foldedStacks({ names, classes, parent, name }) {
  const threads = names.map((text) => text.replace(/[;\n\r]/g, ":"));
  const frames = threads.map((text, index) => text + (SUFFIX_OF_CLASS[classes[index]] ?? ""));
  const stacks = [threads[name[0]]];
  for (let node = 1; node < parent.length; node++) {
    const above = parent[node];
    stacks[node] = above === 0 ? threads[name[node]] : `${stacks[above]};${frames[name[node]]}`;
  }
  return stacks;
}

/**
 * Write an exact weight in the unit that the event has: 250 of `0.01 samples` are `2.50`.
 *
 * @param {{ unit: string, scale: number }} profile or a side of a diff
 * @param {number | bigint} weight scaled
 */
export function weightText(profile, weight) {
  const decimals = decimalsOf(profile.unit);
  const exact = String(exactWeight(profile, weight));
  if (decimals === 0) return exact;
  const digits = exact.padStart(decimals + 1, "0");
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** @param {import("../profile.js").Profile} profile */
function head({ event, samples, captures }) {
  const lost = captures.reduce((sum, capture) => sum + capture.lost, 0);
  const skipped = captures
    .flatMap((capture) => capture.skipped)
    .reduce((sum, { count }) => sum + count, 0);
  const parts = [
    `event=${event.replace(/[\s%&+]/g, encodeURIComponent)}`,
    samples === null ? "" : `samples=${samples}`,
    `lost=${lost}`,
    skipped === 0 ? "" : `skipped=${skipped}`,
    captures.some((capture) => capture.partial) ? "partial=true" : "",
  ];
  return HEAD + parts.filter(Boolean).join(" ");
}
