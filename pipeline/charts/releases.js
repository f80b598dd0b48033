/**
 * The throughput of all steps of a report relative to the base, release by release: a strip for
 * each step, all on one scale, so that many steps and releases stay readable on one page.
 */

import { escapeXml, formatPixels } from "@perfpress/flamegraph/svg/markup.js";
import { grouped } from "@perfpress/profile/model/numbers.js";
import { extent } from "d3-array";
import { scaleLinear, scaleLog } from "d3-scale";
import { line } from "d3-shape";
import {
  chartSvg,
  cut,
  dotsElement,
  LINE,
  lineElement,
  shortLabel,
  textElement,
  WIDTH,
  widthOfTexts,
} from "./drawing.js";

/** Height of a strip below its name. */
const STRIP = 40;
const GAP = 10;
/** Room between a name and its strip, for triangles. */
const ROOM = 4;
const STEP = LINE + ROOM + STRIP + GAP;
/** Letters of a name beside the words of a change, and of these. */
const LONGEST_NAME = 32;
const LONGEST_MARK = 26;
/** A scale that shows less than this would make mountains of noise. */
const LEAST_SPAN = 1.1;
/** One that shows more than this would make all but the largest changes flat lines. */
const MOST_SPAN = 4 / 3;

/** @typedef {import("../messages.js").StepRow} StepRow */

/**
 * @param {import("./drawing.js").Chart<"releases">} request
 * @returns {string} SVG
 */
export function releasesChart({ releases, steps, base, title, description }) {
  const known = steps.flatMap(({ ratios }) => ratios).filter(isRatio);
  const [least = 1, most = 1] = extent([1 / LEAST_SPAN, LEAST_SPAN, ...known]);
  const [lowest, highest] = [Math.max(least, 1 / MOST_SPAN), Math.min(most, MOST_SPAN)];
  const beyond = least < lowest || most > highest;
  const left = 4;
  const right = WIDTH - widthOfTexts(["00.00"]) - 4;
  const places = scaleLinear([0, Math.max(1, releases.length - 1)], [left, right]);
  const { labelled, lines } = labelledPlaces(releases, right - left);
  const top = (2 + lines + (beyond ? 1 : 0)) * LINE;
  const headings = steps.map(({ group }) => (group ? 2 * LINE : 0));
  const tops = steps.map(
    (_, index) => top + index * STEP + headings.slice(0, index + 1).reduce((a, b) => a + b, 0),
  );
  const bottom = steps.length > 0 ? tops[tops.length - 1] + LINE + ROOM + STRIP : top;
  const range = `strips: ${grouped(lowest, 2)} to ${grouped(highest, 2)} × ${shortLabel(base)}, logarithmic`;
  return chartSvg({
    kind: "releases",
    title,
    description,
    height: bottom + (0.5 + lines) * LINE,
    parts: [
      textElement("chart-axis-title", 0, LINE - 4, range),
      // A line of its own: on a phone both are wider than the drawing.
      ...(beyond
        ? [textElement("chart-axis-title", 0, 2 * LINE - 4, "triangles: beyond this range")]
        : []),
      ...releaseLabels(top - (lines - 1) * LINE - 6),
      ...releases.map(releaseBand),
      ...steps.flatMap((step, index) => stepElements(step, tops[index])),
      ...releaseLabels(bottom + LINE),
    ],
  });

  /** @param {number} y */
  function releaseLabels(y) {
    return [
      '<g class="chart-axis">',
      ...labelled.map((index, at) => {
        const anchor = index === 0 ? "start" : index === releases.length - 1 ? "end" : "middle";
        const height = y + (at % lines) * LINE;
        return textElement(
          "chart-tick",
          places(index),
          height,
          shortLabel(releases[index]),
          anchor,
        );
      }),
      "</g>",
    ];
  }

  /**
   * Name a release wherever the pointer is above it: a title of each dot would be most of the chart.
   *
   * @param {string} release
   * @param {number} index
   */
  function releaseBand(release, index) {
    const [from, to] = [Math.max(0, places(index - 0.5)), places(index + 0.5)].map(formatPixels);
    const outline = `M${from} ${top}H${to}V${bottom}H${from}z`;
    return `<path class="chart-release" stroke="none" pointer-events="all" d="${outline}"><title>${escapeXml(cut(release, LONGEST_NAME))}</title></path>`;
  }

  /**
   * @param {StepRow} step
   * @param {number} y top of its name
   */
  function stepElements({ label, group, ratios, marks, mark }, y) {
    const above = y + LINE + ROOM;
    const below = above + STRIP;
    const scale = scaleLog([lowest, highest], [below, above]).clamp(true);
    /** @type {import("d3-shape").Line<number | null>} */
    const path = line();
    path
      .defined(isRatio) // releases without a ratio are gaps, not lines
      .x((_, index) => places(index))
      .y((ratio) => scale(ratio ?? 1))
      .digits(1);
    const points = ratios.flatMap((ratio, index) => (isRatio(ratio) ? [{ index, ratio }] : []));
    const [shown, beyond] = [true, false].map((wanted) =>
      points.filter(({ ratio }) => (ratio >= lowest && ratio <= highest) === wanted),
    );
    const last = points.at(-1);
    return [
      ...(group ? [textElement("chart-heading", 0, y - LINE + 4, group)] : []),
      '<g class="chart-series">',
      `<title>${escapeXml(label)}</title>`,
      textElement(
        "chart-label",
        0,
        y + LINE - 6,
        cut(label, mark ? LONGEST_NAME : LONGEST_NAME + LONGEST_MARK),
      ),
      ...(mark
        ? [textElement("chart-mark-label", WIDTH, y + LINE - 6, cut(mark, LONGEST_MARK), "end")]
        : []),
      ...marks.map((index) => {
        const x = places(index - 0.5);
        return lineElement("chart-mark", [x, above], [x, below], ' stroke-dasharray="3 2"');
      }),
      lineElement("chart-base", [left, scale(1)], [right, scale(1)], ' stroke-opacity="0.35"'),
      `<path class="chart-line" stroke-width="1.4" stroke-linecap="round" d="${path(ratios) ?? ""}"/>`,
      ...dotsElement(
        "chart-points",
        4,
        shown.map(({ index, ratio }) => [places(index), scale(ratio)]),
      ),
      ...beyond.map(({ index, ratio }) => triangle(index, ratio, [places(index), scale(ratio)])),
      ...(last
        ? [
            textElement(
              "chart-value",
              places(last.index) + 8,
              Math.max(above + 10, Math.min(below, scale(last.ratio) + 4)),
              grouped(last.ratio, 2),
            ),
          ]
        : []),
      "</g>",
    ];
  }

  /**
   * Draw a triangle at the edge of the strip that a ratio is beyond, with the number.
   *
   * @param {number} index
   * @param {number} ratio
   * @param {[number, number]} place
   */
  function triangle(index, ratio, [x, y]) {
    const tooltip = `${cut(releases[index], LONGEST_NAME)}: ${grouped(ratio, 3)}`;
    const tip = ratio < lowest ? 5 : -5;
    return `<path class="chart-beyond" d="M${formatPixels(x)} ${formatPixels(y + tip)}l-4 ${-tip}h8z"><title>${escapeXml(tooltip)}</title></path>`;
  }
}

