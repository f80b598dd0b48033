/**
 * A graph in pixels: what the renderer writes as text and the viewer as elements.
 */

import { shorten } from "./labels.js";
import { layout } from "./layout.js";
import { filling } from "./sections.js";

/** The width, in pixels, that pictures are fitted to where no script runs. */
export const REFERENCE_WIDTH = 1200;
/** Frames thinner than this leave no mark in a picture. */
export const MINIMUM_PIXELS = 0.1;
export const ROW = 17;
const FRAME = 16;
const LANE_TITLE = 22;
/** Between a frame's edge and its label. */
export const LABEL_INSET = 3;
/** From a frame's top to the baseline of its label. */
export const LABEL_BASELINE = 12;
/** Width of a character in the graph's 11 px monospace: 0.602 em in the widest of its fonts. */
const CHARACTER = 6.63;

/**
 * @typedef {object} SceneView
 * @property {number} width pixels
 * @property {number} zoomed node that fills the width
 * @property {"icicle" | "flame"} direction root at the top, or at the bottom
 * @property {number} [minimumPixels] frames thinner than this are left out
 * @property {number} [maximumFrames]
 * @property {import("./graph.js").Lane[]} [lanes] those drawn, to the scale of all; default: all
 *
 * @typedef {object} Drawn a frame as it is drawn
 * @property {number} node
 * @property {import("./graph.js").Lane} lane
 * @property {number} x
 * @property {number} y
 * @property {number} width
 * @property {string} colour
 * @property {string} label empty where there is no room
 *
 * @typedef {object} Scene
 * @property {number} height
 * @property {Drawn[]} frames
 * @property {{ text: string, y: number }[]} titles
 * @property {{ frames: number, weight: number }} leftOut in the first lane
 */

/**
 * @param {import("./graph.js").Graph} graph
 * @param {SceneView} view
 * @returns {Scene}
 */
export function scene(graph, view) {
  /** @type {Scene} */
  const drawn = { height: 0, frames: [], titles: [], leftOut: { frames: 0, weight: 0 } };
  const { lanes = graph.lanes } = view;
  lanes.forEach((lane, index) => {
    const { section, tree } = lane;
    const zoomed = filling(section, view.zoomed);
    const root = laneRoot(lane, zoomed);
    const { boxes, rows, leftOut } = layout(tree, {
      root,
      // The lanes of a section are drawn to one scale.
      full: Math.max(
        ...graph.lanes
          .filter((each) => each.section === section)
          .map((each) => each.tree.total[zoomed]),
      ),
      minimumWidth: (view.minimumPixels ?? 0) / view.width,
      maximumFrames: view.maximumFrames,
    });
    if (lane.isContext && !(tree.total[root] > 0)) return;
    if (lane.title) {
      drawn.titles.push({ text: lane.title, y: drawn.height + LANE_TITLE - 7 });
      drawn.height += LANE_TITLE;
    }
    if (index === 0) drawn.leftOut = leftOut;
    // The function's row is the first one of the lane that continues below.
    const goesOn = lanes[index + 1]?.continues ?? false;
    const top = tree.depth[lane.isContext ? root : section.first] + (goesOn ? 1 : 0);
    const isUpwards = section.callers !== (view.direction === "flame");
    for (const box of boxes) {
      if (box.depth < top) continue;
      const row = isUpwards ? rows - 1 - box.depth : box.depth - top;
      drawn.frames.push(frame(graph, lane, box, view.width, drawn.height + row * ROW));
    }
    drawn.height += Math.max(rows - top, 0) * ROW;
  });
  return drawn;
}

/**
 * @param {import("./graph.js").Graph} graph
 * @param {import("./graph.js").Lane} lane
 * @param {import("./layout.js").Box} box
 * @param {number} fullWidth
 * @param {number} y
 * @returns {Drawn}
 */
