// `<site-search>`: a field, and below it what it finds, as links. The arrows lead through them.

import { htmlElement } from "@perfpress/flamegraph/viewer/elements.js";
import { fetchJson } from "../fetch-json.js";
import { search } from "./matches.js";
import { resultItem } from "./result.js";

/** @type {Record<import("./matches.js").Kind, string>} */
const KIND_WORDS = {
  report: "Report",
  release: "Release",
  step: "Step",
  cell: "Step",
  change: "Level change",
  host: "Host",
  function: "Function",
};

class SiteSearchElement extends HTMLElement {
  /** @type {import("./matches.js").Index | null} */
  index = null;

  connectedCallback() {
    const label = htmlElement("label", { for: "search-field" }, "Words of a name");
    this.field = htmlElement("input", {
      id: "search-field",
      type: "search",
      autocomplete: "off",
      spellcheck: "false",
      value: new URLSearchParams(location.search).get("q") ?? "",
    });
    this.status = htmlElement("p", { class: "search-status", role: "status" });
    this.results = htmlElement("ol", { class: "search-results" });
    this.append(label, this.field, this.status, this.results);
    this.field.addEventListener("input", () => this.update());
    this.addEventListener("keydown", (event) => this.move(event));
    document.addEventListener("keydown", (event) => {
      if (event.key !== "/" || event.target === this.field) return;
      event.preventDefault();
      this.field?.select();
    });
    this.field.focus();
    void this.load();
  }

  async load() {
    try {
      this.index = await fetchJson(this.dataset.index ?? "");
      this.update();
    } catch {
      this.announce(
        "The index of the search cannot be loaded; the lists of reports and hosts have all.",
      );
    }
  }

  update() {
    if (!this.index || !this.field || !this.results) return;
    const query = this.field.value;
    const { matches, count } = search(this.index, query);
    this.results.replaceChildren(...matches.map((match) => this.item(match)));
    this.announce(query.trim() ? countWords(matches.length, count, this.index.left_out) : "");
    const address = query ? `?q=${encodeURIComponent(query)}` : location.pathname;
    history.replaceState(history.state, "", address);
  }

  /** @param {import("./matches.js").Match} match */
  item({ kind, label, context, url }) {
    const where = context ? `${KIND_WORDS[kind]}, ${context}` : KIND_WORDS[kind];
    const item = resultItem(label, `${this.dataset.root}${url}`, where);
    if (kind === "function") item.classList.add("function");
    return item;
  }

  /**
   * Down and up lead from the field through the links and back; Enter in the field follows the first.
   *
   * @param {KeyboardEvent} event
   */
  move(event) {
    const links = [...this.querySelectorAll("a")];
    const at = links.indexOf(/** @type {HTMLAnchorElement} */ (document.activeElement));
    if (event.key === "Enter" && event.target === this.field) links[0]?.click();
    else if (event.key === "ArrowDown") (links[at + 1] ?? links[at])?.focus();
    else if (event.key === "ArrowUp" && at >= 0) (links[at - 1] ?? this.field)?.focus();
    else return;
    event.preventDefault();
  }

  /** @param {string} text */
  announce(text) {
    if (this.status) this.status.textContent = text;
  }
}

/**
 * @param {number} shown
 * @param {number} count
 * @param {number} leftOut functions that the index does not have
 */
function countWords(shown, count, leftOut) {
  if (count > shown) return `${count.toLocaleString("en")} found; the first ${shown}.`;
  if (count > 0) return `${count} found.`;
  const without = `The index leaves out the ${leftOut.toLocaleString("en")} smallest functions.`;
  return leftOut ? `Nothing has such a name. ${without}` : "Nothing has such a name.";
}

customElements.define("site-search", SiteSearchElement);
