/** What the command line of captures and graphs does: fold, diff, draw and jobs; see HELP. */

import process from "node:process";
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { BadUsage, formatOf, profileOf, tell, treeOf, write } from "./cli_files.js";
import { formatColumns } from "./columns.js";
import { profilesOf } from "./event_tree.js";
import { fold, folded, merge, recognise } from "./fold_jobs.js";
import { runJobs } from "./jobs.js";
import { BadInput, isSystemError } from "./problems.js";
import { ANNOTATIONS, annotated } from "./retold.js";
import { foldedTree } from "./write/folded.js";

/**
 * @typedef {import("./cli_files.js").Options} Options
 *
 * @typedef {object} Verb
 * @property {(files: string[], options: Options) => Promise<void>} run
 * @property {(keyof Options)[]} options those that it takes
 * @property {string} usage
 */

/** @type {(keyof Options)[]} those that stackcollapse-perf.pl has */
const COMPAT_OPTIONS = ["pid", "tid", "kernel", "jit", "all", "addrs", "event-filter"];

/** @type {(keyof Options)[]} those without a value */
const FLAGS = ["samples", "normalize", "compat", "pid", "tid", "kernel", "jit", "all", "addrs"];

/** @type {Record<string, Verb>} */
const VERBS = {
  fold: {
    run: foldVerb,
    options: [
      "out",
      "event",
      "label",
      "samples",
      "annotate",
      "threads",
      "compat",
      ...COMPAT_OPTIONS,
    ],
    usage:
      "perfpress fold FILE… [-o OUT] [--event NAME] [--label KEY]… [--samples] [--annotate LIST] " +
      "[--threads N]\n" +
      "  perfpress fold --compat FILE… [-o OUT] [--pid] [--tid] [--kernel] [--jit] [--all] " +
      "[--addrs] [--event-filter EVENT]",
  },
  diff: {
    run: diffVerb,
    options: ["out", "event", "label", "samples", "title", "normalize"],
    usage:
      "perfpress diff BASE AFTER [-o OUT] [--event NAME] [--label KEY]… [--samples] " +
      "[--title TEXT] [--normalize]",
  },
  flamegraph: {
    run: flamegraphVerb,
    options: ["out", "event", "label", "samples", "title"],
    usage:
      "perfpress flamegraph FILE… [-o OUT.svg] [--event NAME] [--label KEY]… [--samples] " +
      "[--title TEXT]",
  },
  jobs: { run: jobsVerb, options: [], usage: "node pipeline/flamegraph/cli.js jobs" },
};

const HELP = `usage:
${Object.values(VERBS)
  .map(({ usage }) => `  ${usage}`)
  .join("\n")}

FILE is a capture of any format, plain, .gz, .zst or .xz, or a profile; its content tells which.
- is stdin: perf script | perfpress fold -
OUT ends in what is to be written, and may end in .gz besides:
  fold        .folded, .json (a profile), .pb or .pprof (pprof), .speedscope.json;
              without OUT folded stacks on stdout
  diff        .svg, .json, .folded with two columns; without OUT those on stdout
  flamegraph  .svg; without OUT on stdout
--event names the event to take where FILE counts several, --title heads the drawing.
--samples counts samples instead of what the event counts.
--annotate chooses what is marked behind names in folded stacks: all, none, or some of
  ${ANNOTATIONS.join(",")}
--threads 1 leaves all to one CPU; a second one takes half of a large plain capture.
--normalize writes the two columns as if BASE had the total of AFTER.
--compat prints what stackcollapse-perf.pl prints of perf script text.
--label makes frames of the values that samples have of a label of pprof's.
jobs reads lines of JSON on stdin: fold, merge, folded, recognise, flamegraph, diff.
`;

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
  const alien = COMPAT_OPTIONS.find((option) => options[option] !== undefined);
  if (alien) throw new BadUsage(`--${alien} goes with --compat`);
  const kept = annotationsIn(annotate);
  /** @typedef {import("./event_tree.js").EventTree} EventTree */
  const pprofTree = async (/** @type {EventTree} */ tree) =>
    (await import("./write/pprof.js")).pprofTree(tree);
  const speedscopeTree = async (/** @type {EventTree} */ tree) =>
    (await import("./write/speedscope.js")).speedscopeTree(tree);
  const formats = {
    ".folded": foldedTree,
    ".pb": pprofTree,
    ".pprof": pprofTree,
    ".speedscope.json": speedscopeTree,
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
  const alien = Object.keys(options).find(
    (option) => !COMPAT_OPTIONS.includes(/** @type {keyof Options} */ (option)),
  );
  if (alien) throw new BadUsage(`--${alien} does not go with --compat`);
  if (files.length === 0) throw new BadUsage("no FILE given");
  formatOf(out, { ".folded": null }, ".folded");
  const { foldCompat } = await import("./compat.js");
  const { pieces, problems } = await foldCompat(files, {
    ...options,
    eventFilter: options["event-filter"],
  });
  tell(problems);
  await write(out, pieces);
}

