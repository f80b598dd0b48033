import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { constants, gzipSync, zstdCompressSync } from "node:zlib";
import { formatColumns } from "../../../pipeline/flamegraph/columns.js";
import { readTrees } from "../../../pipeline/flamegraph/files.js";
import { BadInput } from "../../../pipeline/flamegraph/problems.js";
import { foldCapture } from "../../../pipeline/flamegraph/read/capture.js";
import { foldBytes, inDirectory, stacksOf } from "../captures.js";
import { profileOfStacks } from "../profiles.js";

const TEXT = "mysqld 1 1.0: 3 cycles:\n\t 7f1e outer (/x)\n\nmysqld 1 1.1: 4 cycles:\n\n";
const STACKS = ["mysqld 4", "mysqld;outer 3"];

/** TEXT through `xz -9`, which Node cannot write. */
const XZ = Buffer.from(
  "/Td6WFoAAATm1rRGAgAhARwAAAAQz1jM4ABDADddADaeSq4h1WuoGyIMKXZMyS/0Hb5SiHc7iWBehQ57qxFbSXCQnIN0VL+L+YPARNaGOE4WznojgAAAAH3mvldPdemdAAFTRDU+ocAftvN9AQAAAAAEWVo=",
  "base64",
);

/** @type {Record<string, Buffer>} */
const WRAPPINGS = {
  plain: Buffer.from(TEXT),
  gzip: gzipSync(TEXT),
  "gzip in two members": Buffer.concat([gzipSync(TEXT.slice(0, 30)), gzipSync(TEXT.slice(30))]),
  zstd: zstdCompressSync(TEXT),
  "zstd in three frames": Buffer.concat(
    [TEXT.slice(0, 30), TEXT.slice(30, 50), TEXT.slice(50)].map((part) => zstdCompressSync(part)),
  ),
  xz: XZ,
};

for (const [name, bytes] of Object.entries(WRAPPINGS)) {
  test(`a capture is read out of ${name}, by content`, async () => {
    const { profiles, problems } = await foldBytes(bytes);
    assert.deepEqual(problems, []);
    assert.equal(profiles.length, 1);
    assert.deepEqual(stacksOf(profiles[0]), STACKS);
    assert.deepEqual(profiles[0].captures, [
      {
        file: "l.i1/capture",
        sha256: createHash("sha256").update(bytes).digest("hex"),
        format: "perf-script",
        samples: 2,
        weight: "7",
        lost: 0,
        partial: false,
        shares_only: null,
        skipped: [],
      },
    ]);
  });
}

/** Samples that do not compress well, so that half of the file holds nearly half of them. */
function manySamples() {
  let text = "";
  let state = 1;
  for (let at = 0; at < 20_000; at++) {
    state = (state * 48271) % 2147483647;
    text += `mysqld 1 ${state}.5: 3 cycles:\n\t ${state.toString(16)} f${state % 97} (/x)\n\n`;
  }
  return text;
}

for (const [name, compress] of /** @type {const} */ ([
  ["gzip", gzipSync],
  ["zstd", zstdCompressSync],
])) {
  test(`a ${name} file that ends too early keeps what stood before, and says so`, async () => {
    const whole = compress(manySamples());
    const { profiles, problems } = await foldBytes(whole.subarray(0, whole.length * 0.7));
    const [{ captures, samples, total }] = profiles;
    assert.equal(captures[0].partial, true);
    assert.ok(Number(samples) > 5000 && Number(samples) < 20_000, String(samples));
    assert.equal(total, String(3 * Number(samples)));
    const [{ path, line, found, severity }, ...others] = problems;
    assert.deepEqual(
      [path, found, severity],
      ["l.i1/capture", "the file ends too early", "warning"],
    );
    const between = line === 0; // the file ends between two samples
    assert.ok(between || line > Number(samples), "the line at which the damage begins");
    assert.deepEqual(others, [], "one trouble, told once");
  });
}

