/**
 * A diff as two-column folded text, `stack before after`, which other flame graph tools read.
 */

import { callTree, pathTo } from "./tree.js";

/** How folded stacks tell what a frame's class is. */
const SUFFIXES = /** @type {Record<string, string>} */ ({
  kernel: "_[k]",
  jit: "_[j]",
  inlined: "_[i]",
});

/**
 * Weights are exact and unscaled; neither side is adjusted to the other's total.
 *
 * @param {import("./diff.js").Diff} diff
 */
export function diffFolded(diff) {
  const { parent, name, names, classes, class_names, before_self, after_self } = diff;
  const tree = callTree(parent, before_self.map(Number));
  const frames = names.map(
    (text, index) => text.replace(/[;\r\n]/g, ":") + (SUFFIXES[class_names[classes[index]]] ?? ""),
  );
  const lines = [];
  for (let node = 0; node < parent.length; node++) {
    const before = BigInt(before_self[node]) * BigInt(diff.before.scale);
    const after = BigInt(after_self[node]) * BigInt(diff.after.scale);
    if (before === 0n && after === 0n) continue;
    const path = node === 0 ? [0] : pathTo(tree, node).slice(1);
    lines.push(`${path.map((at) => frames[name[at]]).join(";")} ${before} ${after}\n`);
  }
  return lines.join("");
}
