/**
 * A graph's state in the link: `#cpu.frame=ExecScan&cpu.search=hash`. Each graph has its own keys;
 * everything else in the fragment is kept as it is, an anchor too: `#results&cpu.frame=ExecScan`.
 *
 * What a reader looks at is not a step of the browser's history: the address of the step they are at
 * follows, and one step back leaves the page. An anchor on the page is a step, which the state joins.
 */

import { shownName } from "../../profile/model/shown_names.js";
import { NO_EDITS } from "../graph/edits.js";
import { decoded, isState, partsOf } from "./fragment.js";

/**
 * @typedef {object} LinkState all empty where the graph is as the page shows it first
 * @property {string} frame path of the zoomed frame
 * @property {string} search
 * @property {string} view `callees`, `callers` or `both` of a function, or `leaves` first
 * @property {string} of that function, as function_names.js names it
 * @property {string} merge names of functions whose callers get their weight, or `recursion`; joined by ` | `
 * @property {string} only names of functions: stacks without them are left out
 * @property {string} hide names of functions that are left out, or `idle`
 * @property {string} collapse names of functions that are one frame with what they call
 * @property {string} width `full`: of the window
 * @property {string} draw `flame`: the root below
 * @property {string} palette of a profile: `plain`, one hue for code of all kinds
 * @property {string} basis of a diff: `share`, `frame`, `operation` or `second`
 * @property {string} colour of a diff: `self`
 * @property {string} sides of a diff: `flipped`
 * @property {string} gone of a diff: `drawn`, the frames that only the base has
 * @property {string} sort column of the table of functions, `-` before it for its end first
 */

/** @type {LinkState} */
export const INITIAL = {
  ...{ frame: "", search: "", view: "", of: "", draw: "" },
  ...NO_EDITS,
  ...{ basis: "", colour: "", sides: "", gone: "" },
  width: "",
  palette: "",
  sort: "",
};

const KEYS = /** @type {(keyof LinkState)[]} */ (Object.keys(INITIAL));
/** Those that lead to a place in the graph; the others say how it looks. */
const PLACES = /** @type {const} */ (["frame", "view", "search"]);

/** What the parts mean that are not text of the reader's; any other value is not understood. */
const VALUES = /** @type {const} */ ({
  view: ["callees", "callers", "both", "leaves"],
  width: ["full"],
  draw: ["flame"],
});
const OF_PROFILES = { palette: ["plain"], basis: [], colour: [], sides: [], gone: [] };
const OF_DIFFS = { palette: [], colour: ["self"], sides: ["flipped"], gone: ["drawn"] };

/** Most characters of a link quoted in a message. */
const LONGEST_QUOTED = 60;

/**
 * @param {LinkState} a
 * @param {LinkState} b
 */
export function isSame(a, b) {
  return KEYS.every((key) => a[key] === b[key]);
}

/**
 * Take out of a link what means nothing here: what somebody typed, or what another page meant.
 *
 * @param {LinkState} state as the link has it
 * @param {object} graph
 * @param {string[] | null} graph.bases that a diff can be compared by; null of a profile
 * @param {string[]} graph.columns of its table of functions
 * @returns {{ state: LinkState, dropped: string[] }} `dropped`: parts of the link, not too long
 */
export function understood(state, { bases, columns }) {
  /** @type {Partial<Record<keyof LinkState, readonly string[]>>} */
  const values = {
    ...VALUES,
    ...(bases ? { ...OF_DIFFS, basis: bases } : OF_PROFILES),
    sort: columns.flatMap((column) => [column, `-${column}`]),
  };
  /** @param {keyof LinkState} key */
  const isMeant = (key) => {
    // One says nothing without the other, and the leaves are those of all.
    if (key === "of")
      return state.view !== "leaves" && VALUES.view.some((view) => view === state.view);
    if (key === "view" && !state.of && state.view !== "leaves") return false;
    return values[key]?.includes(state[key]) ?? true;
  };
  const dropped = KEYS.filter((key) => state[key] !== "" && !isMeant(key));
  const kept = { ...state, ...Object.fromEntries(dropped.map((key) => [key, ""])) };
  return { state: kept, dropped: dropped.map((key) => `${key}=${shortened(state[key])}`) };
}

/**
 * Shorten what a link holds, for a message.
 *
 * @param {string} text
 */
function shortened(text) {
  const shown = shownName(text);
  return shown.length > LONGEST_QUOTED ? `${shown.slice(0, LONGEST_QUOTED)}…` : shown;
}

export class LinkStore {
  /** @param {string} name the graph's name; empty for a file that holds one graph only */
  constructor(name) {
    this.name = name;
    this.prefix = name ? `${encodeURIComponent(name)}.` : "";
    /** Key of an entry of the browser's history that says that this graph has shown it. */
    this.mark = `${this.prefix}shown`;
  }

  /** @returns {boolean} whether the reader comes by a link, not back to where they were or by a reload */
  isNew() {
    return !history.state?.[this.mark];
  }

  /**
   * Return whether a link leads to a place in this graph: with an anchor elsewhere it leads there.
   *
   * @param {string} fragment
   */
  isNamed(fragment) {
    const parts = partsOf(fragment);
    if (parts.some((part) => !isState(part) && decoded(part) !== this.name)) return false;
    return parts.some((part) => PLACES.some((key) => part.startsWith(`${this.prefix}${key}=`)));
  }

  /**
   * @param {string} [fragment]
   * @returns {LinkState | null} null where an anchor is all there is, which says nothing of graphs
   */
  read(fragment = location.hash) {
    const parts = partsOf(fragment);
    if (parts.length > 0 && !parts.some(isState)) return null;
    const state = { ...INITIAL };
    for (const part of parts) {
      for (const key of KEYS) {
        const start = `${this.prefix}${key}=`;
        if (part.startsWith(start)) state[key] = decoded(part.slice(start.length));
      }
    }
    return state;
  }

  /**
   * Return the address of a state, on this page.
   *
   * @param {Partial<LinkState>} state
   */
  link(state) {
    return `#${this.parts({ ...INITIAL, ...state }).join("&")}`;
  }

  /** @param {LinkState} state */
  parts(state) {
    return KEYS.filter((key) => state[key]).map(
      // A name may hold half of a character, which no address can.
      (key) => `${this.prefix}${key}=${encodeURIComponent(state[key].toWellFormed())}`,
    );
  }

  /** @param {LinkState} shown */
  write(shown) {
    const others = partsOf(location.hash).filter(
      (part) => !KEYS.some((key) => part.startsWith(`${this.prefix}${key}=`)),
    );
    const parts = [...others, ...this.parts(shown)];
    const fragment = parts.length > 0 ? `#${parts.join("&")}` : "";
    if (fragment === location.hash && !this.isNew()) return;
    const state = { ...history.state, [this.mark]: true };
    history.replaceState(state, "", fragment || location.href.replace(/#.*$/s, ""));
  }
}
