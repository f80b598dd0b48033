/** `node pipeline/charts/cli.js jobs`: draws charts for the pipeline, many in one process. */

import process from "node:process";
import { writeText } from "@perfpress/flamegraph/files.js";
import { runJobs } from "@perfpress/flamegraph/jobs.js";
import { overTimeChart } from "./over-time.js";
import { percentilesChart } from "./percentiles.js";
import { relativeChart } from "./relative.js";

import { releasesChart } from "./releases.js";
import { timelineChart } from "./timeline.js";

/**
 * Make a job of what draws a chart.
 *
 * @template {object} Request
 * @param {(request: Request) => string} draw
 */
function writing(draw) {
  /**
   * @param {Request & { out: string }} request
   * @returns {Promise<{ bytes: number }>}
   */
  return async (request) => {
    const svg = draw(request);
    await writeText(request.out, svg);
    return { bytes: Buffer.byteLength(svg) };
  };
}

if (process.argv[2] === "jobs" && process.argv.length === 3) {
  await runJobs({
    "over-time": writing(overTimeChart),
    percentiles: writing(percentilesChart),
    relative: writing(relativeChart),
    releases: writing(releasesChart),
    timeline: writing(timelineChart),
  });
} else {
  console.error(
    "usage: node cli.js jobs   (JSON lines on stdin: over-time, percentiles, relative, releases, timeline)",
  );
  process.exitCode = 2;
}
