#!/usr/bin/env node
/** `node pipeline/flamegraph/cli.js VERB …`: fold, diff and draw captures; see USAGE. */

import process from "node:process";
import { parseArgs } from "node:util";
import { formatColumns } from "./columns.js";
import { writeText } from "./files.js";
import { fold, folded, foldFiles, merge } from "./fold_jobs.js";
import { formatFolded } from "./folded.js";
import { runJobs } from "./jobs.js";
import { BadInput, formatProblem, problem } from "./problems.js";

const USAGE = `usage:
  fold FILE… [-o OUT]            captures and profiles into one
                                 OUT: .folded, .json, also with .gz; else folded stacks to stdout
  diff BASE AFTER [-o OUT]       OUT: .svg, .json or .folded with two columns; else that to stdout
  flamegraph FILE… [-o OUT.svg]  else to stdout
  jobs                           lines of JSON on stdin: fold, merge, folded, flamegraph, diff

FILE is perf script text or folded stacks, plain, .gz, .zst or .xz, or a profile (.json).
  --event NAME    the event to take, where FILE counts several
  --title TEXT    of a drawing
`;

/** Told with the usage; the exit code is 2. */
class BadUsage extends Error {}

/**
 * @typedef {object} Options
 * @property {string} [output]
 * @property {string} [event]
 * @property {string} [title]
 */

/** @type {Record<string, (files: string[], options: Options) => Promise<void>>} */
const VERBS = {
  fold: foldVerb,
  diff: diffVerb,
  flamegraph: flamegraphVerb,
  jobs: jobsVerb,
};

/**
 * @param {string[]} files
 * @param {Options} options
 */
async function foldVerb(files, { output, event }) {
  const formats = { ".folded": formatFolded, ".json": formatColumns };
  const format = formatOf(output, formats, ".folded");
  await write(output, format(await profileOf(files, event)));
}

/**
 * @param {string[]} files
 * @param {Options} options
 */
async function diffVerb(files, { output, event, title }) {
  if (files.length !== 2)
    throw new BadUsage(`diff takes BASE and AFTER, not ${files.length} files`);
  const { diffProfiles } = await import("./diff.js");
  const { diffFolded } = await import("./diff_folded.js");
  const { diffSvg } = await import("./diff_svg.js");
  const [base, after] = files;
  const heading = title ?? `${base} and ${after}`;
  /** @typedef {import("./diff.js").Diff} Diff */
  const format = formatOf(
    output,
    {
      ".folded": diffFolded,
      ".json": formatColumns,
      ".svg": (/** @type {Diff} */ diff) => diffSvg(diff, heading).svg,
    },
    ".folded",
  );
  const diff = diffProfiles(await profileOf([base], event), await profileOf([after], event), {
    baseLabel: base,
    afterLabel: after,
  });
  await write(output, format(diff));
}

/**
 * @param {string[]} files
 * @param {Options} options
 */
async function flamegraphVerb(files, { output, event, title }) {
  const { profileSvg } = await import("./profile_svg.js");
  const heading = title ?? files.join(", ");
  /** @typedef {import("./profile.js").Profile} Profile */
  const format = formatOf(
    output,
    { ".svg": (/** @type {Profile} */ profile) => profileSvg(profile, heading, []).svg },
    ".svg",
  );
  await write(output, format(await profileOf(files, event)));
}

/** @param {string[]} files */
async function jobsVerb(files) {
  if (files.length > 0) throw new BadUsage("jobs takes its requests from stdin");
  const { diff, flamegraph } = await import("./draw_jobs.js");
  await runJobs({ fold, merge, folded, flamegraph, diff });
}

/**
 * The way to write what the name of the output asks for.
 *
 * @template T
 * @param {string | undefined} output
 * @param {Record<string, T>} formats by the end of the name
 * @param {string} forStdout
 */
function formatOf(output, formats, forStdout) {
  const wanted = output === undefined ? forStdout : output.replace(/\.gz$/, "");
  const end = Object.keys(formats).find((known) => wanted.endsWith(known));
  if (end) return formats[end];
  throw new BadUsage(`-o ${output}: the name has to end in ${Object.keys(formats).join(", ")}`);
}

/**
 * The profile of several files. What could not be read is told, and the rest used.
 *
 * @param {string[]} files
 * @param {string} [event]
 */
async function profileOf(files, event) {
  if (files.length === 0) throw new BadUsage("no FILE given");
  const { profiles, problems } = await foldFiles(files.map((path) => ({ file: path, path })));
  tell(problems);
  const events = profiles.map((profile) => profile.event);
  const chosen = event === undefined ? profiles : profiles.filter((one) => one.event === event);
  if (chosen.length === 1) return chosen[0];
  if (profiles.length === 0) throw new BadInput();
  throw new BadInput(
    problem({
      path: files[0],
      found: `the events ${events.join(", ")}`,
      expected: event ?? "one event",
      do: "choose one with --event NAME",
    }),
  );
}

/** @param {import("./problems.js").Problem[]} problems */
function tell(problems) {
  for (const one of problems) {
    console.error(formatProblem(one));
    if (one.severity === "error") process.exitCode = 1;
  }
}

/**
 * @param {string | undefined} output
 * @param {string} text
 */
async function write(output, text) {
  if (output !== undefined) return writeText(output, text);
  process.stdout.on("error", () => process.exit()); // a reader such as head has seen enough
  process.stdout.write(text);
}

/** @param {string[]} args */
function parseCommand(args) {
  const [name, ...rest] = args;
  if (name === undefined) throw new BadUsage("no verb given");
  if (!Object.hasOwn(VERBS, name)) throw new BadUsage(`${name} is no verb`);
  try {
    const { values, positionals } = parseArgs({
      args: rest,
      allowPositionals: true,
      options: {
        output: { type: "string", short: "o" },
        event: { type: "string" },
        title: { type: "string" },
      },
    });
    return { verb: VERBS[name], files: positionals, options: values };
  } catch (error) {
    throw new BadUsage(/** @type {Error} */ (error).message);
  }
}

/**
 * What files refuse once the input is read: no such directory, no space, no permission.
 *
 * @param {unknown} error
 * @returns {error is NodeJS.ErrnoException}
 */
function isSystemError(error) {
  return error instanceof Error && "syscall" in error && "path" in error;
}

/** @param {string[]} args */
async function main(args) {
  if (args.includes("--help") || args.includes("-h")) {
    process.stdout.write(USAGE);
    return;
  }
  try {
    const { verb, files, options } = parseCommand(args);
    await verb(files, options);
  } catch (error) {
    if (error instanceof BadUsage) {
      console.error(`${error.message}\n${USAGE}`);
      process.exitCode = 2;
    } else if (error instanceof BadInput) {
      tell(error.problems);
      process.exitCode = 1;
    } else if (isSystemError(error)) {
      console.error(`${error.path}: cannot be written: ${error.message}`);
      process.exitCode = 1;
    } else {
      throw error;
    }
  }
}

await main(process.argv.slice(2));
