/**
 * Throughput over time: every release of a step on one scale that begins at zero, the current one in
 * front with its single runs, each named where its line ends.
 */

import { escapeXml } from "@perfpress/flamegraph/markup.js";
import { grouped } from "@perfpress/flamegraph/numbers.js";
import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import {
  chartSvg,
  horizontalAxis,
  LINE,
  lineElement,
  shortLabel,
  spreadLabels,
  textElement,
  valueAxis,
  WIDTH,
  widthOfTexts,
} from "./drawing.js";
import { medianLine, pointsOf, stretchOf, visiblePoints } from "./series.js";

const SMALLEST_HEIGHT = 200;
/** More points would make a band of a noisy line. */
const MEDIAN_POINTS = 120;
/** Stretches of time in which the extremes of a single run are kept: one every few pixels. */
const RUN_BUCKETS = 110;

/**
 * Lines are told apart by dashes as well as by colour: dash and gap, in units of the picture. The
 * current release's line is solid and thicker.
 */
const DASHES = ["7 2", "2 2", "7 2 2 2", "12 3", "4 4", "1 3"];

/**
 * @typedef {object} Series
 * @property {string} label
 * @property {boolean} [current] the release whose page this is
 * @property {import("./series.js").Run[]} runs the repeats
 *
 * @typedef {object} ThroughputRequest
 * @property {Series[]} series in the releases' order
 * @property {string} unit of the values: `transactions per second`
 * @property {string} title
 * @property {string} description what a reader who does not see the chart should know
 *
 * @typedef {object} Line what is drawn of a series
 * @property {string} label
 * @property {boolean} current
 * @property {string} colour suffix of a class
 * @property {string} dash empty: solid
 * @property {import("./series.js").Point[][]} runs
 * @property {import("./series.js").Point[]} median
 */

/**
 * @param {ThroughputRequest} request
 * @returns {string} SVG
 */
export function throughputChart({ series, unit, title, description }) {
  const all = series.map(({ runs }) => runs.map(pointsOf).filter((points) => points.length > 0));
  const end = all.flat().reduce((latest, run) => Math.max(latest, run[run.length - 1][0]), 0);
  const stretch = stretchOf(all.flat(), end, MEDIAN_POINTS);
  const lines = series
    .map((one, index) => lineOf(one, index, all[index], medianLine(all[index], stretch)))
    .filter(({ median }) => median.length > 0);
  const drawn = lines.flatMap(({ runs, median }) => [...runs, median]).flat();
  const highest = drawn.reduce((highest, [, value]) => Math.max(highest, value), 0);

  const height = Math.max(SMALLEST_HEIGHT, lines.length * LINE);
  const values = scaleLinear([0, highest || 1], [2 * LINE + height, 2 * LINE]).nice(5);
  const labels = lines.map(({ label }) => shortLabel(label));
  const plot = {
    left: widthOfTexts(values.ticks(5).map(values.tickFormat(5))) + 6,
    right: WIDTH - widthOfTexts(labels) - 18,
    top: 2 * LINE,
    bottom: 2 * LINE + height,
  };
  const seconds = scaleLinear([0, end || 1], [plot.left, plot.right]);
  const wanted = lines.map(({ median }) => values(median[median.length - 1][1]));
  const places = spreadLabels(wanted, LINE, [plot.top, plot.bottom]);
  // The current release is drawn last, above the others.
  const order = [...lines.keys()].sort(
    (a, b) => Number(lines[a].current) - Number(lines[b].current),
  );
  return chartSvg({
    kind: "throughput",
    title,
    description,
    height: plot.bottom + 2.5 * LINE,
    parts: [
      ...valueAxis(values, plot, unit),
      ...horizontalAxis(seconds, plot, timeTitle(stretch), false),
      ...order.flatMap((index) => [
        `<g class="chart-series chart-colour-${lines[index].colour}">`,
        ...lineElements(lines[index], { seconds, values, end }),
        ...labelElements(lines[index], [plot.right, places[index]], { seconds, values }),
        "</g>",
      ]),
    ],
  });
}

/**
 * @param {Series} series
 * @param {number} index
 * @param {import("./series.js").Point[][]} runs
 * @param {import("./series.js").Point[]} median
 * @returns {Line}
 */
function lineOf({ label, current = false }, index, runs, median) {
  if (current) return { label, current, colour: "current", dash: "", runs, median };
  const look = index % DASHES.length;
  return { label, current, colour: String(look), dash: DASHES[look], runs: [], median };
}

/** @param {{ interval: number, intervals: number }} stretch */
function timeTitle({ interval, intervals }) {
  const title = "seconds since the start of the step";
  if (intervals === 1) return title;
  const length = interval * intervals;
  return `${title}, medians of ${grouped(length, length < 10 ? 1 : 0)} s`;
}

/**
 * @typedef {(value: number) => number} Scale
 *
 * @param {Line} series
 * @param {{ seconds: Scale, values: Scale, end: number }} scales
 */
function lineElements({ label, runs, median, dash, current }, { seconds, values, end }) {
  const path = line(
    ([second]) => seconds(second),
    ([, value]) => values(value),
  ).digits(1);
  const dashes = dash ? ` stroke-dasharray="${dash}"` : "";
  return [
    `<title>${escapeXml(label)}</title>`,
    ...runs.map(
      (points) =>
        `<path class="chart-run" stroke-opacity="0.4" stroke-width="0.7" d="${path(visiblePoints(points, end, RUN_BUCKETS))}"/>`,
    ),
    `<path class="chart-line" stroke-width="${current ? 2 : 1.2}" stroke-linejoin="round"${dashes} d="${path(median)}"/>`,
  ];
}

/**
 * @param {Line} series
 * @param {[number, number]} place right edge of the plot, height of the label
 * @param {{ seconds: Scale, values: Scale }} scales
 */
function labelElements({ label, median }, [right, height], { seconds, values }) {
  const [second, value] = median[median.length - 1];
  return [
    lineElement(
      "chart-leader",
      [seconds(second) + 2, values(value)],
      [right + 12, height],
      ' stroke-width="0.7"',
    ),
    textElement("chart-label", right + 15, height + 4, shortLabel(label)),
  ];
}
