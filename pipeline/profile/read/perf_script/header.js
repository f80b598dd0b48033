/** The header line of a sample in perf script text: thread, time, period, event. */

import { numberOf } from "../../model/weights.js";
import { digitsStart, isDigit, numberIn } from "../stacks/digits.js";

/**
 * @typedef {object} Header
 * @property {string} thread empty where the line has none
 * @property {number | bigint | null} period 1 where the line has none; null where it is not a possible period
 * @property {string} event empty where the line has none
 * @property {string} frame the only frame, where it is on the header's line; else empty
 * @property {boolean} certain whether nothing but a header looks like it
 */

/** Process and thread: `4152`, `4152/4153`; -1 of a dead task. */
const ID = String.raw`-?\d+(?:\/-?\d+)?`;

const NO_TIME = String.raw`(?!\d+\.\d+:)`;

/** `cycles`, `sched:sched_switch`, `cpu_core/cycles/P`, `raw 0x1a8` */
const EVENT = String.raw`(?<event>(?:raw )?${NO_TIME}\S+):`;

/** perf pads it; a thread may be called `wal [1]`. */
const CPU = String.raw`\[(?:\d{3,}|-\d\d+)\]`;

/** With --ns nine digits after the dot; -F tod puts a date before it. */
const TIME = String.raw`(?:\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ )?(?<time>\d+\.\d+):`;

/** Mode of the CPU and more, with -F misc: `U`, `K`, `Sp`. */
const MISC = "[KUHGg?EFMDSp.]{1,4}";

/** Without -g, and with -G: `563fb1861173 spin (/usr/bin/shop)` */
const FRAME = String.raw`[0-9a-f]{3,16} ${NO_TIME}\S`;

/** Before it is the address that -F addr asks for. */
const ONLY_FRAME = new RegExp(`^(?:[0-9a-f]+ (?=[0-9a-f]{8,16} ))?(${FRAME}.*)`, "s");

/** `sched:sched_switch`, but not `cycles:uP`: a tracepoint's fields follow its name. */
const TRACEPOINT = /:(?![ukhIGHpPSDWeb]+$)\w+$/;

/**
 * With a CPU or a time, which nothing else looks like, any field beside them may be absent:
 *
 *     mysqld  4152/4153 [003] 75695.008865:    1001001 cpu-clock:ppp:
 *     V8 WorkerThread 25607 4794564.109216: cycles:
 *     swapper     0 [001]  1333.768770: sched:sched_switch: prev_comm=swapper/1 prev_pid=0 …
 *     :-1    -1 [000]   949.208866:    1001001 cpu-clock:
 *     mysqld 4152 [003] K.. 75695.008865:  1 cycles:  ffffffff810013aa native_write_msr ([kernel])
 *     qemu 4152 VM: 4153 VCPU:001 [003] 75695.008865:  1 cycles:
 */
const PLACED = new RegExp(
  [
    String.raw`^ ?(?:(?<thread>\S.*?) )??(?<id>${ID} (?:${MISC} (?=\d))?)?`,
    String.raw`(?:VM: ?\d+ )?(?:VCPU:\d+ )?`,
    `(?:(?:${CPU} (?:${MISC} )?)?${TIME}|${CPU}(?: ${MISC})?)`,
    String.raw`(?: (?<period>-?\d+))?(?: ${EVENT}(?: (?<rest>.*))?| (?<alone>${FRAME}.*))? ?$`,
  ].join(""),
  "s",
);

/**
 * Without them, the line must have the rest:
 *
 *     java 19983 cycles:
 *     func ab 15294/15294  10101010 cpu-clock:
 */
const BARE = new RegExp(
  String.raw`^ ?(?<thread>\S.*?) ${ID}(?: (?<period>-?\d+))? (?<event>\S+): ?$`,
);

/**
 * @param {string} line
 * @returns {Header | null} null where it is not a header
 */
export function parseHeader(line) {
  // single spaces keep the expressions from trying every way to part a long run of them
  const tidy = line.replace(/\s+/g, " ");
  const fields = (PLACED.exec(tidy) ?? BARE.exec(tidy))?.groups;
  if (!fields) return null;
  const { thread = "", period = "1", event = "", rest = fields.alone ?? "" } = fields;
  const certain = Boolean(fields.id && fields.time && (event || fields.alone));
  const frame = TRACEPOINT.test(event) ? "" : (ONLY_FRAME.exec(rest)?.[1] ?? "");
  return { thread, period: parsePeriod(period), event, frame, certain };
}

/** A tracepoint without place: `m 28082 sched:sched_switch: prev_comm=m prev_pid=28082 …` */
const BARE_TRACEPOINT = new RegExp(
  String.raw`^(?<thread>\S.*?) ${ID}(?: (?<period>\d+))? (?<event>\w+:\w+): `,
  "s",
);

/** perf pads the period, and no thread's number has as many digits. */
const PERIOD_WIDTH = 10;

/** The kernel keeps 15 bytes of a thread's name; the longest fields are a number of 20 digits each. */
const LONGEST_UNPLACED = 128;

/**
 * Read a line as a header that has neither CPU nor time, as `perf script -F` prints it where few
 * fields are asked for. Any line looks like one: ask only where a stack follows.
 *
 *     IO 2 bg 28081                     -F comm,tid,ip,sym
 *     28079/28083                       -F pid,tid,ip,sym
 *     wal(main) [1]    3344481          -F comm,period,ip,sym
 *     wal(main) [1] cpu-clock:          -F comm,event,ip,sym
 *
 * @param {string} line
 * @returns {Header | null}
 */
export function parseUnplacedHeader(line) {
  const tracepoint = BARE_TRACEPOINT.exec(line.replace(/\s+/g, " "))?.groups;
  if (tracepoint) {
    const { thread, period = "1", event } = tracepoint;
    return { thread, period: parsePeriod(period), event, frame: "", certain: false };
  }
  const text = line.trimEnd();
  if (text.length > LONGEST_UNPLACED) return null;
  const [, beforeEvent, event = ""] = /^(.*?)\s*(?:(?<=^|\s)(\S+):)?$/.exec(text) ?? ["", text];
  const number = /(?:^|\s)(\s*\d+)$/.exec(beforeEvent);
  const hasPeriod = number !== null && number[1].length >= PERIOD_WIDTH;
  const beforePeriod = hasPeriod ? beforeEvent.slice(0, number.index) : beforeEvent;
  const thread = beforePeriod.replace(/(?:^|\s+)-?\d+(?:\/-?\d+)?\s*$/, "");
  const period = hasPeriod ? parsePeriod(number[1].trim()) : 1;
  return { thread: thread.trim(), period, event, frame: "", certain: false };
}

/** Longer periods are none that anything counted, and Python reads no number of thousands. */
const MOST_DIGITS = 300;

/**
 * @param {string} digits
 * @returns {number | bigint | null}
 */
function parsePeriod(digits) {
  if (digits.startsWith("-") || digits.length > MOST_DIGITS) return null;
  return numberOf(digits);
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
      this.period = numberIn(bytes, at, periodEnd);
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
