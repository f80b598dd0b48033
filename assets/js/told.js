// Tells the reader what was done, to the eye and to who hears the page.

/** How long, in milliseconds. */
const SHOWN_FOR = 2000;

/** @type {HTMLElement | undefined} */
let status;

/** @param {string} text */
export function tell(text) {
  if (!status) prepareToTell();
  const line = /** @type {HTMLElement} */ (status);
  line.textContent = text;
  setTimeout(() => {
    line.textContent = "";
  }, SHOWN_FOR);
}

/** A line that is there before it says something is the one that is heard. */
export function prepareToTell() {
  status = document.createElement("p");
  status.className = "copied";
  status.setAttribute("role", "status");
  document.body.append(status);
}
