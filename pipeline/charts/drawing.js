/**
 * What the charts have in common: an SVG for a page, axes, and labels that do not cover
 * each other.
 *
 * The pages allow no style attributes and hold several charts, so a chart has neither ids nor
 * styles: colours come from the site's style sheet by class, which also fills letters; presentation
 * attributes, which any style sheet overrides, say what differs from chart to chart. It has no size of
 * its own, only proportions.
 */

import { escapeXml, formatPixels } from "@perfpress/flamegraph/svg/markup.js";
import { extent } from "d3-array";
import { scaleLog } from "d3-scale";

export const WIDTH = 560;
const FONT_SIZE = 12;
/** What the style sheet makes of it on narrow screens; there must be room for it. */
const LARGE_FONT_SIZE = 19;
/** Distance of lines of text, also of large ones. */
export const LINE = 20;
/** Mean width of a letter in proportion to its height, on the safe side: bold, in any font. */
const LETTER = 0.62;
const LONGEST_LABEL = 16;

/**
 * Lines are distinguished by dashes as well as by colour: dash and gap, in units of the picture. The
 * current release's line is solid and thicker.
 */
const DASHES = ["7 2", "2 2", "7 2 2 2", "12 3", "4 4", "1 3"];

/**
 * @typedef {Pick<import("../messages.js").TimelineRequest, "site" | "page" | "out" | "alone" | "picture">} ChartFiles
 *   what the requests of all charts have: the address of the site and of the chart's page on it; the
 *   chart for the page, by itself, and as PNG
 */

/**
 * What a chart shows: the request without where it is written to.
 *
 * @template {keyof import("../messages.js").Jobs} Job
 * @typedef {Omit<import("../messages.js").Jobs[Job]["request"], keyof ChartFiles>} Chart
 */

/**
 * @typedef {object} Plot the rectangle inside the axes
 * @property {number} left
 * @property {number} right
 * @property {number} top
 * @property {number} bottom
 */

/**
 * @param {object} chart
 * @param {string} chart.kind becomes the class `chart-<kind>`
 * @param {string} chart.title
 * @param {string} chart.description
 * @param {number} chart.height
 * @param {string[]} chart.parts elements
 */
