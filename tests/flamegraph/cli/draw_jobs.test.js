import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { diff, diffgraph, flamegraph } from "../../../pipeline/flamegraph/cli/draw_jobs.js";
import { formatColumns } from "../../../pipeline/profile/model/columns.js";
import { profileOfStacks } from "../../profile/profiles.js";

const folder = mkdtempSync(join(tmpdir(), "perfpress-draw-"));
after(() => rmSync(folder, { recursive: true }));

/** @param {string} name */
const path = (name) => join(folder, name);
writeFileSync(path("16.json"), formatColumns(profileOfStacks(["t;a 30", "t;b 10"])));
writeFileSync(path("18.json"), formatColumns(profileOfStacks(["t;a 30", "t;c 10"])));

test("the flamegraph job writes the file and the page's picture, and says what it drew", async () => {
  const { functions, ...result } = await flamegraph({
    profile: path("16.json"),
    title: "16",
    subtitle: "cycles",
    work: { operations: 8, cost_unit: "samples per insert" },
    out: path("16.svg"),
    inline: { out: path("16-inline.svg"), max_frames: 3 },
    card: { out: path("16.png"), about: "Servers", line: "" },
  });
  assert.deepEqual(
    functions.rows.map(({ name, cells }) => [name, cells[0].text]),
    [
      ["a", "75.00"],
      ["b", "25.00"],
      ["t", "0.00"],
    ],
  );
  assert.match(readFileSync(path("16.png"), "latin1"), /^.PNG/);
  assert.deepEqual(result, {
    frames: 4,
    drawn: 4,
    left_out: 0,
    left_out_weight: "0",
    inline_drawn: 3,
    inline_left_out: 1,
  });
  assert.match(readFileSync(path("16.svg"), "utf8"), /^<svg .*>cycles<\/text>/s);
  assert.match(
    readFileSync(path("16.svg"), "utf8"),
    /"work":\{"operations":8,"cost_unit":"samples per insert"\}/,
  );
  assert.match(readFileSync(path("16-inline.svg"), "utf8"), /data-graph=/);
});

const COMPARED = {
  base: path("16.json"),
  after: path("18.json"),
  out_diff: path("compared.json"),
  out_findings: path("findings.json"),
  out_folded: path("diff.folded"),
};
const NAMED = {
  diff: COMPARED.out_diff,
  findings: COMPARED.out_findings,
  base_label: "16",
  after_label: "18",
  title: "18 against 16",
};

test("the diff job writes what both sides have, without their labels", async () => {
  assert.deepEqual(await diff(COMPARED), {});
  assert.equal(readFileSync(path("diff.folded"), "utf8"), "t;a 30 30\nt;b 10 0\nt;c 0 10\n");
  const file = JSON.parse(readFileSync(path("compared.json"), "utf8"));
  assert.equal(file.format, "perfpress-diff");
  assert.deepEqual(file.parent.length, file.base_self.length);
  assert.deepEqual([file.base.label, file.after.label], ["base", "after"]);
});

test("the diffgraph job says what the diff job found, with the labels", async () => {
  await diff(COMPARED);
  const result = await diffgraph({
    ...NAMED,
    out_json: path("diff.json"),
    out_suspects: path("suspects.json"),
  });
  assert.equal(result.matched_percent, 75);
  assert.equal(
    result.matched,
    "75.0\u00a0% of the weight could be matched between the two call trees (75.0\u00a0% of 16, 75.0\u00a0% of 18)",
  );
  assert.equal(result.functions_first, false);
  assert.deepEqual(
    result.functions.rows.map(({ name, cells }) => [name, cells[0].text]),
    [
      ["b", "−25.00"],
      ["c", "+25.00"],
      ["a", "0.00"],
      ["t", "0.00"],
    ],
  );
  assert.deepEqual(result.legend[0], "red, +: larger share of 18 than of 16");
  const [file, suspects] = ["diff.json", "suspects.json"].map((name) =>
    JSON.parse(readFileSync(path(name), "utf8")),
  );
  const compared = JSON.parse(readFileSync(COMPARED.out_diff, "utf8"));
  assert.deepEqual(file, {
    ...compared,
    base: { ...compared.base, label: "16" },
    after: { ...compared.after, label: "18" },
  });
  assert.deepEqual(suspects, result.changes);
  assert.deepEqual([suspects.base.label, suspects.after.label], ["16", "18"]);
});

test("the diffgraph job draws what the diff job wrote", async () => {
  await diff(COMPARED);
  await diffgraph({
    ...NAMED,
    headline: ["Throughput: 10 → 20 inserts/s."],
    out: path("diff.svg"),
    inline: { out: path("diff-inline.svg") },
    card: { out: path("diff.png"), about: "Servers" },
  });
  assert.match(readFileSync(path("diff.png"), "latin1"), /^.PNG/);
  const svg = readFileSync(path("diff.svg"), "utf8");
  assert.match(svg, /Matched: 75\.0 % of the weight/);
  assert.match(svg, /Throughput: 10 → 20 inserts/);
  assert.match(readFileSync(path("diff-inline.svg"), "utf8"), /data-graph=/);
});

test("a file that is no profile is a problem that says what to do", async () => {
  writeFileSync(path("other.json"), "{}");
  await assert.rejects(
    flamegraph({ profile: path("other.json"), title: "", out: path("other.svg") }),
    { message: /other\.json: .*expected an object with .*; fold the captures again/ },
  );
  assert.ok(!readdirSync(folder).some((name) => name.startsWith("other.svg")));
});
