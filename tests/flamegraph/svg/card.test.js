import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { diffGraph } from "../../../pipeline/flamegraph/graph/diff_graph.js";
import { profileGraph } from "../../../pipeline/flamegraph/graph/profile_graph.js";
import { REFERENCE_WIDTH, ROW, scene } from "../../../pipeline/flamegraph/graph/scene.js";
import { pngOf } from "../../../pipeline/flamegraph/png/png.js";
import { cardFrames, GRAPH_WIDTH } from "../../../pipeline/flamegraph/svg/card.js";
import { CARD } from "../../../pipeline/flamegraph/svg/card_paper.js";
import { diffCard } from "../../../pipeline/flamegraph/svg/diff_svg.js";
import {
  inlineProfileSvg,
  profileCard,
  profileSvg,
} from "../../../pipeline/flamegraph/svg/profile_svg.js";
import { diffProfiles } from "../../../pipeline/profile/diff/diff.js";
import { HOSTILE_NAMES, profileOf, profileOfStacks, profiles } from "../../profile/profiles.js";
import { assertGolden } from "../golden.js";
import { assertWellFormed } from "../well_formed.js";

/** So many that nothing here is chance. */
const MANY = { samples: 1e8 };
const AFTER = profileOfStacks(
  [
    "postgres;main;ExecScan;__memcmp_evex_movbe@libc 280",
    "postgres;main;ExecScan;heap_getnext 400",
    "postgres;main;ExecAgg;hash_search 120",
    "postgres;main;read@kernel 150",
    "checkpointer;main;write@kernel 100",
  ],
  MANY,
);
const BASE = profileOfStacks(
  [
    "postgres;main;ExecScan;heap_getnext 250",
    "postgres;main;ExecSort;tuplesort_performsort 200",
    "checkpointer;main;write@kernel 100",
  ],
  MANY,
);
const TEXT = { title: "PostgreSQL 18, select", about: "Servers · lab1", line: "5,060 per second" };

test("a card is drawn as its golden file shows", () => {
  assertGolden("card.svg", profileCard(AFTER, TEXT));
  const diff = diffProfiles(BASE, AFTER, { baseLabel: "16", afterLabel: "18" });
  assertGolden("card-diff.svg", diffCard(diff, { title: "18 against 16", about: "Servers" }));
});

test("the card of a diff has its verdict as a sentence, and another one about the graph", () => {
  const diff = diffProfiles(BASE, AFTER, { baseLabel: "16", afterLabel: "18" });
  const line = "Too noisy; also different: settings.txt.";
  const svg = diffCard(diff, { title: "18 against 16", about: "Servers", line });
  const texts = [...svg.matchAll(/<text [^>]*>([^<]*)</g)].map(([, text]) => text).join(" ");
  assert.ok(texts.includes(`${line} Change of share; matched: 55.6 %.`), texts);
});

test("the file, the page and the card agree on places, widths and colours, the file and the card on names", () => {
  const fraction = (/** @type {number} */ pixels, /** @type {number} */ width) =>
    Math.round((pixels / width) * 200) / 200;
  /** @param {string} markup @param {RegExp} frame @param {number} width */
  const boxes = (markup, frame, width) =>
    [...markup.matchAll(frame)].map(([, colour, x, y, title, wide]) => ({
      colour,
      name: title,
      x: fraction(Number(x), width),
      row: Number(y) / ROW,
      width: fraction(Number(wide), width),
    }));
  const file = boxes(
    profileSvg(AFTER, "t", []).svg,
    /<g class="(\w+)" transform="translate\(([\d.]+) (\d+)\)"><title>(.*?)\n[^<]*<\/title><path d="m0 8h([\d.]+)/g,
    REFERENCE_WIDTH - 20,
  );
  const { svg: picture } = inlineProfileSvg(AFTER, "t", 1500);
  const page = [...picture.matchAll(/<svg x="([\d.]+)%" width="([\d.]+)%">(.*?)<\/svg>/gs)].flatMap(
    ([, x, width, labels]) =>
      [...labels.matchAll(/<text y="(\d+)">/g)].map(([, y]) => ({
        x: fraction(Number(x), 100),
        row: Number(y) / ROW,
        end: fraction(Number(width), 100),
      })),
  );
  const painted = [...picture.matchAll(/<path class="(\w+)" d="([^"]*)"/g)].flatMap(
    ([, colour, data]) => Array(data.split("m").length - 1).fill(colour),
  );
  const graph = profileGraph(AFTER);
  const card = cardFrames(graph, 16).frames.map(({ node, colour, x, y, width }) => ({
    colour,
    name: graph.name(node),
    x: fraction(x, GRAPH_WIDTH),
    row: y / ROW,
    width: fraction(width, GRAPH_WIDTH),
  }));
  assert.equal(file.length, AFTER.parent.length);
  assert.deepEqual(
    page.map(({ x, row }) => ({ x, row })),
    file.map(({ x, row }) => ({ x, row })),
  );
  // A label may end where its frame's caller does, which is hardly wider.
  for (const [at, { end }] of page.entries()) {
    assert.ok(end >= file[at].width && end <= file[at].width / 0.95 + 0.01, `label ${at}`);
  }
  assert.deepEqual(painted, file.map(({ colour }) => colour).sort());
  assert.deepEqual(card, file);
});

