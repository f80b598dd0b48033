/**
 * A diff as two-column folded text, `stack base after`, which other flame graph tools read.
 */

import { foldedStacks, weightText } from "./write/folded.js";

/**
 * Write both weights of each stack, exact and unscaled; neither side is adjusted to the other's total.
 *
 * @param {import("./diff.js").Diff} diff
 */
export function diffFolded(diff) {
  const { base, after, base_self, after_self } = diff;
  const lines = [];
  for (const [node, stack] of foldedStacks(diff).entries()) {
    const [was, is] = [BigInt(base_self[node]), BigInt(after_self[node])];
    if (was === 0n && is === 0n) continue;
    lines.push(`${stack} ${weightText(base, was)} ${weightText(after, is)}\n`);
  }
  return lines.join("");
}
