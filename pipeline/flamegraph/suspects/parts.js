/** What of a step's whole growth each suspect is: disjoint parts, so that all of them add up. */

/**
 * What a suspect's calls grew by is its part, but for what did not grow and only moved, and for the calls
 * of other suspects below: those are theirs.
 *
 * @param {import("./growth.js").Growth} growth
 * @param {import("./functions.js").Functions} functions
 * @param {import("./ranking.js").Suspect[]} suspects
 * @returns {Float64Array} by suspect, in the basis
 */
export function partsOfGrowth({ tree, change, functions: sums }, { at, count }, suspects) {
  const position = new Int32Array(count).fill(-1);
  suspects.forEach(({ index }, suspect) => {
    position[index] = suspect;
  });
  const kept = suspects.map(({ index, net }) => Math.min(1, net / sums.change[index]));
  const owner = new Int32Array(change.length).fill(-1);
  const parts = new Float64Array(suspects.length);
  for (let node = 1; node < owner.length; node++) {
    const above = owner[tree.parent[node]];
    const own = position[at[node]];
    owner[node] = own >= 0 ? own : above;
    if (owner[node] === above) continue;
    parts[own] += kept[own] * change[node];
    if (above >= 0) parts[above] -= kept[own] * change[node];
  }
  return parts;
}
