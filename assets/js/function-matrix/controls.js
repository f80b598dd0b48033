// The controls and the caption of the matrix.

import { button, htmlElement } from "@perfpress/flamegraph/viewer/elements.js";
import { grouped } from "@perfpress/profile/model/numbers.js";
import { numberWord } from "./view.js";

/** Functions that a field suggests at most. */
const MOST_OFFERED = 500;

/** @typedef {import("./view.js").State} State */

/**
 * @param {import("./counts.js").Counts} counts
 * @param {(change: Partial<State> | "more") => void} change
 */
export function controlsOf({ data }, change) {
  const functions = data.key.slice(0, MOST_OFFERED).map((key) => new Option(key));
  const offered = htmlElement("datalist", { id: "matrix-functions" }, ...functions);
  const number = htmlElement("select", {}, new Option("total", ""), new Option("self", "self"));
  if (data.releases.some(({ operations }) => operations)) {
    number.append(new Option("cost per operation", "cost"));
  }
  number.addEventListener("change", () => change({ number: number.value }));
  const search = field("search", (value) => change({ search: value }), "input");
  const below = field("text", (value) => change({ below: value }), "change");
  const of = field("text", (value) => change({ of: value }), "change");
  for (const input of [below, of]) {
    input.placeholder = "the whole profile";
    input.setAttribute("list", offered.id);
  }
  const element = htmlElement(
    "form",
    { class: "matrix-controls" },
    htmlElement("label", {}, "Show ", number),
    htmlElement("label", {}, "Find ", search),
    htmlElement("label", {}, "Only below ", below),
    htmlElement("label", {}, "Percent of ", of),
    offered,
  );
  element.addEventListener("submit", (event) => event.preventDefault());

  const status = htmlElement("span", { role: "status" });
  const more = button("", () => change("more"));
  const foot = htmlElement("p", { class: "matrix-foot" }, status, " ", more);

  return {
    element,
    foot,
    /** @param {State} state */
    caption(state) {
      const what = numberWord(state.number);
      const whole = state.of ? `what ${state.of} weighs` : data.unit;
      const unit = state.number === "cost" ? data.cost_unit : `percent of ${whole}`;
      const scope = state.below || state.of;
      const where = scope ? `along the call path, below ${scope}` : "over the whole profile";
      return `${what} of each function in ${unit}, ${where}`;
    },
    /**
     * @param {State} state
     * @param {import("./view.js").View} view
     * @param {number} most
     */
    announce(state, view, most) {
      number.value = state.number;
      for (const [input, value] of /** @type {[HTMLInputElement, string][]} */ ([
        [search, state.search],
        [below, state.below],
        [of, state.of],
      ])) {
        if (input.value !== value) input.value = value;
      }
      const shown = Math.min(most, view.functions);
      status.textContent =
        view.unknown.length > 0
          ? `No profile has ${view.unknown.join(" or ")}.`
          : `${shown} of ${grouped(view.functions, 0)} functions.`;
      const left = view.functions - shown;
      more.hidden = left === 0;
      more.textContent = `Show ${Math.min(100, left)} more`;
    },
  };
}

/**
 * @param {string} type
 * @param {(value: string) => void} onChange
 * @param {"input" | "change"} when
 */
function field(type, onChange, when) {
  const input = htmlElement("input", { type, spellcheck: "false", autocomplete: "off" });
  input.addEventListener(when, () => onChange(input.value.trim()));
  return input;
}
