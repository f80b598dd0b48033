/** The line above a graph that says where in it the reader is, as text that leads back. */

import { pathTo } from "../../profile/model/tree.js";
import { shorten } from "../graph/labels.js";
import { filling } from "../graph/sections.js";
import { htmlElement } from "./elements.js";

/** Characters of a name in the line; the name in full is its title. */
const LONGEST = 32;

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {() => void} [go] absent where the reader is
 */

/**
 * Return the callers of the zoomed frame; in the tree of a function's callers, what it calls.
 *
 * @param {import("./view.js").GraphView} view
 * @returns {Step[]}
 */
export function trailOf(view) {
  const { zoomed } = view;
  const { lanes, name } = view.graph;
  const holds = lanes.find(({ section }) => zoomed > 0 && filling(section, zoomed) === zoomed);
  const { tree, section } = holds ?? lanes[0];
  const path = pathTo(tree, filling(section, zoomed));
  return path.map((node, index) => {
    if (index === path.length - 1) return { name: name(node) };
    const leaves = node === 0 && section.first !== 0;
    const go = () => {
      if (leaves) view.moves.showWhole();
      else view.moves.zoomTo(node);
      view.cursor.focus(); // the button is gone
    };
    return { name: name(node), go };
  });
}

export class Trail {
  constructor() {
    this.element = htmlElement("div", {
      class: "flame-graph-trail",
      role: "toolbar",
      "aria-label": "Callers of the zoomed frame",
    });
    this.element.addEventListener("keydown", (event) => this.key(event));
  }

  /** @param {Step[]} steps outermost first */
  show(steps) {
    const focused = this.buttons().findIndex((button) => button.matches(":focus"));
    const parts = steps.map(({ name, go }) => {
      const label = shorten(name, LONGEST);
      if (!go) return htmlElement("strong", { title: name, "aria-current": "location" }, label);
      const button = htmlElement("button", { type: "button", title: name, tabindex: "-1" }, label);
      button.addEventListener("click", go);
      return button;
    });
    this.element.replaceChildren(
      ...parts.flatMap((part, index) => (index === 0 ? [part] : [" › ", part])),
    );
    const [nearest] = this.buttons().slice(-1);
    if (nearest) nearest.tabIndex = 0;
    if (focused >= 0) (this.buttons()[focused] ?? nearest)?.focus();
    // The end is where the reader is; what is farther out is reached by scrolling.
    this.element.scrollLeft = this.element.scrollWidth;
  }

  /** @returns {HTMLButtonElement[]} */
  buttons() {
    return [...this.element.querySelectorAll("button")];
  }

  /**
   * One stop of the tab key, and arrows within it, however deep the stack is.
   *
   * @param {KeyboardEvent} event
   */
  key(event) {
    const buttons = this.buttons();
    const at = buttons.indexOf(/** @type {HTMLButtonElement} */ (event.target));
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: buttons.length - 1 }[
      event.key
    ];
    if (at < 0 || to === undefined || !buttons[to]) return;
    event.preventDefault();
    buttons[at].tabIndex = -1;
    buttons[to].tabIndex = 0;
    buttons[to].focus();
  }
}
