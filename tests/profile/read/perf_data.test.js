import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { inDirectory } from "../captures.js";

const CLI = fileURLToPath(new URL("../../../pipeline/profile/cli/main.js", import.meta.url));

/**
 * Stands in for perf: follows the script in the recording behind its first bytes, and keeps what it
 * was called with.
 */
const FAKE_PERF = `#!${process.execPath}
const { readFileSync, writeFileSync, writeSync } = require("node:fs");
const words = process.argv.slice(2);
const path = words.at(-1);
const { DEBUGINFOD_URLS, PERF_CONFIG } = process.env;
const input = readFileSync(0, "utf8");
writeFileSync(path + ".call", JSON.stringify({ words, DEBUGINFOD_URLS, PERF_CONFIG, input }));
const { out = "", err = "", status = 0, kill } = JSON.parse(readFileSync(path, "utf8").slice(8));
writeSync(1, out);
writeSync(2, err);
if (kill) process.kill(process.pid, kill);
process.exit(status);
`;

const SAMPLES =
  "mysqld 1/1 [0] 1.0: 3 cycles:\n\t 7f1e outer+0x8 (/x)\n\nmysqld 1/1 [0] 1.1: 4 cycles:\n\n";

/**
 * Fold a recording with a perf that behaves as described.
 *
 * @param {object} behaviour
 * @param {{ wrap?: (bytes: Buffer) => Buffer, path?: string, job?: boolean }} [options]
 */
function foldRecording(behaviour, { wrap = (bytes) => bytes, path, job = false } = {}) {
  return inDirectory(async (directory) => {
    const perf = join(directory, "perf");
    await writeFile(perf, FAKE_PERF);
    await chmod(perf, 0o755);
    const recording = Buffer.from(`PERFILE2${JSON.stringify(behaviour)}`);
    await writeFile(join(directory, "perf.data"), wrap(recording));
    const env = { ...process.env, PATH: path ?? directory, DEBUGINFOD_URLS: "http://symbols" };
    const done = await run(directory, env, job);
    const call = await readFile(join(directory, "perf.data.call"), "utf8").then(
      JSON.parse,
      () => null,
    );
    return { ...done, call, directory };
  });
}

/**
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} env
 * @param {boolean} job
 * @returns {Promise<{ status: unknown, stdout: string, stderr: string }>}
 */
function run(cwd, env, job) {
  const words = job ? [CLI, "jobs"] : [CLI, "fold", "perf.data"];
  return new Promise((resolve) => {
    const child = execFile(process.execPath, words, { cwd, env }, (error, stdout, stderr) =>
      resolve({ status: error?.code ?? 0, stdout, stderr }),
    );
    const captures = [{ file: "l.i1/perf.data", path: "perf.data" }];
    child.stdin?.end(job ? `${JSON.stringify({ job: "fold", captures, out: "out" })}\n` : "secret");
  });
}

test("a recording is read by what perf prints of it", async () => {
  const { status, stdout, stderr } = await foldRecording({ out: SAMPLES, err: "a warning\n" });
  assert.deepEqual(stdout.split("\n"), [
    "# perfpress-folded event=cycles samples=2 lost=0",
    "mysqld 4",
    "mysqld;outer 3",
    "",
  ]);
  assert.equal(stderr, "");
  assert.equal(status, 0);
});

test("perf asks no symbol server, reads no settings and no input", async () => {
  const { call, directory } = await foldRecording({ out: SAMPLES });
  assert.deepEqual(call, {
    words: ["script", "--no-inline", "--show-lost-events", "--input", join(directory, "perf.data")],
    DEBUGINFOD_URLS: "",
    PERF_CONFIG: "/dev/null",
    input: "",
  });
});

test("where perf fails in the middle, what it printed before counts, and is partial", async () => {
  const half = `${SAMPLES}mysqld 1/1 [0] 1.2: 5 cycles:\n\t 7f`;
  for (const [behaviour, words] of /** @type {const} */ ([
    [
      { status: 234, err: "0x7590 [0]: failed\n\u001b[2J to process" },
      /failed with status 234: 0x7590 \[0\]: failed \[2J to process/,
    ],
    [{ kill: "SIGKILL" }, /perf script was ended by SIGKILL/],
  ])) {
    const { stdout, stderr } = await foldRecording({ out: half, ...behaviour });
    assert.match(stdout, /^# perfpress-folded event=cycles samples=2 lost=0.* partial=true/);
    assert.match(stdout, /mysqld;outer 3\n$/);
    assert.match(stderr, words);
  }
});

test("where perf prints nothing, that is reported with its words and what to do", async () => {
  const { status, stdout, stderr } = await foldRecording({
    status: 255,
    err: `not owned by current user${" or root".repeat(10_000)}`,
  });
  assert.equal(status, 1);
  assert.equal(stdout, "");
  assert.match(stderr, /^perf\.data: .* prints nothing .*status 255: not owned by current user/);
  assert.match(stderr, /perfpress fold perf\.data -o perf\.folded\.gz.*copy it again/);
  assert.ok(stderr.length < 1000);
  assert.match((await foldRecording({})).stderr, /prints nothing; expected samples/);
});

test("without perf the file has to be folded where it was recorded", async () => {
  const { status, stderr } = await foldRecording({ out: SAMPLES }, { path: "/nowhere" });
  assert.equal(status, 1);
  assert.match(stderr, /perf is not installed here.*on the host that recorded it/);
});

test("a build runs no perf on what strangers submit", async () => {
  const { stdout, call } = await foldRecording({ out: SAMPLES }, { job: true });
  const [{ path, found, do: todo }] = JSON.parse(stdout).result.problems;
  assert.equal(path, "l.i1/perf.data");
  assert.equal(found, "a perf.data file");
  assert.match(todo, /on the host that recorded it/);
  assert.equal(call, null);
});

test("a compressed recording has to be unpacked for perf", async () => {
  const { stderr, call } = await foldRecording(
    { out: SAMPLES },
    { wrap: (bytes) => gzipSync(bytes) },
  );
  assert.match(stderr, /a perf\.data file; .*unpacked/);
  assert.equal(call, null);
});
