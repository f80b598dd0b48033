/**
 * Percentiles of many releases: a row for each release, a line for each percentile, down the rows.
 * So many curves in one plot could not be told apart.
 */

import { escapeXml } from "@perfpress/flamegraph/markup.js";
import { formatPixels, grouped } from "@perfpress/flamegraph/numbers.js";
import { line } from "d3-shape";
import {
  chartSvg,
  horizontalAxis,
  LINE,
  lineElement,
  shortLabel,
  spreadLabels,
  textElement,
  WIDTH,
  widthOfTexts,
} from "./drawing.js";
import { timeScale } from "./times.js";

const ROW = 24;
/** Which are shown, where the curves reach them. */
const PERCENTILES = ["50", "90", "99", "99.9", "99.99"];
const ROUNDING = 1e-9;

/**
 * @param {import("./percentiles.js").PercentilesRequest} request with times above 0 only
 * @returns {string} SVG
 */
export function percentileRows({ series, unit, title, description }) {
  const plot = {
    left: widthOfTexts(series.map(({ label }) => shortLabel(label))) + 10,
    right: WIDTH - 24,
    top: 2 * LINE,
    bottom: 2 * LINE + series.length * ROW,
  };
  const values = series.flatMap(({ points }) => points.map(([, value]) => value));
  const scale = timeScale(values, [plot.left, plot.right]);
  const lines = PERCENTILES.map((name) => ({ name, points: pointsOf(name) })).filter(
    ({ points }) => points.length > 0,
  );
  const heads = spreadLabels(
    lines.map(({ points }) => scale(points[0].value)),
    widthOfTexts(["99.99"]),
    [plot.left, plot.right],
  );
  const rows = [...series.keys()];
  return chartSvg({
    kind: "percentiles",
    title,
    description,
    height: plot.bottom + 2.5 * LINE,
    parts: [
      ...horizontalAxis(scale, plot, `${unit}, logarithmic`, true),
      ...rows.map((row) => {
        const { current, label } = series[row];
        const colour = current ? "current" : "other";
        return `<g class="chart-series chart-colour-${colour}">${textElement("chart-label", plot.left - 10, yOf(row) + 4, shortLabel(label), "end")}</g>`;
      }),
      textElement("chart-axis-title", 0, plot.top - 6, "percentile"),
      ...lines.flatMap(({ name, points }, index) => lineElements(name, points, heads[index])),
    ],
  });

  /** @param {number} row */
  function yOf(row) {
    return plot.top + (row + 0.5) * ROW;
  }

  /**
   * Return what a percentile is in each release that reaches it.
   *
   * @param {string} name
   * @returns {{ row: number, value: number }[]}
   */
  function pointsOf(name) {
    const part = Number(name) / 100 - ROUNDING;
    return [...series.keys()].flatMap((row) => {
      const point = series[row].points.find(([reached]) => reached >= part);
      return point ? [{ row, value: point[1] }] : [];
    });
  }

  /**
   * @param {string} name
   * @param {{ row: number, value: number }[]} points
   * @param {number} head where the name stands
   */
  function lineElements(name, points, head) {
    /** @type {{ row: number, value: number }[][]} */
    const pieces = [];
    for (const point of points) {
      const piece = pieces.at(-1);
      if (piece?.at(-1)?.row === point.row - 1) piece.push(point);
      else pieces.push([point]);
    }
    /** @type {import("d3-shape").Line<{ row: number, value: number }>} */
    const path = line();
    path
      .x(({ value }) => scale(value))
      .y(({ row }) => yOf(row))
      .digits(1);
    return [
      '<g class="chart-series chart-colour-current">',
      textElement("chart-tick", head, plot.top - 6, name, "middle"),
      lineElement(
        "chart-leader",
        [head, plot.top - 2],
        [scale(points[0].value), yOf(points[0].row)],
        ' stroke-opacity="0.4"',
      ),
      `<path class="chart-line" stroke-width="1" stroke-linejoin="round" d="${pieces.map((piece) => path(piece)).join("")}"/>`,
      ...points.map(
        ({ row, value }) =>
          `<circle class="chart-point" cx="${formatPixels(scale(value))}" cy="${formatPixels(yOf(row))}" r="2.5" fill="currentColor" stroke="none"><title>${escapeXml(`${series[row].label}: ${name} % took at most ${grouped(value, 3)} ${unit}`)}</title></circle>`,
      ),
      "</g>",
    ];
  }
}
