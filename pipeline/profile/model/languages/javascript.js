/**
 * Names of JavaScript's functions, as V8 writes them for perf (`node --perf-basic-prof`) and as profilers do. The
 * letters before a name say how far V8 compiled it at that moment, which is not the function's.
 */

import { inFile } from "./source_files.js";

/** How profilers call a function that the source does not name. */
export const ANONYMOUS = "(anonymous)";

/**
 *     LazyCompile:*next /app/router/index.js:130:12      Function:~next …   JS:^next …   JS:+next …
 *     next (/app/router/index.js:130:12)                  stacks of errors, 0x, pprof of Node
 *     next:/app/router/index.js:130:12                    pprof-nodejs
 *     next /app/router/index.js:130:12                    samply
 */
const FORMS = [
  /^(?:LazyCompile|Function|JS|Script|Eval|InterpretedFunction):[*~^+]?(?<name>[^ ]*) (?<file>[^ ].*?)(?::\d+){0,2}$/s,
  /^(?<name>\S.*?) \((?<file>[^()]+\.[cm]?[jt]sx?|node:[^()]+)(?::\d+){0,2}\)$/s,
  /^(?<name>[^:/ ]+):(?<file>[^: ][^ ]*\.[cm]?[jt]sx?|node:[\w/]+)(?::\d+){1,2}$/s,
  /^(?<name>[^ ]*) (?<file>(?:file:\/\/)?\/[^ ]+\.[cm]?[jt]sx?)(?::\d+){2}$/s,
];

/** @type {import("./languages.js").ReadName} */
export function readName(name) {
  if (!/[jt]sx?\b|node:|^(?:LazyCompile|Function|Script|Eval|JS)/.test(name)) return null;
  const found = FORMS.map((form) => form.exec(name)?.groups).find(Boolean);
  return found ? inFile(found.name || ANONYMOUS, found.file) : null;
}
