import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { inDirectory } from "../captures.js";
import { assertBadUsage, FOLD, run } from "../programs.js";

const CYCLES = "m 1 1.0: 3 cycles:\n\t 7f f (/x)\n\n";
const HEAD = "# perfpress-folded event=cycles samples=1 lost=0";

test("fold writes folded stacks or a profile, by the name of the output", async () => {
  await inDirectory(async (directory) => {
    await writeFile(join(directory, "perf.txt"), CYCLES);
    const printed = await run(directory, "fold", "perf.txt");
    assert.deepEqual(printed, { code: 0, stdout: `${HEAD}\nm;f 3\n`, stderr: "" });
    assert.equal((await run(directory, "fold", "perf.txt", "-o", "a.folded.gz")).code, 0);
    assert.equal((await run(directory, "fold", "a.folded.gz", "-o", "a.json.gz")).code, 0);
    assert.equal((await run(directory, "fold", "a.json.gz", "perf.txt", "-o", "b.folded")).code, 0);
    const both = await readFile(join(directory, "b.folded"), "utf8");
    assert.equal(both, "# perfpress-folded event=cycles samples=2 lost=0\nm;f 6\n");
    assert.deepEqual((await readdir(directory)).sort(), [
      "a.folded.gz",
      "a.json.gz",
      "b.folded",
      "perf.txt",
    ]);
  });
});

/**
 * Run a line of the shell in which `$FOLD` folds.
 *
 * @param {string} cwd
 * @param {string} line
 */
function shell(cwd, line) {
  const env = { ...process.env, FOLD };
  return new Promise((resolve) => {
    execFile("bash", ["-c", line], { cwd, env }, (_, stdout, stderr) => resolve(stdout + stderr));
  });
}

test("what can be read once only folds as a file does", async () => {
  await inDirectory(async (directory) => {
    await writeFile(join(directory, "perf.txt"), CYCLES);
    await run(directory, "fold", "perf.txt", "-o", "profile.json");
    const folded = `${HEAD}\nm;f 3\n`;
    for (const line of [
      "cat perf.txt | $FOLD -",
      "cat perf.txt | $FOLD /dev/stdin",
      "(printf m; sleep 0.1; tail -c +2 perf.txt) | $FOLD -",
      "$FOLD - < perf.txt",
      "$FOLD <(cat perf.txt)",
      "$FOLD <(gzip -c perf.txt)",
      "cat profile.json | $FOLD -",
      "gzip -c profile.json | $FOLD -",
      "mkfifo pipe; cat perf.txt > pipe & sleep 0.1; $FOLD pipe",
    ]) {
      assert.equal(await shell(directory, line), folded, line);
    }
    const compat = "m_1_1.0:;f 3\n";
    assert.equal(await shell(directory, "cat perf.txt | $FOLD --compat -"), compat);
    assert.equal(await shell(directory, "$FOLD --compat <(gzip -c perf.txt)"), compat);
    assert.match(await shell(directory, ": | $FOLD -"), /^stdin:1: nothing; /);
    const others = ["perf.txt", "pipe", "profile.json"];
    assert.deepEqual((await readdir(directory)).sort(), others);
  });
});

test("what is no file and no pipe is refused in words", async () => {
  await inDirectory(async (directory) => {
    await symlink("loop", join(directory, "loop"));
    for (const [path, message] of [
      ["/dev/zero", "/dev/zero: a device; expected a file\n"],
      ["/dev/urandom", "/dev/urandom: a device; expected a file\n"],
      ["loop", "loop: a link that leads back to itself; check where it should lead\n"],
      [
        "/proc/self/mem",
        "perfpress fold: EIO: the system fails to read /proc/self/mem: copy it again, or to another disk\n",
      ],
    ]) {
      const { code, stderr } = await run(directory, "fold", path);
      assert.deepEqual([code, stderr], [1, message]);
      const compat = await run(directory, "fold", "--compat", path);
      assert.ok(compat.stderr.startsWith(message), compat.stderr);
    }
  });
});

test("a profile has the checksum of what came through a pipe", async () => {
  await inDirectory(async (directory) => {
    await writeFile(join(directory, "perf.txt"), CYCLES);
    const sums = [];
    for (const line of [
      "$FOLD perf.txt -o a.json",
      "cat perf.txt | $FOLD - -o a.json",
      "gzip -nc perf.txt > perf.gz; $FOLD perf.gz -o a.json",
      "gzip -nc perf.txt | $FOLD - -o a.json",
    ]) {
      await shell(directory, line);
      const profile = JSON.parse(await readFile(join(directory, "a.json"), "utf8"));
      sums.push(profile.captures[0].sha256);
    }
    assert.match(sums[0], /^[0-9a-f]{64}$/);
    assert.notEqual(sums[0], sums[2]);
    assert.deepEqual([sums[1], sums[3]], [sums[0], sums[2]]);
  });
});

