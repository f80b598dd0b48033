import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import * as flamegraphSvg from "../../../../pipeline/profile/read/flamegraph_svg/reader.js";
import { answerTo, foldBytes, readAs, readFolded } from "../../captures.js";
import { fuzzReader } from "../../fuzz.js";
import { realData, skipWithout } from "../../real_data.js";

/**
 * What inferno 0.12.8 draws of a few stacks of ours; without its script and style. `plain.svg` was
 * drawn with no options, the others with the one that they are called after.
 *
 * @param {string} name
 */
function drawing(name) {
  return readFileSync(new URL(`${name}.svg`, import.meta.url), "utf8");
}

/**
 * @param {string} text
 * @param {{ chunkSize?: number, partial?: boolean, event?: string }} [options]
 */
function readSvg(text, options) {
  return readAs(flamegraphSvg, text, options);
}

/** @param {import("../../captures.js").Read} read */
function reasonsIn({ skipped }) {
  return skipped.map(({ reason, count }) => `${count} × ${reason}`);
}

const STACKS = [
  "checkpointer;flush;write 5",
  "mysqld;start_thread;commit;fsync 1200",
  'mysqld;start_thread;commit "a" & b;x 2',
  "mysqld;start_thread;handle_query 3",
  "mysqld;start_thread;handle_query;row_search.cold 7",
  "mysqld;start_thread;handle_query;row_search<int, std::less<> > 50",
  "mysqld;start_thread;handle_query;row_search<int, std::less<> >;read_page 30",
];

const AFTER = [
  "checkpointer;flush;write 5",
  "mysqld;start_thread;commit;fsync 1100",
  "mysqld;start_thread;handle_query;decompress 45",
  "mysqld;start_thread;handle_query;row_search<int, std::less<> >;read_page 60",
];

const NOT_ALL_DRAWN = "1 × drawing without its thinnest frames: they are counted with callers";

for (const name of ["plain", "inverted", "pretty", "factor"]) {
  test(`the stacks that a drawing of inferno was made of are read from it: ${name}`, () => {
    const read = readSvg(drawing(name));
    assert.deepEqual(read.stacks, { unknown: STACKS });
    assert.deepEqual(reasonsIn(read), [NOT_ALL_DRAWN]);
  });
}

test("a drawing of reversed stacks is read as it is drawn", () => {
  const { stacks, profiles } = readSvg(drawing("reverse"));
  assert.equal(profiles.unknown.total, "1297");
  assert.ok(stacks.unknown.includes("fsync;commit;start_thread;mysqld 1200"));
});

for (const name of ["differential", "negated"]) {
  test(`of two profiles in a drawing the second is read, with a note: ${name}`, () => {
    const read = readSvg(drawing(name));
    assert.deepEqual(read.stacks, { unknown: AFTER });
    assert.deepEqual(reasonsIn(read), [
      "11 × change from another profile, rounded: not read",
      NOT_ALL_DRAWN,
    ]);
  });
}

test("the row next to the root holds threads", () => {
  const { names, classes } = readSvg(drawing("inverted")).profiles.unknown;
  const threads = names.filter((_, index) => classes[index] === 0);
  assert.deepEqual(threads, ["all", "checkpointer", "mysqld"]);
});

test("a drawing says samples whatever it counts: the event is for others to state", () => {
  const { profiles } = readSvg(drawing("plain"), { event: "cycles:P" });
  assert.equal(profiles.cycles.unit, "cycles");
  assert.equal(profiles.cycles.samples, null);
});

