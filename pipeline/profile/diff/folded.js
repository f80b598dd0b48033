/**
 * A diff as two-column folded text, `stack base after`, which other flame graph tools read.
 */

import { weightText } from "../model/export_format.js";
import { foldedStacks } from "../write/folded.js";

/**
 * Write both weights of each stack, exact and unscaled; neither side is adjusted to the other's total.
 *
 * @param {import("./diff.js").Diff} diff
 */
export function diffFolded(diff) {
  return lines(diff, diff.base, diff.base_self.map(BigInt));
}

/**
 * Write the base as if it had the total of the other side, as `difffolded.pl -n` does. Weights are
 * rounded to the unit in such a way that the column's sum is that total, exactly.
 *
 * @param {import("./diff.js").Diff} diff
 */
export function normalizedDiffFolded(diff) {
  const { base, after, base_self } = diff;
  const [from, to] = [BigInt(base.total), BigInt(after.total)];
  let sum = 0n;
  let written = 0n;
  const weights = base_self.map((weight) => {
    sum += BigInt(weight) * BigInt(base.scale);
    // Rounded sums, not rounded weights, so that what is cut off here is added there.
    const rounded = from > 0n ? (2n * sum * to + from) / (2n * from) : 0n;
    const part = rounded - written;
    written = rounded;
    return part;
  });
  return lines(diff, { unit: after.unit, scale: 1 }, weights);
}

/**
 * @param {import("./diff.js").Diff} diff
 * @param {{ unit: string, scale: number }} counted how the weights of the base are counted
 * @param {bigint[]} baseSelf
 */
function lines(diff, counted, baseSelf) {
  const lines = [];
  for (const [node, stack] of foldedStacks(diff).entries()) {
    const [was, is] = [baseSelf[node], BigInt(diff.after_self[node])];
    if (was === 0n && is === 0n) continue;
    lines.push(`${stack} ${weightText(counted, was)} ${weightText(diff.after, is)}\n`);
  }
  return lines.join("");
}