test("a damaged file does not stop the reader", async () => {
  const checked = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };
  for (const bytes of [gzipSync(manySamples()), zstdCompressSync(manySamples(), checked)]) {
    const middle = bytes.length >> 1;
    bytes.fill(0x55, middle, middle + 50);
    try {
      const { profiles } = await foldBytes(bytes);
      assert.equal(profiles[0].captures[0].partial, true);
    } catch (error) {
      assert.ok(error instanceof BadInput, String(error));
    }
  }
});

/** @type {[string, Buffer | string, RegExp][]} */
const REFUSED = [
  ["an empty file", "", /^l\.i1\/capture:1: nothing; expected perf script text/],
  ["an empty gzip file", gzipSync(""), /:1: nothing;/],
  [
    "a gzip file of a few bytes",
    gzipSync(TEXT).subarray(0, 7),
    /nothing \(the file ends too early\)/,
  ],
  ["a perf.data file", "PERFILE2\0\0\0", /a perf\.data file; .*perf script --no-inline/],
  ["a drawing", `<?xml version="1.0"?>\n<svg/>`, /a drawing or a page/],
  [
    "a page with a flame graph in it",
    "<!DOCTYPE html><svg><g><title>all (1 samples, 100%)</title><rect/></g></svg>\n",
    /a drawing or a page/,
  ],
  [
    "the drawing of an error",
    '<?xml version="1.0"?>\n<svg>\n<text>ERROR: No valid input provided to flamegraph.pl.</text>\n</svg>\n',
    /the drawing of an error: No valid input; .*leave it out/,
  ],
  [
    "a drawing of ours",
    '<svg xmlns="x">\n<svg class="flame-graph">\n<g class="r"><title>all\ntotal 1',
    /a flame graph of Perfpress; .*the folded stacks/,
  ],
  [
    "what macOS leaves beside a file",
    Buffer.from("\0\x05\x16\x07\0\x02\0\0Mac OS X        \0\x02"),
    /what macOS keeps .*leave it out/,
  ],
  [
    "binary data",
    Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * at) % 251)),
    /binary data/,
  ],
  [
    "prose",
    "Running the test with 16 threads:\n\nInitializing worker threads...\n",
    /text of another kind/,
  ],
  ["a table of numbers", "r b swpd\n 1 0 0 12\n 1 0 0 13\n 2 0 0 11\n", /text of another kind/],
  ["a head without samples", "# ========\n# cmdline : perf record\n", /text of another kind/],
];

for (const [what, bytes, message] of REFUSED) {
  test(`${what} is refused with what to do`, async () => {
    await assert.rejects(
      () => foldBytes(bytes),
      (error) => error instanceof BadInput && message.test(error.message),
    );
  });
}

test("lost records without a sample are refused as no samples", async () => {
  const text = "perf 23 [000] 12.3: PERF_RECORD_LOST id:1: lost:34\n";
  await assert.rejects(() => foldBytes(text), /no samples; expected at least one/);
});

/** @type {[string, string, RegExp][]} */
const WEIGHTLESS = [
  ["folded stacks", "a;b 0\na;c 0.00\n", /^l\.i1\/capture: samples that weigh nothing; expected/],
  [
    "perf script",
    "m 1 1.0: 0 cycles:\n\t 7f f (/x)\n\n",
    /^l\.i1\/capture: cycles: samples that weigh nothing; expected/,
  ],
  ["a head alone", "# perfpress-folded event=cycles samples=0 lost=0\n", /: no samples; expected/],
];

for (const [what, text, message] of WEIGHTLESS) {
  test(`a capture that weighs nothing is refused: ${what}`, async () => {
    await assert.rejects(
      () => foldBytes(text),
      (error) => error instanceof BadInput && message.test(error.message),
    );
  });
}

test("an event that weighs nothing is told, and the others fold", async () => {
  const { profiles, problems } = await foldBytes(
    `perf 1 [0] 1.0: PERF_RECORD_LOST lost 5\na 1 1.0: 0 branches:\n\n${TEXT}`,
  );
  assert.deepEqual(
    profiles.map(({ event, captures: [{ lost }] }) => [event, lost]),
    [["cycles", 5]],
  );
  assert.deepEqual(
    problems.map(({ found, severity }) => [found, severity]),
    [["branches: samples that weigh nothing", "warning"]],
  );
});

