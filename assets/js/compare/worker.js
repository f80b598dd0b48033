// Compares two profiles in a worker, so that the page stays responsive: matching takes seconds where
// profiles are large. It is asked for one pair, and ends with it.

import { diffGraph, withColourScale } from "@perfpress/flamegraph/graph/diff_graph.js";
import { summaryOf } from "@perfpress/flamegraph/graph/diff_words.js";
import { parseCaptures } from "@perfpress/profile/diff/capture_weights.js";
import { diffProfiles } from "@perfpress/profile/diff/diff.js";
import { parseProfile } from "@perfpress/profile/model/profile_check.js";
import { reasonOf } from "../fetch-json.js";

/**
 * @typedef {object} SideFiles
 * @property {string} profile its address
 * @property {string} captures address of what its single captures weigh; empty where there is none
 *
 * @typedef {object} Request
 * @property {SideFiles} base
 * @property {SideFiles} after
 * @property {import("@perfpress/profile/diff/diff.js").DiffOptions} options
 *
 * @typedef {{ diff: import("@perfpress/profile/diff/diff.js").Diff,
 *   summary: import("@perfpress/flamegraph/graph/diff_words.js").DiffSummary } | { failed: string }} Answer
 */

self.addEventListener("message", async (/** @type {MessageEvent<Request>} */ { data }) => {
  /** @type {Answer} */
  let answer;
  try {
    const [base, after] = await Promise.all([data.base, data.after].map(sideOf));
    const compared = diffProfiles(base.profile, after.profile, {
      ...data.options,
      baseCaptures: base.captures,
      afterCaptures: after.captures,
    });
    const diff = withColourScale(compared);
    answer = { diff, summary: summaryOf(diff, diffGraph(diff)) };
  } catch (error) {
    answer = { failed: reasonOf(error) };
  }
  self.postMessage(answer);
});

/**
 * @param {SideFiles} files
 * @returns {Promise<{ profile: import("@perfpress/profile/model/profile.js").Profile,
 *   captures: import("@perfpress/profile/diff/capture_weights.js").CaptureProfile[] }>}
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
