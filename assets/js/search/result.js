import { htmlElement } from "@perfpress/flamegraph/viewer/elements.js";

/**
 * A result in a list: a link, and below it what it is.
 *
 * @param {string} label
 * @param {string} url
 * @param {string} note
 */
export function resultItem(label, url, note) {
  return htmlElement(
    "li",
    {},
    htmlElement("a", { href: url }, label),
    htmlElement("span", { class: "note" }, note),
  );
}
