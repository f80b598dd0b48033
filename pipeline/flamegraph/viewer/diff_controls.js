/**
 * What a reader can ask of a diff: what is compared, what has the colour, and which side is the base;
 * with it the legend, which says for all of it which colour is which and how far the colours go.
 */

import { formatShare } from "../../profile/model/numbers.js";
import { SHADES } from "../graph/diff_graph.js";
import { button, htmlElement, svgElement } from "./elements.js";

/**
 * @typedef {import("../graph/diff_graph.js").DrawnDiff} DrawnDiff
 * @typedef {import("./link_state.js").LinkState} LinkState
 * @typedef {Pick<LinkState, "basis" | "colour" | "sides" | "gone">} DiffState
 */

/** The bases by their names in links. @type {Record<string, import("../../profile/diff/diff.js").ShownBasis>} */
const BASES = {
  share: "share",
  frame: "share_of_frame",
  operation: "cost_per_operation",
  rates: "relative_cost",
  second: "weight_per_second",
};

/** @type {Record<import("../../profile/diff/diff.js").ShownBasis, string>} */
const BASIS_LABELS = {
  share: "share of all",
  share_of_frame: "share of the zoomed frame",
  cost_per_operation: "cost per operation",
  relative_cost: "cost by the author’s rates",
  weight_per_second: "weight per captured second",
};

/**
 * Return how a diff is to be looked at by a link.
 *
 * @param {DrawnDiff} diff
 * @param {DiffState} state
 * @param {number} zoomed
 * @returns {import("../graph/diff_graph.js").DiffView}
 */
export function diffView(diff, { basis, colour, sides }, zoomed) {
  const wanted = BASES[basis];
  return {
    basis: wanted && basesOf(diff).includes(wanted) ? wanted : diff.basis,
    of: zoomed < diff.parent.length ? zoomed : 0,
    bySelf: colour === "self",
    flipped: sides === "flipped",
  };
}

/**
 * Return what both sides can be compared by.
 *
 * @param {DrawnDiff} diff
 * @returns {import("../../profile/diff/diff.js").ShownBasis[]}
 */
function basesOf({ base, after }) {
  return Object.values(BASES).filter(
    (basis) =>
      basis === "share_of_frame" ||
      (base.factors[basis] !== undefined && after.factors[basis] !== undefined),
  );
}

export class DiffControls {
  /**
   * @param {DrawnDiff} diff
   * @param {object} actions
   * @param {(changes: Partial<DiffState>) => void} actions.change
   * @param {() => void} actions.showGone to draw what is gone, and go there
   */
  constructor(diff, { change, showGone }) {
    this.basis = diff.basis;
    const known = basesOf(diff);
    /** What links can ask for. */
    this.bases = Object.keys(BASES).filter((name) => known.includes(BASES[name]));
    this.compared = choice(
      "Compare",
      this.bases.map((name) => [name, BASIS_LABELS[BASES[name]]]),
      (value) => change({ basis: BASES[value] === this.basis ? "" : value }),
    );
    this.coloured = choice(
      "Colour by",
      [
        ["", "total"],
        ["self", "self"],
      ],
      (colour) => change({ colour }),
    );
    this.flip = htmlElement("input", { type: "checkbox" });
    this.flip.addEventListener("change", () =>
      change({ sides: this.flip.checked ? "flipped" : "" }),
    );
    this.legend = htmlElement("p", { class: "flame-graph-legend" });
    this.gone = button("", () => (this.isGoneDrawn ? change({ gone: "" }) : showGone()));
    this.gone.className = "flame-graph-gone";
    this.isGoneDrawn = false;
    /** Beside those that every graph has. */
    this.options = [
      this.coloured.label,
      htmlElement("label", {}, this.flip, " Flip base and after"),
    ];
  }

  /**
   * @param {DiffState} state
   * @param {import("../graph/diff_graph.js").DiffGraph} graph
   */
  show({ basis, colour, sides, gone }, { legend, strongest, baseTree, goneTree, goneTitle }) {
    this.isGoneDrawn = gone !== "";
    this.gone.hidden = !(goneTree.total[0] > 0);
    this.gone.textContent = `${goneTitle} (${formatShare(goneTree.total[0] / baseTree.total[0])})`;
    this.gone.setAttribute("aria-expanded", String(this.isGoneDrawn));
    const own = Object.keys(BASES).find((name) => BASES[name] === this.basis) ?? "";
    this.compared.select.value = basis;
    if (this.compared.select.selectedIndex < 0) this.compared.select.value = own;
    this.coloured.select.value = colour === "self" ? "self" : "";
    this.flip.checked = sides === "flipped";
    this.legend.replaceChildren(scale(strongest), ...legend.map(entry));
  }
}

/** The colours of changes from the largest saving to the largest growth, and that of noise between them. */
const SCALE = [
  ...Array.from({ length: SHADES }, (_, at) => `s${SHADES - at}`),
  "n",
  ...Array.from({ length: SHADES }, (_, at) => `g${at + 1}`),
];
/** Pixels. */
const STEP = { width: 9, height: 14 };

/** @param {string} strongest change, at both ends of the scale */
function scale(strongest) {
  const steps = SCALE.map((colour, at) =>
    svgElement("rect", { class: colour, x: at * STEP.width, ...STEP }),
  );
  const strip = svgElement(
    "svg",
    { class: "flame-graph swatch", width: SCALE.length * STEP.width, height: STEP.height },
    ...steps,
  );
  strip.setAttribute("aria-hidden", "true");
  // The unit once: “−2.5 ▇▇▇ +2.5 ms per operation”.
  return htmlElement("span", {}, `−${strongest.split(" ", 1)[0]}`, strip, `+${strongest}`);
}

/** @param {import("../graph/diff_graph.js").LegendEntry} entry */
function entry({ colour, text }) {
  // The others are the ends of the scale.
  if (colour !== "n") return htmlElement("span", {}, text);
  const square = svgElement("rect", { class: colour, width: 14, height: 14 });
  const swatch = svgElement(
    "svg",
    { class: "flame-graph swatch", width: 14, height: 14, "aria-hidden": "true" },
    square,
  );
  return htmlElement("span", {}, swatch, text);
}

/**
 * @param {string} text
 * @param {string[][]} options values and what they are called
 * @param {(value: string) => void} action
 */
function choice(text, options, action) {
  const select = htmlElement(
    "select",
    {},
    ...options.map(([value, label]) => htmlElement("option", { value }, label)),
  );
  select.addEventListener("change", () => action(select.value));
  return { select, label: htmlElement("label", {}, htmlElement("span", {}, `${text} `), select) };
}
