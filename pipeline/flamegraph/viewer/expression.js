/**
 * Regular expressions in time that grows with the text and not beyond: browsers try every way to
 * match, which takes a name of 30 letters and `(a+)+$` minutes in which the page does not respond. Here
 * all ways are followed at once (K. Thompson, Regular Expression Search Algorithm, CACM 1968).
 *
 * Single characters are left to the browser, with their classes, escapes and cases; what needs memory
 * of what was matched, or a look ahead, is not understood.
 */

/** Longer ones come from nobody's keyboard. */
const LONGEST = 500;
/** Steps of a program; `(a{30}){30}` has 900. */
const MOST_STEPS = 2000;

/**
 * @typedef {object} Step one of: a character to read, a way to go on if something holds here, two
 *   ways, the end
 * @property {(character: string) => boolean} [reads]
 * @property {(before: string, after: string) => boolean} [holds]
 * @property {number} next -1 at the end
 * @property {number} [or]
 */

/** Why an expression that browsers know is not understood here; its message is for readers. */
export class NotUnderstood extends Error {}

/** Parts of an expression, in the browsers' syntax with the flag `u`. */
const PART = new RegExp(
  [
    /(?<group>\((?:\?(?:<[^=!][^>]*>|:|[^)]{0,3}))?)/,
    /(?<count>(?:[*+?]|\{\d+(?:,\d*)?\})\??)/,
    /(?<assertion>[$^]|\\[Bb])/,
    /(?<sign>[|)])/,
    /(?<back>\\[1-9k])/,
    /(?<escaped>\\u\{[^}]*\}|\\ud[89ab]..\\ud[c-f]..|\\u....|\\x..|\\c.|\\p\{[^}]*\}|\\.)/,
    /(?<character>\[(?:\\.|[^\]\\])*\]|.)/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "giuys",
);

/** @type {Record<string, (before: string, after: string) => boolean>} characters; empty at the ends */
const ASSERTIONS = {
  "^": (before) => before === "",
  $: (_, after) => after === "",
  "\\b": (before, after) => isOfWord(before) !== isOfWord(after),
  "\\B": (before, after) => isOfWord(before) === isOfWord(after),
};

/** @param {string} character */
function isOfWord(character) {
  return /^\w$/iu.test(character);
}

/**
 * @param {string} source without slashes; upper and lower case are the same
 * @returns {(text: string) => boolean} whether it is anywhere in a text
 * @throws {SyntaxError} where it is not a regular expression
 * @throws {NotUnderstood}
 */
export function expression(source) {
  if (source.length > LONGEST) throw new NotUnderstood(`longer than ${LONGEST} characters`);
  new RegExp(source, "iu"); // throws, with the browser's words
  const compiler = new Compiler(source);
  const end = compiler.step({ next: -1 });
  const first = compiler.choice()(end);
  return (text) => isIn(compiler.steps, first, Array.from(text));
}

class Compiler {
  /** @param {string} source */
  constructor(source) {
    this.parts = [...source.matchAll(PART)].map(({ groups }) => groups ?? {});
    this.at = 0;
    /** @type {Step[]} */
    this.steps = [];
    this.repeats = 0;
  }

  /** @param {Step} step */
  step(step) {
    if (this.steps.length >= MOST_STEPS) throw new NotUnderstood("repeats too much");
    return this.steps.push(step) - 1;
  }

  /**
   * Each part of an expression becomes a function from the step that follows it to its first step, so
   * that what is repeated can be made as often as it is needed.
   *
   * @typedef {(next: number) => number} Made
   *
   * @returns {Made}
   */
  choice() {
    const ways = [this.sequence()];
    while (this.parts[this.at]?.sign === "|") {
      this.at++;
      ways.push(this.sequence());
    }
    return (next) =>
      ways.map((way) => way(next)).reduceRight((or, way) => this.step({ next: way, or }));
  }

  /** @returns {Made} */
  sequence() {
    /** @type {Made[]} */
    const items = [];
    for (let part = this.parts[this.at]; part && !part.sign; part = this.parts[this.at]) {
      this.at++;
      items.push(this.repeated(this.item(part)));
    }
    return (next) => items.reduceRight((after, item) => item(after), next);
  }

  /**
   * @param {Record<string, string>} part
   * @returns {Made}
   */
  item({ group, assertion, back, escaped, character = escaped }) {
    if (back) throw new NotUnderstood("back-references are not supported");
    if (assertion) return (next) => this.step({ next, holds: ASSERTIONS[assertion] });
    if (character) {
      const reads = remembered(new RegExp(`^${character}$`, "iu"));
      return (next) => this.step({ next, reads });
    }
    if (!/^\((?:\?:|\?<[^=!]|$)/.test(group)) {
      throw new NotUnderstood("looking ahead or back is not supported");
    }
    const inside = this.choice();
    this.at++; // its closing bracket
    return inside;
  }

  /**
   * @param {Made} item
   * @returns {Made} as often as the quantifier says that may follow
   */
  repeated(item) {
    const count = this.parts[this.at]?.count;
    if (!count) return item;
    this.at++;
    const [least, most] = bounds(count);
    return (next) => {
      this.repeats += most === Infinity ? least : most;
      // Of nothing, too: `((){999}){999}`
      if (this.repeats > MOST_STEPS) throw new NotUnderstood("repeats too much");
      let after = next;
      if (most === Infinity) {
        after = this.step({ next, or: next });
        this.steps[after].next = item(after);
      } else {
        for (let more = least; more < most; more++) {
          after = this.step({ next: item(after), or: next });
        }
      }
      for (let times = 0; times < least; times++) after = item(after);
      return after;
    };
  }
}

/**
 * @param {string} count `*`, `+?`, `{2,}`
 * @returns {[number, number]}
 */
function bounds(count) {
  const [, from, comma, to] = /^\{(\d+)(,?)(\d*)/.exec(count) ?? [];
  if (from === undefined) return [count[0] === "+" ? 1 : 0, count[0] === "?" ? 1 : Infinity];
  // More than a program has steps is too much either way.
  const least = Math.min(Number(from), MOST_STEPS);
  if (!comma) return [least, least];
  return [least, to ? Math.min(Number(to), MOST_STEPS) : Infinity];
}

/**
 * @param {RegExp} pattern of one character
 * @returns {(character: string) => boolean}
 */
function remembered(pattern) {
  /** @type {Map<string, boolean>} */
  const known = new Map();
  return (character) => {
    let fits = known.get(character);
    if (fits === undefined) {
      fits = pattern.test(character);
      known.set(character, fits);
    }
    return fits;
  };
}

/**
 * @param {Step[]} steps
 * @param {number} first
 * @param {string[]} characters
 */
function isIn(steps, first, characters) {
  /** Where each step was last waited at, so that no way is followed twice. */
  const seen = new Int32Array(steps.length).fill(-1);
  /** @type {number[]} steps that read the next character */
  let reading = [];
  for (let at = 0; at <= characters.length; at++) {
    const before = characters[at - 1] ?? "";
    const after = characters[at] ?? "";
    // It may begin anywhere.
    const ways = [first];
    for (const step of reading) {
      if (steps[step].reads?.(before)) ways.push(steps[step].next);
    }
    reading = [];
    for (let way = ways.pop(); way !== undefined; way = ways.pop()) {
      if (seen[way] === at) continue;
      seen[way] = at;
      const { reads, holds, next, or } = steps[way];
      if (next < 0) return true;
      if (reads) reading.push(way);
      else if (!holds || holds(before, after)) {
        ways.push(next);
        if (or !== undefined) ways.push(or);
      }
    }
  }
  return false;
}
