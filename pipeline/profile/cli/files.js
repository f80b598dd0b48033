/** The files that a command line names: read with what was chosen of them, and written. */

import { availableParallelism } from "node:os";
import process from "node:process";
import { BadInput, isSystemError, problem } from "../model/problems.js";
import { bySamples } from "../model/tree_conversions.js";
import { readTreesOfPipe } from "../read/files.js";
import { foldFiles, profilesOf } from "../read/fold.js";
import { shownName } from "../read/input/pipe.js";
import { LEAST_FOR_TWO_THREADS } from "../read/perf_script/parallel.js";
import { writePieces } from "../write/files.js";
import { BadUsage, printProblems } from "./program.js";

/**
 * @typedef {import("../model/event_tree.js").EventTree} EventTree
 * @typedef {import("./program.js").Options} Options
 */

/** Why the system does not write a file, in words; others are reported as the system words them. */
const REFUSALS = new Map([
  ["ENOENT", "no such directory"],
  ["ENOTDIR", "no such directory"],
  ["EISDIR", "a directory"],
  ["EACCES", "permission denied"],
  ["ENOSPC", "the disk is full"],
]);

/**
 * Return the way to write what the name of the output asks for.
 *
 * @template T
 * @param {string | undefined} out
 * @param {Record<string, T>} formats by the end of the name
 * @param {string} forStdout
 */
export function formatOf(out, formats, forStdout) {
  const wanted = out === undefined ? forStdout : out.replace(/\.gz$/, "");
  const end = Object.keys(formats).find((known) => wanted.endsWith(known));
  if (end) return formats[end];
  const ends = Object.keys(formats).join(" or ");
  const compressed = "optionally followed by .gz";
  throw new BadUsage(
    `-o ${JSON.stringify(out)}: expected a name that ends in ${ends}, ${compressed}`,
  );
}

/**
 * Return the profile of several files.
 *
 * @param {string[]} files
 * @param {Options} choice
 */
export async function profileOf(files, choice) {
  const [profile] = await profilesOf([await treeOf(files, choice)]);
  return profile;
}

/**
 * Return the tree of several files. What could not be read is reported, and the rest used.
 *
 * @param {string[]} files
 * @param {Options} choice
 */
export async function treeOf(files, { event, label: labels, samples, threads }) {
  if (files.length === 0) throw new BadUsage("no FILE given");
  if (event === "") throw new BadUsage('--event "": expected the name of an event');
  const parallelFrom = threadsIn(threads) > 1 ? LEAST_FOR_TWO_THREADS : undefined;
  const how = { labels, mayRunPerf: true, parallelFrom };
  const captures = files.map((path) => ({ file: shownName(path), path, ...how }));
  const { trees, problems } = await foldFiles(captures, readTreesOfPipe);
  printProblems(problems);
  const chosen = event === undefined ? trees : trees.filter((one) => one.event === event);
  if (trees.length === 0) throw new BadInput();
  const path = files.map(shownName).join(", ");
  if (chosen.length !== 1) throw new BadInput(notOneEvent(path, trees, event));
  printProblems([...withoutEvent(trees, chosen[0]), ...withoutLabels(path, trees, labels)]);
  return samples ? bySamples(chosen[0], path) : chosen[0];
}

/**
 * @param {string} path
 * @param {EventTree[]} trees
 * @param {string | undefined} event
 */
function notOneEvent(path, trees, event) {
  const several = trees.length > 1;
  const isOfOneFile = new Set(filesOf(trees)).size === 1;
  const events = trees.map((tree) =>
    isOfOneFile ? tree.event : `${tree.event} (${filesOf([tree]).join(", ")})`,
  );
  return problem({
    path,
    found: `the ${several ? "events" : "event"} ${events.join(", ")}`,
    expected: event ?? "one event",
    do: several ? "choose one with --event NAME" : "leave --event out, or correct it",
  });
}

/**
 * Report the files that add nothing because they count other events.
 *
 * @param {EventTree[]} trees
 * @param {EventTree} chosen
 */
function withoutEvent(trees, chosen) {
  const having = new Set(filesOf([chosen]));
  const lacking = new Set(filesOf(trees).filter((file) => !having.has(file)));
  return [...lacking].map((path) => {
    const there = trees.filter((tree) => filesOf([tree]).includes(path));
    const found = `only ${there.map(({ event }) => event).join(", ")}, which is left out`;
    return problem({ path, found, expected: chosen.event, severity: "warning" });
  });
}

/**
 * Report the labels that no capture has.
 *
 * @param {string} path
 * @param {EventTree[]} trees
 * @param {string[]} [asked]
 */
function withoutLabels(path, trees, asked = []) {
  const captures = trees.flatMap((tree) => tree.captures);
  const keys = new Set(captures.flatMap(({ labels = [] }) => labels.map(({ key }) => key)));
  const found = keys.size > 0 ? `the labels ${[...keys].sort().join(", ")}` : "no labels";
  return asked
    .filter((key) => !keys.has(key))
    .map((expected) =>
      problem({ path, found, expected, do: "correct --label", severity: "warning" }),
    );
}

/** @param {EventTree[]} trees */
function filesOf(trees) {
  return trees.flatMap(({ captures }) => captures.map(({ file }) => file));
}

/** @param {string} [text] */
function threadsIn(text = String(availableParallelism())) {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new BadUsage(`--threads ${JSON.stringify(text)}: expected 1 or more`);
}

/**
 * @param {string | undefined} out
 * @param {Iterable<string | Uint8Array>} pieces each good until the next is asked for
 * @throws {BadInput} where the system refuses
 */
export async function write(out, pieces) {
  if (out === undefined) {
    process.stdout.on("error", () => process.exit()); // a reader such as head has seen enough
    for (const piece of pieces) {
      await new Promise((written) => process.stdout.write(piece, written));
    }
    return;
  }
  try {
    await writePieces(out, pieces);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const { code = "", message } = error;
    const found = `cannot be written: ${REFUSALS.get(code) ?? message}`;
    throw new BadInput(problem({ path: out, found, do: "name another file with -o" }));
  }
}
