// One comparison on the page: a copy of the page's own template, filled in as the numbers come.

import { button, htmlElement } from "@perfpress/flamegraph/viewer/elements.js";
import { shownName } from "@perfpress/profile/model/shown_names.js";
import { offerTools, save } from "../table-tools.js";
import { builtPage } from "./pairs.js";

/** Joined functions that are listed; the file has all. */
const MOST_JOINED = 100;

export class ComparisonView {
  /**
   * @param {HTMLTemplateElement} template
   * @param {(url: string) => string} address of what the site holds
   */
  constructor(template, address) {
    const copy = document.importNode(template.content, true);
    this.element = /** @type {HTMLElement} */ (copy.firstElementChild);
    this.address = address;
    offerTools(this.element);
  }

  /**
   * @param {string} part
   * @returns {HTMLElement}
   */
  part(part) {
    return /** @type {HTMLElement} */ (this.element.querySelector(`[data-part="${part}"]`));
  }

  /**
   * Show what is known before any profile is there.
   *
   * @param {string} title
   * @param {string} verdict
   * @param {import("./words.js").Fact[]} facts
   */
  open(title, verdict, facts) {
    this.part("title").textContent = title;
    this.part("verdict").textContent = verdict;
    this.part("facts").replaceChildren(
      ...facts.map(({ label, value, note }) =>
        htmlElement(
          "div",
          {},
          htmlElement("dt", {}, label),
          htmlElement("dd", {}, value, " ", htmlElement("span", { class: "note" }, note)),
        ),
      ),
    );
  }

  /** @param {import("./words.js").Notice[]} notices */
  warn(notices) {
    this.part("notices").replaceChildren(
      ...notices.map(({ kind, text }) =>
        htmlElement("p", { class: `notice notice-${kind}` }, text),
      ),
    );
  }

  /** @param {import("./words.js").Sides} sides */
  linkBuilt({ base, after, baseLabel, afterLabel }) {
    const built = builtPage(base, after);
    const url = built ?? builtPage(after, base);
    const place = this.part("built");
    place.hidden = !url;
    if (!url) return;
    const link = htmlElement("a", { href: this.address(url) }, "a page of its own");
    place.replaceChildren(
      ...(built
        ? ["This pair has ", link, ", with suspects and environment."]
        : [`${baseLabel} against ${afterLabel} has `, link, "."]),
    );
  }

  /** Show nothing but what is known without profiles. */
  withoutProfile() {
    for (const part of ["graph", "functions", "joined"]) this.part(part).remove();
  }

  wait() {
    this.element.setAttribute("aria-busy", "true");
    this.say("Comparing …");
  }

  /** @param {string} text */
  say(text) {
    this.part("status").textContent = text;
  }

  /** @param {string} reason */
  fail(reason) {
    this.element.removeAttribute("aria-busy");
    this.withoutProfile();
    this.say(`The profiles could not be compared: ${reason}`);
  }

  /**
   * @param {{ baseLabel: string, afterLabel: string }} sides
   * @param {{ url: string, label: string }[]} files the profiles, where they are published
   * @param {string} caption of the table of functions
   * @param {{ diff: import("@perfpress/profile/diff/diff.js").Diff, summary: import("@perfpress/flamegraph/graph/diff_words.js").DiffSummary }} answer
   */
  show({ baseLabel, afterLabel }, files, caption, { diff, summary: diffSummary }) {
    this.element.removeAttribute("aria-busy");
    this.say("");
    this.part("matched").textContent = [`${diffSummary.matched}.`, ...diffSummary.threads].join(
      " ",
    );
    const [graph, functions] = [this.part("graph"), this.part("functions")];
    if (diffSummary.functions_first) graph.before(functions);
    this.part("caption").textContent = `What changed from ${baseLabel} to ${afterLabel}`;
    this.part("about").textContent = diffSummary.about;
    this.part("noise").textContent = diffSummary.noise;
    functions.querySelector("figcaption")?.replaceChildren(caption);
    graph.hidden = false;
    functions.hidden = false;
    const viewer =
      /** @type {import("@perfpress/flamegraph/viewer/index.js").FlameGraphElement} */ (
        graph.querySelector("flame-graph")
      );
    viewer.show(diff, this.part("title").textContent ?? "");
    this.listJoined(diffSummary.joined, baseLabel, afterLabel);
    this.offerFiles(files, diff);
  }

  /**
   * @param {import("@perfpress/flamegraph/graph/diff_words.js").DiffSummary["joined"]} joined
   * @param {string} baseLabel
   * @param {string} afterLabel
   */
  listJoined(joined, baseLabel, afterLabel) {
    const place = this.part("joined");
    place.hidden = joined.length === 0;
    const [summary, , list] = place.children;
    const shown = Math.min(joined.length, MOST_JOINED);
    const cut = shown < joined.length ? `, the first ${shown}` : "";
    summary.textContent = `Functions matched by other names: ${joined.length}${cut}`;
    /** @param {string[]} names */
    const named = (names) => names.map(shownName).join(", ") || "–";
    list.replaceChildren(
      ...joined
        .slice(0, MOST_JOINED)
        .map(({ base, after, why }) =>
          htmlElement(
            "li",
            {},
            `${named(base)} in ${baseLabel}, ${named(after)} in ${afterLabel}: ${why}`,
          ),
        ),
    );
  }

  /**
   * @param {{ url: string, label: string }[]} files
   * @param {import("@perfpress/profile/diff/diff.js").Diff} diff
   */
  offerFiles(files, diff) {
    this.part("tools").replaceChildren(
      button("Diff, JSON", () => save(JSON.stringify(diff), "application/json", "diff.json")),
    );
    this.part("files").replaceChildren(
      ...files.map(({ url, label }) =>
        htmlElement(
          "li",
          {},
          htmlElement("a", { href: this.address(url) }, `Profile of ${label}, JSON`),
        ),
      ),
    );
  }
}
