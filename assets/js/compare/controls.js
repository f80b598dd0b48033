// The choices of the compare page: which step, which release and variant on either side, which event.

import { hasProfiles } from "./words.js";

/**
 * @typedef {import("./choice.js").Choices} Choices
 * @typedef {import("./choice.js").Data} Data
 * @typedef {import("./choice.js").Choice} Choice
 * @typedef {import("./choice.js").ReleaseChoice} ReleaseChoice
 */

export class Controls {
  /**
   * @param {HTMLElement} element as the page brings it
   * @param {Choices} choices
   * @param {(changes: Partial<Choice>) => void} change
   */
  constructor(element, choices, change) {
    this.element = element;
    /** @type {Choice | null} */
    this.choice = null;
    element.addEventListener("change", () => change(this.chosen()));
    element.querySelector("button")?.addEventListener("click", () => {
      if (this.choice) change({ a: this.choice.b, b: this.choice.a });
    });
    for (const side of ["a", "b"]) {
      const { parentElement: label } = this.select(`${side}-variant`);
      if (label) label.hidden = choices.variants.length < 2;
    }
  }

  /** @param {string} name */
  select(name) {
    return /** @type {HTMLSelectElement} */ (this.element.querySelector(`[name="${name}"]`));
  }

  /** @returns {Choice} */
  chosen() {
    /** @param {"a" | "b"} side */
    const side = (side) => ({
      release: this.select(side).value,
      variant: this.select(`${side}-variant`).value,
    });
    return {
      step: this.select("step").value,
      a: side("a"),
      b: side("b"),
      // The first is what a link without one means.
      event: this.select("event").selectedIndex > 0 ? this.select("event").value : "",
    };
  }

  /**
   * @param {Data} data
   * @param {Choice} choice
   * @param {string[]} events that both sides have
   */
  show(data, choice, events) {
    this.choice = choice;
    const { steps, releases, variants, cells } = data;
    const profiled = hasProfiles(data);
    offer(this.select("step"), steps, choice.step);
    for (const key of /** @type {const} */ (["a", "b"])) {
      const { release, variant } = choice[key];
      const own = cells.filter((cell) => cell.step === choice.step && cell.variant === variant);
      const labelled = releases.map(({ id, label }) => {
        const cell = own.find((each) => each.release === id);
        if (!cell) return { id, label: `${label}, not measured` };
        return { id, label: cell.profiles || !profiled ? label : `${label}, no profile` };
      });
      offer(this.select(key), labelled, release);
      offer(this.select(`${key}-variant`), variants, variant);
    }
    const event = this.select("event");
    offer(
      event,
      events.map((id) => ({ id, label: id })),
      choice.event || (events[0] ?? ""),
    );
    if (event.parentElement) event.parentElement.hidden = events.length < 2;
    // Empty, they would be as wide as other ones, and the page would jump.
    this.element.hidden = false;
  }
}

/**
 * @param {HTMLSelectElement} select
 * @param {import("./choice.js").Name[]} names
 * @param {string} chosen where there is none of it, the reader is asked
 */
function offer(select, names, chosen) {
  const options = names.map(({ id, label }) => new Option(label, id));
  if (!names.some(({ id }) => id === chosen)) options.unshift(new Option("choose …", ""));
  select.replaceChildren(...options);
  select.value = chosen;
  if (select.selectedIndex < 0) select.selectedIndex = 0;
}
