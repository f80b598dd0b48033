/** The functions of V8's profiles. */

import { ANONYMOUS } from "../../model/languages/javascript.js";
import { inFile } from "../../model/languages/source_files.js";
import { LIBRARY, USER } from "../../model/profile.js";
import { textOf } from "./json_file.js";

/** What V8 itself does: `(program)`, `(garbage collector)`, `(idle)`. */
const OF_ENGINE = /^\([\w: ]+\)$/;

/**
 * Return the frame of a function. Its line is no part of it; what the engine and Node's own modules do is a library's.
 *
 * @param {any} call V8's `callFrame`
 * @returns {import("./perf_frame.js").Frame}
 */
export function v8Frame(call) {
  const name = textOf(call?.functionName);
  const url = textOf(call?.url);
  if (url === "") return { name: name || ANONYMOUS, frameClass: LIBRARY };
  const isOwn = !OF_ENGINE.test(name) && !/^(?:node:|extensions::|native )/.test(url);
  return { name: inFile(name || ANONYMOUS, url), frameClass: isOwn ? USER : LIBRARY };
}
