// A status line for what was just done, seen and announced by screen readers.

import { htmlElement } from "@perfpress/flamegraph/viewer/elements.js";

/** How long, in milliseconds. */
const SHOWN_FOR = 2000;

/** @type {HTMLElement | undefined} */
let status;

/** @param {string} text */
export function announce(text) {
  if (!status) prepareStatusLine();
  const line = /** @type {HTMLElement} */ (status);
  line.textContent = text;
  setTimeout(() => {
    line.textContent = "";
  }, SHOWN_FOR);
}

/**
 * Copy a text and say so.
 *
 * @param {string} text
 * @param {string} message
 */
export async function copyText(text, message) {
  try {
    await navigator.clipboard.writeText(text);
    announce(message);
  } catch {
    announce("The browser did not allow to copy");
  }
}

/** A line that is there before it says something is the one that is heard. */
export function prepareStatusLine() {
  status = htmlElement("p", { class: "copied", role: "status" });
  document.body.append(status);
}