/**
 * @param {string[]} files
 * @param {Options} options
 */
async function diffVerb(files, { out, title, normalize, ...choice }) {
  if (files.length !== 2)
    throw new BadUsage(`diff takes BASE and AFTER, not ${files.length} files`);
  const { diffProfiles } = await import("./diff.js");
  const { diffFolded, normalizedDiffFolded } = await import("./diff_folded.js");
  const { diffSvg } = await import("./diff_svg.js");
  const [base, after] = files;
  const heading = title ?? `${base} and ${after}`;
  /** @typedef {import("./diff.js").Diff} Diff */
  const format = formatOf(
    out,
    {
      ".folded": normalize ? normalizedDiffFolded : diffFolded,
      ".json": formatColumns,
      ".svg": (/** @type {Diff} */ diff) => diffSvg(diff, heading).svg,
    },
    ".folded",
  );
  if (normalize && format !== normalizedDiffFolded)
    throw new BadUsage(
      "--normalize is for .folded: pictures and files show shares, or both totals",
    );
  const diff = diffProfiles(await profileOf([base], choice), await profileOf([after], choice), {
    baseLabel: base,
    afterLabel: after,
  });
  await write(out, [format(diff)]);
}

/**
 * @param {string[]} files
 * @param {Options} options
 */
async function flamegraphVerb(files, { out, title, ...choice }) {
  const { profileSvg } = await import("./profile_svg.js");
  const heading = title ?? files.join(", ");
  /** @typedef {import("./profile.js").Profile} Profile */
  const format = formatOf(
    out,
    { ".svg": (/** @type {Profile} */ profile) => profileSvg(profile, heading, []).svg },
    ".svg",
  );
  await write(out, [format(await profileOf(files, choice))]);
}

/** @param {string[]} files */
async function jobsVerb(files) {
  if (files.length > 0) throw new BadUsage("jobs takes its requests from stdin");
  const { captures, diff, flamegraph } = await import("./draw_jobs.js");
  await runJobs({ fold, merge, folded, recognise, flamegraph, captures, diff });
}

/**
 * @param {string} name
 * @param {string[]} args
 */
function parse(name, args) {
  const taken = VERBS[name].options.map((option) => [
    option,
    {
      type: /** @type {"string" | "boolean"} */ (FLAGS.includes(option) ? "boolean" : "string"),
      multiple: option === "label",
      ...(option === "out" && { short: "o" }),
    },
  ]);
  try {
    return parseArgs({ args, allowPositionals: true, options: Object.fromEntries(taken) });
  } catch (error) {
    throw new BadUsage(/** @type {Error} */ (error).message);
  }
}

/**
 * Do what the arguments ask for; the exit code tells how that went.
 *
 * @param {string[]} args
 */
export async function main(args) {
  const [name, ...rest] = args;
  if (name === "--help" || name === "-h") {
    process.stdout.write(HELP);
  } else if (name === undefined || !Object.hasOwn(VERBS, name)) {
    console.error(`${name === undefined ? "no verb given" : `${name} is no verb`}\n${HELP}`);
    process.exitCode = 2;
  } else {
    await runVerb(name, rest);
  }
}

/**
 * @param {string} name
 * @param {string[]} args
 */
async function runVerb(name, args) {
  try {
    const { values, positionals } = parse(name, args);
    await VERBS[name].run(positionals, values);
  } catch (error) {
    if (error instanceof BadUsage) {
      console.error(`usage: ${VERBS[name].usage}\nerror: ${error.message}`);
      process.exitCode = 2;
    } else if (error instanceof BadInput) {
      tell(error.problems);
      process.exitCode = 1;
    } else if (isSystemError(error)) {
      console.error(`perfpress ${name}: ${error.message}`);
      process.exitCode = 1;
    } else {
      throw error;
    }
  }
}
