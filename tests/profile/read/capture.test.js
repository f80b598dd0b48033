import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { constants, gzipSync, zstdCompressSync } from "node:zlib";
import { profileSvg } from "../../../pipeline/flamegraph/svg/profile_svg.js";
import { formatColumns } from "../../../pipeline/profile/model/columns.js";
import { BadInput } from "../../../pipeline/profile/model/problems.js";
import { readTrees } from "../../../pipeline/profile/read/files.js";
import { FORMAT_NAMES, formatNamed } from "../../../pipeline/profile/read/formats.js";
import { foldBytes, foldCapture, inDirectory, stacksOf } from "../captures.js";
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
    assert.deepEqual(others, [], "one trouble, reported once");
  });
}

/** @param {Uint8Array} bytes of which one is to differ */
function flipped(bytes, at = bytes.length - 6) {
  const other = Buffer.from(bytes);
  other[at] ^= 1;
  return other;
}

const CHECKED = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };

/** @type {[string, (text: string) => Buffer, RegExp][]} */
const DAMAGED = [
  [
    "a gzip file whose checksum is wrong",
    (text) => flipped(gzipSync(text)),
    /^damaged: incorrect data check; .*copy the file again/,
  ],
  [
    "a gzip file whose length is wrong",
    (text) => flipped(gzipSync(text), gzipSync(text).length - 1),
    /^damaged: incorrect length check; .*copy the file again/,
  ],
  [
    "a zstd file whose checksum is wrong",
    (text) => flipped(zstdCompressSync(text, CHECKED), zstdCompressSync(text, CHECKED).length - 1),
    /^damaged: .*checksum; .*copy the file again/,
  ],
  [
    "a gzip file with something behind it",
    (text) => Buffer.concat([gzipSync(text), Buffer.from("17 bytes of refuse")]),
    /^damaged: incorrect header check; .*copy the file again/,
  ],
  [
    "a zstd file with something behind it",
    (text) => Buffer.concat([zstdCompressSync(text), Buffer.from("17 bytes of refuse")]),
    /^damaged: .*; .*copy the file again/,
  ],
];

for (const [name, compress, warning] of DAMAGED) {
  test(`of ${name} counts what was decompressed before the error, with a warning`, async () => {
    const text = manySamples() + manySamples();
    const { profiles, problems } = await foldBytes(compress(text));
    const samples = Number(profiles[0].samples);
    assert.ok(samples > 15_000 && samples <= 40_000, `${samples} samples`);
    assert.equal(profiles[0].total, String(3 * samples));
    assert.equal(profiles[0].captures[0].partial, true);
    assert.equal(problems.length, 1);
    assert.match(`${problems[0].found}; ${problems[0].do}`, warning);
  });
}

test("a small file that ends too early keeps what stood before", async () => {
  const text = Array.from({ length: 200 }, (_, at) => `a;b${Math.imul(at, 7919)} 1\n`).join("");
  const packed = gzipSync(text);
  const { profiles } = await foldBytes(packed.subarray(0, packed.length - 100));
  assert.ok(Number(profiles[0].total) > 100, profiles[0].total);
});

