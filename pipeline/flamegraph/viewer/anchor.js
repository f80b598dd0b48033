/**
 * The fragment of an address: an anchor, states of graphs and tables, or all of them, separated by `&`.
 */

/**
 * Scroll to the anchor of a link that holds states, too: browsers look for all of it.
 */
function goToAnchor() {
  const parts = fragmentParts();
  const anchor = parts.length > 1 ? parts.find(isAnchor) : undefined;
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

/** @param {string} part */
export function isAnchor(part) {
  return !part.includes("=");
}

export function fragmentParts(fragment = location.hash) {
  return fragment.slice(1).split("&").filter(Boolean);
}

/** @param {string} text */
export function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a stray % that somebody typed
  }
}

/** Go there where the reader has followed a link: who comes back or reloads is where they were. */
export function goToAnchorOfLink() {
  const [arrival] = performance.getEntriesByType("navigation");
  if (/** @type {PerformanceNavigationTiming} */ (arrival)?.type === "navigate") goToAnchor();
}
