import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { runJobs } from "../../../pipeline/profile/cli/jobs.js";
import { fold, folded, merge, recognise } from "../../../pipeline/profile/cli/profile_jobs.js";
import { addTree, EventSums, treeOf } from "../../../pipeline/profile/model/event_tree.js";
import { BadInput, formatProblem } from "../../../pipeline/profile/model/problems.js";
import { foldFiles, profilesOf } from "../../../pipeline/profile/read/fold.js";
import { inDirectory, readFolded, readPerf, stacksOf } from "../captures.js";

/** Linux opens it and fails to read its first byte. */
const UNREADABLE = "/proc/self/mem";

/**
 * @param {Record<string, (request: any) => any>} handlers of jobs that exist, or of this test alone
 * @param {...(object | string)} requests
 * @returns {Promise<any[]>}
 */
async function answersOf(handlers, ...requests) {
  const lines = requests.map((one) => (typeof one === "string" ? one : JSON.stringify(one)));
  const output = new PassThrough();
  await runJobs(handlers, { input: Readable.from([`${lines.join("\n")}\n`]), output });
  output.end();
  return (await text(output))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

test("a job that the system gives no more memory says so", async () => {
  const fill = () => {
    throw new RangeError("Failed to allocate memory");
  };
  assert.deepEqual(await answersOf({ fill }, { id: 1, job: "fill" }), [
    { id: 1, ok: false, over: "memory" },
  ]);
});

test("jobs are answered in order, each by its own handler", async () => {
  const answers = await answersOf(
    {
      slow: async ({ value }) => await new Promise((done) => setTimeout(done, 20, { value })),
      fast: ({ value }) => ({ value }),
    },
    { id: 1, job: "slow", value: 1 },
    "",
    { id: "two", job: "fast", value: 2 },
  );
  assert.deepEqual(answers, [
    { id: 1, ok: true, result: { value: 1 } },
    { id: "two", ok: true, result: { value: 2 } },
  ]);
});

test("a job that fails says why, and the next goes on", async (t) => {
  t.mock.method(console, "error", () => {});
  const refusal = { path: "p", line: 3, found: "f", expected: "e", do: "d", severity: "error" };
  const answers = await answersOf(
    {
      refuses: () => {
        throw new BadInput(/** @type {any} */ (refusal));
      },
      breaks: () => {
        throw new RangeError("Invalid string length");
      },
      works: () => ({}),
    },
    { id: 1, job: "refuses" },
    { id: 2, job: "breaks" },
    { id: 3, job: "toString" },
    "nonsense",
    { id: 5, job: "works" },
  );
  assert.deepEqual(
    answers.map(({ id, ok }) => [id, ok]),
    [
      [1, false],
      [2, false],
      [3, false],
      [null, false],
      [5, true],
    ],
  );
  assert.deepEqual(answers[0].problems, [refusal]);
  assert.deepEqual(answers[1], { id: 2, ok: false, defect: "Invalid string length" });
  assert.equal(answers[2].problems[0].expected, "breaks, refuses, works");
});

test("a file is recognised by its beginning, packed or cut off", async () => {
  await inDirectory(async (directory) => {
    const path = join(directory, "capture");
    /** @param {string | Buffer} content */
    const formatOf = async (content) => {
      await writeFile(path, content);
      return (await recognise({ path })).format;
    };
    // random names, so that packing leaves much of it behind the beginning
    const stacks = Array.from({ length: 50_000 }, () => `m;f${Math.random()} 1\n`).join("");
    const packed = gzipSync(stacks);
    assert.equal(await formatOf(packed), "folded");
    assert.equal(await formatOf(packed.subarray(0, packed.length / 2)), "folded");
    assert.equal(await formatOf("m 1 1.0: 3 cycles:\n\t55d0 f (/m)\n\n"), "perf-script");
    const longLine = `m;${"f".repeat(5 * 2 ** 20)} 1\n`;
    assert.equal(await formatOf(`${longLine}m;g 1\n`), "folded");
    assert.equal(await formatOf(`${longLine}m 1 1.0: 3 cycles:\n\t55d0 f (/m)\n\n`), "perf-script");
    assert.equal(await formatOf(Buffer.from("\ufeffm;f 1\nm;g 1\n", "utf16le")), "folded");
    assert.equal(await formatOf("all went well\n"), null);
    assert.equal(await formatOf(""), null);
    await assert.rejects(() => recognise({ path: join(directory, "no such file") }));
  });
});

test("fold writes a profile an event and reports the captures that cannot be read", async () => {
  await inDirectory(async (directory) => {
    const paths = ["a", "b", "c"].map((name) => join(directory, name));
    await writeFile(paths[0], "m 1 1.0: 3 cycles:\n\nm 1 1.0: 5 branches:\n\n");
    await writeFile(paths[1], "# perfpress-folded event=cycles samples=2 lost=1\nm;f 4\n");
    await writeFile(paths[2], "\0\0\0");
    const captures = paths.map((path, at) => ({ file: `l.i1/${at}`, path }));
    const out = join(directory, "new/out");
    const { profiles, problems } = await fold({ captures, out });
    assert.deepEqual(
      profiles.map(({ event, unit, path, total, samples }) => [event, unit, path, total, samples]),
      [
        ["branches", "events", "0.json", "5", 1],
        ["cycles", "cycles", "1.json", "7", 3],
      ],
    );
    assert.deepEqual(
      profiles[1].captures.map(({ file, format, samples, weight, lost }) => [
        file,
        format,
        samples,
        weight,
        lost,
      ]),
      [
        ["l.i1/0", "perf-script", 1, "3", 0],
        ["l.i1/1", "folded", 2, "4", 1],
      ],
    );
    assert.deepEqual(
      problems.map(({ path, severity }) => [path, severity]),
      [["l.i1/2", "error"]],
    );
    assert.deepEqual((await readdir(out)).sort(), ["0.json", "1.json"]);
    const merged = join(directory, "merged.json");
    const profilePath = join(out, "1.json");
    const { profile: result } = await merge({ profiles: [profilePath, profilePath], out: merged });
    assert.deepEqual([result.total, result.samples, result.captures.length], ["14", 6, 4]);
    const gz = join(directory, "stacks.folded.gz");
    await folded({ profile: merged, out: gz });
    const bytes = await readFile(gz);
    assert.equal(
      gunzipSync(bytes).toString(),
      "# perfpress-folded event=cycles samples=6 lost=2\nm 6\nm;f 8\n",
    );
    assert.deepEqual([...bytes.subarray(4, 8)], [0, 0, 0, 0]); // no time
    await assert.rejects(
      () => merge({ profiles: [join(out, "0.json"), profilePath], out: merged }),
      /0\.json: the events branches, cycles; expected profiles of one event/,
    );
  });
});

test("a checksum that the caller knows is taken, any other is made once for all events", async () => {
  await inDirectory(async (out) => {
    const path = join(out, "perf.txt");
    const content = "m 1 1.0: 3 cycles:\n\nm 1 1.0: 5 branches:\n\n";
    await writeFile(path, content);
    const checksums = [];
    for (const sha256 of ["known", undefined]) {
      const { profiles } = await fold({ captures: [{ file: "perf.txt", path, sha256 }], out });
      checksums.push(profiles.map(({ captures }) => captures[0].sha256));
    }
    const made = createHash("sha256").update(content).digest("hex");
    assert.deepEqual(checksums, [
      ["known", "known"],
      [made, made],
    ]);
  });
});

test("a file that the system fails to read is no bad input", {
  skip: !existsSync(UNREADABLE),
}, async (t) => {
  t.mock.method(console, "error", () => {});
  await inDirectory(async (out) => {
    const captures = [{ file: "l.i1/perf.txt", path: UNREADABLE }];
    const [answer] = await answersOf({ fold }, { id: 1, job: "fold", captures, out });
    assert.deepEqual([answer.ok, answer.problems], [false, undefined]);
    assert.match(answer.defect, /^EIO/);
  });
});

const stacks = fc.array(
  fc.tuple(fc.constantFrom("a;b", "a;b;c_[k]", "d", "d;e"), fc.bigInt({ min: 1n, max: 2n ** 60n })),
  { minLength: 1, maxLength: 8 },
);

/**
 * @param {...import("../../../pipeline/profile/model/profile.js").Profile} profiles
 * @returns {Promise<import("../../../pipeline/profile/model/profile.js").Profile>}
 */
async function merged(...profiles) {
  const [sum, ...others] = profiles.map(treeOf);
  for (const tree of others) addTree(sum, tree, "other.json");
  return (await profilesOf([sum]))[0];
}

test("a job waits for no pipe", async () => {
  await inDirectory(async (directory) => {
    const path = join(directory, "pipe");
    execFileSync("mkfifo", [path]);
    const refused = { name: "Error", message: `${path}: a pipe or a device; expected a file` };
    const captures = [{ file: path, path }];
    const { problems } = await fold({ captures, out: join(directory, "out") });
    assert.deepEqual(problems.map(formatProblem), [refused.message]);
    await assert.rejects(() => recognise({ path }), refused);
    await assert.rejects(() => merge({ profiles: [path], out: "a" }), refused);
    await assert.rejects(() => folded({ profile: path, out: "a" }), refused);
  });
});

test("merging is folding all at once, in whatever order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(stacks, { minLength: 1, maxLength: 4 }), async (lists) => {
      const texts = lists.map((list) =>
        list.map(([stack, weight]) => `${stack} ${weight}\n`).join(""),
      );
      const parts = texts.map((one) => readFolded(one).profiles.unknown);
      const all = readFolded(texts.join("")).profiles.unknown;
      assert.deepEqual(await merged(...parts), all);
      assert.deepEqual(await merged(...parts.reverse()), all);
    }),
  );
});

