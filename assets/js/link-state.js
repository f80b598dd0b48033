// What the reader does with a table stands in the link: `#results.sort=-median&results.base=17`.
// Everything else in the fragment stays as it is: anchors, and the states of graphs.

import { isState, partsOf, valueIn } from "./fragment.js";

/**
 * @param {string} id of the table
 * @param {string} key
 * @returns {string} empty where the link does not say
 */
export function readState(id, key) {
  return valueIn(location.hash, `${encodeURIComponent(id)}.${key}`);
}

/**
 * What a reader looks at is no step of the browser's history.
 *
 * @param {string} id of the table
 * @param {string} key
 * @param {string} value empty for what the page shows first
 */
export function writeState(id, key, value) {
  if (!id) return; // A table of an author's text has no name.
  const start = `${encodeURIComponent(id)}.${key}=`;
  const kept = partsOf(location.hash).filter((each) => !each.startsWith(start));
  if (value) kept.push(start + encodeURIComponent(value));
  const address = kept.length > 0 ? `#${kept.join("&")}` : location.href.replace(/#.*$/s, "");
  history.replaceState(history.state, "", address);
}

/**
 * Return the fragment that leads to a figure or table as the reader sees it now: its anchor, and what
 * the link holds of it.
 *
 * @param {string} id
 */
export function viewOf(id) {
  const name = encodeURIComponent(id);
  return [
    name,
    ...partsOf(location.hash).filter((each) => each.startsWith(`${name}.`) && isState(each)),
  ].join("&");
}

/**
 * Let a press on an anchor keep what the page shows. Before whatever else hears of it reads the address.
 */
export function keepStateAtAnchors() {
  addEventListener("hashchange", ({ oldURL, newURL }) => {
    const anchors = partsOf(new URL(newURL).hash);
    if (anchors.length === 0 || anchors.some(isState)) return;
    const states = partsOf(new URL(oldURL).hash).filter(isState);
    if (states.length === 0) return;
    history.replaceState(history.state, "", `#${[...anchors, ...states].join("&")}`);
  });
}