/** @param {string} text */
function escaped(text) {
  const entities = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replace(/[&<>"]/g, (mark) => entities[/** @type {"&"} */ (mark)]);
}

/** @param {number | bigint} weight */
function withCommas(weight) {
  return String(weight).replace(/\B(?=(\d{3})+$)/g, ",");
}

/**
 * A drawing in the shape of flamegraph.pl's, as published ones have it: pixels, a tenth exact, and
 * no other number than the title's. Written after such, not by the tool.
 *
 * @param {string[]} frames
 */
function perlDrawing(frames) {
  return [
    '<?xml version="1.0" standalone="no"?>',
    '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">',
    '<svg version="1.1" width="1200" height="758" onload="init(evt)" viewBox="0 0 1200 758" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">',
    '<rect x="0.0" y="0" width="1200.0" height="758.0" fill="url(#background)"  />',
    '<text id="title" x="600.00" y="24" >A & B <8.0</text>',
    '<g id="frames">',
    ...frames,
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

/**
 * @param {string} title
 * @param {number | string} x
 * @param {number | string} y
 * @param {number | string} width
 */
function perlFrame(title, x, y, width) {
  return `<g >\n<title>${escaped(title)}</title><rect x="${x}" y="${y}" width="${width}" height="15.0" fill="rgb(233,190,34)" rx="2" ry="2" />\n<text  x="${Number(x) + 3}" y="303.5" ></text>\n</g>`;
}

const PERL = [
  perlFrame("f(int) (645,500,000 samples, 99.85%)", "10.0", 661, "1178.2"),
  perlFrame("g<a> (645,000,000 samples, 99.77%)", "10.0", 645, "1177.3"),
  perlFrame("worker (646,500,000 samples, 100.00%)", "10.0", 677, "1180.0"),
  perlFrame("all (646,500,000 samples, 100%)", "10.0", 693, "1180.0"),
];

test("a drawing of flamegraph.pl is read by the places of its boxes, in any order", () => {
  const stacks = ["worker 1000000", "worker;f(int) 500000", "worker;f(int);g<a> 645000000"];
  for (const frames of [PERL, [...PERL].reverse()]) {
    const read = readSvg(perlDrawing(frames));
    assert.deepEqual(read.stacks, { unknown: stacks });
    assert.deepEqual(reasonsIn(read), [NOT_ALL_DRAWN]);
  }
});

test("any word for what is counted will do, and parentheses in names", () => {
  const frames = PERL.map((frame) => frame.replace("samples", "CPU cycles"));
  frames.push(perlFrame("h (5 samples, 2%) (2 CPU cycles, 0.01%)", "1189", 661, "0.3"));
  assert.deepEqual(readSvg(perlDrawing(frames)).stacks.unknown.slice(-1), [
    "worker;h (5 samples, 2%) 2",
  ]);
});

test("two boxes of one name are one function", () => {
  const frames = [
    perlFrame("a (1 samples, 25.00%)", "10.0", 661, "10.0"),
    perlFrame("a.cold (1 samples, 25.00%)", "20.0", 661, "10.0"),
    perlFrame("a (2 samples, 50.00%)", "30.0", 661, "20.0"),
    perlFrame("t (4 samples, 100.00%)", "10.0", 677, "40.0"),
    perlFrame("all (4 samples, 100%)", "10.0", 693, "40.0"),
  ];
  const read = readSvg(perlDrawing(frames));
  assert.deepEqual(read.stacks, { unknown: ["t;a 3", "t;a.cold 1"] });
  assert.deepEqual(reasonsIn(read), [], "of what weighs 1 or more, all is drawn where 1 is");
});

test("where a caller is lost, an unknown one replaces it, with a note", () => {
  const read = readSvg(perlDrawing(PERL.filter((frame) => !frame.includes("f(int)"))));
  assert.deepEqual(read.stacks, {
    unknown: ["worker 1500000", "worker;[unknown];g<a> 645000000"],
  });
  assert.deepEqual(read.skipped[0], {
    reason: "caller that is not drawn: shown as [unknown]",
    count: 1,
    first_line: 8,
  });
  const [above, , , root] = PERL;
  assert.deepEqual(readSvg(perlDrawing([above, root])).stacks, {
    unknown: ["all 1000000", "[unknown];f(int) 645500000"],
  });
});

test("what cannot be placed weighs on in its caller, and is counted", () => {
  /** @type {[string, RegExp][]} */
  const damaged = [
    [perlFrame("x (5 samples, 0.01%)", "NaN", 661, "1"), /^1 × frame without a place or a width/],
    [perlFrame("x (5 samples, 0.01%)", "10", 661, "-1"), /^1 × frame without a place or a width/],
    [perlFrame("x (5 samples, 0.01%)", "10", 661, "0.0"), /^1 × frame without a place or a width/],
    [perlFrame("x (5 samples, 0.01%)", "10", "1e3", "1"), /^1 × frame without a place or a width/],
    [perlFrame("x (5 samples, 0.01%)", "5000", 661, "10"), /^1 × frame without a caller/],
    [perlFrame("x (5 samples, 0.01%)", "10", 709, "10"), /^1 × frame without a caller/],
    [perlFrame("x (5 samples, 0.01%)", "10", 693, "10"), /^1 × frame without a caller/],
    [perlFrame("x", "10", 661, "10"), /^1 × frame whose title has no weight/],
    ["<g><title>x (5 samples, 0.01%)</title><rect/></g>", /^1 × frame without a place/],
  ];
  for (const [frame, reason] of damaged) {
    const read = readSvg(perlDrawing([...PERL, frame]));
    assert.equal(read.profiles.unknown.total, "646500000", frame);
    assert.ok(
      reasonsIn(read).some((found) => reason.test(found)),
      reasonsIn(read).join(),
    );
  }
});

test("a frame that weighs less than what it calls weighs nothing itself", () => {
  const frames = PERL.map((frame) => frame.replace("645,500,000", "644,999,999"));
  const read = readSvg(perlDrawing(frames));
  assert.deepEqual(read.stacks.unknown, ["worker 1500001", "worker;f(int);g<a> 645000000"]);
  assert.ok(
    reasonsIn(read).includes("1 × frame that weighs less than what it calls: its own weight"),
  );
});

test("boxes one over the other give the same call tree in any order", () => {
  const twins = ["b (100", "a (100", "c (10", "c (100"].map((start) =>
    perlFrame(`${start} samples, 1.00%)`, "11.0", 645, "20.0"),
  );
  const above = perlFrame("d (50 samples, 0.50%)", "12.0", 629, "10.0");
  const one = readSvg(perlDrawing([...PERL, above, ...twins])).stacks;
  for (const [first, ...others] of [twins, [...twins].reverse()]) {
    assert.deepEqual(readSvg(perlDrawing([...PERL, ...others, above, first])).stacks, one);
  }
});

test("weights beyond 2^53 are exact", () => {
  const frames = PERL.map((frame) =>
    frame.replace(/\((\d+),(\d+),/, "(9,007,199,254,740,993,$1,$2,"),
  );
  const { stacks } = readSvg(perlDrawing(frames));
  assert.deepEqual(stacks.unknown[1], "worker;f(int) 500000");
  assert.deepEqual(stacks.unknown[2], "worker;f(int);g<a> 9007199254740993645000000");
});

test("a drawing that ends too early keeps what stood before, and says so", async () => {
  const whole = perlDrawing([...PERL].reverse());
  const { profiles, problems } = await foldBytes(whole.slice(0, whole.indexOf("g&lt;a")));
  assert.equal(profiles[0].total, "646500000");
  assert.equal(profiles[0].captures[0].partial, true);
  assert.match(problems[0].found, /drawing cut off by the end of the file/);
});

test("a drawing whose last line has no end is whole: inferno's has none", async () => {
  const { profiles, problems } = await foldBytes(drawing("plain").trimEnd());
  assert.equal(profiles[0].captures[0].partial, false);
  assert.equal(profiles[0].captures[0].format, "flamegraph-svg");
  assert.equal(problems.length, 1);
});

test("a drawing without its root frame is refused", async () => {
  const frames = PERL.filter((frame) => !frame.includes("all ("));
  await assert.rejects(() => foldBytes(perlDrawing(frames)), /without its root frame/);
});

test("a second drawing in the file is left out, with a note", () => {
  const read = readSvg(perlDrawing(PERL) + perlDrawing(PERL));
  assert.equal(read.profiles.unknown.total, "646500000");
  assert.ok(reasonsIn(read).includes("4 × frame after the end of the drawing"));
});

test("entities of a drawing's own stay text, however often they would unfold", () => {
  const bomb = perlDrawing(PERL)
    .replace(/<!DOCTYPE[^>]*>/, '<!DOCTYPE svg [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>')
    .replace("f(int)", "&b;&copy;&amp;");
  assert.deepEqual(readSvg(bomb).stacks.unknown[1], "worker;&b:&copy:& 500000");
});

test("a name may be a megabyte, or hold what breaks markup", () => {
  const long = "n".repeat(1_000_000);
  for (const name of [long, "]]>", "<!--", "a\u0000\u001b[31m", "\u{1f525}"]) {
    const frames = PERL.map((frame) => frame.replace("f(int)", escaped(name)));
    assert.deepEqual(readSvg(perlDrawing(frames)).stacks.unknown[1], `worker;${name} 500000`);
  }
});

test("markup without end is given up, not kept", () => {
  const endless = ["<g ".repeat(2_000_000), "<!--".padEnd(5_000_000), "<g>".repeat(200_000)];
  for (const markup of endless) {
    const read = readSvg(perlDrawing(PERL).replace("</svg>", markup));
    assert.equal(read.profiles.unknown.total, "646500000");
    assert.match(reasonsIn(read).join(), /markup that does not end|elements within elements/);
  }
});

test("of very deep stacks the outer frames are kept, and the others are one", () => {
  const frames = Array.from({ length: 10_000 }, (_, row) => {
    const percent = row === 0 ? "100" : "50.00";
    return perlFrame(`f${row} (${20_000 - row} samples, ${percent}%)`, 10, 200_000 - row * 16, 100);
  });
  const { stacks, skipped } = readSvg(perlDrawing(frames));
  const deepest = stacks.unknown.at(-1) ?? "";
  assert.match(deepest, /^f1;f2;.*;f4095;\[stack cut off\] 15904$/);
  const cut = skipped.find(({ reason }) => reason === "frame of a stack deeper than 4096");
  assert.equal(cut?.count, 10_000 - 4096);
});

test("a drawing is distinguished from a page, and from drawings of anything else", () => {
  assert.equal(answerTo(flamegraphSvg, drawing("plain")), "yes");
  assert.equal(answerTo(flamegraphSvg, perlDrawing(PERL)), "yes");
  assert.equal(answerTo(flamegraphSvg, `\ufeff\n${perlDrawing(PERL)}`), "yes");
  assert.equal(answerTo(flamegraphSvg, perlDrawing([])), "more");
  assert.equal(answerTo(flamegraphSvg, "<?xml"), "more");
  assert.equal(answerTo(flamegraphSvg, `<html><body>${perlDrawing(PERL)}`), "no");
  assert.equal(answerTo(flamegraphSvg, `<!DOCTYPE html>${perlDrawing(PERL)}`), "no");
  assert.equal(answerTo(flamegraphSvg, "mysqld;main 7\n"), "no");
});

/** @typedef {{ name: string, self: number, called: Tree[] }} Tree */

const name = fc
  .oneof(fc.constantFrom("a", "b", "std::c<int, d&>"), fc.string({ minLength: 1, unit: "binary" }))
  .map((text) => text.replace(/[;\r\n\ufffd\ufeff\0]|_\[[kjil]\]$/g, "").trim())
  .filter((text) => text !== "");

/** @type {fc.Arbitrary<Tree>} */
let tree = fc.record({ name, self: fc.integer({ min: 1, max: 9 }), called: fc.constant([]) });
for (let height = 0; height < 5; height++) {
  const called = fc.array(tree, { maxLength: 3 });
  tree = fc.record({ name, self: fc.integer({ min: 1, max: 9 }), called });
}

/**
 * @param {Tree} tree
 * @returns {number}
 */
function total({ self, called }) {
  return called.reduce((sum, one) => sum + total(one), self);
}

/**
 * How the two tools give the place of a box: in shares of all and in samples; in pixels, each edge
 * rounded to a tenth.
 *
 * @type {Record<string, (left: number, width: number, all: number) => string>}
 */
const PLACES = {
  inferno: (left, width, all) => {
    const [x, share] = [left, width].map((part) => `${((100 * part) / all).toFixed(4)}%`);
    return `x="${x}" width="${share}" fg:x="${left}" fg:w="${width}"`;
  },
  perl: (left, width, all) => {
    const [x, end] = [left, left + width].map((edge) => (10 + (1180 * edge) / all).toFixed(1));
    return `x="${x}" width="${(Number(end) - Number(x)).toFixed(1)}"`;
  },
};

/**
 * Draw a call tree, a box for each of its nodes.
 *
 * @param {Tree} top
 * @param {(left: number, width: number, all: number) => string} place
 * @param {boolean} hangs
 */
function drawn(top, place, hangs) {
  const all = total(top);
  /** @type {string[]} */
  const boxes = [];
  /** @type {(node: Tree, left: number, row: number) => void} */
  const draw = (node, left, row) => {
    const width = total(node);
    const percent = row === 0 ? "100" : ((100 * width) / all).toFixed(2);
    const title = `${node.name} (${withCommas(width)} samples, ${percent}%)`;
    const y = hangs ? row * 16 : 5000 - row * 16;
    boxes.push(
      `<g><title>${escaped(title)}</title><rect y="${y}" height="15" ${place(left, width, all)}/></g>`,
    );
    let at = left;
    for (const one of node.called) {
      draw(one, at, row + 1);
      at += total(one);
    }
  };
  draw(top, 0, 0);
  return `<svg><svg id="frames">${boxes.join("")}</svg></svg>`;
}

/**
 * @param {Tree} tree
 * @param {string} [above]
 * @returns {string[]}
 */
function stacksIn({ name, self, called }, above) {
  const stack = above === undefined ? name : `${above};${name}`;
  return [`${stack} ${self}`, ...called.flatMap((one) => stacksIn(one, stack))];
}

test("what is drawn is read again, whatever the names, the chunks and which way it hangs", () => {
  fc.assert(
    fc.property(
      fc.array(tree, { minLength: 1, maxLength: 3 }),
      fc.constantFrom(...Object.values(PLACES)),
      fc.boolean(),
      fc.integer({ min: 1, max: 200 }),
      (threads, place, hangs, chunkSize) => {
        const svg = drawn({ name: "all", self: 0, called: threads }, place, hangs);
        const lines = threads.flatMap((thread) => stacksIn(thread));
        const read = readSvg(svg, { chunkSize });
        assert.deepEqual(read.stacks, readFolded(`${lines.join("\n")}\n`).stacks);
      },
    ),
  );
});

const NAMES = ["myrocks56-ibench", "mysql-sysbench-pn53"];
const STUDIES = NAMES.map(realData);
const skip = skipWithout(...NAMES);

test("published drawings give the stacks that were recovered from them", { skip }, () => {
  for (const study of skip ? [] : STUDIES) {
    for (const file of readdirSync(study, { recursive: true, encoding: "utf8" })) {
      if (!file.endsWith("flamegraph.svg.gz")) continue;
      const svg = gunzipSync(readFileSync(join(study, file))).toString();
      const stacks = readFileSync(join(study, file, "../stacks.folded.gz"));
      const read = readSvg(svg);
      assert.deepEqual(read.stacks, readFolded(gunzipSync(stacks)).stacks, file);
      assert.deepEqual(reasonsIn(read), [NOT_ALL_DRAWN], file);
    }
  }
});

/** @param {string} line */
function splitLine(line) {
  const space = line.lastIndexOf(" ");
  return { stack: line.slice(0, space), weight: BigInt(line.slice(space + 1)) };
}

test("published differentials give the second profile, but for frames they lost", { skip }, () => {
  for (const study of skip ? [] : STUDIES) {
    for (const file of readdirSync(study, { recursive: true, encoding: "utf8" })) {
      if (!/diff-.*\.svg\.gz$/.test(file)) continue;
      const read = readSvg(gunzipSync(readFileSync(join(study, file))).toString());
      const stacks = readFileSync(join(study, file, "../stacks.folded.gz"));
      const after = readFolded(gunzipSync(stacks)).stacks.unknown.map(splitLine);
      const total = after.reduce((sum, { weight }) => sum + weight, 0n);
      assert.equal(read.profiles.unknown.total, String(total), file);
      const lost = read.skipped.find(({ reason }) => reason.startsWith("caller that"))?.count ?? 0;
      const known = new Map(after.map(({ stack, weight }) => [stack, weight]));
      const other = read.stacks.unknown
        .map(splitLine)
        .filter(
          ({ stack, weight }) => known.get(stack) !== weight && !stack.includes(";[unknown];"),
        );
      assert.ok(other.length <= 2 * lost, `${file}: ${other.length} stacks differ`);
    }
  }
});

test("of a drawing with more frames than any has, the others are counted with their callers", () => {
  const frame = '<g><title>f (1 samples, 20.00%)</title><rect x="0" y="16" width="1"/></g>';
  const all = '<g><title>all (5 samples, 100%)</title><rect x="0" y="0" width="5"/></g>';
  const reader = new flamegraphSvg.Reader("cycles", [], 3);
  reader.push(Buffer.from(`<svg>${all}${frame.repeat(4)}</svg>`));
  const { events, skipped } = reader.finish();
  assert.equal(events[0].builder.total(), 5n);
  const reason = "frame beyond the first 3: its weight is counted with its caller";
  assert.deepEqual(skipped, [{ reason, count: 2, first_line: 1 }]);
});

fuzzReader(
  "drawings",
  flamegraphSvg,
  [drawing("plain"), drawing("differential"), perlDrawing(PERL)],
  {
    words: [
      "<g>",
      "</g>",
      "<title>",
      "</title>",
      "</svg>",
      "<![CDATA[",
      "&amp;",
      '"',
      "NaN",
      "100%)",
    ],
  },
);
