/** What readers of any format take at most. */

import { USER } from "../../model/profile.js";
import { CUT_OFF, DEEPEST_STACK } from "../../model/profile_builder.js";

/** An event has a call tree of its own; no recording counts that many. */
export const MOST_EVENTS = 64;

export const TOO_DEEP = `frame of a stack deeper than ${DEEPEST_STACK}`;

export const CUT_OFF_FRAME = { name: CUT_OFF, frameClass: USER };

/**
 * Return the frames that a call tree keeps of a stack: where it is too deep, the innermost below CUT_OFF.
 *
 * @param {import("./perf_frame.js").Frame[]} frames below the thread, outermost first; of those that are
 *   too many, the outermost may be missing
 * @param {import("./skipped.js").SkippedCounts} skipped
 * @param {number} line
 * @param {number} [depth] how many frames the stack has
 * @param {number} [most] how many are kept, CUT_OFF included
 */
export function keptFrames(frames, skipped, line, depth = frames.length, most = DEEPEST_STACK) {
  if (depth <= most) return frames;
  const kept = frames.slice(1 - most);
  skipped.add(TOO_DEEP, line, depth - kept.length);
  return [CUT_OFF_FRAME, ...kept];
}
