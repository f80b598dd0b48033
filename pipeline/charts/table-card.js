/** A table as a card: the picture shown where the table's page is linked to. */

import { pngOf } from "@perfpress/flamegraph/png/png.js";
import {
  CARD,
  CLOSED,
  cardPaper,
  fitted,
  headedBy,
  MARGIN,
  nameWidth,
  textWidth,
} from "@perfpress/flamegraph/svg/card_paper.js";
import { COLOURS } from "@perfpress/flamegraph/svg/colours.js";
import { escapeXml, formatPixels } from "@perfpress/flamegraph/svg/markup.js";
import { shownName } from "@perfpress/profile/model/shown_names.js";
import { writePieces } from "@perfpress/profile/write/files.js";

/** Of a card full of rows; fewer are larger, as cards are looked at small. */
const ROW = 36;
const SIZE = 22;
const HEAD_SIZE = 18;
const NAME_SIZE = 20;
const GAP = 32;
const SCALES = [1.7, 1.5, 1.3, 1.15];
/** Of the heads of columns. */
const HEAD = 44;
/** What the names of rows have of the card where columns need all of it. */
const FEWEST_FOR_NAMES = (CARD.width - 2 * MARGIN) / 3;

const STYLE = [
  `.name{font-family:"Source Code Pro";fill:${COLOURS.ink}}`,
  `.better{fill:${COLOURS.better}}`,
  `.worse{fill:${COLOURS.worse}}`,
  ".better,.worse{font-family:'Source Serif 4';font-weight:600}",
  `.rule{stroke:${COLOURS.rule};stroke-width:1}`,
].join("");
const CLASSES = /** @type {Record<string, string>} */ ({
  better: "better",
  worse: "worse",
  unknown: "muted",
});

/**
 * @typedef {import("../messages.js").Jobs["table-card"]} TableCard
 * @typedef {import("../messages.js").CardCell} CardCell
 */

/**
 * @param {TableCard["request"]} request
 * @returns {Promise<TableCard["answer"]>}
 */
export async function tableCard({ out, ...request }) {
  const png = pngOf(tableCardSvg(request));
  await writePieces(out, [png]);
  return { bytes: png.length };
}

/**
 * @param {Omit<TableCard["request"], "out">} request
 * @returns {string} SVG for `pngOf`
 */
export function tableCardSvg({ row_head, columns, rows, rows_left, rows_left_many, ...text }) {
  const first = headedBy(text.line) + HEAD;
  const most = Math.floor((CLOSED - first) / ROW);
  const shown = rows.slice(0, most);
  const more = rows.length - shown.length;
  const note = more > 0 ? `and ${more} more ${more === 1 ? rows_left : rows_left_many}` : "";
  if (shown.length === 0) return cardPaper(text, STYLE, [], note);
  const { scale, names, places } = layOut(columns, shown, most);
  const top = first + 12 * (scale - 1);
  const headBase = top - 14;
  const parts = [
    textElement("muted", names, headBase, row_head, HEAD_SIZE * scale),
    ...columns.map(({ label }, at) =>
      textElement("muted", places[at], headBase, label, HEAD_SIZE * scale),
    ),
  ];
  for (const [index, { label, cells }] of shown.entries()) {
    const y = top + index * ROW * scale;
    const base = y + 25 * scale;
    parts.push(`<path class="rule" d="M${MARGIN} ${formatPixels(y)}H${CARD.width - MARGIN}"/>`);
    parts.push(textElement("name", names, base, label, NAME_SIZE * scale));
    for (const [at, { text: words, tone = "" }] of cells.entries()) {
      parts.push(textElement(CLASSES[tone] ?? "ink", places[at], base, words, SIZE * scale));
    }
  }
  return cardPaper(text, STYLE, parts, note);
}

/** @typedef {{ left: number, right: number, numeric?: boolean }} Place */

/**
 * Choose how large rows are, the largest at which all of them have room, and give columns the width
 * of what they hold, from the right edge. Where that leaves too little for the names of the rows,
 * the widest columns give way.
 *
 * @param {{ label: string, numeric: boolean }[]} columns
 * @param {{ label: string, cells: CardCell[] }[]} rows
 * @param {number} most rows of the smallest size that there is room for
 * @returns {{ scale: number, names: Place, places: Place[] }}
 */
function layOut(columns, rows, most) {
  const longest = Math.max(...rows.map(({ label }) => nameWidth(shownName(label), NAME_SIZE)));
  const wanted = columns.map(({ label }, at) =>
    Math.max(
      textWidth(shownName(label), HEAD_SIZE),
      ...rows.map(({ cells }) => textWidth(shownName(cells[at].text), SIZE)),
    ),
  );
  const width = CARD.width - 2 * MARGIN - GAP * columns.length;
  const whole = wanted.reduce((sum, each) => sum + each, longest);
  const scale = SCALES.find((each) => rows.length * each <= most && whole * each <= width) ?? 1;
  const scaled = wanted.map((each) => each * scale);
  const widest = widestOf(scaled, width - Math.min(longest * scale, FEWEST_FOR_NAMES));
  const widths = scaled.map((each) => Math.min(each, widest));
  let left = CARD.width - MARGIN + GAP;
  for (const each of widths) left -= each + GAP;
  const names = { left: MARGIN, right: left - GAP };
  const places = columns.map(({ numeric }, at) => {
    const place = { left, right: left + widths[at], numeric };
    left = place.right + GAP;
    return place;
  });
  return { scale, names, places };
}

/**
 * @param {number[]} widths
 * @param {number} room
 * @returns {number} the width that none may pass, so that all of them have room
 */
function widestOf(widths, room) {
  let left = room;
  for (const [at, width] of widths.toSorted((a, b) => a - b).entries()) {
    const part = left / (widths.length - at);
    if (width > part) return part;
    left -= width;
  }
  return Infinity;
}

/**
 * @param {string} className
 * @param {Place} place
 * @param {number} y
 * @param {string} text
 * @param {number} size
 */
function textElement(className, { left, right, numeric = false }, y, text, size) {
  const measure = className === "name" ? nameWidth : textWidth;
  // Half a pixel is lost where a width is rounded.
  const words = fitted(shownName(text), right - left + 0.5, size, measure);
  const x = formatPixels(numeric ? right : left);
  const anchor = numeric ? ' text-anchor="end"' : "";
  return `<text class="${className}" x="${x}" y="${formatPixels(y)}" font-size="${formatPixels(size)}"${anchor}>${escapeXml(words)}</text>`;
}
