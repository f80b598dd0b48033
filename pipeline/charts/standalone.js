/**
 * A chart as a file: the picture of a page, with the colours and letters that the page's style sheet
 * would give it, on the page's light paper, whatever it is put on. Its title is above it; where
 * it comes from below.
 */

import { fitted, SEMIBOLD, textWidth } from "@perfpress/flamegraph/svg/card_paper.js";
import { COLOURS } from "@perfpress/flamegraph/svg/colours.js";
import { formatPixels } from "@perfpress/flamegraph/svg/markup.js";
import { shownName } from "@perfpress/profile/model/shown_names.js";
import { textElement, WIDTH } from "./drawing.js";

/** Around everything, in units of the picture. */
const MARGIN = 16;
const TITLE_SIZE = 15;
const SOURCE_SIZE = 10;
/** From the title's top to the chart, and from one line of the source to the next. */
const TITLE_HEIGHT = 34;
const SOURCE_LINE = 14;

const STYLE = [
  // Not by the root alone: resvg would draw the lines of all series in the root's colour.
  ".chart-axis,.chart-series{stroke:currentColor}",
  "text{fill:currentColor;stroke:none}",
  `.chart-title{font-size:${TITLE_SIZE}px;font-weight:600}`,
  `.chart-source{font-size:${SOURCE_SIZE}px;color:${COLOURS["ink-muted"]}}`,
  `svg{color:${COLOURS.ink};font-family:"Source Serif 4",charter,georgia,serif}`,
  `.chart-axis,.chart-colour-other{color:${COLOURS["ink-muted"]}}`,
  `.chart-colour-current{color:${COLOURS.ink}}`,
  ".chart-heading,.chart-colour-current .chart-label,.chart-colour-slow .chart-label{font-weight:600}",
  ".chart-mark-label{font-style:italic}",
  ...[0, 1, 2, 3, 4, 5].map(
    (line) => `.chart-colour-${line}{color:${COLOURS[/** @type {"line-0"} */ (`line-${line}`)]}}`,
  ),
  `.chart-colour-slow{color:${COLOURS.worse}}`,
  `.chart-timeline .chart-label,.chart-timeline .chart-value{color:${COLOURS.ink}}`,
].join("");

/**
 * @param {string} svg of a page
 * @param {{ title: string, source: string }} words `source`: address of the page
 * @returns {string} SVG
 */
export function standaloneChart(svg, { title, source }) {
  const [start, box] = svg.match(/<svg [^>]*viewBox="0 0 ([\d.]+ [\d.]+)"[^>]*>/) ?? [];
  if (!start || !box) throw new Error("a chart begins with its box");
  const [chartWidth, chartHeight] = box.split(" ").map(Number);
  const heading = fitted(shownName(title), WIDTH, TITLE_SIZE * SEMIBOLD);
  const lines = addressLines(shownName(source));
  const left = -MARGIN;
  const top = -MARGIN - TITLE_HEIGHT;
  const width = Math.ceil(chartWidth + 2 * MARGIN);
  const height = Math.ceil(chartHeight + lines.length * SOURCE_LINE + MARGIN - top);
  const viewBox = [left, top, width, height].map(formatPixels).join(" ");
  const head = start.replace(
    /viewBox="[^"]*"/,
    `viewBox="${viewBox}" width="${width}" height="${height}"`,
  );
  const parts = [
    head,
    `<style>${STYLE}</style>`,
    `<rect x="${left}" y="${top}" width="${width}" height="${height}" fill="${COLOURS.paper}" stroke="none"/>`,
    textElement("chart-title", 0, top + MARGIN + TITLE_SIZE, heading),
    ...lines.map((line, at) =>
      textElement("chart-source", 0, chartHeight + (at + 1) * SOURCE_LINE, line),
    ),
  ];
  return svg.replace(start, () => parts.join("\n"));
}

/**
 * Break an address after slashes into lines that fit; a part that does not fit is cut.
 *
 * @param {string} address
 */
function addressLines(address) {
  const lines = [""];
  for (const part of address.split(/(?<=\/)/)) {
    const last = lines.length - 1;
    if (textWidth(lines[last] + part, SOURCE_SIZE) <= WIDTH) lines[last] += part;
    else lines.push(fitted(part, WIDTH, SOURCE_SIZE));
  }
  return lines.filter(Boolean);
}