test("merging keeps samples where all captures have them", async () => {
  const perf = readPerf("m 1 1.0: 3 cycles:\n\n").profiles.cycles;
  const ours = readFolded("# perfpress-folded event=cycles samples=2 lost=0\nm 4\n").profiles
    .cycles;
  const others = readFolded("m 4000000\n", { event: "cycles" }).profiles.cycles;
  assert.deepEqual((await merged(perf, perf)).self_samples, [0, 2]);
  assert.equal((await merged(perf, ours)).samples, 3);
  assert.equal((await merged(perf, ours)).self_samples, null);
  assert.equal((await merged(perf, others)).samples, null);
});

/**
 * @param {string} file
 * @param {import("../../../pipeline/profile/model/profile.js").Profile} profile
 */
function captured(file, profile) {
  const weight = profile.total;
  const facts = { sha256: "", format: "folded", samples: null, lost: 0, partial: false };
  return { ...profile, captures: [{ file, weight, ...facts, shares_only: null, skipped: [] }] };
}

test("merging counts in the finest unit", async () => {
  const whole = readFolded("m;f 3\n").profiles.unknown;
  const fine = readFolded("m;f 0.25\n").profiles.unknown;
  const sum = await merged(captured("a", whole), captured("b", fine));
  assert.equal(sum.unit, "0.01 samples");
  assert.deepEqual(stacksOf(sum), ["m;f 3.25"]);
  // what each capture adds to the whole stays known
  assert.deepEqual(
    sum.captures.map(({ weight }) => weight),
    ["300", "25"],
  );
});

