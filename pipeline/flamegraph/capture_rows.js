/** The single captures of a side of a diff, at the nodes of the union of both sides. */

import { selfWeights } from "./profile.js";
import { decimalsOf } from "./units.js";

/**
 * @typedef {import("./profile.js").Profile} Profile
 *
 * @typedef {object} CaptureProfile one capture of a side
 * @property {Profile} profile
 * @property {number} exposure what it stands for, beside the side's other captures: seconds, or 1
 *
 * @typedef {object} CaptureRows of a side's captures that can be compared: a capture a row, a node of
 *   the union a column, in the side's exact weights
 * @property {number[]} exposures
 * @property {Float64Array[]} self
 * @property {Float64Array[]} total
 */

/**
 * Tell whether a capture can be compared with others: one that ends too early stands for less.
 *
 * @param {CaptureProfile} capture
 */
export function isWhole({ profile, exposure }) {
  return exposure > 0 && profile.total !== "0" && !profile.captures.some(({ partial }) => partial);
}

/**
 * @param {Profile} profile what the captures add up to
 * @param {CaptureProfile[]} captures
 * @param {import("./match/union.js").Image[]} images where the nodes of `profile` stand
 * @param {ArrayLike<number>} parent of the union, in preorder
 * @param {Int32Array} position of the union's nodes there
 * @returns {CaptureRows}
 */
export function captureRows(profile, captures, images, parent, position) {
  const whole = captures.filter(isWhole);
  const self = whole.map((capture) => {
    const weights = weightsIn(profile, capture.profile);
    const row = new Float64Array(parent.length);
    for (const { node, at, part } of images) row[position[at]] += weights[node] * part;
    return row;
  });
  const total = self.map((row) => {
    const totals = Float64Array.from(row);
    for (let node = totals.length - 1; node > 0; node--) totals[parent[node]] += totals[node];
    return totals;
  });
  return { exposures: whole.map(({ exposure }) => exposure), self, total };
}

/**
 * Finders by profile: each of its captures asks for the same.
 *
 * @type {WeakMap<Profile, ReturnType<typeof nodeFinder>>}
 */
const FINDERS = new WeakMap();

/**
 * @param {Profile} profile
 * @returns {(above: number, frame: string) => number | undefined} finds a node by its parent and frame
 */
function nodeFinder(profile) {
  const { parent, name } = profile;
  const frames = framesOf(profile);
  const number = new Map(frames.map((frame, index) => [frame, index]));
  /** @param {number} above @param {number} frame */
  const place = (above, frame) => (above + 1) * frames.length + frame;
  const nodes = new Map(parent.map((above, node) => [place(above, name[node]), node]));
  return (above, frame) => {
    const index = number.get(frame);
    return index === undefined ? undefined : nodes.get(place(above, index));
  };
}

/** @param {Profile} profile */
function framesOf({ names, classes, class_names }) {
  return names.map((name, index) => `${class_names[classes[index]]} ${name}`);
}

/**
 * Return the self weights of a capture at the nodes of the profile that it is in.
 *
 * @param {Profile} profile
 * @param {Profile} capture
 * @returns {Float64Array} exact, in the profile's unit
 */
export function weightsIn(profile, capture) {
  const find = FINDERS.get(profile) ?? nodeFinder(profile);
  FINDERS.set(profile, find);
  const frames = framesOf(capture);
  const unit = capture.scale * 10 ** (decimalsOf(profile.unit) - decimalsOf(capture.unit));
  const weights = new Float64Array(profile.parent.length);
  const self = selfWeights(capture);
  const nodes = new Int32Array(capture.parent.length);
  for (let node = 0; node < nodes.length; node++) {
    const above = node === 0 ? -1 : nodes[capture.parent[node]];
    // A frame that the profile does not have counts as its caller's own.
    nodes[node] = find(above, frames[capture.name[node]]) ?? Math.max(above, 0);
    weights[nodes[node]] += Number(self[node]) * unit;
  }
  return weights;
}
