/**
 * A number over time: every release of a step on one scale. Few releases share one plot, each named
 * where its line ends, the current one in front with its single runs; many have a strip each, as
 * nobody could follow so many lines in one. The scale begins at zero, but for a plot in which most of
 * a release's line would lie there: that one is logarithmic.
 */

import { grouped } from "@perfpress/profile/model/numbers.js";
import { median } from "d3-array";
import { scaleLinear } from "d3-scale";
import { area, line } from "d3-shape";
import {
  chartSvg,
  drawingOrder,
  endLabel,
  horizontalAxis,
  LINE,
  lineElement,
  lineStyleOf,
  logarithmicScale,
  openSeries,
  plotOfNamedLines,
  shortLabel,
  spreadLabels,
  textElement,
  valueAxis,
  WIDTH,
  widthOfTexts,
} from "./drawing.js";

const MOST_IN_ONE_PLOT = 6;
const SMALLEST_HEIGHT = 200;
/** Of a linear scale: a line below this part of it looks like zero. */
const LOOKS_LIKE_ZERO = 1 / 20;
const STRIP = 40;
const STRIP_GAP = 4;
const TIME = "seconds since the start of the step";

/**
 * @typedef {import("../messages.js").SeriesLine} Series
 * @typedef {import("./drawing.js").Chart<"over-time">} OverTime
 *
 * @typedef {(value: number) => number} Place position of a value
 *
 * @typedef {object} Scales
 * @property {Place} seconds
 * @property {Place} values
 */

/**
 * @param {OverTime} request
 * @returns {string} SVG
 */
export function overTimeChart(request) {
  const series = request.series.filter(({ pieces }) => pieces.length > 0);
  const draw = series.length > MOST_IN_ONE_PLOT ? strips : onePlot;
  return draw({ ...request, series });
}

/** @param {OverTime} request */
function onePlot({ series, end, stretch, unit, title, description }) {
  const height = Math.max(SMALLEST_HEIGHT, series.length * LINE);
  const { values, axis } = scaleOfValues(series, stretch !== null, [2 * LINE + height, 2 * LINE]);
  const labels = series.map(({ label }) => label);
  const plot = plotOfNamedLines(values.ticks(5).map(values.tickFormat(5)), labels, height);
  const seconds = scaleLinear([0, end || 1], [plot.left, plot.right]);
  const wanted = series.map((one) => values(lastOf(one)[1]));
  const places = spreadLabels(wanted, LINE, [plot.top, plot.bottom]);
  return chartSvg({
    kind: "over-time",
    title,
    description,
    height: plot.bottom + (stretch === null ? 2.5 : 3.5) * LINE,
    parts: [
      ...valueAxis(values, plot, `${unit}${axis}`),
      ...horizontalAxis(seconds, plot, TIME, false),
      ...thinnedElements(stretch, plot),
      ...drawingOrder(series).flatMap((index) => {
        const one = series[index];
        const [second, value] = lastOf(one);
        return [
          ...seriesElements(one, lineStyleOf(one, index), stretch !== null, { seconds, values }),
          ...endLabel(one.label, [seconds(second), values(value)], [plot.right, places[index]]),
          "</g>",
        ];
      }),
    ],
  });
}

/**
 * Return the scale of a plot, and what its axis says of it.
 *
 * @param {Series[]} series
 * @param {boolean} thinned whether points represent several values
 * @param {[number, number]} range
 */
function scaleOfValues(series, thinned, range) {
  const highest = highestOf(series, thinned);
  const drawn = series.flatMap((one) => drawnValues(one, thinned));
  const isHidden = series.some(
    ({ pieces }) =>
      (median(pieces.flat(), ([, value]) => value) ?? highest) < highest * LOOKS_LIKE_ZERO,
  );
  return isHidden && drawn.every((value) => value > 0)
    ? { values: logarithmicScale(drawn, range), axis: ", logarithmic" }
    : { values: scaleLinear([0, highest || 1], range).nice(5), axis: "" };
}

