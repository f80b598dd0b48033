/** One frame as gdb, eu-stack or a poor man's profiler prints it. */

import { repairRust } from "../../model/languages/rust.js";
import { INLINED, USER } from "../../model/profile.js";
import { operatorAt, outerGroups, withoutParameters } from "../../model/signature.js";
import { classOfObject, libraryOf, unknownIn } from "../stacks/objects.js";
import { cleanName } from "../stacks/perf_frame.js";

/** @typedef {import("../stacks/perf_frame.js").Frame} Frame */

/**
 * @typedef {object} DebuggerFrame
 * @property {boolean} hasAddress
 * @property {Frame} frame
 */

const NUMBERED = /^#\d{1,9} +(?:(0x[0-9a-f]+)(?![^ ]) ?(in )?)?(.*)$/s;

/** What gdb calls the frame that the kernel makes for a signal. */
const SIGNAL_HANDLER = "<signal handler called>";

/**
 * Return the frame of a line, to which its continuation may have been added; null where it is none.
 *
 *     #3  0x00005608628a934a in (anonymous namespace)::Rows::find (this=0x7f, key=60) at shop.cpp:21
 *     #4  std::function<int (int)>::operator()(int) const (__args#0=3) at …/std_function.h:591
 *     #5  <signal handler called>
 *     #6  0x00007fc7bf4d44a3 in ?? () from /lib/x86_64-linux-gnu/libstdc++.so.6
 *     #7  0x00005608628a9531 wait_for_stop(int, char const*)                           eu-stack
 *     #8  0x00007fc7bf4d44a3 - 1 std::thread::join() - /usr/lib/libstdc++.so.6.0.30    eu-stack -m
 *
 * @param {string} line
 * @returns {DebuggerFrame | null}
 */
export function parseFrame(line) {
  const found = NUMBERED.exec(line);
  if (!found) return null;
  const [, address, isIn, rest] = found;
  const frame = address && !isIn ? ofElfutils(rest) : ofGdb(rest.trim());
  return { hasAddress: address !== undefined, frame };
}

/** @param {string} text after the address */
function ofElfutils(text) {
  const symbol = text.replace(/^- 1(?= |$)/, "");
  const at = symbol.indexOf(" - /");
  if (at < 0) return frameOf(symbol, null);
  return frameOf(symbol.slice(0, at), symbol.slice(at + " - ".length));
}

/** @param {string} text after the address */
function ofGdb(text) {
  const object = /\(\) from (\S.*)$/s.exec(text)?.[1] ?? null;
  return frameOf(text.slice(0, endOfName(text)), object);
}

/** What a function was called with, `(key=60, rest=...)`, where it is not part of its name. */
const ARGUMENTS = / \((?:\)|\.\.\.\)|[\w$#@]+=)/y;

/** Where the function's file or object follows a name directly, without arguments. */
const PLACE = / (?:at|from) \S/;

/**
 * Return where a function's name ends: before its arguments, which follow a space outside of all
 * brackets.
 *
 * @param {string} text
 */
function endOfName(text) {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (letter === "o") {
      at += Math.max(0, operatorAt(text, at).length - 1);
    } else if (letter === " " && depth === 0) {
      ARGUMENTS.lastIndex = at;
      if (ARGUMENTS.test(text)) return at;
    } else if ("(<[{".includes(letter)) {
      depth++;
    } else if (")]}".includes(letter) || (letter === ">" && text[at - 1] !== "-")) {
      depth = Math.max(0, depth - 1);
    }
  }
  const place = text.search(PLACE);
  return place < 0 ? text.length : place;
}

/**
 * Return the frames that a poor man's profiler puts in a line, innermost first:
 *
 *     poll(libc.so.6),vio_io_wait(viosocket.c:945),std::find<int, int>,??
 *
 * @param {string} text
 */
export function aggregatedFrames(text) {
  const groups = outerGroups(text) ?? []; // where one is not closed, a comma is a comma
  const frames = [];
  let from = 0;
  let group = 0;
  for (let at = text.indexOf(","); at >= 0; at = text.indexOf(",", at + 1)) {
    while (group < groups.length && groups[group].end <= at) group++;
    if (group < groups.length && groups[group].start < at) continue;
    frames.push(text.slice(from, at));
    from = at + 1;
  }
  frames.push(text.slice(from));
  return frames.filter((frame) => frame.trim() !== "").map(ofAggregated);
}

/** @param {string} text */
function ofAggregated(text) {
  const open = text.endsWith(")") ? text.lastIndexOf("(") : -1;
  const place = text.slice(open + 1, -1);
  if (open < 0 || !/:\d+$|\.so(?:\.|$)/.test(place)) return frameOf(text, null);
  return frameOf(text.slice(0, open), place.includes(":") ? null : place);
}

/**
 * @param {string} symbol
 * @param {string | null} object
 * @returns {Frame}
 */
function frameOf(symbol, object) {
  const frameClass = classOfObject(object, "");
  const library = libraryOf(object);
  const name = cleanName(symbol);
  if (/^(?:::)?(?:\?\?)?$/.test(name)) return { name: unknownIn(object), frameClass, library };
  if (name === SIGNAL_HANDLER) return { name, frameClass: USER };
  return { name: withoutParameters(repairRust(name)), frameClass, library };
}

/**
 * Return the frames with the class of those that were inlined. gdb gives a frame no address where
 * the one that it called has none of its own, as it was inlined into it; after a signal's frame,
 * none does either way.
 *
 * @param {DebuggerFrame[]} stack innermost first
 * @returns {Frame[]}
 */
export function withInlined(stack) {
  const hasAddresses = stack.some(({ hasAddress }) => hasAddress);
  return stack.map(({ frame }, at) => {
    const caller = stack[at + 1];
    if (!hasAddresses || !caller || caller.hasAddress) return frame;
    const besideSignal = [frame, caller.frame].some(({ name }) => name === SIGNAL_HANDLER);
    return besideSignal ? frame : { ...frame, frameClass: INLINED };
  });
}
