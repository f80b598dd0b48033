/** Elements made without markup: nothing in a name can become an element. */

const SVG = "http://www.w3.org/2000/svg";
const XHTML = "http://www.w3.org/1999/xhtml";

/**
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {...(Node | string)} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function svgElement(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, `${value}`);
  element.append(...children);
  return element;
}

/**
 * @param {string} label
 * @param {() => void} action
 */
export function button(label, action) {
  const element = htmlElement("button", { type: "button" }, label);
  element.addEventListener("click", action);
  return element;
}

/**
 * Make an HTML element, also inside a document that is SVG.
 *
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, string>} [attributes]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function htmlElement(tag, attributes = {}, ...children) {
  const element = /** @type {HTMLElementTagNameMap[T]} */ (document.createElementNS(XHTML, tag));
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}
