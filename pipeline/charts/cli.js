/** `node pipeline/charts/cli.js jobs`: draws charts for the pipeline, many in one process. */

import process from "node:process";
import { writePieces, writeText } from "@perfpress/flamegraph/files.js";
import { runJobs } from "@perfpress/flamegraph/jobs.js";
import { pictureOf } from "@perfpress/flamegraph/png.js";
import { overTimeChart } from "./over-time.js";
import { percentilesChart } from "./percentiles.js";
import { relativeChart } from "./relative.js";
import { releasesChart } from "./releases.js";
import { standaloneChart } from "./standalone.js";
import { tableCard } from "./table-card.js";
import { timelineChart } from "./timeline.js";

/** Pixels of the picture of a chart: what most blogs and forums have room for. */
const PICTURE_WIDTH = 800;

/**
 * @typedef {object} Files
 * @property {string} site where the site stands, with a slash at its end
 * @property {string} page address of the chart's page on it
 * @property {string} out the chart as it stands in the page
 * @property {string} alone the chart by itself, SVG
 * @property {string} picture the same as PNG
 */

/**
 * Make a job of what draws a chart.
 *
 * @template {{ title: string }} Request
 * @param {(request: Request) => string} draw
 */
function writing(draw) {
  /**
   * @param {Request & Files} request
   * @returns {Promise<{ bytes: number, width: number, height: number }>} bytes of the chart, pixels of
   *   the picture
   */
  return async ({ site, page, out, alone, picture, ...request }) => {
    const svg = draw(/** @type {Request} */ (/** @type {unknown} */ (request)));
    const whole = standaloneChart(svg, {
      title: request.title,
      source: site.replace(/^https?:\/\//, "") + page.replace(/^\//, ""),
    });
    const { png, width, height } = pictureOf(whole, PICTURE_WIDTH);
    await writeText(out, svg);
    await writeText(alone, whole);
    await writePieces(picture, [png]);
    return { bytes: Buffer.byteLength(svg), width, height };
  };
}

if (process.argv[2] === "jobs" && process.argv.length === 3) {
  await runJobs({
    "over-time": writing(overTimeChart),
    percentiles: writing(percentilesChart),
    relative: writing(relativeChart),
    releases: writing(releasesChart),
    "table-card": tableCard,
    timeline: writing(timelineChart),
  });
} else {
  console.error(
    "usage: node cli.js jobs   (JSON lines on stdin: over-time, percentiles, relative, releases, table-card, timeline)",
  );
  process.exitCode = 2;
}
