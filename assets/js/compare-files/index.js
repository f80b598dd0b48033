// Compares two files that the reader chooses or drops, in the browser: what the page of a diff shows.

import { htmlElement } from "@perfpress/flamegraph/viewer/elements.js";
import "@perfpress/flamegraph/viewer/index.js";
import { ComparisonView } from "../compare/result.js";

/** @typedef {import("./worker.js").Answer} Answer */

class FileComparison extends HTMLElement {
  /** @type {(File | null)[]} */
  files = [null, null];
  /** @type {Worker | null} */
  worker = null;

  connectedCallback() {
    const choices = /** @type {HTMLElement} */ (this.querySelector(".comparison-choices"));
    for (const [side, input] of this.inputs.entries()) {
      input.addEventListener("change", () => this.choose(side, input.files?.[0] ?? null));
    }
    choices.querySelector("button")?.addEventListener("click", () => this.swap());
    addEventListener("dragover", this.onDragOver);
    addEventListener("drop", this.onDrop);
    // A browser may keep what was chosen before the page was loaded again.
    for (const [side, input] of this.inputs.entries()) {
      if (input.files?.[0]) this.choose(side, input.files[0]);
    }
  }

  disconnectedCallback() {
    removeEventListener("dragover", this.onDragOver);
    removeEventListener("drop", this.onDrop);
    this.worker?.terminate();
  }

  get inputs() {
    return /** @type {HTMLInputElement[]} */ ([...this.querySelectorAll("input[type=file]")]);
  }

  /** @param {DragEvent} event */
  onDragOver = (event) => event.preventDefault();

  /** @param {DragEvent} event */
  onDrop = (event) => {
    event.preventDefault();
    const dropped = [...(event.dataTransfer?.files ?? [])];
    if (dropped.length === 0) return;
    if (dropped.length === 1) this.files[this.files[0] && !this.files[1] ? 1 : 0] = dropped[0];
    else this.files = dropped.slice(0, 2);
    this.showChosen();
    this.compare();
  };

  /**
   * @param {number} side
   * @param {File | null} file
   */
  choose(side, file) {
    this.files[side] = file;
    this.compare();
  }

  swap() {
    this.files.reverse();
    this.showChosen();
    this.compare();
  }

  /** Show in the inputs which files are compared. */
  showChosen() {
    for (const [side, input] of this.inputs.entries()) {
      const chosen = new DataTransfer();
      const file = this.files[side];
      if (file) chosen.items.add(file);
      input.files = chosen.files;
    }
  }

  compare() {
    this.worker?.terminate();
    this.querySelector(".comparison-result")?.remove();
    const [base, after] = this.files;
    if (!base || !after) {
      this.announce(base || after ? ["Choose the other file."] : []);
      return;
    }
    this.announce([]);
    const [baseLabel, afterLabel] = labelsOf(base.name, after.name);
    const template = /** @type {HTMLTemplateElement} */ (this.querySelector("template"));
    const result = new ComparisonView(template, (url) => url);
    result.open(`${afterLabel} against ${baseLabel}`, "", []);
    result.wait();
    this.append(result.element);
    const worker = new Worker(this.dataset.worker ?? "", { type: "module" });
    this.worker = worker;
    worker.addEventListener("message", (/** @type {MessageEvent<Answer>} */ { data }) => {
      if ("read" in data) {
        const percent = Math.round((100 * data.read) / Math.max(1, data.size));
        result.say(`Reading ${data.side === 0 ? baseLabel : afterLabel}: ${percent} % …`);
        return;
      }
      worker.terminate();
      if ("failed" in data) {
        result.fail(data.failed);
        return;
      }
      const caption = `Functions of ${baseLabel} and ${afterLabel}, the largest change of self first`;
      result.show({ baseLabel, afterLabel }, [], caption, data);
      this.announce(data.problems);
    });
    worker.addEventListener("error", ({ message }) => result.fail(message));
    worker.postMessage({ files: [base, after], labels: [baseLabel, afterLabel] });
  }

  /** @param {string[]} sentences */
  announce(sentences) {
    this.querySelector(".comparison-status")?.replaceChildren(
      ...sentences.map((sentence) => htmlElement("p", { class: "notice" }, sentence)),
    );
  }
}

/**
 * @param {string} base
 * @param {string} after
 * @returns {[string, string]} the names of the files; numbered where they have one name
 */
function labelsOf(base, after) {
  return base === after ? [`${base} (1)`, `${after} (2)`] : [base, after];
}

customElements.define("file-comparison", FileComparison);
