/**
 * What all cards have in common: a card is the picture shown where a page is linked to, 1200 ×
 * 630 pixels. Two lines and the answer head it, and one closes it; what is between is the card's own.
 */

import { shownName } from "../../profile/model/shown_names.js";
import { COLOURS } from "./colours.js";
import { escapeXml } from "./markup.js";

export const CARD = { width: 1200, height: 630 };
export const MARGIN = 40;
/** The lowest line of the three above, where the last of them is one or two. */
const HEADED = 150;
/** The highest point of the line below. */
export const CLOSED = CARD.height - 38;

/** Of what is too long for one line: its letters, the distance of its lines, and the most of them. */
const SMALL = 21;
const LINE = 25;
const MOST_LINES = 4;

/** Mean widths of characters as parts of the size of the serif, by kind. */
const WIDTHS = /** @type {const} */ ([
  [/[ ',./\\!()\-:;[\]ijl{|}·]/u, 0.32],
  [/["IJ`ft?*rsz]/u, 0.46],
  [/[#$+0-9<=>S^_ce~×÷±≈–−]/u, 0.53],
  [/[Zagovxy]/u, 0.56],
  [/[BCEFLPTXYbdhknpqu▲▼△▽\u00df-\u00ff]/u, 0.65],
  [/[&ADGHKNOQRUVw—…]/u, 0.8],
]);
/** How much wider the letters of headings are. */
export const SEMIBOLD = 1.08;
/** Of characters that are none of these: the box drawn for characters that the font lacks. */
const WIDEST = 1.05;

/**
 * @typedef {object} CardText
 * @property {string} title release and step
 * @property {string} about report and variant
 * @property {string} line the number that matters
 */

/**
 * @param {CardText} text
 * @param {string} style rules for what is between
 * @param {string[]} parts elements of what is between
 * @param {string} note what was left out, in words
 * @returns {string} SVG for `pngOf`
 */
export function cardPaper({ title, about, line }, style, parts, note) {
  const size = textWidth(shownName(title), 42 * SEMIBOLD) <= CARD.width - 2 * MARGIN ? 42 : 32;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${CARD.width}" height="${CARD.height}" viewBox="0 0 ${CARD.width} ${CARD.height}">`,
    `<style>${STYLE}${style}</style>`,
    '<rect class="paper" width="100%" height="100%"/>',
    textLine("muted", about, 50, 22),
    textLine("heading", title, 98, size),
    ...answerLines(line),
    ...parts,
    textLine("muted", note, CARD.height - 14, 16),
    "</svg>",
    "",
  ].join("\n");
}

/** The light colours of the site's style sheet, and its letters. */
const STYLE = [
  `.paper{fill:${COLOURS.paper}}`,
  '.ink,.heading,.muted{font-family:"Source Serif 4"}',
  `.ink,.heading{fill:${COLOURS.ink}}`,
  ".heading{font-weight:600}",
  `.muted{fill:${COLOURS["ink-muted"]}}`,
].join("");

/**
 * @param {string} line the number that matters
 * @returns {number} the lowest point of what heads a card
 */
export function headedBy(line) {
  return HEADED + LINE * Math.max(0, wrapped(shownName(line)).length - 2);
}

/**
 * What is too long for a line has several, in smaller letters: what comes last may be what matters.
 *
 * @param {string} text
 */
function answerLines(text) {
  const lines = wrapped(shownName(text));
  if (lines.length === 1) return [textLine("ink", text, 140, 25)];
  return lines.map((each, line) => textLine("ink", each, 128 + LINE * line, SMALL));
}

/**
 * @param {string} text
 * @returns {string[]} its lines; the last of the most has all that is left
 */
function wrapped(text) {
  const room = CARD.width - 2 * MARGIN;
  if (textWidth(text, 25) <= room) return [text];
  /** @type {string[]} */
  const lines = [];
  let left = text.split(" ");
  while (left.length > 0 && lines.length < MOST_LINES - 1) {
    let count = 1;
    let width = textWidth(left[0], SMALL);
    while (count < left.length && width <= room) {
      width += textWidth(` ${left[count]}`, SMALL);
      if (width <= room) count += 1;
    }
    lines.push(left.slice(0, count).join(" "));
    left = left.slice(count);
  }
  return left.length > 0 ? [...lines, left.join(" ")] : lines;
}

/**
 * @param {string} className
 * @param {string} text
 * @param {number} y
 * @param {number} size
 */
function textLine(className, text, y, size) {
  const wide = className === "heading" ? size * SEMIBOLD : size;
  const words = fitted(shownName(text), CARD.width - 2 * MARGIN, wide);
  return `<text class="${className}" x="${MARGIN}" y="${y}" font-size="${size}">${escapeXml(words)}</text>`;
}

/**
 * Cut a text at its end to the width there is.
 *
 * @param {string} text
 * @param {number} room in pixels
 * @param {number} size of the letters
 * @param {(text: string, size: number) => number} [measure]
 */
export function fitted(text, room, size, measure = textWidth) {
  // No letter is thinner than a tenth of its size: what is beyond does not fit anyway.
  const characters = Array.from(text.slice(0, Math.ceil((20 * room) / size)));
  if (characters.length === Array.from(text).length && measure(text, size) <= room) return text;
  let kept = characters.length;
  while (kept > 0 && measure(`${characters.slice(0, kept).join("")}…`, size) > room) kept -= 1;
  return `${characters.slice(0, kept).join("")}…`;
}

/**
 * @param {string} text in the serif
 * @param {number} size of the letters
 * @returns {number} pixels, a few more or fewer; the margin has room for them
 */
export function textWidth(text, size) {
  let width = 0;
  for (const character of text) {
    width += (WIDTHS.find(([kind]) => kind.test(character))?.[1] ?? WIDEST) * size;
  }
  return width;
}

/**
 * @param {string} text in the face that all characters are as wide in
 * @param {number} size of the letters
 * @returns {number} pixels
 */
export function nameWidth(text, size) {
  return Array.from(text).length * 0.6 * size;
}