test("a damaged file does not stop the reader", async () => {
  for (const bytes of [gzipSync(manySamples()), zstdCompressSync(manySamples(), CHECKED)]) {
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

/** @param {string} text in a file of an archive, as `tar` has it */
function tarOf(text) {
  const head = Buffer.alloc(512);
  head.write("perf.txt");
  head.write("ustar", 257);
  return Buffer.concat([head, Buffer.from(text)]);
}

/** @type {[string, Buffer | string, RegExp][]} */
const REFUSED = [
  ["an empty file", "", /^l\.i1\/capture:1: nothing; expected the output of a profiler/],
  ["an empty gzip file", gzipSync(""), /:1: nothing;/],
  [
    "a gzip file of a few bytes",
    gzipSync(TEXT).subarray(0, 7),
    /nothing \(the file ends too early\)/,
  ],
  ["a perf.data file", "PERFILE2\0\0\0", /a perf\.data file; .*perf script --no-inline/],
  ["a drawing", `<?xml version="1.0"?>\n<svg/>`, /a drawing without/],
  [
    "a page with a flame graph in it",
    "<!DOCTYPE html><svg><g><title>all (1 samples, 100%)</title><rect/></g></svg>\n",
    /a page, as some profilers/,
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
    "a file that perfpress flamegraph wrote",
    profileSvg(profileOfStacks(["m;f 3"]), "m", []).svg,
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
    /text of no benchmark and no profiler/,
  ],
  [
    "text that a terminal would not take",
    `\n\u001b[31mERROR ${"no \u202e".repeat(20)}\n`,
    /capture:2: text of no benchmark and no profiler that is known, "\ufffd\[31mERROR (?:no \ufffd){7}n…"; expected/,
  ],
  ["a tar archive", tarOf(TEXT), /a tar archive; .*unpack it/],
  ["a zip archive", `PK\u0003\u0004${TEXT}`, /a zip archive; .*unpack it/],
  ["a bzip2 file", `BZh91AY&SY${TEXT}`, /a bzip2 file; .*unpack it/],
  [
    "a gzip file in a gzip file",
    gzipSync(gzipSync(TEXT)),
    /a compressed file within a compressed file/,
  ],
  ["text with zero bytes", `main;\0 5\n${TEXT}`, /binary data/],
  [
    "a table of numbers",
    "r b swpd\n 1 0 0 12\n 1 0 0 13\n 2 0 0 11\n",
    /text of no benchmark and no profiler/,
  ],
  [
    "a head without samples",
    "# ========\n# cmdline : perf record\n",
    /text of no benchmark and no profiler/,
  ],
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

test("an event that weighs nothing is reported, and the others fold", async () => {
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

test("a file that is not there is reported by the name its user knows", async () => {
  await inDirectory(async (directory) => {
    const missing = { file: "a/perf.txt", path: join(directory, "x") };
    await assert.rejects(() => foldCapture(missing), /^Error: a\/perf.txt: no such file/);
    await assert.rejects(() => foldCapture({ file: "a", path: directory }), /a directory/);
  });
});

test("what was lost and skipped is reported once, with the first of several events", async () => {
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
  const harm = "<script>\u0001\u001b[31m=1+1../../\u202e\u{1f525}";
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

/** @type {[string, string, string][]} */
const BEHIND = [
  ["a line of 10 MB, perf script", `${"x".repeat(1e7)}\n${TEXT}`, "7"],
  ["a line of 10 MB, folded stacks", `${"x".repeat(1e7)}\na;b 3\na;c 4\na;d 5\n`, "12"],
  ["3000 lines, perf script", `${"a warning\n".repeat(3000)}${TEXT.repeat(2)}`, "14"],
  ["ten lines, folded stacks", `${"a warning\n".repeat(10)}${"a;b 3\n".repeat(10)}`, "30"],
  ["a weight without a stack, folded stacks", " 5\na;b 3\n", "3"],
  ["a weight below zero, folded stacks", "a;b -5\na;b 3\n", "3"],
];

for (const [what, text, total] of BEHIND) {
  test(`a capture is read behind what is none of it, which is counted: ${what}`, async () => {
    const { profiles, problems } = await foldBytes(text);
    assert.equal(profiles[0].total, total);
    assert.deepEqual(
      problems.map(({ line, severity }) => [line, severity]),
      [[1, "warning"]],
    );
  });
}

const OPEN_END = "a last line without an end: it counts, as whole";
const WAITS = "event_name\ttimer_wait\nwait/io/a\t3\n";
const ENTRY = "@[\n    main+62\n, writer]: 3\n";
const REPORT = `# Samples: 2  of event 'cycles'
# Event count (approx.): 10
#
# Overhead  Symbol
# ........  ......
#
    50.00%  [.] main
`;

/** @type {[string, string, string, string][]} */
const OPEN_ENDS = [
  ["folded stacks", "a;b 5\na;c 6", "11", OPEN_END],
  ["folded stacks cut before their weight", "a;b 5\na;b 6\na;c", "11", ""],
  ["perf script", TEXT.slice(0, TEXT.indexOf("\n\n")), "3", OPEN_END],
  ["perf script cut inside of a frame", TEXT + TEXT.slice(0, 40), "7", ""],
  ["waits", `${WAITS}wait/io/b\t4`, "7", OPEN_END],
  ["waits cut before a value", `${WAITS}wait/io/b`, "3", ""],
  ["maps of bpftrace", ENTRY + ENTRY.trimEnd(), "6", OPEN_END],
  ["maps of bpftrace cut in a stack", ENTRY + ENTRY.slice(0, 10), "3", ""],
  ["a perf report", `${REPORT}    50.00%  [.] read`, "10", OPEN_END],
  ["a perf report cut inside of a percentage", `${REPORT}    50.0`, "10", ""],
];

for (const [what, text, total, found] of OPEN_ENDS) {
  test(`a last line without an end counts where it is whole by what it holds: ${what}`, async () => {
    const { profiles, problems } = await foldBytes(text);
    assert.equal(profiles[0].total, total);
    assert.equal(profiles[0].captures[0].partial, found === "");
    assert.deepEqual(
      problems.map((each) => each.found),
      [found || "the file ends in the middle of a line"],
    );
  });
}

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

test("weights that are too many for samples are no samples, and a warning says what to do", async () => {
  const { profiles, problems } = await foldBytes(Buffer.from("t;main 4616283000000\n"), null);
  assert.equal(profiles[0].unit, "events");
  assert.equal(problems[0].found, "weights of 4,616,283,000,000 in all, which are no samples");
  assert.match(problems[0].do ?? "", /event = "cycles"/);
  const many = await foldBytes(Buffer.from("t;main 10000000000\n"), null);
  assert.deepEqual([many.profiles[0].unit, many.problems], ["samples", []]);
});

test("a capture of nothing but weights that nothing can have counted is refused", async () => {
  const text = `mysqld 1 1.0: ${"9".repeat(2000)} cycles:\n\t 7f1e outer (/x)\n\n`;
  await assert.rejects(foldBytes(text), /l\.i1\/capture:1: sample whose period .*\n.*no samples/);
});

test("a capture that weighs more than can be computed with is refused alone", async () => {
  const heavy = foldBytes(Buffer.from(`a;b 1\na;c 1${"0".repeat(60)}\n`));
  await assert.rejects(heavy, /weights of more than 60 digits/);
  const { profiles } = await foldBytes(Buffer.from(`a;b ${"9".repeat(60)}\n`));
  assert.equal(profiles[0].total, "9".repeat(60));
});

test("the readers are called as their formats are", () => {
  for (const name of FORMAT_NAMES) assert.equal(formatNamed(name)?.FORMAT, name);
  assert.equal(formatNamed("../perf_script"), null);
});
