/**
 * The bar above a graph: search with what it found, next and previous, back, direction; and the
 * status line that says in words what the pointer or the keyboard is on.
 */

import { htmlElement } from "./elements.js";

/**
 * @typedef {object} ControlActions
 * @property {(query: string) => void} search
 * @property {(step: 1 | -1) => void} step to the next or previous match
 * @property {() => void} back
 * @property {() => void} turn between icicle and flame
 */

export class Controls {
  /** @param {ControlActions} actions */
  constructor(actions) {
    this.query = htmlElement("input", {
      type: "search",
      placeholder: "text or /regex/",
      autocomplete: "off",
      spellcheck: "false",
    });
    this.found = htmlElement("output", { class: "flame-graph-found" });
    this.previous = button("Previous", () => actions.step(-1));
    this.next = button("Next", () => actions.step(1));
    this.back = button("Zoom out", actions.back);
    this.turn = button("Flip", actions.turn);
    this.status = htmlElement("p", { class: "flame-graph-status", role: "status" });
    this.bar = htmlElement(
      "div",
      { class: "flame-graph-bar" },
      htmlElement("label", {}, "Search ", this.query),
      this.previous,
      this.next,
      this.found,
      this.back,
      this.turn,
    );
    this.query.addEventListener("input", () => actions.search(this.query.value));
    this.query.addEventListener("keydown", (event) => {
      if (event.key === "Enter") {
        event.preventDefault();
        actions.step(event.shiftKey ? -1 : 1);
      } else if (event.key === "Escape" && this.query.value) {
        event.preventDefault();
        event.stopPropagation();
        this.query.value = "";
        actions.search("");
      }
    });
  }

  /**
   * @param {{ query: string, found: string, matches: boolean, zoomed: boolean }} state
   */
  show({ query, found, matches, zoomed }) {
    if (this.query.value !== query) this.query.value = query;
    this.found.textContent = found;
    this.previous.disabled = !matches;
    this.next.disabled = !matches;
    this.back.disabled = !zoomed;
  }
}

/**
 * @param {string} label
 * @param {() => void} action
 */
function button(label, action) {
  const element = htmlElement("button", { type: "button" }, label);
  element.addEventListener("click", action);
  return element;
}
