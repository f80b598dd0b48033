/** Names of Ruby's methods, as its profilers write them. */

import { inFile } from "./source_files.js";

/**
 *     block in heavy - /app/w.rb:3          rbspy
 *     sleep [c function] - (unknown):0      rbspy, of a method in C
 *     heavy (/app/w.rb:3)                   stackprof and others
 */
const FORMS = [
  /^(?<name>\S.*?) - (?<file>\S[^:]*\.rb|\(unknown\)|<internal:[\w/-]+>|\(eval[^)]*\))(?::\d+)?$/s,
  /^(?<name>\S.*?) \((?<file>[^()]+\.rb|<internal:[\w/-]+>)(?::\d+)?\)$/s,
];

/** @type {import("./languages.js").ReadName} */
export function readName(name) {
  if (!/\.rb|- \(|<internal:/.test(name)) return null;
  const found = FORMS.map((form) => form.exec(name)?.groups).find(Boolean);
  if (!found) return null;
  return found.file === "(unknown)" ? found.name : inFile(found.name, found.file);
}
