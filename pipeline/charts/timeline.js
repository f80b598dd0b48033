/**
 * A timeline of one traced operation: a row a span, a bar from its start to its end. Slow ones are
 * filled, and their numbers are followed by the word, so that neither needs colour to be seen.
 */

import { escapeXml, formatPixels } from "@perfpress/flamegraph/svg/markup.js";
import { number } from "@perfpress/profile/model/numbers.js";
import { max } from "d3-array";
import { scaleLinear } from "d3-scale";
import {
  chartSvg,
  cut,
  horizontalAxis,
  LINE,
  textElement,
  WIDTH,
  widthOfTexts,
} from "./drawing.js";

const BAR = 9;
/** A shorter bar could not be seen. */
const SHORTEST_BAR = 1;
/** Per span around it. */
const INDENT = 8;
const DEEPEST = 8;
/** Letters of a name beside its bar. */
const LONGEST_NAME = 24;
const SLOW = "slow";
/** Significant digits of a time, so that a short one is not rounded to zero: `0.000417`. */
const DIGITS = 3;

/** @typedef {import("../messages.js").TimelineSpan} Span */

/**
 * @param {import("./drawing.js").Chart<"timeline">} request
 * @returns {string} SVG
 */
export function timelineChart({ spans, unit, title, description }) {
  const end = max(spans, ({ start, time }) => start + time) || 1;
  const numbers = spans.map(({ time, slow }) => `${number(time, DIGITS)}${slow ? ` ${SLOW}` : ""}`);
  const names = spans.map(
    ({ label, depth }) => "  ".repeat(indent(depth)) + cut(label, LONGEST_NAME),
  );
  const plot = {
    left: Math.min(WIDTH * 0.45, widthOfTexts(names)) + 10,
    right: WIDTH - widthOfTexts(numbers) - 6,
    top: LINE / 2,
    bottom: LINE / 2 + spans.length * LINE,
  };
  const scale = scaleLinear([0, end], [plot.left, plot.right]);
  return chartSvg({
    kind: "timeline",
    title,
    description,
    height: plot.bottom + 2.5 * LINE,
    parts: [
      ...horizontalAxis(scale, plot, `${unit} since the start of the trace`, true),
      ...spans.flatMap((span, index) => rowElements(span, numbers[index], index)),
    ],
  });

  /**
   * @param {Span} span
   * @param {string} text
   * @param {number} index
   */
  function rowElements({ label, place, start, time, depth, slow }, text, index) {
    const y = plot.top + (index + 0.5) * LINE;
    const [from, to] = [scale(start), scale(start + time)];
    const width = Math.max(SHORTEST_BAR, to - from);
    const where = place ? ` (${place})` : "";
    const times = `${number(time, DIGITS)} ${unit},${slow ? ` ${SLOW},` : ""} from ${number(start, DIGITS)}`;
    return [
      `<g class="chart-series chart-colour-${slow ? SLOW : "other"}">`,
      `<title>${escapeXml(`${label}${where}: ${times}`)}</title>`,
      textElement("chart-label", indent(depth) * INDENT, y + 4, cut(label, LONGEST_NAME)),
      `<path class="chart-bar" d="M${formatPixels(Math.min(from, plot.right - width))} ${formatPixels(y - BAR / 2)}h${formatPixels(width)}v${BAR}h${formatPixels(-width)}z" fill="currentColor" fill-opacity="${slow ? 1 : 0.6}" stroke="none"/>`,
      textElement("chart-value", plot.right + 6, y + 4, text),
      "</g>",
    ];
  }
}

/** @param {number} depth */
function indent(depth) {
  return Math.min(depth, DEEPEST);
}
