/** `node pipeline/charts/cli.js jobs`: draws charts for the pipeline, many in one process. */

import { rename, writeFile } from "node:fs/promises";
import process from "node:process";
import { runJobs } from "@perfpress/flamegraph/jobs.js";
import { relativeChart } from "./relative.js";
import { throughputChart } from "./throughput.js";

/**
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
    await writeFile(`${request.out}.partial`, svg);
    await rename(`${request.out}.partial`, request.out);
    return { bytes: Buffer.byteLength(svg) };
  };
}

if (process.argv[2] === "jobs" && process.argv.length === 3) {
  await runJobs({ throughput: writing(throughputChart), relative: writing(relativeChart) });
} else {
  console.error("usage: node cli.js jobs   (JSON lines on stdin: throughput, relative)");
  process.exitCode = 2;
}