test("a profile that weighs nothing is refused like a capture", async () => {
  await inDirectory(async (directory) => {
    const path = join(directory, "p.json");
    await writeFile(path, formatColumns(profileOfStacks(["t;f 0"])));
    await assert.rejects(
      () => readTrees({ file: "l.i1/p.json", path }),
      /l\.i1\/p\.json: cycles: samples that weigh nothing/,
    );
  });
});

test("a file that is not there is told by the name its user knows", async () => {
  await inDirectory(async (directory) => {
    const missing = { file: "a/perf.txt", path: join(directory, "x") };
    await assert.rejects(() => foldCapture(missing), /^Error: a\/perf.txt: no such file/);
    await assert.rejects(() => foldCapture({ file: "a", path: directory }), /a directory/);
  });
});

test("what was lost and skipped is told once, with the first of several events", async () => {
  const { profiles, problems } = await foldBytes(
    `${TEXT}nonsense\nperf 1 [0] 1.0: PERF_RECORD_LOST lost 5\na 1 1.0: 3 branches:\n\n`,
  );
  assert.deepEqual(
    profiles.map(({ event, captures: [{ lost, skipped, weight }] }) => [
      event,
      lost,
      skipped.length,
      weight,
    ]),
    [
      ["branches", 5, 1, "3"],
      ["cycles", 0, 0, "7"],
    ],
  );
  assert.deepEqual(problems, [
    {
      path: "l.i1/capture",
      line: 6,
      found: "line outside of a sample that is no header",
      expected: "",
      do: "",
      severity: "warning",
    },
  ]);
});

test("names may hold anything", async () => {
  const harm = "<script>\u0000\u001b[31m=1+1../../\u202e\u{1f525}";
  const { profiles } = await foldBytes(`m 1 1.0: 3 cycles:\n\t 7f ${harm} (/x)\n\n`);
  assert.deepEqual(profiles[0].names.slice(1), ["m", harm]);
});

test("a capture of many chunks is read whole", async () => {
  await inDirectory(async (directory) => {
    const path = join(directory, "perf.txt");
    await writeFile(path, manySamples().repeat(3));
    const { profiles } = await foldCapture({ file: "perf.txt", path });
    assert.equal(profiles[0].samples, 60_000);
    assert.equal(profiles[0].total, "180000");
    assert.deepEqual(profiles[0].captures[0].skipped, []);
  });
});

test("a text that ends in the middle of a line was cut off, and its last sample does not count", async () => {
  for (const cut of [3, 20, 60, 90]) {
    const { profiles, problems } = await foldBytes(Buffer.from(manySamples()).subarray(0, -cut));
    const [{ captures, samples, total }] = profiles;
    assert.equal(captures[0].partial, true, `${cut} bytes`);
    assert.ok(Number(samples) < 20_000);
    assert.equal(total, String(3 * Number(samples)));
    assert.deepEqual(
      problems.map(({ found }) => found),
      ["the file ends in the middle of a line"],
    );
  }
});

test("folded stacks cut off inside of a weight do not count it", async () => {
  const { profiles, problems } = await foldBytes(Buffer.from("t;main 10\nt;main;read 1"));
  assert.equal(profiles[0].total, "10");
  assert.equal(profiles[0].captures[0].partial, true);
  assert.equal(problems.length, 1);
});

test("stacks of which nobody says the event are of an unknown one", async () => {
  const stacks = Buffer.from("t;main 10000000\n");
  const unknown = await foldBytes(stacks, null);
  const stated = await foldBytes(stacks, "cycles");
  assert.deepEqual(
    [unknown, stated].map(({ profiles }) => [profiles[0].event, profiles[0].unit]),
    [
      ["unknown", "samples"],
      ["cycles", "cycles"],
    ],
  );
});

test("weights that nothing can have counted are refused by the capture's name", async () => {
  const text = `mysqld 1 1.0: ${"9".repeat(2000)} cycles:\n\t 7f1e outer (/x)\n\n`;
  await assert.rejects(foldBytes(text), /l\.i1\/capture: weights of more than 400 digits/);
});
