/**
 * Reads flame graphs as flamegraph.pl and inferno draw them: often all that is left of a profile.
 * A frame is a box on top of its caller's, and its title says what it weighs with all that it
 * calls:
 *
 *     <title>vfs_read (645,500,000 samples, 0.01%)</title><rect x="1035.4" y="293" width="0.1" … />
 *     <title>main (5 samples, 0.41%; +0.08%)</title><rect x="0.0000%" … fg:x="0" fg:w="5"/>
 *
 * Both write "samples" of anything, cycles too, so the event is for others to state. The row next to
 * the root's holds the threads; suffixes such as `_[k]` are not drawn.
 */

import { ProfileBuilder } from "../../model/profile_builder.js";
import { plainEvent, UNKNOWN_EVENT } from "../../model/units.js";
import { numberOf } from "../../model/weights.js";
import { BAD_NAME, ENDS_TOO_EARLY, SkippedCounts } from "../stacks/skipped.js";
import { Boxes } from "./boxes.js";
import { TitledRectangles } from "./titled_rectangles.js";

/** @typedef {import("../stacks/format.js").CaptureReader} CaptureReader */

export const FORMAT = "flamegraph-svg";

export const DETECTS_TRUNCATION = true;

/**
 * A name, then ` (1,200 samples, 92.52%)`; of the root ` (1,297 samples, 100%)`; in a differential
 * ` (45 samples, 3.72%; +3.72%)`. A name may hold anything.
 */
const TITLE =
  /^(?<name>.*) \((?<weight>\d[\d,]*) [^,]+, (?<percent>\d+(?:\.\d+)?)%(?<change>; [-+]?\d+\.\d+%)?\)$/s;

/** Only the end of a title is searched: a hostile name may be long. */
const LONGEST_END = 256;

/** Of all frames, only the root's percentage is written without decimals. */
const PERCENT_OF_ROOT = "100";

/** Far more than drawings have: what is thinner than a tenth of a pixel is not drawn. */
const MOST_BOXES = 2 ** 18;

/** The weight of a skipped frame is part of its caller's. */
const IN_CALLER = "its weight is counted with its caller";

const END_OF_TITLE = /, \d{1,3}(?:\.\d+)?%(?:; [-+]?\d+\.\d+%)?\)<\/title>/;

/**
 * Recognise a drawing by a frame's title; a script is before the first.
 *
 * @type {import("../stacks/format.js").Recognise}
 */
export function recognise({ bytes }) {
  const text = bytes.toString("utf8");
  if (!/^\ufeff?\s*(?:<|$)/.test(text)) return "no";
  // a page may have a drawing in it
  const root = /<(!doctype html|[a-z][^\s/>]*)[\s/>]/i.exec(text)?.[1];
  if (root !== undefined && root !== "svg") return "no";
  return END_OF_TITLE.test(text) ? "yes" : "more";
}

/** @implements {CaptureReader} */
export class Reader {
  #rectangles = new TitledRectangles((...rectangle) => this.#rectangle(...rectangle));
  #boxes = new Boxes();
  #skipped = new SkippedCounts();
  /** @type {number | bigint} */
  #least = Number.POSITIVE_INFINITY;
  #event;
  #mostBoxes;

  /**
   * @param {string} [event] what the weights count
   * @param {string[]} [_labels] drawings have none
   * @param {number} [mostBoxes] more are left out
   */
  constructor(event = UNKNOWN_EVENT, _labels = [], mostBoxes = MOST_BOXES) {
    this.#event = plainEvent(event);
    this.#mostBoxes = mostBoxes;
  }

  /** @param {Uint8Array} chunk */
  push(chunk) {
    this.#rectangles.push(chunk);
  }

  /** @returns {import("../stacks/format.js").Folded} */
  finish() {
    this.#rectangles.finish();
    const { isWhole, trouble, line } = this.#rectangles;
    if (!isWhole) this.#skipped.add(trouble ?? `drawing ${ENDS_TOO_EARLY}`, line);
    return { events: this.#events(), lost: 0, partial: !isWhole, skipped: this.#skipped.list() };
  }

  /** @returns {import("../stacks/format.js").FoldedEvent[]} */
  #events() {
    if (!this.#boxes.hasRoot) {
      this.#skipped.add("flame graph without its root frame", 1);
      return [];
    }
    // A frame that is too thin is not drawn. None can be thinner than one that weighs 1.
    if (this.#least > 1) {
      this.#skipped.add("drawing without its thinnest frames: they are counted with callers", 1);
    }
    const builder = new ProfileBuilder();
    this.#boxes.addTo(builder, this.#skipped);
    return [{ event: this.#event, builder, samples: null, samplesByNode: false }];
  }

  /** @type {import("./titled_rectangles.js").TakeRectangle} */
  #rectangle(title, attributes, line) {
    if (this.#rectangles.isWhole) {
      this.#skipped.add("frame after the end of the drawing", line);
      return;
    }
    const endAt = Math.max(0, title.length - LONGEST_END);
    const end = TITLE.exec(title.slice(endAt))?.groups;
    if (!end) {
      this.#skipped.add(`frame whose title has no weight: ${IN_CALLER}`, line);
      return;
    }
    const left = coordinate(attributes["fg:x"] ?? attributes.x);
    const width = coordinate(attributes["fg:w"] ?? attributes.width);
    const y = coordinate(attributes.y);
    if (Number.isNaN(left + width + y) || width <= 0) {
      this.#skipped.add(`frame without a place or a width: ${IN_CALLER}`, line);
    } else if (this.#boxes.size === this.#mostBoxes) {
      this.#skipped.add(`frame beyond the first ${this.#mostBoxes}: ${IN_CALLER}`, line);
    } else {
      const name = (title.slice(0, endAt) + end.name).trim() || "[unknown]";
      if (name.includes("\ufffd")) {
        this.#skipped.add(BAD_NAME, line);
      }
      if (end.change) this.#skipped.add("change from another profile, rounded: not read", line);
      const weight = numberOf(whole(attributes["fg:w"]) ?? end.weight.replaceAll(",", ""));
      if (weight < this.#least) this.#least = weight;
      const isRoot = end.percent === PERCENT_OF_ROOT;
      const height = coordinate(attributes.height);
      this.#boxes.add({ name, weight, left, width, y, height, isRoot, line });
    }
  }
}

/**
 * Return a number of pixels, samples or percent: all boxes of a drawing have the same.
 *
 * @param {string | undefined} text
 */
function coordinate(text) {
  const found = /^-?\d{1,20}(?:\.\d{1,20})?(?=%?$)/.exec(text ?? "");
  return found ? Number(found[0]) : Number.NaN;
}

/**
 * Return inferno's own number where there is one: the title's was multiplied by --factor and
 * rounded.
 *
 * @param {string | undefined} text
 */
function whole(text) {
  return /^\d{1,20}$/.test(text ?? "") ? text : undefined;
}
