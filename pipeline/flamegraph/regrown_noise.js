/**
 * The noise of a diff whose tree was grown anew. How captures differ on calls that are one frame now is
 * not in the file for all of them together: here it is as if they varied by themselves, as samples do,
 * so that variances add up.
 */

/**
 * @param {number[]} parent of the tree as it was
 * @param {number[]} grown parent of the new one
 * @param {(node: number) => number} target by old node: the new one that gets its weight, or -1
 * @returns {(noise: number[], ofSelf: boolean) => number[]} gives a column of the old tree its new rows
 */
export function regrownNoise(parent, grown, target) {
  return (noise, ofSelf) => {
    const squares = grown.map(() => 0);
    for (let node = 1; node < parent.length; node++) {
      const [to, above] = [target(node), target(parent[node])];
      if (to < 0) continue;
      const square = noise[node] ** 2;
      if (ofSelf) squares[to] += square;
      // What was below the caller and is so still counts there already.
      else if (to !== above) {
        squares[to] += square;
        for (let at = grown[to]; at > 0 && at !== above; at = grown[at]) squares[at] += square;
      }
    }
    const sums = squares.map(Math.sqrt);
    if (!ofSelf) sums[0] = noise[0];
    return sums;
  };
}