test("what cannot be read is reported, the rest folds, and the exit code is 1", async () => {
  await inDirectory(async (directory) => {
    await writeFile(join(directory, "perf.txt"), CYCLES);
    await writeFile(join(directory, "empty.txt"), "");
    const { code, stdout, stderr } = await run(
      directory,
      "fold",
      "perf.txt",
      "empty.txt",
      "missing",
    );
    assert.equal(code, 1);
    assert.equal(stdout, `${HEAD}\nm;f 3\n`);
    assert.match(
      stderr,
      /^empty\.txt:1: nothing; expected .*\nmissing: no such file; check the name\n$/,
    );
    assert.equal((await run(directory, "fold", "missing")).code, 1);
  });
});

test("an output that cannot be written is reported without a stack trace", async () => {
  await inDirectory(async (directory) => {
    await writeFile(join(directory, "perf.txt"), CYCLES);
    await mkdir(join(directory, "there.folded"));
    for (const [out, reason] of [
      ["no/a.folded", "no such directory"],
      ["perf.txt/a.folded", "no such directory"],
      ["there.folded", "a directory"],
    ]) {
      const { code, stderr } = await run(directory, "fold", "perf.txt", "-o", out);
      assert.equal(code, 1);
      assert.equal(stderr, `${out}: cannot be written: ${reason}; name another file with -o\n`);
    }
    assert.deepEqual((await readdir(directory)).sort(), ["perf.txt", "there.folded"]);
  });
});

test("of several events, one has to be chosen", async () => {
  await inDirectory(async (directory) => {
    await writeFile(join(directory, "perf.txt"), `${CYCLES}m 1 1.0: 5 branches:\n\n`);
    const { code, stderr } = await run(directory, "fold", "perf.txt");
    assert.equal(code, 1);
    assert.match(stderr, /perf\.txt: the events branches, cycles; .*--event NAME/);
    const { stdout } = await run(directory, "fold", "perf.txt", "--event", "cycles");
    assert.equal(stdout, `${HEAD}\nm;f 3\n`);
    await writeFile(join(directory, "one.txt"), CYCLES);
    const other = await run(directory, "fold", "one.txt", "--event", "cycle");
    assert.match(other.stderr, /^one\.txt: the event cycles; expected cycle; leave --event out/);
  });
});

test("samples count instead of what the event counts, where the captures have them", async () => {
  await inDirectory(async (directory) => {
    await writeFile(join(directory, "perf.txt"), CYCLES.repeat(2));
    await writeFile(join(directory, "a.folded"), "m;f 3\n");
    const { stdout } = await run(directory, "fold", "perf.txt", "--samples");
    assert.equal(stdout, "# perfpress-folded event=cycles unit=samples samples=2 lost=0\nm;f 2\n");
    const args = ["--samples", "-o", "s.svg"];
    assert.equal((await run(directory, "flamegraph", "perf.txt", ...args)).code, 0);
    assert.match(await readFile(join(directory, "s.svg"), "utf8"), /2 samples/);
    const diff = await run(directory, "diff", "perf.txt", "perf.txt", "--samples");
    assert.equal(diff.stdout, "m;f 2 2\n");
    const { code, stderr } = await run(directory, "fold", "a.folded", "--samples");
    assert.equal(code, 1);
    assert.match(stderr, /^a\.folded: stacks without numbers of samples; .* leave --samples out/);
  });
});

test("folded stacks mark what is asked for", async () => {
  await inDirectory(async (directory) => {
    const frames = "\t ffff8 k ([kernel.kallsyms])\n\t 7f j (/tmp/perf-1.map)\n\t 7f l (/l.so)\n";
    await writeFile(join(directory, "perf.txt"), `m 1 1.0: 3 cycles:\n${frames}\n`);
    for (const [list, stack] of [
      ["all", "m;l_[l];j_[j];k_[k] 3"],
      ["kernel", "m;l;j;k_[k] 3"],
      ["kernel,jit,inlined", "m;l;j_[j];k_[k] 3"],
      ["none", "m;l;j;k 3"],
    ]) {
      const { stdout } = await run(directory, "fold", "perf.txt", "--annotate", list);
      assert.equal(stdout.split("\n")[1], stack);
    }
  });
});

