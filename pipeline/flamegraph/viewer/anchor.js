import { decoded, isState, partsOf } from "./fragment.js";

/**
 * Scroll to the anchor of a link that holds states, too: browsers look for all of it.
 */
function goToAnchor() {
  const parts = partsOf(location.hash);
  const anchor = parts.length > 1 ? parts.find((part) => !isState(part)) : undefined;
  const element = anchor && document.getElementById(decoded(anchor));
  if (!element) return;
  openAround(element);
  element.scrollIntoView();
}

/**
 * Open what an element is folded away in.
 *
 * @param {Element} element
 */
export function openAround(element) {
  for (let at = element.parentElement; at; at = at.parentElement) {
    if (at instanceof HTMLDetailsElement) at.open = true;
  }
}

/** Go there where the reader has followed a link: who comes back or reloads is where they were. */
export function goToAnchorOfLink() {
  const [arrival] = performance.getEntriesByType("navigation");
  if (/** @type {PerformanceNavigationTiming} */ (arrival)?.type === "navigate") goToAnchor();
}
