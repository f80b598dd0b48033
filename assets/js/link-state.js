// The state of a table is kept in the link: `#results.sort=-median&results.base=17`.
// Everything else in the fragment stays as it is: anchors, and the states of graphs.

import { isState, partsOf, valueIn } from "@perfpress/flamegraph/viewer/fragment.js";

/**
 * @param {string} id of the table
 * @param {string} key
 * @returns {string} empty where the link does not say
 */
export function readState(id, key) {
  return valueIn(location.hash, `${encodeURIComponent(id)}.${key}`);
}

/**
 * Sorting adds no step to the browser's history.
 *
 * @param {string} id of the table
 * @param {string} key
 * @param {string} value empty for what the page shows first
 */
export function writeState(id, key, value) {
  if (!id) return; // Tables in an author's text have no id.
  const start = `${encodeURIComponent(id)}.${key}=`;
  const kept = partsOf(location.hash).filter((each) => !each.startsWith(start));
  if (value) kept.push(start + encodeURIComponent(value));
  const address = kept.length > 0 ? `#${kept.join("&")}` : location.href.replace(/#.*$/s, "");
  history.replaceState(history.state, "", address);
}

/**
 * Return the fragment that leads to a figure or table as the reader sees it now: its anchor, and
 * its state in the link.
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
 * Keep the states in the link when an anchor is followed. Call it before other listeners are added.
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
