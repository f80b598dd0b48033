// Compares any two releases of a report: what the page of a diff shows, made in the browser from the
// profiles that the site publishes. The link has what is compared.

import { htmlElement } from "@perfpress/flamegraph/viewer/elements.js";
import "@perfpress/flamegraph/viewer/index.js";
import { fetchJson, reasonOf } from "../fetch-json.js";
import { withChoicesApplied } from "../kept-choices.js";
import { cellOf, notMeasured, notSampled, readChoice, stepOf, writeChoice } from "./choice.js";
import { Controls } from "./controls.js";
import { basesOf, commonPairs, pairOf } from "./pairs.js";
import { ComparisonView } from "./result.js";
import { filled, headlineOf, noticesOf, sidesOf, verdictOf } from "./words.js";

/**
 * @typedef {import("./choice.js").Choices} Choices
 * @typedef {import("./choice.js").Data} Data
 * @typedef {import("./choice.js").Choice} Choice
 */

/** What the title of the page ends with: the titles of its report and of the site. */
const TITLE_END = document.title.slice(document.title.indexOf(","));

/** The bases that a diff begins with, where both sides have them. */
const COSTS = /** @type {const} */ (["cost_per_operation", "relative_cost"]);

class ReleaseComparison extends HTMLElement {
  /** @type {Choices | null} */
  choices = null;
  /** What was measured, by step. @type {Map<string, Promise<Data>>} */
  steps = new Map();
  /** The step that was asked for last. @type {Promise<Data> | null} */
  asked = null;
  /** @type {Controls | null} */
  controls = null;
  /** What is shown, as a link says it. */
  shown = "";
  /** @type {Worker | null} */
  worker = null;
  onHashChange = () => this.read();

  async connectedCallback() {
    if (this.choices) return;
    try {
      this.choices = await fetchJson(this.dataset.source ?? "");
    } catch (error) {
      this.failToLoad(error);
      return;
    }
    const place = /** @type {HTMLElement} */ (this.querySelector(".comparison-choices"));
    const choices = /** @type {Choices} */ (this.choices);
    this.controls = new Controls(place, choices, (changes) => this.change(changes));
    addEventListener("hashchange", this.onHashChange);
    this.read();
  }

  disconnectedCallback() {
    removeEventListener("hashchange", this.onHashChange);
    this.worker?.terminate();
  }

  /** @param {unknown} error */
  failToLoad(error) {
    this.announce([`What can be compared could not be loaded (${reasonOf(error)}).`]);
  }

  /**
   * Load what was measured of a step.
   *
   * @param {string} step
   * @returns {Promise<Data | null>} null where that failed, or another step was asked for meanwhile
   */
  async dataOf(step) {
    const choices = /** @type {Choices} */ (this.choices);
    const loading = this.steps.get(step) ?? this.load(choices, step);
    this.steps.set(step, loading);
    this.asked = loading;
    try {
      const data = await loading;
      return this.asked === loading ? data : null;
    } catch (error) {
      this.steps.delete(step);
      if (this.asked === loading) this.failToLoad(error);
      return null;
    }
  }

  /**
   * @param {Choices} choices
   * @param {string} step empty where the reader has to choose
   * @returns {Promise<Data>}
   */
  async load(choices, step) {
    const known = choices.steps.find(({ id }) => id === step);
    const { cells } = known ? await fetchJson(this.address(known.cells)) : { cells: [] };
    return { ...choices, cells };
  }

  /** Show what the link asks for. */
  async read() {
    const { choices } = this;
    const data = choices && (await this.dataOf(stepOf(location.hash, choices)));
    if (!data) return;
    const applied = withChoicesApplied(location.hash, { diffs: ["diff"], tables: [] });
    if (applied !== location.hash) history.replaceState(history.state, "", applied);
    const { choice, renamed, wrong } = readChoice(location.hash, data);
    // A link under old names, or one that leaves sides open, becomes the one to send on.
    if (wrong.length === 0) {
      history.replaceState(history.state, "", writeChoice(location.hash, choice, data));
    }
    this.show(data, choice, [...renamed, ...wrong]);
  }

  /**
   * Each choice is a step of the browser's history.
   *
   * @param {Partial<Choice>} changes
   */
  async change(changes) {
    const { choices, controls } = this;
    if (!choices || !controls?.choice) return;
    const choice = { ...controls.choice, ...changes };
    controls.choice = choice;
    // The state of the graph stays in the link.
    history.pushState(history.state, "", writeChoice(location.hash, choice, choices));
    const data = await this.dataOf(choice.step);
    if (data) this.show(data, choice, []);
  }

