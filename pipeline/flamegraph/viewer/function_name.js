/** Names of functions as elements: where they may break, and without what a table says once. */

import { htmlElement } from "./elements.js";

/** As long as a narrow column is wide; longer words may break inside. */
const LONG_WORD = /[^\s:<>&"';]{12,}/g;
const INSIDE = /(?<=[A-Za-z0-9][_./(@-]+)|(?<=[a-z])(?=[A-Z])/;
/** No name holds it: `shownName` and `rowName` replace what cannot be seen. */
const BREAK = "\0";

/**
 * Return a name that breaks after `::` and `<`, and elsewhere only in long words, between the parts of
 * them; as `breakable.html` does. The text of the elements is the name.
 *
 * @param {string} name
 * @param {string} [namespace] that the table says once
 * @returns {(Node | string)[]}
 */
export function nameElements(name, namespace = "") {
  const own = namespace && name.startsWith(namespace) ? name.slice(namespace.length) : name;
  const pieces = own
    .replace(/::|<(?=\w)/g, `$&${BREAK}`)
    .replace(LONG_WORD, (word) => word.split(INSIDE).join(BREAK))
    .split(BREAK);
  return [
    ...(own === name ? [] : [htmlElement("span", { class: "namespace" }, namespace)]),
    ...pieces.flatMap((piece, at) => (at ? [htmlElement("wbr"), piece] : [piece])),
  ];
}
