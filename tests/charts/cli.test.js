import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const CLI = fileURLToPath(new URL("../../pipeline/charts/cli.js", import.meta.url));

test("one process draws many charts: as they stand in a page, alone, and in pixels", (context) => {
  const folder = mkdtempSync(path.join(tmpdir(), "charts-"));
  context.after(() => rmSync(folder, { recursive: true }));
  const series = [{ label: "18", current: true, pieces: [[[1, 3, 3, 3]]], runs: [] }];
  const releases = [{ label: "18", ratio: 1, interval: null, runs: [1] }];
  const words = { title: "t", description: "d" };
  /** @param {string} name */
  const files = (name) => ({
    site: "https://example.org/perf/",
    page: "/reports/r/",
    out: path.join(folder, `${name}.svg`),
    alone: path.join(folder, `${name}-alone.svg`),
    picture: path.join(folder, `${name}.png`),
  });
  const requests = [
    {
      job: "over-time",
      series,
      end: 2,
      stretch: null,
      unit: "u",
      ...words,
      ...files("a"),
    },
    { job: "relative", releases, base: "18", ...words, ...files("b") },
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
  const written = ["a-alone.svg", "a.png", "a.svg", "b-alone.svg", "b.png", "b.svg"];
  assert.deepEqual(readdirSync(folder), written);
  assert.match(readFileSync(path.join(folder, "a.svg"), "utf8"), /chart-over-time/);
  const alone = readFileSync(path.join(folder, "a-alone.svg"), "utf8");
  assert.match(alone, />example\.org\/perf\/reports\/r\/</);
  const picture = readFileSync(path.join(folder, "a.png"));
  const { width, height } = answers[0].result;
  assert.deepEqual([picture.readUInt32BE(16), picture.readUInt32BE(20)], [width, height]);
  assert.equal(width, 800);
});

test("anything else prints the usage", () => {
  const { stderr, status } = spawnSync(process.execPath, [CLI, "draw"], { encoding: "utf8" });
  assert.equal(status, 2);
  assert.match(stderr, /^usage: /);
});
