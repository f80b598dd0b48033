/** The keys of a graph in words, for readers who ask; cursor.js has what they do. */

import { htmlElement } from "./elements.js";

const KEYS = /** @type {[string, string][]} */ ([
  ["arrows", "caller, widest callee, neighbours"],
  ["Home", "to the zoomed frame"],
  ["End", "down the widest callees"],
  ["PgDn, PgUp", "in a diff: to what is gone, and back"],
  ["Enter", "zoom in"],
  ["Esc", "back"],
  ["d", "callees of the function"],
  ["u", "callers of the function"],
  ["b", "both"],
  ["l", "leaf first: each function alone, and its callers"],
  ["w", "the whole graph"],
  ["f, h, c, m", "focus on the function, hide, collapse, merge it"],
  ["r", "bring all back"],
  ["/", "to the search field"],
  ["n, N", "next match, previous match"],
  ["Ctrl C", "copy the name"],
  ["s, S", "copy the stack, as a folded line"],
  ["?", "these keys"],
]);

export function keyTable() {
  return htmlElement(
    "dl",
    { class: "flame-graph-keys" },
    ...KEYS.map(([key, does]) =>
      htmlElement("div", {}, htmlElement("dt", {}, key), htmlElement("dd", {}, does)),
    ),
  );
}

/**
 * Return whether a key is meant for a graph, not for the browser or for a field of the page.
 *
 * @param {KeyboardEvent} event
 */
export function isForGraph({ ctrlKey, metaKey, altKey, defaultPrevented, target }) {
  if (ctrlKey || metaKey || altKey || defaultPrevented) return false;
  return target instanceof Element && !target.closest("input, textarea, select, [contenteditable]");
}
