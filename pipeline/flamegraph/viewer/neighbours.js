/** Where an arrow key leads: to what stands above, below or beside a frame. */

import { ROW } from "../scene.js";

/** By how many rows up or down. */
const ROWS = /** @type {Record<string, number>} */ ({ ArrowUp: -1, ArrowDown: 1 });

/**
 * Up and down lead to the caller or to the widest callee, whichever way the graph stands: of the
 * frames in the next row, to the one that most of this one touches. Left and right lead to what has
 * the same caller.
 *
 * @param {import("../scene.js").Scene} drawing
 * @param {import("../scene.js").Drawn} here
 * @param {string} key as `KeyboardEvent.key` names it
 * @returns {import("../scene.js").Drawn | undefined}
 */
export function neighbour(drawing, here, key) {
  if (ROWS[key]) {
    return widest(
      drawing.frames.filter(({ y }) => y === here.y + ROWS[key] * ROW),
      (frame) => Math.min(frame.x + frame.width, here.x + here.width) - Math.max(frame.x, here.x),
    );
  }
  const { parent } = here.lane.tree;
  const siblings = drawing.frames.filter(
    ({ node, lane }) => lane === here.lane && parent[node] === parent[here.node],
  );
  const at = siblings.indexOf(here);
  if (key === "ArrowLeft") return siblings[at - 1];
  if (key === "ArrowRight") return siblings[at + 1];
  return undefined;
}

/**
 * Follow the widest callees (in the tree of its callers: the widest callers) to the last.
 *
 * @param {import("../scene.js").Scene} drawing
 * @param {import("../scene.js").Drawn} from
 */
export function widestEnd(drawing, from) {
  const { parent } = from.lane.tree;
  let end = from;
  // Callers come before their callees, so one pass finds all below.
  /** @type {Map<number, import("../scene.js").Drawn>} */
  const below = new Map();
  for (const frame of drawing.frames) {
    if (frame.lane !== from.lane) continue;
    const known = below.get(parent[frame.node]);
    if (!known || frame.width > known.width) below.set(parent[frame.node], frame);
  }
  for (let next = below.get(end.node); next; next = below.get(end.node)) end = next;
  return end;
}

/**
 * @template T
 * @param {T[]} items
 * @param {(item: T) => number} width
 * @returns {T | undefined} undefined where none is wider than nothing
 */
function widest(items, width) {
  let best;
  let most = 0;
  for (const item of items) {
    const size = width(item);
    if (size > most) {
      best = item;
      most = size;
    }
  }
  return best;
}
