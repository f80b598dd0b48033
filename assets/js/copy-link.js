// A press on the link of a heading or row copies its address.

import { tell } from "./told.js";

/**
 * @param {HTMLElement} root The element whose `.anchor` links are served.
 */
export function offerLinks(root) {
  if (!navigator.clipboard) return; // Only on https and localhost; the link itself works anywhere.

  root.addEventListener("click", async (event) => {
    const link = event.target instanceof Element ? event.target.closest("a.anchor") : null;
    if (!(link instanceof HTMLAnchorElement)) return;
    try {
      await navigator.clipboard.writeText(link.href);
    } catch {
      return; // The reader does not allow it; the address bar shows the link.
    }
    tell("Link copied");
  });
}
