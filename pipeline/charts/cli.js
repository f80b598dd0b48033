/** `node pipeline/charts/cli.js jobs`: draws charts for the pipeline, many in one process. */

import process from "node:process";
import { pictureOf } from "@perfpress/flamegraph/png/png.js";
import { runJobs } from "@perfpress/profile/cli/jobs.js";
import { writePieces, writeText } from "@perfpress/profile/write/files.js";
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
 * Make a job of what draws a chart.
 *
 * @template {{ title: string }} Chart
 * @param {(chart: Chart) => string} draw
 */
function writing(draw) {
  /**
   * @param {Chart & import("./drawing.js").ChartFiles} request
   * @returns {Promise<import("../messages.js").ChartAnswer>}
   */
  return async (request) => {
    const { site = "", page, out, alone, picture } = request;
    const svg = draw(request);
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

/** @type {import("@perfpress/profile/cli/jobs.js").Handlers} */
const HANDLERS = {
  "over-time": writing(overTimeChart),
  percentiles: writing(percentilesChart),
  relative: writing(relativeChart),
  releases: writing(releasesChart),
  "table-card": tableCard,
  timeline: writing(timelineChart),
};

if (process.argv[2] === "jobs" && process.argv.length === 3) {
  await runJobs(HANDLERS);
} else {
  const jobs = Object.keys(HANDLERS).join(", ");
  console.error(`usage: node cli.js jobs   (JSON lines on stdin: ${jobs})`);
  process.exitCode = 2;
}
