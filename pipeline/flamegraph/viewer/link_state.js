/**
 * A graph's state in the link: `#cpu.frame=ExecScan&cpu.search=hash`. Each graph has its own keys;
 * everything else in the fragment is kept as it is, an anchor too.
 */

/**
 * @typedef {object} LinkState all empty where the graph is as the page shows it first
 * @property {string} frame path of the zoomed frame
 * @property {string} search
 * @property {string} view `callees`, `callers` or `both` of a function
 * @property {string} of that function's key
 * @property {string} merge `recursion`
 * @property {string} hide `idle`
 * @property {string} draw `flame`: the root below
 * @property {string} palette of a profile: `plain`, one hue for code of all kinds
 * @property {string} basis of a diff: `share`, `frame`, `operation` or `second`
 * @property {string} colour of a diff: `self`
 * @property {string} sides of a diff: `flipped`
 * @property {string} sort column of the table of functions, `-` before it for its end first
 */

/** @type {LinkState} */
export const INITIAL = {
  ...{ frame: "", search: "", view: "", of: "", merge: "", hide: "", draw: "" },
  ...{ basis: "", colour: "", sides: "" },
  palette: "",
  sort: "",
};

const KEYS = /** @type {(keyof LinkState)[]} */ (Object.keys(INITIAL));

/**
 * @param {LinkState} a
 * @param {LinkState} b
 */
export function isSame(a, b) {
  return KEYS.every((key) => a[key] === b[key]);
}

export class LinkStore {
  /** @param {string} name the graph's name; empty for a file that holds one graph only */
  constructor(name) {
    this.prefix = name ? `${encodeURIComponent(name)}.` : "";
  }

  /** @returns {LinkState} */
  read() {
    const state = { ...INITIAL };
    for (const part of fragmentParts()) {
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

  /** @param {LinkState} state */
  write(state) {
    const others = fragmentParts().filter(
      (part) => !KEYS.some((key) => part.startsWith(`${this.prefix}${key}=`)),
    );
    const parts = [...others, ...this.parts(state)];
    const fragment = parts.length > 0 ? `#${parts.join("&")}` : "";
    if (fragment === location.hash) return;
    history.replaceState(history.state, "", fragment || location.href.replace(/#.*$/s, ""));
  }
}

function fragmentParts() {
  return location.hash.slice(1).split("&").filter(Boolean);
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a stray % that somebody typed
  }
}
