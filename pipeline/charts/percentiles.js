/**
 * Percentile curves: how long operations took at most, by the part of them that was no slower; all
 * releases on one scale. Both scales are logarithmic: the slowest of a thousand are as wide as the
 * slowest of ten. Many releases have a row each, with a line down the rows for each percentile: so many
 * curves in one plot could not be distinguished.
 */

import { grouped } from "@perfpress/profile/model/numbers.js";
import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import {
  chartSvg,
  dot,
  dotGroup,
  drawingOrder,
  endLabel,
  horizontalAxis,
  LINE,
  lineElement,
  lineStyleOf,
  linesElement,
  logarithmicScale,
  openSeries,
  plotOfNamedLines,
  shortLabel,
  spreadLabels,
  textElement,
  tickLabels,
  valueAxis,
  WIDTH,
  widthOfTexts,
} from "./drawing.js";

const MOST_IN_ONE_PLOT = 6;
const HEIGHT = 260;
/** Parts of a million that are named on the axis: 0, 50, 90, 99, 99.9 % … */
const NAMED = [0, 500_000, 900_000, 990_000, 999_000, 999_900, 999_990, 999_999];
const MILLION = 1_000_000;

/**
 * @typedef {import("../messages.js").Curve} Curve
 * @typedef {import("./drawing.js").Chart<"percentiles">} Percentiles
 */

/**
 * @param {Percentiles} request
 * @returns {string} SVG
 */
export function percentilesChart(request) {
  const series = request.series
    .map((curve) => ({ ...curve, points: curve.points.filter(([, value]) => value > 0) }))
    .filter(({ points }) => points.length > 0);
  const draw = series.length > MOST_IN_ONE_PLOT ? percentileRows : onePlot;
  return draw({ ...request, series });
}

/** @param {Percentiles} request */
function onePlot({ series: curves, unit, title, description }) {
  const bottom = 2 * LINE + HEIGHT;
  const all = curves.flatMap(({ points }) => points);
  const values = all.map(([, value]) => value);
  const times = logarithmicScale(values, [bottom, 2 * LINE]);
  const furthest = Math.max(placeOf(0.9), ...all.map(([part]) => placeOf(part)));
  const labels = curves.map(({ label }) => label);
  const plot = plotOfNamedLines(times.ticks(5).map(times.tickFormat(5)), labels, HEIGHT);
  const parts = scaleLinear([0, furthest], [plot.left, plot.right]);
  const wanted = curves.map(({ points }) => times(points[points.length - 1][1]));
  const places = spreadLabels(wanted, LINE, [plot.top, plot.bottom]);
  return chartSvg({
    kind: "percentiles",
    title,
    description,
    height: plot.bottom + 2.5 * LINE,
    parts: [
      ...valueAxis(times, plot, `${unit}, logarithmic`),
      ...partAxis(),
      ...drawingOrder(curves).flatMap((index) => curveElements(curves[index], index)),
    ],
  });

  function partAxis() {
    const named = NAMED.filter((part) => placeOf(part / MILLION) <= furthest);
    const placeOfPart = (/** @type {number} */ part) => parts(placeOf(part / MILLION));
    return [
      '<g class="chart-axis">',
      linesElement(
        "chart-grid",
        named.map((part) => [
          [placeOfPart(part), plot.bottom - 4],
          [placeOfPart(part), plot.bottom],
        ]),
      ),
      ...tickLabels(
        "middle",
        named.map((part) => [placeOfPart(part), plot.bottom + LINE, `${part / (MILLION / 100)}`]),
      ),
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
    const path = line(
      ([part]) => parts(placeOf(part)),
      ([, value]) => times(value),
    ).digits(1);
    const [part, value] = curve.points[curve.points.length - 1];
    const end = /** @type {[number, number]} */ ([parts(placeOf(part)), times(value)]);
    return [
      ...openSeries(curve, lineStyleOf(curve, index), path(curve.points) ?? ""),
      ...endLabel(curve.label, end, [plot.right, places[index]]),
      "</g>",
    ];
  }
}

/**
 * Return the position of a part of the operations: 0 for none, 1 for 90 %, 2 for 99 %.
 *
 * @param {number} part below 1
 */
function placeOf(part) {
  return -Math.log10(1 - part);
}

const ROW = 24;
/** Which are shown, where the curves reach them. */
const PERCENTILES = ["50", "90", "99", "99.9", "99.99"];
const ROUNDING = 1e-9;

/**
 * @param {Percentiles} request with times above 0 only
 * @returns {string} SVG
 */
function percentileRows({ series, unit, title, description }) {
  const plot = {
    left: widthOfTexts(series.map(({ label }) => shortLabel(label))) + 10,
    right: WIDTH - 24,
    top: 2 * LINE,
    bottom: 2 * LINE + series.length * ROW,
  };
  const values = series.flatMap(({ points }) => points.map(([, value]) => value));
  const scale = logarithmicScale(values, [plot.left, plot.right]);
  const lines = PERCENTILES.map((name) => ({ name, reached: valuesOf(name) })).filter(
    ({ reached }) => reached.some((value) => value !== null),
  );
  const heads = spreadLabels(
    lines.map(({ reached }) => scale(reached.find((value) => value !== null) ?? 0)),
    widthOfTexts(["99.99"]),
    [plot.left, plot.right],
  );
  return chartSvg({
    kind: "percentiles",
    title,
    description,
    height: plot.bottom + 2.5 * LINE,
    parts: [
      ...horizontalAxis(scale, plot, `${unit}, logarithmic`, true),
      ...series.map(({ current, label }, row) => {
        const colour = current ? "current" : "other";
        return `<g class="chart-series chart-colour-${colour}">${textElement("chart-label", plot.left - 10, yOf(row) + 4, shortLabel(label), "end")}</g>`;
      }),
      textElement("chart-axis-title", 0, plot.top - 6, "percentile"),
      ...lines.flatMap(({ name, reached }, index) => lineElements(name, reached, heads[index])),
    ],
  });

  /** @param {number} row */
  function yOf(row) {
    return plot.top + (row + 0.5) * ROW;
  }

  /**
   * Return what a percentile is in each release; null where it does not reach it.
   *
   * @param {string} name
   * @returns {(number | null)[]} by row
   */
  function valuesOf(name) {
    const part = Number(name) / 100 - ROUNDING;
    return series.map(({ points }) => points.find(([reached]) => reached >= part)?.[1] ?? null);
  }

  /**
   * @param {string} name
   * @param {(number | null)[]} reached by row
   * @param {number} head where the name is
   */
  function lineElements(name, reached, head) {
    /** @type {import("d3-shape").Line<number | null>} */
    const path = line();
    path
      .defined((value) => value !== null)
      .x((value) => scale(value ?? 0))
      .y((_, row) => yOf(row))
      .digits(1);
    const points = reached.flatMap((value, row) => (value === null ? [] : [{ row, value }]));
    return [
      '<g class="chart-series chart-colour-current">',
      textElement("chart-tick", head, plot.top - 6, name, "middle"),
      lineElement(
        "chart-leader",
        [head, plot.top - 2],
        [scale(points[0].value), yOf(points[0].row)],
        ' stroke-opacity="0.4"',
      ),
      `<path class="chart-line" stroke-width="1" d="${path(reached)}"/>`,
      ...dotGroup(
        "chart-points",
        'fill="currentColor" stroke="none"',
        points.map(({ row, value }) =>
          dot(
            scale(value),
            yOf(row),
            2.5,
            `${series[row].label}: ${name} % took at most ${grouped(value, 3)} ${unit}`,
          ),
        ),
      ),
      "</g>",
    ];
  }
}
