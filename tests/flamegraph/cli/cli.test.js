import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { inDirectory } from "../../profile/captures.js";
import { assertBadUsage, run } from "../../profile/programs.js";

const CYCLES = "m 1 1.0: 3 cycles:\n\t 7f f (/x)\n\n";

test("flamegraph and diff write drawings", async () => {
  await inDirectory(async (directory) => {
    await writeFile(join(directory, "base.txt"), CYCLES);
    await writeFile(join(directory, "after.txt"), CYCLES.repeat(2));
    assert.equal((await run(directory, "flamegraph", "base.txt", "-o", "a.svg")).code, 0);
    assert.match(await readFile(join(directory, "a.svg"), "utf8"), /<svg/);
    assert.equal((await run(directory, "diff", "base.txt", "after.txt", "-o", "d.svg")).code, 0);
    assert.match(await readFile(join(directory, "d.svg"), "utf8"), /<svg/);
    const { stdout } = await run(directory, "diff", "base.txt", "after.txt");
    assert.equal(stdout, "m;f 3 6\n");
    const normalized = await run(directory, "diff", "base.txt", "after.txt", "--normalize");
    assert.equal(normalized.stdout, "m;f 6 6\n");
  });
});

test("bad usage shows how perfpress takes the verb, and the exit code is 2", async () => {
  await inDirectory(async (directory) => {
    for (const [verb, ...args] of [
      ["diff", "a"],
      ["diff", "a", "b", "--normalize", "-o", "a.json"],
      ["flamegraph", "a", "-o", ""],
    ]) {
      await assertBadUsage(directory, verb, ...args);
    }
  });
});

test("an output is named by what its name may end in", async () => {
  await inDirectory(async (directory) => {
    const { stderr } = await run(directory, "diff", "a", "b", "-o", "d.png");
    assert.match(
      stderr,
      /error: -o "d\.png": expected a name that ends in \.folded or \.json or \.svg/,
    );
  });
});
