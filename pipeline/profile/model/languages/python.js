/** Names of Python's functions, as its profilers and `perf script` write them. */

import { inFile } from "./source_files.js";

/**
 *     heavy (w.py:3)                                    py-spy, pyinstrument
 *     _load (<frozen importlib._bootstrap>:690)         py-spy
 *     /app/w.py:heavy:3                                 Austin
 *     Shop.find /app/w.py:3                             yappi
 *     _load <frozen importlib._bootstrap>:690           yappi
 *     py::heavy:/app/w.py                               perf script, from Python 3.12 on with -X perf
 */
const FORMS = [
  /^(?<name>\S.*?) \((?<file>[^()]+\.py[xi]?|<[^()]+>|ipython-input-[^()]+)(?::\d+)?\)$/s,
  /^(?<file>[^:]+\.py[xi]?|<[^:>]+>):(?<name>[^:]+):\d+$/s,
  /^(?<name>\S+) (?<file>\S[^:]*\.py[xi]?|<[^<>:]+>):\d+$/s,
  /^py::(?<name>.+?):(?<file>[^:]+)$/s,
];

/** @type {import("./languages.js").ReadName} */
export function readName(name) {
  if (!/\.py|<|^py::/.test(name)) return null;
  const found = FORMS.map((form) => form.exec(name)?.groups).find(Boolean);
  return found ? inFile(found.name, found.file) : null;
}
