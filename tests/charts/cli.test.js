import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const CLI = fileURLToPath(new URL("../../pipeline/charts/cli.js", import.meta.url));

test("one process draws many charts, each into its file", (context) => {
  const folder = mkdtempSync(path.join(tmpdir(), "charts-"));
  context.after(() => rmSync(folder, { recursive: true }));
  const series = [{ label: "18", current: true, pieces: [[[1, 3, 3, 3]]], runs: [] }];
  const releases = [{ label: "18", ratio: 1, interval: null, runs: [1] }];
  const words = { title: "t", description: "d" };
  const requests = [
    {
      job: "over-time",
      series,
      end: 2,
      stretch: null,
      unit: "u",
      ...words,
      out: path.join(folder, "a.svg"),
    },
    { job: "relative", releases, base: "18", ...words, out: path.join(folder, "b.svg") },
  ].map((request, id) => JSON.stringify({ id, ...request }));
  const { stdout, status } = spawnSync(process.execPath, [CLI, "jobs"], {
    input: `${requests.join("\n")}\n`,
    encoding: "utf8",
  });
  assert.equal(status, 0);
  const answers = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    answers.map(({ id, ok }) => [id, ok]),
    [
      [0, true],
      [1, true],
    ],
  );
  assert.deepEqual(readdirSync(folder), ["a.svg", "b.svg"]);
  assert.match(readFileSync(path.join(folder, "a.svg"), "utf8"), /chart-over-time/);
});

test("anything else is told how it is used", () => {
  const { stderr, status } = spawnSync(process.execPath, [CLI, "draw"], { encoding: "utf8" });
  assert.equal(status, 2);
  assert.match(stderr, /^usage: /);
});