/**
 * @param {number | null} ratio
 * @returns {ratio is number}
 */
function isRatio(ratio) {
  return ratio !== null && ratio > 0;
}

/**
 * Return the releases that are named above and below the strips, in one line or in two by turns:
 * all where there is room for them; else the first, the last, and as many between as fit in a line.
 *
 * @param {string[]} releases
 * @param {number} width
 * @returns {{ labelled: number[], lines: number }}
 */
function labelledPlaces(releases, width) {
  const last = releases.length - 1;
  const widths = releases.map((label) => widthOfTexts([shortLabel(label)]) + 12);
  const all = releases.map((_, index) => index);
  if (last < 1 || fit(all, 1)) return { labelled: all, lines: 1 };
  if (fit(all, 2)) return { labelled: all, lines: 2 };
  for (let gaps = last - 1; gaps > 1; gaps -= 1) {
    const places = Array.from({ length: gaps + 1 }, (_, at) => Math.round((at * last) / gaps));
    if (fit(places, 1)) return { labelled: places, lines: 1 };
  }
  return { labelled: [0, last], lines: 1 };

  /**
   * @param {number[]} places
   * @param {number} lines
   */
  function fit(places, lines) {
    const edges = places.map((index) => {
      const x = (index / last) * width;
      const from = index === 0 ? x : x - widths[index] / (index === last ? 1 : 2);
      return [from, from + widths[index]];
    });
    return edges.every(([from], at) => at < lines || edges[at - lines][1] <= from);
  }
}