  /**
   * @param {Data} data
   * @param {Choice} choice
   * @param {string[]} messages of the link
   */
  show(data, choice, messages) {
    const [base, after] = [choice.a, choice.b].map((side) => cellOf(data, choice, side));
    const events = base && after ? commonPairs(base, after).map(({ event }) => event) : [];
    this.querySelector(".comparison-without")?.remove();
    this.controls?.show(data, choice, events);
    const problems = [...messages];
    for (const [side, cell] of /** @type {const} */ ([
      [choice.a, base],
      [choice.b, after],
    ])) {
      if (!cell && choice.step && side.release && side.variant) {
        problems.push(notMeasured(data, choice, side));
      }
    }
    if (![choice.step, choice.a.release, choice.b.release].every(Boolean)) {
      problems.push("Choose a step, and a release on either side.");
    }
    if (base && base === after) problems.push("Both sides are the same: choose another release.");
    if (choice.event && events.length > 0 && !events.includes(choice.event)) {
      problems.push(notSampled(choice.event, events));
    }
    const pair = writeChoice("", choice, data);
    if (pair === this.shown && messages.length === 0) return;
    this.shown = pair;
    this.worker?.terminate();
    this.result?.remove();
    this.announce(problems);
    if (base && after && base !== after)
      this.compare(data, sidesOf(data, base, after), choice.event);
  }

  /** @returns {HTMLElement | null} */
  get result() {
    return this.querySelector(".comparison-result");
  }

  /**
   * @param {Data} data
   * @param {import("./words.js").Sides} sides
   * @param {string} event
   */
  compare(data, sides, event) {
    const pair = pairOf(sides.base, sides.after, event);
    const events = commonPairs(sides.base, sides.after).map((each) => each.event);
    const template = /** @type {HTMLTemplateElement} */ (this.querySelector("template"));
    const result = new ComparisonView(template, this.address);
    const step = data.steps.find(({ id }) => id === sides.after.step)?.label ?? "";
    const labels = { base: sides.baseLabel, after: sides.afterLabel };
    const title = filled(data.words.heading, { step, ...labels });
    result.open(title, verdictOf(data, sides), headlineOf(data, sides, pair));
    result.warn(noticesOf(data, sides, pair, events));
    result.linkBuilt(sides);
    this.append(result.element);
    document.title = `${title}${TITLE_END}`;
    if (pair) this.diff(data, result, sides, pair);
    else result.withoutProfile();
  }

  /**
   * Load the profiles of both sides and show their diff.
   *
   * @param {Data} data
   * @param {ComparisonView} result
   * @param {import("./words.js").Sides} sides
   * @param {import("./pairs.js").Pair} pair
   */
  diff(data, result, sides, pair) {
    const labels = { base: sides.baseLabel, after: sides.afterLabel };
    result.wait();
    const bases = basesOf(pair);
    const files = [
      { url: pair.base.url, label: labels.base },
      { url: pair.after.url, label: labels.after },
    ];
    const worker = new Worker(this.dataset.worker ?? "", { type: "module" });
    this.worker = worker;
    worker.addEventListener("message", ({ data: answer }) => {
      worker.terminate();
      if ("failed" in answer) result.fail(answer.failed);
      else result.show(sides, files, filled(data.words.functions, labels), answer);
    });
    worker.addEventListener("error", ({ message }) => result.fail(message));
    /** @type {import("./worker.js").Request} */
    const request = {
      base: this.filesOf(pair.base),
      after: this.filesOf(pair.after),
      options: {
        baseLabel: sides.baseLabel,
        afterLabel: sides.afterLabel,
        basis: COSTS.find((basis) => bases[basis]) ?? "share",
        bases,
        costOf: pair.after.cost_of,
        aliases: data.aliases,
        overdispersion: data.overdispersion[pair.after.event],
      },
    };
    worker.postMessage(request);
  }

  /** @param {import("./choice.js").Profile} profile */
  filesOf({ url, captures }) {
    return { profile: this.address(url), captures: captures ? this.address(captures) : "" };
  }

  /**
   * Addresses in the data start at the root of the site, which may be published below a path.
   *
   * @param {string} url
   */
  address = (url) =>
    new URL((this.dataset.root ?? "").replace(/\/$/, "") + url, location.href).href;

  /** @param {string[]} sentences */
  announce(sentences) {
    const place = this.querySelector(".comparison-status");
    place?.replaceChildren(
      ...sentences.map((sentence) => htmlElement("p", { class: "notice" }, sentence)),
    );
  }
}

customElements.define("release-comparison", ReleaseComparison);
