/** Runs a program of verbs: reads their options, and says what went wrong. */

import { readFileSync } from "node:fs";
import process from "node:process";
import { parseArgs } from "node:util";
import { BadInput, formatProblem, isSystemError } from "../model/problems.js";

/**
 * @typedef {object} Verb
 * @property {(files: string[], options: any) => Promise<void>} run takes OptionsOf of the package
 * @property {VerbDescription} [description] of verbs for people
 *
 * @typedef {object} OptionDescription
 * @property {string} [value] placeholder for its value; a flag has none
 * @property {string} [short]
 * @property {boolean} [repeatable]
 * @property {string} meaning
 *
 * @typedef {object} VerbDescription as the options.json of a package has it, which Python reads too
 * @property {Record<string, string>} files their meanings by name
 * @property {string} out what may be written
 * @property {string[]} options besides OUT
 *
 * @typedef {OptionsOf<typeof import("./options.json")["options"]>} Options
 */

/**
 * The values of options, by their descriptions in the options.json of a package.
 *
 * @template {Record<string, object>} Described
 * @typedef {{ out?: string } & { [Name in keyof Described]?:
 *   Described[Name] extends { repeatable: boolean } ? string[]
 *   : Described[Name] extends { value: string } ? string : boolean }} OptionsOf
 */

/** Reported with the usage of the verb; the exit code is 2. */
export class BadUsage extends Error {}

/**
 * @param {URL} file options.json of a package
 * @returns {{options: Record<string, OptionDescription>, verbs: Record<string, VerbDescription>}}
 */
export const readOptions = (file) => JSON.parse(readFileSync(file, "utf8"));

const { options: SHARED } = readOptions(new URL("./options.json", import.meta.url));

/** @param {import("../model/problems.js").Problem[]} problems */
export function printProblems(problems) {
  for (const one of problems) {
    console.error(formatProblem(one));
    if (one.severity === "error") process.exitCode = 1;
  }
}

/**
 * @param {VerbDescription | undefined} verb
 * @param {Record<string, OptionDescription>} own the package's
 * @returns {[string, OptionDescription][]} all options of a verb, by name
 */
function optionsOf(verb, own) {
  if (verb === undefined) return [];
  const all = { ...SHARED, ...own };
  return [
    ["out", { value: "OUT", short: "o", meaning: verb.out }],
    ...verb.options.map((name) => /** @type {[string, OptionDescription]} */ ([name, all[name]])),
  ];
}

/**
 * @param {[string, OptionDescription][]} options
 * @param {string[]} args
 */
function parse(options, args) {
  const taken = options.map(([name, { value, short, repeatable }]) => [
    name,
    {
      type: /** @type {"string" | "boolean"} */ (value === undefined ? "boolean" : "string"),
      multiple: repeatable === true,
      ...(short && { short }),
    },
  ]);
  try {
    return parseArgs({ args, allowPositionals: true, options: Object.fromEntries(taken) });
  } catch (error) {
    throw new BadUsage(/** @type {Error} */ (error).message);
  }
}

/**
 * @param {string} name of a verb
 * @param {VerbDescription} verb
 * @param {[string, OptionDescription][]} options
 */
function usageOf(name, verb, options) {
  const words = options.map(([long, { value, short, repeatable }]) => {
    const flag = short === undefined ? `--${long}` : `-${short}`;
    return `[${flag}${value === undefined ? "" : ` ${value}`}]${repeatable ? "…" : ""}`;
  });
  return ["perfpress", name, ...Object.keys(verb.files), ...words].join(" ");
}

/**
 * Do what the arguments ask for; the exit code says how that went.
 *
 * @param {Record<string, Verb>} verbs
 * @param {Record<string, OptionDescription>} own the package's options
 * @param {string[]} args
 */
export async function runProgram(verbs, own, [name, ...args]) {
  if (name === undefined || !Object.hasOwn(verbs, name)) {
    const known = Object.keys(verbs).join(", ");
    console.error(
      `${name === undefined ? "no verb given" : `${name} is no verb`}; expected ${known}`,
    );
    process.exitCode = 2;
    return;
  }
  const { run, description } = verbs[name];
  const options = optionsOf(description, own);
  try {
    const { values, positionals } = parse(options, args);
    await run(positionals, values);
  } catch (error) {
    if (error instanceof BadUsage) {
      const usage = description ? usageOf(name, description, options) : name;
      console.error(`usage: ${usage}\nerror: ${error.message}`);
      process.exitCode = 2;
    } else if (error instanceof BadInput) {
      printProblems(error.problems);
      process.exitCode = 1;
    } else if (isSystemError(error)) {
      console.error(`perfpress ${name}: ${error.message}`);
      process.exitCode = 1;
    } else {
      throw error;
    }
  }
}
