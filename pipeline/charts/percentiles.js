/**
 * Percentile curves: how long operations took at most, by the part of them that was no slower; all
 * releases on one scale. Both scales are logarithmic: the slowest of a thousand are as wide as the
 * slowest of ten. Many releases have a row each instead of a curve.
 */

import { escapeXml } from "@perfpress/flamegraph/markup.js";
import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import {
  chartSvg,
  LINE,
  lineElement,
  lookOf,
  shortLabel,
  spreadLabels,
  textElement,
  valueAxis,
  WIDTH,
  widthOfTexts,
} from "./drawing.js";
import { percentileRows } from "./percentile-rows.js";
import { timeScale } from "./times.js";

const MOST_IN_ONE_PLOT = 6;
const HEIGHT = 260;
/** Parts of a million that are named on the axis: 0, 50, 90, 99, 99.9 % … */
const NAMED = [0, 500_000, 900_000, 990_000, 999_000, 999_900, 999_990, 999_999];
const MILLION = 1_000_000;

/**
 * @typedef {object} Curve
 * @property {string} label
 * @property {boolean} [current] the release whose page this is
 * @property {[part: number, value: number][]} points part below 1 of the operations, and the time
 * that they took at most; both ascending
 *
 * @typedef {object} PercentilesRequest
 * @property {Curve[]} series in the releases' order
 * @property {string} unit of the times: `ms`
 * @property {string} title
 * @property {string} description what a reader who does not see the chart should know
 */

/**
 * @param {PercentilesRequest} request
 * @returns {string} SVG
 */
export function percentilesChart(request) {
  const series = request.series
    .map((curve) => ({ ...curve, points: curve.points.filter(([, value]) => value > 0) }))
    .filter(({ points }) => points.length > 0);
  const draw = series.length > MOST_IN_ONE_PLOT ? percentileRows : onePlot;
  return draw({ ...request, series });
}

/** @param {PercentilesRequest} request */
function onePlot({ series: curves, unit, title, description }) {
  const bottom = 2 * LINE + HEIGHT;
  const all = curves.flatMap(({ points }) => points);
  const values = all.map(([, value]) => value);
  const times = timeScale(values, [bottom, 2 * LINE]);
  const furthest = Math.max(placeOf(0.9), ...all.map(([part]) => placeOf(part)));
  const plot = {
    left: widthOfTexts(times.ticks(5).map(times.tickFormat(5))) + 6,
    right: WIDTH - widthOfTexts(curves.map(({ label }) => shortLabel(label))) - 18,
    top: 2 * LINE,
    bottom,
  };
  const parts = scaleLinear([0, furthest], [plot.left, plot.right]);
  const wanted = curves.map(({ points }) => times(points[points.length - 1][1]));
  const places = spreadLabels(wanted, LINE, [plot.top, plot.bottom]);
  const order = [...curves.keys()].sort(
    (a, b) => Number(curves[a].current ?? false) - Number(curves[b].current ?? false),
  );
  return chartSvg({
    kind: "percentiles",
    title,
    description,
    height: plot.bottom + 2.5 * LINE,
    parts: [
      ...valueAxis(times, plot, `${unit}, logarithmic`),
      ...partAxis(),
      ...order.flatMap((index) => curveElements(curves[index], index)),
    ],
  });

  function partAxis() {
    const named = NAMED.filter((part) => placeOf(part / MILLION) <= furthest);
    return [
      '<g class="chart-axis">',
      ...named.flatMap((part) => {
        const x = parts(placeOf(part / MILLION));
        return [
          lineElement("chart-grid", [x, plot.bottom - 4], [x, plot.bottom]),
          textElement("chart-tick", x, plot.bottom + LINE, `${part / (MILLION / 100)}`, "middle"),
        ];
      }),
      textElement(
        "chart-axis-title",
        (plot.left + plot.right) / 2,
        plot.bottom + 2 * LINE + 2,
        "percentile: so many percent took no longer",
        "middle",
      ),
      "</g>",
    ];
  }

  /**
   * @param {Curve} curve
   * @param {number} index
   */
  function curveElements(curve, index) {
    const { colour, dash } = lookOf(curve, index);
    const path = line(
      ([part]) => parts(placeOf(part)),
      ([, value]) => times(value),
    ).digits(1);
    const [part, value] = curve.points[curve.points.length - 1];
    const dashes = dash ? ` stroke-dasharray="${dash}"` : "";
    return [
      `<g class="chart-series chart-colour-${colour}">`,
      `<title>${escapeXml(curve.label)}</title>`,
      `<path class="chart-line" stroke-width="${curve.current ? 2 : 1.2}" stroke-linejoin="round" stroke-linecap="round"${dashes} d="${path(curve.points)}"/>`,
      lineElement(
        "chart-leader",
        [parts(placeOf(part)) + 2, times(value)],
        [plot.right + 12, places[index]],
        ' stroke-width="0.7"',
      ),
      textElement("chart-label", plot.right + 15, places[index] + 4, shortLabel(curve.label)),
      "</g>",
    ];
  }
}

/**
 * Return where a part of the operations stands: 0 for none, 1 for 90 %, 2 for 99 %.
 *
 * @param {number} part below 1
 */
function placeOf(part) {
  return -Math.log10(1 - part);
}