test("of captures that count one event in several units, those in most files are added", async () => {
  await inDirectory(async (directory) => {
    /** @type {import("../../../pipeline/profile/read/capture.js").CaptureFile[]} */
    const files = [];
    for (const [at, text] of ["m;f 3\n", "m;f 3000000\n", "m;g 0.5\n"].entries()) {
      const path = join(directory, `${at}.folded`);
      await writeFile(path, text);
      files.push({ file: `l.i1/${at}`, path, event: "cycles" });
    }
    const { trees, problems } = await foldFiles(files);
    assert.deepEqual(
      trees.map(({ unit, builder }) => [unit, builder.total()]),
      [["0.1 samples", 35n]],
    );
    const leftOut = problems.filter(({ severity }) => severity === "error");
    assert.deepEqual(
      leftOut.map(({ path, found, expected }) => [path, found, expected]),
      [["l.i1/1", "cycles measured in cycles", "samples, as most captures beside it have it"]],
    );
    // where no unit is in more of them, it is that of the event; the cached parts merge alike
    const out = join(directory, "parts");
    await fold({ captures: [files[0]], out });
    await fold({ captures: [files[1]], out: join(directory, "more") });
    const profiles = [join(out, "0.json"), join(directory, "more", "0.json")];
    const merged = await merge({ profiles, out: join(directory, "merged.json") });
    assert.deepEqual([merged.profile.unit, merged.profile.total], ["cycles", "3000000"]);
    assert.deepEqual(
      merged.problems.map(({ path }) => path),
      ["l.i1/0"],
    );
  });
});

test("where as many captures count in each of two units, the event's own counts", () => {
  const own = readFolded("# perfpress-folded event=cycles samples=1 lost=0\nm;f 3\n").profiles
    .cycles;
  for (const order of [
    [own, { ...own, unit: "%" }],
    [{ ...own, unit: "%" }, own],
  ]) {
    const sums = new EventSums();
    for (const [at, profile] of order.entries()) sums.add(treeOf(profile), `${at}`);
    const { trees, problems } = sums.finish();
    assert.deepEqual(
      trees.map(({ unit }) => unit),
      ["cycles"],
    );
    assert.deepEqual(
      problems.map(({ path }) => path),
      [String(order.findIndex((one) => one !== own))],
    );
  }
});

test("weights in different units are never added", async () => {
  const samples = readFolded("m;f 3\n").profiles.unknown;
  const bytes = { ...readFolded("m;f 5\n").profiles.unknown, unit: "bytes" };
  await assert.rejects(
    () => merged(samples, bytes),
    /other\.json: the event unknown in bytes; expected the event unknown in samples/,
  );
});
