/** The header line of a sample in perf script text: thread, time, period, event. */

/**
 * @typedef {object} Header
 * @property {string} thread empty where the line does not tell
 * @property {number | bigint} period 1 where the line does not tell
 * @property {string} event empty where the line does not tell
 * @property {string} rest what stands behind the event: a tracepoint's fields, or the only frame
 */

/**
 * With a CPU or a time, which nothing else looks like, any field beside them may be absent:
 *
 *     mysqld  4152/4153 [003] 75695.008865:    1001001 cpu-clock:ppp:
 *     V8 WorkerThread 25607 4794564.109216: cycles:
 *     swapper     0 [001]  1333.768770: sched:sched_switch: prev_comm=swapper/1 prev_pid=0 …
 *     :-1    -1 [000]   949.208866:    1001001 cpu-clock:
 *     mysqld 4152 [003] K.. 75695.008865:  1 cycles:  ffffffff810013aa native_write_msr ([kernel])
 */
const PLACED = new RegExp(
  [
    String.raw`^ ?(?:(?<thread>\S.*?) )??(?:-?\d+(?:\/-?\d+)? )?`,
    String.raw`(?:\[-?\d+\](?: [A-Za-z.]{1,4})?(?: \d+\.\d+:)?|\d+\.\d+:)`,
    "(?: (?<period>\\d+))?(?: (?<event>\\S+):(?: (?<rest>.*))?)? ?$",
  ].join(""),
);

/**
 * Without them, the line must have the rest:
 *
 *     java 19983 cycles:
 *     func ab 15294/15294  10101010 cpu-clock:
 */
const BARE = /^(?<thread>\S.*?) -?\d+(?:\/-?\d+)?(?: (?<period>\d+))? (?<event>\S+): ?$/;

/**
 * @param {string} line
 * @returns {Header | null} null where it is no header
 */
export function parseHeader(line) {
  // single spaces keep the expressions from trying every way to part a long run of them
  const tidy = line.replace(/\s+/g, " ");
  const fields = (PLACED.exec(tidy) ?? BARE.exec(tidy))?.groups;
  if (!fields) return null;
  const { thread = "", period = "1", event = "", rest = "" } = fields;
  return { thread, period: parsePeriod(period), event, rest };
}

/** @param {string} digits */
function parsePeriod(digits) {
  return digits.length < 16 ? Number(digits) : BigInt(digits);
}

const SPACE = 0x20;
const DOT = 0x2e;
const SLASH = 0x2f;
const COLON = 0x3a;
const OPEN = 0x5b;
const CLOSE = 0x5d;

/**
 * The same for the usual line, on its bytes and from its end, without making a string:
 *
 *     mysqld  4152 [003] 75695.008865:    1001001 cpu-clock:ppp:
 */
export class HeaderScanner {
  threadEnd = 0;
  period = 0;
  eventStart = 0;
  eventEnd = 0;

  /**
   * @param {Uint8Array} bytes
   * @param {number} start of a line that begins with its thread
   * @param {number} end of the line, its newline not included
   * @returns {boolean} false where `parseHeader()` has to look at the line
   */
  scan(bytes, start, end) {
    let at = end - 1;
    if (bytes[at] === SPACE) at--;
    if (bytes[at] !== COLON) return false;
    this.eventEnd = at;
    at = wordStart(bytes, start, at);
    this.eventStart = at;
    at = skipSpaces(bytes, start, at);
    if (isDigit(bytes[at - 1])) {
      const periodEnd = at;
      at = digitsStart(bytes, start, at);
      if (periodEnd - at > 15) return false;
      this.period = numberOf(bytes, at, periodEnd);
      at = skipSpaces(bytes, start, at);
    } else {
      this.period = 1;
    }
    return this.#scanPlace(bytes, start, at);
  }

  /**
   * Find time, CPU, thread id and the end of the thread's name, backwards.
   *
   * @param {Uint8Array} bytes
   * @param {number} start
   * @param {number} at
   */
  #scanPlace(bytes, start, at) {
    if (bytes[at - 1] !== COLON) return false;
    const fraction = digitsStart(bytes, start, at - 1);
    const seconds = digitsStart(bytes, start, fraction - 1);
    if (fraction === at - 1 || bytes[fraction - 1] !== DOT || seconds === fraction - 1)
      return false;
    at = skipSpaces(bytes, start, seconds);
    if (bytes[at - 1] === CLOSE) {
      const cpu = digitsStart(bytes, start, at - 1);
      if (cpu === at - 1 || bytes[cpu - 1] !== OPEN) return false;
      at = skipSpaces(bytes, start, cpu - 1);
    }
    let id = digitsStart(bytes, start, at);
    if (bytes[id - 1] === SLASH && id < at) id = digitsStart(bytes, start, id - 1);
    if (id === at || bytes[id - 1] !== SPACE) return false;
    this.threadEnd = skipSpaces(bytes, start, id);
    return this.threadEnd > start;
  }
}

/** @param {number} byte */
function isDigit(byte) {
  return byte >= 0x30 && byte <= 0x39;
}

/**
 * @param {Uint8Array} bytes
 * @param {number} start
 * @param {number} at
 */
function digitsStart(bytes, start, at) {
  while (at > start && isDigit(bytes[at - 1])) at--;
  return at;
}

/**
 * @param {Uint8Array} bytes
 * @param {number} start
 * @param {number} at
 */
function skipSpaces(bytes, start, at) {
  while (at > start && bytes[at - 1] === SPACE) at--;
  return at;
}

/**
 * @param {Uint8Array} bytes
 * @param {number} start
 * @param {number} at
 */
function wordStart(bytes, start, at) {
  while (at > start && bytes[at - 1] !== SPACE) at--;
  return at;
}

/**
 * @param {Uint8Array} bytes
 * @param {number} start
 * @param {number} end
 */
function numberOf(bytes, start, end) {
  let number = 0;
  for (let at = start; at < end; at++) number = number * 10 + bytes[at] - 0x30;
  return number;
}