test("a card has the labels that a page of its width has", () => {
  const graph = profileGraph(AFTER);
  const { frames } = scene(graph, { width: GRAPH_WIDTH, zoomed: 0, direction: "icicle" });
  const labels = frames.map(({ label }) => label);
  assert.deepEqual(
    cardFrames(graph, 16).frames.map(({ label }) => label),
    labels,
  );
  const svg = profileCard(AFTER, TEXT);
  for (const label of labels.filter(Boolean)) assert.ok(svg.includes(`>${label}<`), label);
});

test("where stacks are deep, a card begins where the weight parts, and says so", () => {
  const callers = Array.from({ length: 30 }, (_, index) => `caller_${index}`).join(";");
  const graph = profileGraph(
    profileOfStacks([`t;${callers};left;deep 60`, `t;${callers};right 40`, "u;other 1"]),
  );
  const { frames, zoomed, note } = cardFrames(graph, 10);
  assert.equal(graph.name(zoomed), "caller_22");
  assert.equal(frames[0].node, zoomed);
  assert.equal(frames[0].y, 0);
  assert.ok(frames.some(({ node }) => graph.name(node) === "deep"));
  assert.equal(note, "From caller_22 down, 99.01 % of all.");

  const shallow = cardFrames(profileGraph(AFTER), 10);
  assert.equal(shallow.zoomed, 0);
  assert.equal(shallow.note, "");
});

test("a card names rows without room as being on the page, and gone functions too", () => {
  const deep = Array.from({ length: 30 }, (_, index) => `f${index}`).join(";");
  const profile = profileOfStacks([`t;${deep} 5`, `u;${deep} 5`]);
  const { frames, note } = cardFrames(profileGraph(profile), 10);
  assert.equal(Math.max(...frames.map(({ y }) => y)), 9 * ROW);
  assert.equal(note, "The page has deeper rows.");
  const diff = diffProfiles(BASE, AFTER, { baseLabel: "16", afterLabel: "18" });
  assert.equal(cardFrames(diffGraph(diff), 10).note, "The page has what is gone.");
});

test("whatever the names, a card is well-formed, of its size, and within its margins", () => {
  const allowed = new Set("svg style rect text path g".split(" "));
  fc.assert(
    fc.property(profiles, profiles, fc.constantFrom(...HOSTILE_NAMES), (base, after, hostile) => {
      const text = { title: hostile, about: hostile, line: hostile };
      const diff = diffProfiles(base, after, { baseLabel: hostile, afterLabel: hostile });
      for (const svg of [profileCard(after, text), diffCard(diff, text)]) {
        const { elements } = assertWellFormed(svg);
        for (const name of elements) assert.ok(allowed.has(name), name);
        for (const [, y] of svg.matchAll(/<text [^>]*y="(\d+)"/g)) assert.ok(Number(y) < 630);
        for (const [, label] of svg.matchAll(/<text class="\w+"[^>]*>([^<]*)</g)) {
          assert.ok(label.length < 900, "cut");
        }
      }
    }),
    { numRuns: 25 },
  );
});

/** @param {Uint8Array} png */
function sizeOf(png) {
  const view = new DataView(png.buffer, png.byteOffset);
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

test("the picture is a PNG of the card's size, the same bytes each time, names in it or not", () => {
  const card = profileCard(AFTER, TEXT);
  const png = pngOf(card);
  assert.deepEqual(
    [...png.slice(1, 4)],
    [..."PNG"].map((letter) => letter.charCodeAt(0)),
  );
  assert.deepEqual(sizeOf(png), CARD);
  assert.deepEqual(pngOf(card), png);
  assert.notDeepEqual(pngOf(card.replace("heap_getnext", "heap_insert_")), png, "text is drawn");
});

test("names that mean harm are drawn too", () => {
  const hostile = profileOf(
    HOSTILE_NAMES.map((name, index) => ({ frames: ["t", name, name], weight: 100 + index })),
  );
  for (const name of HOSTILE_NAMES) {
    const png = pngOf(profileCard(hostile, { title: name, about: name, line: name }));
    assert.deepEqual(sizeOf(png), CARD);
  }
});