export function chartSvg({ kind, title, description, height, parts }) {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="chart-drawing chart-${kind}" viewBox="0 0 ${WIDTH} ${formatPixels(height)}" role="img" fill="none" stroke="currentColor" stroke-linejoin="round" font-size="${FONT_SIZE}">`,
    `<title>${escapeXml(title)}</title>`,
    `<desc>${escapeXml(description)}</desc>`,
    ...parts,
    "</svg>",
    "",
  ].join("\n");
}

/**
 * @param {string} kind class of the text
 * @param {number} x
 * @param {number} y of the baseline
 * @param {string} text
 * @param {"start" | "middle" | "end"} [anchor]
 */
export function textElement(kind, x, y, text, anchor = "start") {
  const attributes = anchor === "start" ? "" : ` text-anchor="${anchor}"`;
  return `<text class="${kind}" x="${formatPixels(x)}" y="${formatPixels(y)}"${attributes}>${escapeXml(text)}</text>`;
}

/**
 * @param {string} kind class of the line
 * @param {[number, number]} from
 * @param {[number, number]} to
 * @param {string} [attributes]
 */
export function lineElement(kind, from, to, attributes = "") {
  return linesElement(kind, [[from, to]], attributes);
}

/**
 * @param {string} kind class of the lines
 * @param {[number, number][][]} lines from where to where
 * @param {string} [attributes]
 */
export function linesElement(kind, lines, attributes = "") {
  const data = lines.map(
    (ends) => `M${ends.map((end) => end.map(formatPixels).join(" ")).join("L")}`,
  );
  return `<path class="${kind}" d="${data.join("")}"${attributes}/>`;
}

/**
 * Draw dots as round ends of lines without a length: an element for each would be most of a chart.
 *
 * @param {string} kind class of all
 * @param {number} size
 * @param {[number, number][]} places
 * @param {string} [attributes]
 */
export function dotsElement(kind, size, places, attributes = "") {
  if (places.length === 0) return [];
  const data = places.map((place) => `M${place.map(formatPixels).join()}h0`).join("");
  return [
    `<path class="${kind}" stroke-width="${size}" stroke-linecap="round" d="${data}"${attributes}/>`,
  ];
}

/**
 * Draw dots of one look, which is said once: a chart may have thousands.
 *
 * @param {string} kind class of all
 * @param {string} look attributes of all
 * @param {string[]} dots
 */
export function dotGroup(kind, look, dots) {
  return dots.length > 0 ? [`<g class="${kind}" ${look}>`, ...dots, "</g>"] : [];
}

/**
 * Name the values of an axis. What all names have in common is said once: they are a third of a chart.
 *
 * @param {"middle" | "end"} anchor
 * @param {[x: number, y: number, text: string][]} labels `y`: of the baseline
 */
export function tickLabels(anchor, labels) {
  return [
    `<g class="chart-ticks" text-anchor="${anchor}">`,
    ...labels.map(
      ([x, y, text]) =>
        `<text x="${formatPixels(x)}" y="${formatPixels(y)}">${escapeXml(text)}</text>`,
    ),
    "</g>",
  ];
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 * @param {string} [tooltip]
 */
export function dot(x, y, radius, tooltip = "") {
  const tag = `circle cx="${formatPixels(x)}" cy="${formatPixels(y)}" r="${radius}"`;
  return tooltip ? `<${tag}><title>${escapeXml(tooltip)}</title></circle>` : `<${tag}/>`;
}

/**
 * @typedef {object} Scale what is used of d3's linear scale
 * @property {(count: number) => number[]} ticks
 * @property {(count: number) => (value: number) => string} tickFormat
 */

/**
 * Draw horizontal lines at round values, the values beside them, and what they are above them: a
 * title along the axis would make readers turn their heads.
 *
 * @param {Scale & ((value: number) => number)} scale
 * @param {Plot} plot
 * @param {string} title
 */
export function valueAxis(scale, plot, title) {
  const format = scale.tickFormat(5);
  const ticks = scale.ticks(5);
  return [
    '<g class="chart-axis">',
    textElement("chart-axis-title", 0, plot.top - LINE, title),
    linesElement(
      "chart-grid",
      ticks.map((value) => [
        [plot.left, scale(value)],
        [plot.right, scale(value)],
      ]),
      ' stroke-opacity="0.2"',
    ),
    ...tickLabels(
      "end",
      ticks.map((value) => [plot.left - 6, scale(value) + 4, format(value)]),
    ),
    "</g>",
  ];
}

/**
 * Return a logarithmic scale that holds all values, with the ticks that a chart has room for: powers
 * of ten, and what is between them where those are few.
 *
 * @param {number[]} all above 0
 * @param {[number, number]} range
 * @returns {Scale & ((value: number) => number)}
 */
export function logarithmicScale(all, range) {
  const [least = 1, most = 10] = extent(all);
  const scale = scaleLog([least, Math.max(most, least * 1.01)], range).nice();
  const ticks = scale.ticks(5);
  const tens = ticks.filter((value) => /^1(\.0*)?e/.test(value.toExponential()));
  const some = ticks.filter((value) => /^[125](\.0*)?e/.test(value.toExponential()));
  const format = scale.tickFormat(Number.POSITIVE_INFINITY, ",~g");
  return Object.assign((/** @type {number} */ value) => scale(value), {
    ticks: () => (tens.length >= 3 ? tens : some),
    tickFormat: () => format,
  });
}

/**
 * @param {Scale & ((value: number) => number)} scale
 * @param {Plot} plot
 * @param {string} title
 * @param {boolean} grid whether lines lead up from the values
 */
export function horizontalAxis(scale, plot, title, grid) {
  const format = scale.tickFormat(5);
  const ticks = scale.ticks(5);
  const top = grid ? plot.top : plot.bottom - 4;
  const opacity = grid ? ' stroke-opacity="0.2"' : "";
  return [
    '<g class="chart-axis">',
    linesElement(
      "chart-grid",
      ticks.map((value) => [
        [scale(value), top],
        [scale(value), plot.bottom],
      ]),
      opacity,
    ),
    ...tickLabels(
      "middle",
      ticks.map((value) => [scale(value), plot.bottom + LINE, format(value)]),
    ),
    textElement(
      "chart-axis-title",
      (plot.left + plot.right) / 2,
      plot.bottom + 2 * LINE + 2,
      title,
      "middle",
    ),
    "</g>",
  ];
}

/**
 * Return the plot of lines that are named where they end, with room for the values beside it.
 *
 * @param {string[]} values
 * @param {string[]} labels of the lines
 * @param {number} height
 * @returns {Plot}
 */
export function plotOfNamedLines(values, labels, height) {
  return {
    left: widthOfTexts(values) + 6,
    right: WIDTH - widthOfTexts(labels.map(shortLabel)) - 18,
    top: 2 * LINE,
    bottom: 2 * LINE + height,
  };
}

/**
 * Return the order to draw lines in: that of the current release last, above the others.
 *
 * @param {{ current?: boolean }[]} series
 */
export function drawingOrder(series) {
  return [...series.keys()].sort(
    (a, b) => Number(series[a].current ?? false) - Number(series[b].current ?? false),
  );
}

/**
 * Draw a release's line in a group of its own, and leave the group open for the label.
 *
 * @param {{ label: string, current?: boolean }} series
 * @param {LineStyle} style
 * @param {string} data of the line's path
 * @param {string[]} [behind] elements that the line is drawn over
 */
export function openSeries({ label, current }, { colour, dash }, data, behind = []) {
  const dashes = dash ? ` stroke-dasharray="${dash}"` : "";
  return [
    `<g class="chart-series chart-colour-${colour}">`,
    `<title>${escapeXml(label)}</title>`,
    ...behind,
    `<path class="chart-line" stroke-width="${current ? 2 : 1.2}" stroke-linecap="round"${dashes} d="${data}"/>`,
  ];
}

/**
 * Name a line where it ends.
 *
 * @param {string} label
 * @param {[number, number]} end of the line
 * @param {[number, number]} place right edge of the plot, height of the label
 */
export function endLabel(label, [x, y], [right, height]) {
  return [
    lineElement("chart-leader", [x + 2, y], [right + 12, height], ' stroke-width="0.7"'),
    textElement("chart-label", right + 15, height + 4, shortLabel(label)),
  ];
}

/**
 * @typedef {object} LineStyle of a release's line
 * @property {string} colour suffix of a class
 * @property {string} dash empty: solid
 */

/**
 * @param {{ current?: boolean }} series
 * @param {number} index among the lines of the chart
 * @returns {LineStyle}
 */
export function lineStyleOf({ current = false }, index) {
  if (current) return { colour: "current", dash: "" };
  const at = index % DASHES.length;
  return { colour: String(at), dash: DASHES[at] };
}

/**
 * Shorten a label to leave room for the picture; the whole text is in the title beside it.
 *
 * @param {string} label
 */
export function shortLabel(label) {
  return cut(label, LONGEST_LABEL);
}

/**
 * @param {string} text
 * @param {number} longest letters to keep, the mark of the cut included
 */
export function cut(text, longest) {
  const letters = [...text];
  return letters.length <= longest ? text : `${letters.slice(0, longest - 1).join("")}…`;
}

/**
 * Return the room for the longest of the texts, also in the larger letters of narrow screens.
 *
 * @param {string[]} texts
 */
export function widthOfTexts(texts) {
  const longest = Math.max(0, ...texts.map((text) => [...text].length));
  return longest * LARGE_FONT_SIZE * LETTER;
}

/**
 * Move labels apart until none covers another, each as little as it can: neighbours that collide
 * become a block around the mean of the places they want.
 *
 * @param {number[]} wanted heights
 * @param {number} distance between neighbours
 * @param {[number, number]} limits for the first and the last
 * @returns {number[]} in the order of `wanted`
 */
export function spreadLabels(wanted, distance, [lowest, highest]) {
  const order = wanted.map((_, index) => index).sort((a, b) => wanted[a] - wanted[b] || a - b);
  /** @type {{ middle: number, members: number[] }[]} */
  const blocks = [];
  for (const index of order) {
    let block = { middle: wanted[index], members: [index] };
    for (let above = blocks.at(-1); above && overlap(above, block); above = blocks.at(-1)) {
      blocks.pop();
      block = merged(above, block);
    }
    blocks.push(block);
  }
  /** @type {number[]} */
  const places = [];
  for (const { middle, members } of blocks) {
    const start = middle - half(members.length);
    for (const [position, index] of members.entries()) places[index] = start + position * distance;
  }
  return places;

  /** @param {number} count */
  function half(count) {
    return ((count - 1) * distance) / 2;
  }

  /**
   * @param {{ middle: number, members: number[] }} above
   * @param {{ middle: number, members: number[] }} below
   */
  function overlap(above, below) {
    const end = above.middle + half(above.members.length);
    return end + distance > below.middle - half(below.members.length);
  }

  /**
   * @param {{ members: number[] }} above
   * @param {{ members: number[] }} below
   */
  function merged(above, below) {
    const members = [...above.members, ...below.members];
    const mean = members.reduce((sum, index) => sum + wanted[index], 0) / members.length;
    const room = half(members.length);
    return { middle: Math.max(lowest + room, Math.min(highest - room, mean)), members };
  }
}
