/**
 * Every release's throughput as a ratio to the base release: the ratio, its interval where there is
 * one, and the single runs, so that readers see the noise with the change.
 */

import { escapeXml, formatPixels } from "@perfpress/flamegraph/svg/markup.js";
import { grouped } from "@perfpress/profile/model/numbers.js";
import { extent } from "d3-array";
import { scaleLinear } from "d3-scale";
import {
  chartSvg,
  dot,
  dotGroup,
  dotsElement,
  horizontalAxis,
  LINE,
  lineElement,
  shortLabel,
  textElement,
  WIDTH,
  widthOfTexts,
} from "./drawing.js";

const ROW = 30;
/** Runs are this far below the line of their release, where its interval does not hide them. */
const RUN_DROP = 8;
/** Half the length of the strokes at the ends of an interval. */
const CAP = 5;

/** @typedef {import("../messages.js").RelativeRow} RelativeRow */

/**
 * @param {import("./drawing.js").Chart<"relative">} request
 * @returns {string} SVG
 */
export function relativeChart({ releases, base, title, description }) {
  const numbers = releases.flatMap(({ ratio, interval, runs }) => [
    ...(ratio === null ? [] : [ratio]),
    ...(interval ?? []),
    ...runs,
  ]);
  const [lowest = 1, highest = 1] = extent([1, ...numbers]);
  const plot = {
    left: widthOfTexts(releases.map(({ label }) => shortLabel(label))) + 10,
    right: WIDTH - widthOfTexts(["0.0000"]) - 6,
    top: LINE,
    bottom: 0,
  };
  let bottom = plot.top;
  const tops = releases.map(({ mark }) => {
    const top = bottom + (mark ? LINE : 0);
    bottom = top + ROW;
    return top;
  });
  plot.bottom = bottom;
  const margin = (highest - lowest) * 0.04 || 0.1;
  const ratios = scaleLinear(
    [Math.max(0, lowest - margin), highest + margin],
    [plot.left, plot.right],
  ).nice(5);
  return chartSvg({
    kind: "relative",
    title,
    description,
    height: plot.bottom + 2.5 * LINE,
    parts: [
      ...horizontalAxis(
        ratios,
        plot,
        `ratio to ${shortLabel(base)}; the axis does not begin at zero`,
        true,
      ),
      lineElement("chart-base", [ratios(1), plot.top], [ratios(1), plot.bottom]),
      ...releases.flatMap((release, index) => [
        ...markElements(release, tops[index]),
        ...rowElements(release, tops[index] + 0.5 * ROW - 2),
      ]),
    ],
  });

  /**
   * @param {RelativeRow} release
   * @param {number} y
   */
  function markElements({ mark }, y) {
    if (!mark) return [];
    return [
      lineElement("chart-mark", [0, y - 2], [WIDTH, y - 2], ' stroke-dasharray="5 3"'),
      textElement("chart-mark-label", 0, y - 7, mark),
    ];
  }

  /**
   * @param {RelativeRow} release
   * @param {number} y
   */
  function rowElements({ label, current = false, ratio, interval, runs }, y) {
    const ratioText = ratio === null ? "no run" : grouped(ratio, 3);
    const range = interval
      ? `, interval ${grouped(interval[0], 3)} to ${grouped(interval[1], 3)}`
      : "";
    return [
      `<g class="chart-series chart-colour-${current ? "current" : "other"}">`,
      `<title>${escapeXml(`${label}: ${ratioText}${range}; ${runs.length} ${runs.length === 1 ? "run" : "runs"}`)}</title>`,
      textElement("chart-label", plot.left - 10, y + 4, shortLabel(label), "end"),
      ...(interval ? intervalElements(interval, y) : []),
      ...dotsElement(
        "chart-runs",
        4.4,
        runs.map((run) => [ratios(run), y + RUN_DROP]),
        ' stroke-opacity="0.45"',
      ),
      ...dotGroup(
        "chart-points",
        'stroke-width="2"',
        ratio === null ? [] : [dot(ratios(ratio), y, 4.5)],
      ),
      textElement("chart-value", plot.right + 6, y + 4, ratio === null ? "–" : ratioText),
      "</g>",
    ];
  }

  /**
   * @param {[number, number]} interval
   * @param {number} y
   */
  function intervalElements([low, high], y) {
    const [from, to] = [formatPixels(ratios(low)), formatPixels(ratios(high))];
    const [above, below] = [formatPixels(y - CAP), formatPixels(y + CAP)];
    return [
      `<path class="chart-interval" d="M${from} ${above}V${below}M${from} ${formatPixels(y)}H${to}M${to} ${above}V${below}"/>`,
    ];
  }
}