/** @param {OverTime} request */
function strips({ series, end, stretch, unit, title, description }) {
  const highest = highestOf(series, stretch !== null) || 1;
  const plot = {
    left: 1,
    right: WIDTH - widthOfTexts(series.map(({ label }) => shortLabel(label))) - 8,
    top: 2 * LINE,
    bottom: 2 * LINE + series.length * STRIP,
  };
  const seconds = scaleLinear([0, end || 1], [plot.left, plot.right]);
  const scale = scaleLinear().domain([0, highest]).nice(5);
  const upTo = scale.domain()[1];
  return chartSvg({
    kind: "over-time",
    title,
    description,
    height: plot.bottom + (stretch === null ? 2.5 : 3.5) * LINE,
    parts: [
      textElement(
        "chart-axis-title",
        0,
        LINE,
        `every strip: 0 to ${scale.tickFormat(5)(upTo)} ${unit}`,
      ),
      ...series.flatMap((one, index) => {
        const bottom = plot.top + (index + 1) * STRIP;
        const values = scaleLinear([0, upTo], [bottom, bottom - STRIP + STRIP_GAP]);
        const style = { colour: one.current ? "current" : "other", dash: "" };
        return [
          ...seriesElements(one, style, stretch !== null, { seconds, values }),
          lineElement("chart-base", [plot.left, bottom], [plot.right, bottom], FAINT),
          textElement("chart-label", plot.right + 8, bottom - STRIP / 2 + 6, shortLabel(one.label)),
          "</g>",
        ];
      }),
      ...horizontalAxis(seconds, plot, TIME, false),
      ...thinnedElements(stretch, plot),
    ],
  });
}

const FAINT = ' stroke-opacity="0.35"';

/**
 * Say that points represent several values.
 *
 * @param {number | null} stretch
 * @param {import("./drawing.js").Plot} plot
 */
function thinnedElements(stretch, plot) {
  if (stretch === null) return [];
  const caption = `medians of ${grouped(stretch, stretch < 10 ? 1 : 0)} s; shade: lowest to highest`;
  const middle = (plot.left + plot.right) / 2;
  return [textElement("chart-axis-title", middle, plot.bottom + 3 * LINE + 4, caption, "middle")];
}

/**
 * Draw a release, and leave its group open for the label.
 *
 * @param {Series} series
 * @param {import("./drawing.js").LineStyle} style
 * @param {boolean} thinned whether points represent several values
 * @param {Scales} scales
 */
function seriesElements(series, style, thinned, { seconds, values }) {
  const { runs, pieces } = series;
  const path = line(
    ([second]) => seconds(second),
    ([, value]) => values(value),
  ).digits(1);
  /** @type {import("d3-shape").Area<Stretch>} */
  const band = area();
  band
    .x(([second]) => seconds(second))
    .y0(([, , lowest]) => values(lowest))
    .y1(([, , , highest]) => values(highest))
    .digits(1);
  const medians = pieces.map((piece) =>
    piece.map(([second, value]) => /** @type {[number, number]} */ ([second, value])),
  );
  const behind = [
    ...(thinned
      ? [
          `<path class="chart-band" fill="currentColor" fill-opacity="0.15" stroke="none" d="${pieces.map((piece) => band(piece)).join("")}"/>`,
        ]
      : []),
    ...(runs.length > 0
      ? [
          '<g class="chart-runs" stroke-opacity="0.4" stroke-width="0.7" stroke-linecap="round">',
          ...runs.map((run) => `<path d="${run.map((piece) => path(piece)).join("")}"/>`),
          "</g>",
        ]
      : []),
  ];
  return openSeries(series, style, medians.map((piece) => path(piece)).join(""), behind);
}

/** @param {Series} series */
function lastOf({ pieces }) {
  const piece = pieces[pieces.length - 1];
  return piece[piece.length - 1];
}

/**
 * @typedef {[seconds: number, value: number]} Point
 *
 * @typedef {[seconds: number, median: number, lowest: number, highest: number]} Stretch what the
 * runs of a release did in a stretch of time, at its middle
 */

/**
 * Return the highest of all values that are drawn.
 *
 * @param {{ pieces: Stretch[][], runs: Point[][][] }[]} series
 * @param {boolean} extremes whether the highest values of stretches are drawn
 */
export function highestOf(series, extremes) {
  let highest = 0;
  for (const one of series) {
    for (const value of drawnValues(one, extremes)) highest = Math.max(highest, value);
  }
  return highest;
}

/**
 * Return all values of a release that are drawn.
 *
 * @param {{ pieces: Stretch[][], runs: Point[][][] }} series
 * @param {boolean} extremes whether the lowest and the highest values of stretches are drawn
 */
function drawnValues({ pieces, runs }, extremes) {
  return [
    ...pieces.flat().flatMap(([, ...values]) => (extremes ? values : [values[0]])),
    ...runs.flat(2).map(([, value]) => value),
  ];
}
