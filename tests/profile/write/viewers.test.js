/** Other tools open what we export, where they are installed. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { treeOf } from "../../../pipeline/profile/model/event_tree.js";
import { pprofTree } from "../../../pipeline/profile/write/pprof.js";
import { inDirectory, readFolded } from "../captures.js";

const PATH = `${process.env.PATH}:/usr/local/go/bin`;
const isGoHere = spawnSync("go", ["version"], { env: { ...process.env, PATH } }).status === 0;

const STACKS = [
  "# perfpress-folded event=cpu-clock samples=4 lost=0",
  "app;<module> (w.py);heavy (w.py) 1000000",
  "app;std::map<int, int>::find;vfs_read_[k] 3000000",
  "",
].join("\n");

test("go tool pprof shows the binary, the type, the total, and names with all that is in brackets", {
  skip: isGoHere ? false : "go is not installed",
}, async () => {
  const tree = treeOf(readFolded(STACKS).profiles["cpu-clock"]);
  await inDirectory(async (directory) => {
    const file = join(directory, "cpu.pb");
    await writeFile(
      file,
      Buffer.concat(Array.from(pprofTree(tree), (piece) => Buffer.from(piece))),
    );
    const { stdout } = spawnSync("go", ["tool", "pprof", "-top", file], {
      encoding: "utf8",
      env: { ...process.env, PATH, PPROF_TMPDIR: directory },
    });
    assert.match(stdout, /^File: app$/m);
    assert.match(stdout, /^Type: cpu-clock$/m);
    assert.match(stdout, /of 4ms total/);
    assert.match(stdout, /3ms 75\.00% .* vfs_read$/m);
    assert.match(stdout, /1ms 25\.00% .* heavy \(w\.py\)$/m);
    assert.match(stdout, / {2}0 {5}0% .* <module> \(w\.py\)$/m);
    assert.match(stdout, /std::map<int, int>::find$/m);
  });
});
