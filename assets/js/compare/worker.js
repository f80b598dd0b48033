// Compares two profiles beside the page, so that it stays alive: matching takes seconds where
// profiles are large. It is asked for one pair, and ends with it.

import { parseCaptures } from "../flamegraph/capture_weights.js";
import { diffProfiles } from "../flamegraph/diff.js";
import { diffGraph } from "../flamegraph/diff_graph.js";
import { toldOf } from "../flamegraph/diff_words.js";
import { parseProfile } from "../flamegraph/profile_check.js";

/**
 * @typedef {object} SideFiles
 * @property {string} profile its address
 * @property {string} captures address of what its single captures weigh; empty where there is none
 *
 * @typedef {object} Request
 * @property {SideFiles} base
 * @property {SideFiles} after
 * @property {import("../flamegraph/diff.js").DiffOptions} options
 *
 * @typedef {{ diff: import("../flamegraph/diff.js").Diff,
 *   told: import("../flamegraph/diff_words.js").Told } | { failed: string }} Answer
 */

self.addEventListener("message", async (/** @type {MessageEvent<Request>} */ { data }) => {
  /** @type {Answer} */
  let answer;
  try {
    const [base, after] = await Promise.all([data.base, data.after].map(sideOf));
    const diff = diffProfiles(base.profile, after.profile, {
      ...data.options,
      baseCaptures: base.captures,
      afterCaptures: after.captures,
    });
    answer = { diff, told: toldOf(diff, diffGraph(diff)) };
  } catch (error) {
    answer = { failed: error instanceof Error ? error.message : String(error) };
  }
  self.postMessage(answer);
});

/**
 * @param {SideFiles} files
 * @returns {Promise<{ profile: import("../flamegraph/profile.js").Profile,
 *   captures: import("../flamegraph/capture_rows.js").CaptureProfile[] }>}
 */
async function sideOf(files) {
  const [text, weights] = await Promise.all([files.profile, files.captures].map(textAt));
  const profile = parseProfile(text, files.profile);
  return { profile, captures: weights ? parseCaptures(profile, weights, files.captures) : [] };
}

/**
 * @param {string} url empty where there is no file
 * @returns {Promise<string>} empty then
 */
async function textAt(url) {
  if (!url) return "";
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: status ${response.status}`);
  const blob = await response.blob();
  // Some servers unpack what ends in .gz on the way, others do not.
  const [first, second] = new Uint8Array(await blob.slice(0, 2).arrayBuffer());
  if (first !== 0x1f || second !== 0x8b) return blob.text();
  const unpacked = blob.stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(unpacked).text().catch(() => {
    throw new Error(`${url}: the file ends too early`);
  });
}
