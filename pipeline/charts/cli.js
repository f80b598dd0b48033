/** `node pipeline/charts/cli.js jobs`: draws charts for the pipeline, many in one process. */

import process from "node:process";
import { writeText } from "@perfpress/flamegraph/files.js";
import { runJobs } from "@perfpress/flamegraph/jobs.js";
import { overTimeChart } from "./over-time.js";
import { percentilesChart } from "./percentiles.js";
import { relativeChart } from "./relative.js";
import { releasesChart } from "./releases.js";
import { standaloneChart } from "./standalone.js";
import { tableCard } from "./table-card.js";
import { timelineChart } from "./timeline.js";

/**
 * Make a job of what draws a chart.
 *
 * @template {object} Request
 * @param {(request: Request) => string} draw
 */
function writing(draw) {
  /**
   * @param {Request & { out: string, file?: string }} request `file`: the chart by itself
   * @returns {Promise<{ bytes: number, width?: number, height?: number }>} of the file: its size
   */
  return async ({ out, file, ...request }) => {
    const svg = draw(/** @type {Request} */ (/** @type {unknown} */ (request)));
    await writeText(out, svg);
    const bytes = Buffer.byteLength(svg);
    if (!file) return { bytes };
    const { svg: whole, width, height } = standaloneChart(svg);
    await writeText(file, whole);
    return { bytes, width, height };
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