test("with --compat, a capture folds to what stackcollapse-perf.pl prints", async () => {
  await inDirectory(async (directory) => {
    await writeFile(
      join(directory, "perf.txt"),
      `${CYCLES}mm 1/2 1.0: 3 cycles:\n\t 7f f(int) (/x)\n\n`,
    );
    const { code, stdout, stderr } = await run(directory, "fold", "--compat", "--tid", "perf.txt");
    assert.equal(code, 0);
    assert.equal(stdout, "m_1_1.0:-?/3;f 3\nmm-1/2;f 3\n");
    assert.equal(stderr, "");
    const filtered = await run(directory, "fold", "--compat", "--event-filter", "x", "perf.txt");
    assert.deepEqual([filtered.code, filtered.stdout], [1, ""]);
    assert.match(
      filtered.stderr,
      /^perf\.txt: the event cycles; expected x; correct --event-filter/,
    );
    await writeFile(join(directory, "a.txt"), "a;b 3\n");
    const none = await run(directory, "fold", "--compat", "a.txt");
    assert.deepEqual([none.code, none.stdout], [1, ""]);
    assert.match(none.stderr, /a\.txt: no samples .*; expected perf script text .*--compat/);
    const events = ["cycles", "faults", "branches"];
    const samples = events.map((event) => `mm 1/2 1.0: 3 ${event}:\n\n`);
    await writeFile(join(directory, "e.txt"), samples.join(""));
    const several = await run(directory, "fold", "--compat", "e.txt");
    assert.equal(several.stdout, "mm 3\n");
    assert.match(several.stderr, /e\.txt: the events branches, faults, which are left out; exp/);
    assert.equal((await run(directory, "fold", "--compat", "perf.txt", "-o", "a.folded")).code, 0);
    assert.match(await readFile(join(directory, "a.folded"), "utf8"), /^m_1_1.0:;f 3\n/);
  });
});

test("what was asked for and is not there is reported with the file that lacks it", async () => {
  await inDirectory(async (directory) => {
    await writeFile(join(directory, "a.txt"), CYCLES);
    await writeFile(join(directory, "b.txt"), CYCLES.replaceAll("cycles", "branches"));
    const both = await run(directory, "fold", "a.txt", "b.txt");
    assert.match(
      both.stderr,
      /^a\.txt, b\.txt: the events branches \(b\.txt\), cycles \(a\.txt\);/,
    );
    const one = await run(directory, "fold", "a.txt", "b.txt", "--event", "cycles");
    assert.equal(one.code, 0);
    assert.equal(one.stderr, "b.txt: only branches, which is left out; expected cycles\n");
    const label = await run(directory, "fold", "a.txt", "--label", "nope");
    assert.equal(label.stderr, "a.txt: no labels; expected nope; correct --label\n");
    const empty = await run(directory, "fold", "a.txt", "--event", "");
    assert.match(empty.stderr, /error: --event "": expected the name of an event\n$/);
    const packed = await run(directory, "fold", "a.txt", "-o", "a.png");
    assert.match(packed.stderr, /optionally followed by \.gz\n$/);
  });
});

test("bad usage shows how perfpress takes the verb, and the exit code is 2", async () => {
  await inDirectory(async (directory) => {
    for (const [verb, ...args] of [
      ["fold"],
      ["fold", "a", "--colour"],
      ["fold", "a", "--title", "t"],
      ["fold", "a", "-o", "a.png"],
      ["fold", "a", "--pid"],
      ["fold", "a", "--annotate", "red"],
      ["fold", "a", "--annotate", "none", "-o", "a.json"],
      ["fold", "a", "--compat", "--samples"],
      ["fold", "a", "--compat", "--event", "cycles"],
      ["fold", "a", "--compat", "--inline"],
      ["fold", "a", "--compat", "-o", "a.json"],
      ["fold", "--compat"],
    ]) {
      await assertBadUsage(directory, verb, ...args);
    }
  });
});

test("an unknown verb is bad usage, and the known ones are named", async () => {
  await inDirectory(async (directory) => {
    for (const args of [[], ["unfold"]]) {
      const { code, stderr } = await run(directory, ...args);
      assert.equal(code, 2);
      assert.match(stderr, /no verb.*; expected fold, jobs\n$/);
    }
  });
});
