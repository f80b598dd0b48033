/**
 * What a reader leaves out of a graph: buttons for the function in the status line, its kind of code,
 * its library or its namespace; above the graph, what is left out, each a button that brings it back.
 */

import { IDLE, RECURSION, termsOf } from "../graph/edits.js";
import { button, htmlElement } from "./elements.js";

/**
 * @typedef {keyof import("../graph/edits.js").Edits} Edit
 * @typedef {"function" | "kind" | "library" | "namespace"} Target
 */

/** @type {[Edit, string, string][]} link key, what the button does, and what is written of it afterwards */
export const EDITS = [
  ["only", "Focus", "Only"],
  ["hide", "Hide", "Hidden:"],
  ["collapse", "Collapse", "Collapsed:"],
  ["merge", "Merge", "Merged:"],
];

/** What is an option of the graph, and no button, by link key. @type {Partial<Record<Edit, string>>} */
const OPTIONS = { hide: IDLE, merge: RECURSION };

export class EditControls {
  /**
   * @param {{ edit: (edit: Edit, target: Target) => void, undo: (edit: Edit, term: string) => void }} actions
   */
  constructor({ edit, undo }) {
    this.undo = undo;
    this.target = htmlElement("select", {
      "aria-label": "Applies to",
    });
    this.buttons = [
      ...EDITS.map(([key, does]) => button(does, () => edit(key, this.chosen()))),
      this.target,
    ];
    this.list = htmlElement("div", { class: "flame-graph-edits" });
    this.shown = "";
  }

  /** @returns {Target} */
  chosen() {
    return /** @type {Target} */ (this.target.value || "function");
  }

  /** @param {Record<Target, string>} targets in words; empty for none */
  offer(targets) {
    const words = JSON.stringify(targets);
    if (this.target.dataset.words === words) return;
    this.target.dataset.words = words;
    this.target.replaceChildren(
      ...Object.entries(targets)
        .filter(([, text]) => text)
        .map(([value, text]) => htmlElement("option", { value }, text)),
    );
  }

  /**
   * @param {import("../graph/edits.js").Edits} edits
   * @returns {boolean} whether the button with the focus is gone
   */
  show(edits) {
    const shown = JSON.stringify(EDITS.map(([key]) => edits[key]));
    if (shown === this.shown) return false;
    this.shown = shown;
    const hadFocus = this.list.contains(this.list.ownerDocument.activeElement);
    const parts = EDITS.flatMap(([key, , text]) =>
      termsOf(edits[key])
        .filter((term) => term !== OPTIONS[key])
        .map((term) => {
          const made = button(`${text} ${term} ×`, () => this.undo(key, term));
          made.setAttribute("aria-label", `${text} ${term}: undo`);
          return made;
        }),
    );
    this.list.replaceChildren(...parts);
    return hadFocus;
  }
}
