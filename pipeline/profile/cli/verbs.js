/** What the command line of profiles does: fold and jobs. */

import { setFlagsFromString } from "node:v8";
import { formatColumns } from "../model/columns.js";
import { ANNOTATIONS, annotated } from "../model/tree_conversions.js";
import { profilesOf } from "../read/fold.js";
import { foldedTree } from "../write/folded.js";
import { formatOf, treeOf, write } from "./files.js";
import { runJobs } from "./jobs.js";
import { BadUsage, printProblems, readOptions, runProgram } from "./program.js";

/** @typedef {import("./program.js").Options} Options */

/** @type {(keyof Options & string)[]} those that stackcollapse-perf.pl has */
const COMPAT_OPTIONS = ["pid", "tid", "kernel", "jit", "all", "addrs", "event-filter"];

const { options: OPTIONS, verbs: DESCRIPTIONS } = readOptions(
  new URL("./options.json", import.meta.url),
);

/** @type {Record<string, import("./program.js").Verb>} */
const VERBS = {
  fold: { run: foldVerb, description: DESCRIPTIONS.fold },
  jobs: { run: jobsVerb },
};

/** @param {string[]} args */
export function main(args) {
  return runProgram(VERBS, OPTIONS, args);
}

/**
 * @param {string[]} files
 * @param {Options} options
 */
async function foldVerb(files, options) {
  // A capture is read in chunks that nobody wants any more soon after: V8 would rather let tens of
  // MB of them pile up.
  setFlagsFromString("--semi-space-growth-factor=1");
  const { out, annotate = "all", compat, ...choice } = options;
  if (compat) {
    await foldCompatVerb(files, options);
    return;
  }
  const misplaced = COMPAT_OPTIONS.find((option) => options[option] !== undefined);
  if (misplaced) throw new BadUsage(`--${misplaced} goes with --compat`);
  const kept = annotationsIn(annotate);
  /** @typedef {import("../model/event_tree.js").EventTree} EventTree */
  const pprofTree = async (/** @type {EventTree} */ tree) =>
    (await import("../write/pprof.js")).pprofTree(tree);
  const speedscopeTree = async (/** @type {EventTree} */ tree) =>
    (await import("../write/speedscope.js")).speedscopeTree(tree);
  const firefoxTree = async (/** @type {EventTree} */ tree) =>
    (await import("../write/firefox_profiler.js")).firefoxTree(tree);
  const formats = {
    ".folded": foldedTree,
    ".pb": pprofTree,
    ".pprof": pprofTree,
    ".speedscope.json": speedscopeTree,
    ".firefox.json": firefoxTree,
    ".json": async (/** @type {EventTree} */ tree) => [
      formatColumns((await profilesOf([tree]))[0]),
    ],
  };
  const format = formatOf(out, formats, ".folded");
  if (kept !== ANNOTATIONS && format !== foldedTree)
    throw new BadUsage("--annotate is for folded stacks: other formats keep classes elsewhere");
  const tree = await treeOf(files, choice);
  await write(out, await format(kept === ANNOTATIONS ? tree : annotated(tree, kept)));
}

/**
 * @param {string} list
 * @returns {string[]} ANNOTATIONS itself for all
 */
function annotationsIn(list) {
  if (list === "all") return ANNOTATIONS;
  const names = list === "none" ? [] : list.split(",");
  const unknown = names.find((name) => !ANNOTATIONS.includes(name));
  if (unknown === undefined) return names;
  const known = ANNOTATIONS.join(",");
  throw new BadUsage(
    `--annotate ${JSON.stringify(unknown)}: expected all, none or some of ${known}`,
  );
}

/**
 * @param {string[]} files
 * @param {Options} options
 */
async function foldCompatVerb(files, { compat, out, ...options }) {
  const misplaced = Object.keys(options).find(
    (option) => !COMPAT_OPTIONS.includes(/** @type {any} */ (option)),
  );
  if (misplaced) throw new BadUsage(`--${misplaced} does not go with --compat`);
  if (files.length === 0) throw new BadUsage("no FILE given");
  formatOf(out, { ".folded": null }, ".folded");
  const { foldCompat } = await import("./stackcollapse.js");
  const { pieces, problems } = await foldCompat(files, {
    ...options,
    eventFilter: options["event-filter"],
  });
  printProblems(problems);
  await write(out, pieces);
}

/** @param {string[]} files */
async function jobsVerb(files) {
  if (files.length > 0) throw new BadUsage("jobs takes its requests from stdin");
  await runJobs(await import("./profile_jobs.js"));
}