function frame(graph, lane, { node, start, width }, fullWidth, y) {
  const x = start * fullWidth;
  const outer = width * fullWidth;
  return {
    node,
    lane,
    x,
    y,
    // Half a pixel between neighbours that are wide enough to spare it.
    width: outer > 2 ? outer - 0.5 : outer,
    colour: graph.colour(node, lane),
    label: label(graph.name(node), graph.mark(node, lane), graph.sign?.(node, lane) ?? "", outer),
  };
}

/**
 * @param {string} name
 * @param {string} mark
 * @param {string} sign what is left of the mark where there is no room for it
 * @param {number} width
 */
function label(name, mark, sign, width) {
  const characters = Math.floor((width - 2 * LABEL_INSET) / CHARACTER);
  if (characters < 3) return characters > 0 ? sign : "";
  const marked = mark && characters - mark.length - 2 >= Math.min(name.length, 8);
  return marked
    ? `${shorten(name, characters - mark.length - 2)}  ${mark}`
    : sign + shorten(name, characters - sign.length);
}

/**
 * Return the frame that a lane begins with: below callers that would only repeat the lane above.
 *
 * @param {import("./graph.js").Lane} lane
 * @param {number} zoomed
 */
function laneRoot({ tree, isContext }, zoomed) {
  let root = zoomed;
  for (let only = onlyChild(tree, root); only >= 0; only = onlyChild(tree, root)) {
    if (!isContext?.(only)) break;
    root = only;
  }
  return root;
}

/**
 * Return the child that has all the weight of a node, or -1.
 *
 * @param {import("../../profile/model/tree.js").CallTree} tree
 * @param {number} node
 */
function onlyChild({ firstChild, nextSibling, total }, node) {
  for (let child = firstChild[node]; child >= 0; child = nextSibling[child]) {
    if (total[child] > 0) return total[child] === total[node] ? child : -1;
  }
  return -1;
}

/**
 * Draw the frames of one colour as one path, as lines that the style sheet makes as wide as a row is high:
 * a tenth of the bytes of as many elements, since each begins relative to where the one before it ends, and
 * the same short steps come again and again.
 *
 * @param {Drawn[]} frames
 * @param {number} [step] what edges are rounded to, in tenths of a pixel; nothing is thinner
 */
export function pathData(frames, step = 1) {
  let data = "";
  let last = 0; // in tenths of a pixel, as whole numbers: the steps must not add up to another place
  let middle = 0;
  /** @type {Map<number, number>} by row: where its last frame ends */
  const ends = new Map();
  for (const { x, y, width } of frames) {
    const start = Math.round((x * 10) / step) * step;
    // From rounded edges, so that what touches in the tree touches in the picture.
    const end = Math.max(Math.round(((x + width) * 10) / step) * step, start + step);
    // What rounding puts into the frame before it is drawn already.
    if (end <= (ends.get(y) ?? -1)) continue;
    ends.set(y, end);
    const down = y + FRAME / 2 - middle;
    data += `m${tenths(start - last)}${down < 0 ? "" : " "}${down}h${tenths(end - start)}`;
    last = end;
    middle += down;
  }
  return data;
}

/**
 * Write tenths of a pixel as `formatPixels` does, without the detour over fractions: a graph has
 * thousands.
 *
 * @param {number} count
 * @returns {string}
 */
function tenths(count) {
  if (count < 0) return `-${tenths(-count)}`;
  const digit = count % 10;
  const whole = (count - digit) / 10;
  if (digit === 0) return String(whole);
  return whole === 0 ? `.${digit}` : `${whole}.${digit}`;
}

/**
 * @template T
 * @param {Iterable<T>} items
 * @param {(item: T) => string} group
 * @returns {[string, T[]][]} sorted by group
 */
export function grouping(items, group) {
  /** @type {Map<string, T[]>} */
  const groups = new Map();
  for (const item of items) {
    const name = group(item);
    const members = groups.get(name);
    if (members) members.push(item);
    else groups.set(name, [item]);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}
