/**
 * The weights of the single captures of a profile, from which the noise of a diff is estimated: by node of
 * a diff, and as a file for diffs in the browser. Most captures have few of the nodes, so a file lists
 * the nodes of each.
 *
 * @typedef {object} CaptureWeights the file, key for key
 * @property {"perfpress-captures"} format
 * @property {1} version
 * @property {WeightsOfCapture[]} captures those that do not end too early
 *
 * @typedef {object} WeightsOfCapture
 * @property {number} exposure its part among the captures: captured seconds, or 1
 * @property {number[]} steps to each node that it has, from the one before it
 * @property {number[]} weights of these nodes by themselves, exact, in the profile's unit
 *
 * @typedef {import("../model/profile.js").Profile} Profile
 *
 * @typedef {object} CaptureProfile one capture of a release
 * @property {Profile} profile
 * @property {number} exposure its part among the release's captures: captured seconds, or 1
 *
 * @typedef {object} CaptureRows the comparable captures of a release: a capture a row, a node of the
 *   union of both call trees a column, in exact weights
 * @property {number[]} exposures
 * @property {Float64Array[]} self
 * @property {Float64Array[]} total
 */

import { BadInput, problem } from "../model/problems.js";
import { selfWeights } from "../model/profile.js";
import { totalsOf } from "../model/tree.js";
import { decimalsOf } from "../model/units.js";
import { commonOf, overdispersions } from "./overdispersion.js";
import { sampleWeight } from "./sample_weight.js";

/**
 * @param {Profile} profile what the captures add up to
 * @param {CaptureProfile[]} captures
 * @returns {CaptureWeights}
 */
export function captureWeights(profile, captures) {
  return {
    format: "perfpress-captures",
    version: 1,
    captures: captures.filter(isWhole).map(({ profile: capture, exposure }) => {
      const all = weightsIn(profile, capture);
      const nodes = Array.from(all.keys()).filter((node) => all[node] !== 0);
      return {
        exposure,
        steps: nodes.map((node, index) => node - (nodes[index - 1] ?? 0)),
        weights: nodes.map((node) => all[node]),
      };
    }),
  };
}

/**
 * Return by how much more than counts of samples the functions of a profile vary between its captures.
 *
 * @param {Profile} profile
 * @param {CaptureWeights} weighed
 * @returns {number | null} null where too few captures or functions show it
 */
export function overdispersionOf(profile, { captures }) {
  const rows = captures.map(({ steps, weights }) => {
    const row = new Float64Array(profile.names.length);
    let node = 0;
    for (const [at, step] of steps.entries()) {
      node += step;
      row[profile.name[node]] += weights[at];
    }
    return row;
  });
  const per = rows.map((row) => row.reduce((sum, weight) => sum + weight, 0));
  const unit = sampleWeight(profile) / per.reduce((sum, each) => sum + each, 0);
  return commonOf([overdispersions(rows, per, unit, 1)])?.factor ?? null;
}

/**
 * Return the captures in the text of such a file, as profiles with the nodes of the one that they were
 * merged into.
 *
 * @param {Profile} profile
 * @param {string} text
 * @param {string} path for messages
 * @returns {CaptureProfile[]}
 * @throws {BadInput}
 */
export function parseCaptures(profile, text, path) {
  const file = parsed(text);
  if (file?.format !== "perfpress-captures" || file.version !== 1) {
    throw unlike(path, "no captures", '"format": "perfpress-captures", version 1');
  }
  const nodes = profile.parent.length;
  return file.captures.map(({ exposure, steps, weights }, index) => {
    const self = new Array(nodes).fill(0);
    let node = 0;
    for (const [at, step] of steps.entries()) {
      node += step;
      if (!(node in self && weights[at] >= 0)) {
        const found = `capture ${index} with weight ${weights[at]} at node ${node}`;
        throw unlike(path, found, `a weight at one of the profile's ${nodes} nodes`);
      }
      self[node] = weights[at];
    }
    const total = String(weights.reduce((sum, weight) => sum + weight, 0));
    return { exposure, profile: { ...profile, self, scale: 1, total, captures: [] } };
  });
}

/**
 * @param {string} text
 * @returns {CaptureWeights | null} null where it is not JSON
 */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * @param {string} path
 * @param {string} found
 * @param {string} expected
 */
function unlike(path, found, expected) {
  return new BadInput(problem({ path, found, expected, do: "build the site again" }));
}

/**
 * Return whether a capture can be compared with others: the exposure of one that ends too early is unknown.
 *
 * @param {CaptureProfile} capture
 */
function isWhole({ profile, exposure }) {
  return exposure > 0 && profile.total !== "0" && !profile.captures.some(({ partial }) => partial);
}

/**
 * @param {Profile} profile what the captures add up to
 * @param {CaptureProfile[]} captures
 * @param {import("../match/union.js").Image[]} images where the nodes of `profile` are
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
  return {
    exposures: whole.map(({ exposure }) => exposure),
    self,
    total: self.map((row) => totalsOf(parent, row)),
  };
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
function weightsIn(profile, capture) {
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
