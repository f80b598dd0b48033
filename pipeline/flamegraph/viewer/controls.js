/**
 * The controls around a graph: above it search, ways back and options; with it the line that says in
 * words what the pointer or the keyboard is on, and what can be shown of that function.
 */

import { IDLE, RECURSION, termsOf } from "../graph/edits.js";
import { copyChoice } from "./copy.js";
import { EditControls } from "./edit_controls.js";
import { button, htmlElement } from "./elements.js";
import { keyTable } from "./keys.js";
import { Trail } from "./trail.js";

/**
 * @typedef {object} ControlActions
 * @property {(query: string) => void} search
 * @property {(step: 1 | -1) => void} step to the next or previous match
 * @property {() => void} back
 * @property {() => void} turn between icicle and flame
 * @property {(view: import("../graph/function_tree.js").CallDirection) => void} view of the function in the status
 *   line
 * @property {(edit: import("./edit_controls.js").Edit, target: import("./edit_controls.js").Target) => void} edit
 *   by what is in the status line
 * @property {(edit: import("./edit_controls.js").Edit, term: string) => void} undo an edit
 * @property {() => void} widen to the whole window, or no more
 * @property {() => void} invert the graph: leaves first, or no more
 * @property {() => void} merge recursion, or no more
 * @property {() => void} hide or show waiting frames
 * @property {() => void} recolour in one hue, or by kind of code
 * @property {(what: import("./copy.js").Copied) => void} copy of the frame in the status line
 *
 * @typedef {object} ControlState
 * @property {string} query
 * @property {boolean} matches
 * @property {boolean} canGoBack
 * @property {boolean} canTurn
 * @property {boolean} flame
 * @property {boolean} inverted
 * @property {import("../graph/edits.js").Edits} edits
 * @property {boolean | null} wide null where there is nothing wider
 * @property {boolean | null} plain null where colour has another meaning
 * @property {string} shown what is shown other than the whole
 * @property {import("./trail.js").Step[]} trail
 */

export class Controls {
  /** @param {ControlActions} actions */
  constructor(actions) {
    this.query = htmlElement("input", {
      type: "search",
      placeholder: "search, /regex/",
      "aria-label": "Search",
      autocomplete: "off",
      spellcheck: "false",
    });
    this.found = htmlElement("output", { class: "flame-graph-found" });
    this.previous = arrow("↑", "Previous", () => actions.step(-1));
    this.next = arrow("↓", "Next", () => actions.step(1));
    this.back = button("Back", actions.back);
    this.widen = button("Full width", actions.widen);
    this.turn = checkbox("Flame: callers at the bottom", actions.turn);
    this.edits = new EditControls(actions);
    this.invert = checkbox("Leaf first: each function alone, and its callers", actions.invert);
    this.merge = checkbox("Merge recursion", actions.merge);
    this.hide = checkbox("Hide waiting frames", actions.hide);
    this.plain = checkbox("One hue for all code", actions.recolour);
    this.trail = new Trail();
    this.shown = htmlElement("p", { class: "flame-graph-shown", role: "status" });
    this.options = htmlElement(
      "details",
      { class: "flame-graph-options" },
      htmlElement("summary", {}, "Options"),
      htmlElement(
        "p",
        {},
        ...[this.turn, this.invert, this.merge, this.hide, this.plain].map(({ label }) => label),
      ),
      keyTable(),
    );
    this.bar = htmlElement(
      "div",
      { class: "flame-graph-bar" },
      this.query,
      this.previous,
      this.next,
      this.found,
      this.back,
      this.widen,
      this.options,
      this.trail.element,
      this.edits.list,
      this.shown,
    );
    this.status = htmlElement("p", { class: "flame-graph-status" });
    this.message = htmlElement("p", { class: "flame-graph-message", role: "status" });
    this.views = htmlElement(
      "div",
      { class: "flame-graph-views" },
      "Show its ",
      button("callees", () => actions.view("callees")),
      button("callers", () => actions.view("callers")),
      button("both", () => actions.view("both")),
      ...this.edits.buttons,
      copyChoice(actions.copy),
    );
    this.views.hidden = true;
    this.foot = htmlElement(
      "div",
      { class: "flame-graph-foot" },
      this.message,
      this.status,
      this.views,
    );
    /** Whether what had the focus could have it no more. */
    this.lostFocus = false;
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
   * Add what can be asked of a diff.
   *
   * @param {import("./diff_controls.js").DiffControls} controls
   */
  add({ compared, options }) {
    this.back.after(compared.label);
    this.options.querySelector("p")?.prepend(...options);
  }

  /** @param {ControlState} state */
  show({ query, matches, canGoBack, canTurn, flame, inverted, edits, wide, plain, shown, trail }) {
    if (this.query.value !== query) this.query.value = query;
    this.previous.disabled = !matches;
    this.next.disabled = !matches;
    this.lostFocus ||= this.back.matches(":focus") && !canGoBack;
    this.back.disabled = !canGoBack;
    this.turn.input.disabled = !canTurn;
    this.turn.input.checked = flame;
    this.widen.hidden = wide === null;
    this.widen.setAttribute("aria-pressed", String(wide === true));
    this.lostFocus ||= this.edits.show(edits);
    this.invert.input.checked = inverted;
    this.merge.input.checked = termsOf(edits.merge).includes(RECURSION);
    this.hide.input.checked = termsOf(edits.hide).includes(IDLE);
    this.plain.input.checked = plain === true;
    this.plain.label.hidden = plain === null;
    if (this.shown.textContent !== shown) this.shown.textContent = shown;
    this.trail.show(trail);
  }

  /** Return, once, whether the element with the focus has lost it. */
  hasLostFocus() {
    const { lostFocus } = this;
    this.lostFocus = false;
    return lostFocus;
  }

  /**
   * @param {string[]} facts of a frame; the first is its name
   * @param {Record<import("./edit_controls.js").Target, string> | null} targets what can be hidden,
   *   collapsed and focused on there, in words; null where it is no function
   */
  describe([name, ...facts], targets) {
    this.message.textContent = "";
    const rest = facts.map((fact) => ` · ${fact}`).join("");
    this.status.replaceChildren(htmlElement("bdi", {}, name), rest);
    // Text that has to be scrolled can be reached by keyboard.
    this.status.tabIndex = this.status.scrollHeight > this.status.clientHeight ? 0 : -1;
    this.views.hidden = targets === null;
    if (targets) this.edits.offer(targets);
  }

  /**
   * Let `/` lead to the search field, and `?` to the keys.
   *
   * @param {KeyboardEvent} event
   */
  shortcut(event) {
    if (event.key === "/") this.query.focus();
    else if (event.key === "?") {
      this.options.open = true;
      this.options.querySelector("summary")?.focus();
    } else return;
    event.preventDefault();
  }
}

/**
 * @param {string} sign
 * @param {string} label
 * @param {() => void} action
 */
function arrow(sign, label, action) {
  const made = button(sign, action);
  made.setAttribute("aria-label", label);
  made.title = label;
  return made;
}

/**
 * @param {string} text
 * @param {() => void} action
 */
function checkbox(text, action) {
  const input = htmlElement("input", { type: "checkbox" });
  input.addEventListener("change", action);
  return { input, label: htmlElement("label", {}, input, ` ${text}`) };
}
