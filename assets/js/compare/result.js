// One comparison on the page: a copy of the page's own template, filled in as the numbers come.

import { shownName } from "../flamegraph/labels.js";
import { button, htmlElement } from "../flamegraph/viewer/elements.js";
import { save } from "../table-tools.js";
import { builtPage } from "./pairs.js";
import { matchedWords } from "./words.js";

/** With less of the weight matched, the table says more than the graph, and stands before it. */
const MATCHED_ENOUGH = 50;
/** Joined functions that are listed; the file has all. */
const MOST_JOINED = 100;

export class Result {
  /**
   * @param {HTMLTemplateElement} template
   * @param {(url: string) => string} address of what the site holds
   */
  constructor(template, address) {
    const copy = document.importNode(template.content, true);
    this.element = /** @type {HTMLElement} */ (copy.firstElementChild);
    this.address = address;
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
   * @param {import("./headline.js").Fact[]} facts
   * @param {import("./words.js").Notice[]} notices
   */
  open(title, facts, notices) {
    this.part("title").textContent = title;
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
   * @param {import("./words.js").Sides} sides
   * @param {import("./pairs.js").Pair} pair
   * @param {{ diff: import("../flamegraph/diff.js").Diff, told: import("../flamegraph/diff_words.js").Told }} answer
   */
  show({ baseLabel, afterLabel }, pair, { diff, told }) {
    this.element.removeAttribute("aria-busy");
    this.say("");
    this.part("matched").textContent = matchedWords(told);
    const [graph, functions] = [this.part("graph"), this.part("functions")];
    if (told.matched_percent < MATCHED_ENOUGH) graph.before(functions);
    this.part("caption").textContent = `What changed from ${baseLabel} to ${afterLabel}`;
    this.part("about").textContent = told.about;
    this.part("noise").textContent = told.noise;
    const caption = functions.querySelector("figcaption");
    if (caption) {
      caption.textContent = `Functions of ${baseLabel} and ${afterLabel}, the largest change of self first`;
    }
    graph.hidden = false;
    functions.hidden = false;
    const viewer = /** @type {import("../flamegraph/viewer/index.js").FlameGraphElement} */ (
      graph.querySelector("flame-graph")
    );
    viewer.show(diff, this.part("title").textContent ?? "");
    this.listJoined(told.joined, baseLabel, afterLabel);
    this.offerFiles(pair, diff, baseLabel, afterLabel);
  }

  /**
   * @param {import("../flamegraph/diff_words.js").Told["joined"]} joined
   * @param {string} baseLabel
   * @param {string} afterLabel
   */
  listJoined(joined, baseLabel, afterLabel) {
    const place = this.part("joined");
    place.hidden = joined.length === 0;
    const [summary, , list] = place.children;
    const shown = Math.min(joined.length, MOST_JOINED);
    const cut = shown < joined.length ? `, the first ${shown}` : "";
    summary.textContent = `Functions joined under different names: ${joined.length}${cut}`;
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
   * @param {import("./pairs.js").Pair} pair
   * @param {import("../flamegraph/diff.js").Diff} diff
   * @param {string} baseLabel
   * @param {string} afterLabel
   */
  offerFiles({ base, after }, diff, baseLabel, afterLabel) {
    this.part("tools").replaceChildren(
      button("Diff, JSON", () => save(JSON.stringify(diff), "application/json", "diff.json")),
    );
    this.part("files").replaceChildren(
      ...[
        { url: base.url, label: baseLabel },
        { url: after.url, label: afterLabel },
      ].map(({ url, label }) =>
        htmlElement(
          "li",
          {},
          htmlElement("a", { href: this.address(url) }, `Profile of ${label}, JSON`),
        ),
      ),
    );
  }
}
