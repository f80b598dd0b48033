/** Captures that their tools wrote of small programs, beside the tests of their readers. */

import { Buffer } from "node:buffer";
import { fileURLToPath } from "node:url";
import { readCapture } from "../../pipeline/profile/read/capture.js";
import { profilesOf } from "../../pipeline/profile/read/fold.js";
import { readDecompressed } from "../../pipeline/profile/read/input/compression.js";
import { stacksOf } from "./captures.js";

/**
 * Read a capture as Perfpress does, its format by its content.
 *
 * @param {string} name of a file beside a test
 * @param {string} test the URL of the test
 */
export async function readFixture(name, test) {
  const path = fileURLToPath(new URL(name, test));
  const { trees, problems } = await readCapture({ file: name, path });
  const profiles = await profilesOf(trees);
  const byEvent = Object.fromEntries(profiles.map((profile) => [profile.event, profile]));
  return {
    format: profiles[0].captures[0].format,
    problems: problems.map(({ found }) => found),
    profiles: byEvent,
    stacks: Object.fromEntries(profiles.map((profile) => [profile.event, stacksOf(profile)])),
  };
}

/**
 * Return the bytes of a capture, decompressed.
 *
 * @param {string} name of a file beside a test
 * @param {string} test the URL of the test
 */
export async function bytesOf(name, test) {
  /** @type {Buffer[]} */
  const chunks = [];
  await readDecompressed(fileURLToPath(new URL(name, test)), (chunk) => {
    chunks.push(Buffer.from(chunk));
  });
  return Buffer.concat(chunks);
}

/**
 * Return what stacks weigh that end in a function, as a tool's own list of functions has it.
 *
 * @param {string[]} stacks folded
 * @param {string} name with the suffix of its class
 */
export function selfWeight(stacks, name) {
  const ends = stacks.filter((line) => line.replace(/ \d+$/, "").endsWith(`;${name}`));
  return ends.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" ") + 1)), 0);
}

/**
 * Return what stacks weigh that a function is in.
 *
 * @param {string[]} stacks folded
 * @param {string} name
 */
export function totalWeight(stacks, name) {
  const within = stacks.filter((line) => line.replace(/ \d+$/, "").split(";").includes(name));
  return within.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" ") + 1)), 0);
}
