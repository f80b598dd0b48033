/** Captures for tests: as text, through a reader, back as folded stacks. */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unitOf } from "../../pipeline/profile/model/units.js";
import { readCapture } from "../../pipeline/profile/read/capture.js";
import { profilesOf } from "../../pipeline/profile/read/fold.js";
import * as folded from "../../pipeline/profile/read/folded/reader.js";
import * as perfScript from "../../pipeline/profile/read/perf_script/reader.js";
import { foldedProfile } from "../../pipeline/profile/write/folded.js";

/**
 * @typedef {object} Read
 * @property {Record<string, string[]>} stacks the folded stacks of each event
 * @property {Record<string, import("../../pipeline/profile/model/profile.js").Profile>} profiles
 * @property {number} lost
 * @property {string | null} sharesOnly
 * @property {import("../../pipeline/profile/model/profile.js").Skipped[]} skipped
 */

/**
 * Read a capture in one format.
 *
 * @param {import("../../pipeline/profile/read/stacks/format.js").Format} format a module of read/
 * @param {string | Uint8Array} text
 * @param {{ chunkSize?: number, partial?: boolean, event?: string }} [options]
 * @returns {Read}
 */
export function readAs(format, text, { chunkSize = 2 ** 20, partial = false, event } = {}) {
  const reader = new format.Reader(event);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunkSize) {
    reader.push(bytes.subarray(at, at + chunkSize));
  }
  const { events, lost = 0, sharesOnly = null, skipped } = reader.finish(partial);
  const profiles = Object.fromEntries(
    events.map(({ event, unit, builder, samples, samplesByNode }) => [
      event,
      builder.build({
        event,
        unit: unit ?? unitOf(event, builder.decimals),
        samples,
        samplesByNode,
        captures: [],
      }),
    ]),
  );
  const stacks = Object.fromEntries(
    Object.entries(profiles).map(([event, profile]) => [event, stacksOf(profile)]),
  );
  return { stacks, profiles, lost, sharesOnly, skipped };
}

/**
 * Whether a reader takes a text for its own, of which no more may be there to see.
 *
 * @param {import("../../pipeline/profile/read/stacks/format.js").Format} format
 * @param {string | Uint8Array} text
 */
export function answerTo(format, text) {
  const bytes = Buffer.from(text);
  return format.recognise({ bytes, lines: bytes.toString("utf8").split(/\r?\n/) });
}

/**
 * Folded stacks without their head.
 *
 * @param {import("../../pipeline/profile/model/profile.js").Profile} profile
 */
export function stacksOf(profile) {
  return foldedText(profile).trimEnd().split("\n").slice(1);
}

/** @param {import("../../pipeline/profile/model/profile.js").Profile} profile */
export function foldedText(profile) {
  return Array.from(foldedProfile(profile), (piece) => Buffer.from(piece).toString()).join("");
}

/**
 * @param {string | Buffer} text
 * @param {{ chunkSize?: number, partial?: boolean, event?: string }} [options]
 */
export function readPerf(text, options) {
  return readAs(perfScript, text, options);
}

/**
 * @param {string | Buffer} text
 * @param {{ chunkSize?: number, partial?: boolean, event?: string }} [options]
 */
export function readFolded(text, options) {
  return readAs(folded, text, options);
}

/**
 * Run in a new directory, which is removed after.
 *
 * @template T
 * @param {(directory: string) => Promise<T>} use
 */
export async function inDirectory(use) {
  const directory = await mkdtemp(join(tmpdir(), "perfpress-"));
  try {
    return await use(directory);
  } finally {
    await rm(directory, { recursive: true });
  }
}

/**
 * Fold a file of the given bytes.
 *
 * @param {string | Buffer} bytes
 * @param {string | null} [event] as run.toml states it
 */
export function foldBytes(bytes, event = null) {
  return inDirectory(async (directory) => {
    const path = join(directory, "capture");
    await writeFile(path, bytes);
    return await foldCapture({ file: "l.i1/capture", path, event });
  });
}

/**
 * Return the profiles of a capture, and what its author should know of it.
 *
 * @param {import("../../pipeline/profile/read/capture.js").CaptureFile} capture
 */
export async function foldCapture(capture) {
  const { trees, problems } = await readCapture(capture);
  return { profiles: await profilesOf(trees), problems };
}
