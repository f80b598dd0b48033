/**
 * Finds the rectangles of a drawing that have a title, in bounded memory. Titles are as their tool
 * wrote them, which escapes less than it should: `A & B <8.0`; so the markup need not be
 * well-formed. Custom entities are not expanded.
 */

import { createRequire } from "node:module";

/** Characters that the parser is given at a time. */
const PIECE = 2 ** 16;

/** More than any script or comment has: the parser keeps both, and the attributes of an element. */
const LONGEST_MARKUP = 2 ** 22;

/** A flame graph needs five. */
const DEEPEST_MARKUP = 1000;

const LONGEST_TITLE = 2 ** 20;

/**
 * @callback TakeRectangle
 * @param {string} title at most LONGEST_TITLE characters of it, and a few
 * @param {Record<string, string>} attributes
 * @param {number} line where the rectangle's tag ends
 */

/** The parser is loaded on demand: loading it takes as long as a small capture. */
const require = createRequire(import.meta.url);

export class TitledRectangles {
  #take;
  #decoder = new TextDecoder();
  #parser = new /** @type {typeof import("htmlparser2")} */ (require("htmlparser2")).Parser(
    {
      onopentagname: () => this.#depth++,
      onopentag: (name, attributes) => this.#opened(name, attributes),
      ontext: (text) => this.#text(text),
      onclosetag: (name) => this.#closed(name),
    },
    { xmlMode: true },
  );
  #ahead = "";

  /** The piece that the parser has, and where it begins and ends among all characters. */
  #piece = "";
  #start = 0;
  #end = 0;
  #lineEnd = -1;

  #lastMarkup = 0;
  #depth = 0;
  #inTitle = false;
  /** @type {string | null} */
  #title = null;

  /** The line that was read last. */
  line = 1;
  /** Whether the drawing's own element was closed. */
  isWhole = false;
  /** @type {string | null} why reading stopped */
  trouble = null;

  /** @param {TakeRectangle} take */
  constructor(take) {
    this.#take = take;
  }

  /** @param {Uint8Array} chunk */
  push(chunk) {
    // pieces of one size, so that what is found does not depend on the chunks
    const text = this.#ahead + this.#decoder.decode(chunk, { stream: true });
    let at = 0;
    for (; text.length - at >= PIECE; at += PIECE) this.#parse(text.slice(at, at + PIECE));
    this.#ahead = text.slice(at);
  }

  finish() {
    this.#parse(this.#ahead + this.#decoder.decode());
    this.#ahead = "";
  }

  /** @param {string} piece */
  #parse(piece) {
    if (this.trouble) return;
    this.#piece = piece;
    this.#start = this.#end;
    this.#end += piece.length;
    this.#lineEnd = -1;
    this.#lineEnd = this.#nextLineEnd();
    this.#parser.write(piece);
    this.#countLines(this.#end);
    if (this.#end - this.#lastMarkup > LONGEST_MARKUP) this.trouble = "markup that does not end";
    if (this.#depth > DEEPEST_MARKUP) this.trouble = "elements within elements without end";
  }

  /**
   * @param {string} name
   * @param {Record<string, string>} attributes
   */
  #opened(name, attributes) {
    this.#lastMarkup = this.#parser.endIndex;
    if (name === "title") {
      this.#inTitle = true;
      this.#title = "";
    } else if (name === "g") {
      this.#title = null;
    } else if (name === "rect" && this.#title !== null) {
      this.#countLines(this.#lastMarkup);
      this.#take(this.#title, attributes, this.line);
      this.#title = null;
    }
  }

  /** @param {string} text */
  #text(text) {
    this.#lastMarkup = this.#parser.endIndex;
    if (this.#inTitle && (this.#title ?? "").length < LONGEST_TITLE) this.#title += text;
  }

  /** @param {string} name */
  #closed(name) {
    this.#lastMarkup = this.#parser.endIndex;
    this.#depth--;
    if (name === "title") this.#inTitle = false;
    if (this.#depth === 0) this.isWhole = true;
  }

  /** @param {number} end count the lines that end before it */
  #countLines(end) {
    while (this.#lineEnd < end) {
      this.line++;
      this.#lineEnd = this.#nextLineEnd();
    }
  }

  /** Return where the next line ends. It is looked for once: inferno draws all on one line. */
  #nextLineEnd() {
    const found = this.#piece.indexOf("\n", Math.max(0, this.#lineEnd + 1 - this.#start));
    return found < 0 ? Number.POSITIVE_INFINITY : this.#start + found;
  }
}
