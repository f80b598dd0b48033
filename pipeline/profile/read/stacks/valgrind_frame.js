/** Frames as Valgrind's tools write them. */

import { withoutParameters } from "../../model/signature.js";
import { classOfObject, libraryOf, unknownIn } from "./objects.js";

/**
 *     0x1091D1: keep (w.c:6)
 *     0x48417B4: malloc (in /usr/libexec/valgrind/vgpreload_dhat-amd64-linux.so)
 *     0x4A2F0: ??? (in /usr/bin/mysqld)
 */
const FRAME = /^(?:0x[0-9A-Fa-f]+: )?(?<name>.+?)(?: \((?:in (?<object>[^()]+)|[^()]*:\d+)\))?$/s;

/**
 * @param {string} text
 * @returns {import("./perf_frame.js").Frame}
 */
export function valgrindFrame(text) {
  const { name = "", object } = FRAME.exec(text.trim())?.groups ?? {};
  const frameClass = classOfObject(object ?? null, "");
  const library = libraryOf(object);
  if (name === "" || name === "???")
    return { name: unknownIn(object ?? null), frameClass, library };
  return { name: withoutParameters(name), frameClass, library };
}
