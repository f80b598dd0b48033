// A status line for what was just done, seen and announced by screen readers.

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

/** A line that is there before it says something is the one that is heard. */
export function prepareStatusLine() {
  status = document.createElement("p");
  status.className = "copied";
  status.setAttribute("role", "status");
  document.body.append(status);
}
