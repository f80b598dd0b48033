/** Where an arrow key leads: parent, widest child, sibling. */

/**
 * @param {import("../scene.js").Scene} drawing
 * @param {number} node
 * @param {string} key as `KeyboardEvent.key` names it
 * @param {"icicle" | "flame"} direction
 * @returns {number | undefined}
 */
export function neighbour(drawing, node, key, direction) {
  const here = drawing.frames.find((frame) => frame.node === node);
  if (!here) return undefined;
  const { parent } = here.lane.tree;
  const drawn = drawing.frames.filter(({ lane }) => lane === here.lane);
  const [towardsRoot, towardsLeaf] =
    direction === "icicle" ? ["ArrowUp", "ArrowDown"] : ["ArrowDown", "ArrowUp"];
  if (key === towardsRoot) return drawn.find((frame) => frame.node === parent[node])?.node;
  if (key === towardsLeaf) {
    return drawn
      .filter((frame) => parent[frame.node] === node)
      .reduce(
        (/** @type {import("../scene.js").Drawn | undefined} */ widest, frame) =>
          widest && widest.width >= frame.width ? widest : frame,
        undefined,
      )?.node;
  }
  const siblings = drawn.filter((frame) => parent[frame.node] === parent[node]);
  const at = siblings.findIndex((frame) => frame.node === node);
  if (key === "ArrowLeft") return siblings[at - 1]?.node;
  if (key === "ArrowRight") return siblings[at + 1]?.node;
  return undefined;
}
