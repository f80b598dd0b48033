// A note that several cells of a table share is written beside the first of them.

/**
 * Bring a note to the button that is pressed: read aloud, it follows its number, and one that is open at
 * another number opens here instead of being closed.
 *
 * @param {HTMLElement} root
 */
export function bringNotes(root) {
  root.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest("button") : null;
    const note = button?.popoverTargetElement;
    if (note && note.parentElement !== button.parentElement) button.after(note);
  });
}
