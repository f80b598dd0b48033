/**
 * The single captures of a published profile, for the noise of diffs that are made in a browser: what each
 * of them weighs on the profile's nodes. Most captures have few of the nodes, so these are listed.
 *
 * @typedef {object} CaptureWeights the file, key for key
 * @property {"perfpress-captures"} format
 * @property {1} version
 * @property {WeightsOfCapture[]} captures those that do not end too early
 *
 * @typedef {object} WeightsOfCapture
 * @property {number} exposure what it stands for, beside the other captures: captured seconds, or 1
 * @property {number[]} steps to each node that it has, from the one before it
 * @property {number[]} weights of these nodes by themselves, exact, in the profile's unit
 *
 * @typedef {import("./profile.js").Profile} Profile
 * @typedef {import("./capture_rows.js").CaptureProfile} CaptureProfile
 */

import { isWhole, weightsIn } from "./capture_rows.js";
import { BadInput, problem } from "./problems.js";

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
 * @returns {CaptureWeights | null} null where it is no JSON
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
