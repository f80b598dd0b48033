import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { Resvg } from "@resvg/resvg-js";
import fc from "fast-check";
import { tableCardSvg } from "../../pipeline/charts/table-card.js";
import { pngOf } from "../../pipeline/flamegraph/png/png.js";
import { CARD } from "../../pipeline/flamegraph/svg/card_paper.js";
import { assertWellFormed } from "../flamegraph/well_formed.js";
import { HOSTILE_NAMES } from "../profile/profiles.js";
import { assertGolden } from "./drawings.js";

const WORDS = {
  title: "PostgreSQL 18",
  about: "Servers · lab1",
  line: "4 steps against PostgreSQL 12: 2 faster, 1 slower, 1 no change seen",
  row_head: "Step",
  rows_left: "step",
  rows_left_many: "steps",
};
const COLUMNS = [
  { label: "Ratio", numeric: true },
  { label: "95 % interval", numeric: true },
  { label: "Verdict", numeric: false },
];
/** Below an answer of one line or two. */
const MOST_ROWS = 11;
/** @param {string} label @param {import("../../pipeline/messages.js").CardCell["tone"]} [tone] */
const row = (label, tone = "better") => ({
  label,
  cells: [{ text: "×1.602", tone }, { text: "1.541 to 1.823" }, { text: "▲ faster", tone }],
});

test("a table's card is drawn as its golden file shows", () => {
  const rows = [row("update"), row("insert", "worse"), row("select", ""), row("scan", "unknown")];
  assertGolden("table-card", tableCardSvg({ ...WORDS, columns: COLUMNS, rows }));
});

test("rows that have no room are counted", () => {
  const rows = (/** @type {number} */ count) =>
    Array.from({ length: count }, (_, index) => row(`step ${index}`));
  const full = tableCardSvg({ ...WORDS, columns: COLUMNS, rows: rows(MOST_ROWS) });
  assert.doesNotMatch(full, /more step/);
  const one = tableCardSvg({ ...WORDS, columns: COLUMNS, rows: rows(MOST_ROWS + 1) });
  assert.match(one, />and 1 more step</);
  const many = tableCardSvg({ ...WORDS, columns: COLUMNS, rows: rows(38) });
  assert.match(many, new RegExp(`>and ${38 - MOST_ROWS} more steps<`));
  assert.doesNotMatch(many, new RegExp(`step ${MOST_ROWS}<`));
});

test("an answer has up to four lines, and takes them from the rows", () => {
  const answer = (/** @type {number} */ sentences) =>
    tableCardSvg({
      ...WORDS,
      line: "3 of 6 steps are slower since 8.0.37, none faster. ".repeat(sentences).trim(),
      columns: COLUMNS,
      rows: Array(20).fill(row("a")),
    });
  const lines = (/** @type {string} */ svg) => svg.match(/class="ink"[^>]*font-size="21"/g)?.length;
  assert.equal(lines(answer(3)), 2);
  assert.match(answer(3), new RegExp(`>and ${20 - MOST_ROWS} more steps<`));
  assert.equal(lines(answer(7)), 4);
  assert.doesNotMatch(answer(7), /…/);
  assert.match(answer(7), new RegExp(`>and ${20 - MOST_ROWS + 2} more steps<`));
  assert.equal(lines(answer(20)), 4);
  assert.match(answer(20), /…</);
});

test("fewer rows are larger, as long as all of them have room", () => {
  const sizes = (/** @type {string} */ svg) =>
    [...svg.matchAll(/class="name"[^>]*font-size="([\d.]+)"/g)].map(([, size]) => Number(size));
  const few = tableCardSvg({ ...WORDS, columns: COLUMNS, rows: [row("a"), row("b")] });
  const many = tableCardSvg({ ...WORDS, columns: COLUMNS, rows: Array(30).fill(row("a")) });
  assert.ok(sizes(few)[0] > sizes(many)[0]);
  assert.equal(new Set(sizes(few)).size, 1);
});

test("a table without rows is a card of its words", () => {
  const svg = tableCardSvg({ ...WORDS, columns: COLUMNS, rows: [] });
  assert.match(svg, /PostgreSQL 18/);
  assertWellFormed(svg);
});

const require = createRequire(import.meta.url);
const FONTS = ["400Regular/SourceSerif4_400Regular", "600SemiBold/SourceSerif4_600SemiBold"];

/** @param {string} svg @returns what is drawn, the paper aside */
function inked(svg) {
  const bare = svg
    .replace(/<rect class="paper"[^>]*>/, "")
    .replace(/<path class="rule"[^>]*>/g, "");
  const font = {
    loadSystemFonts: false,
    fontFiles: [
      ...FONTS.map((name) => require.resolve(`@expo-google-fonts/source-serif-4/${name}.ttf`)),
      require.resolve("@expo-google-fonts/source-code-pro/400Regular/SourceCodePro_400Regular.ttf"),
    ],
  };
  return /** @type {NonNullable<ReturnType<Resvg["getBBox"]>>} */ (
    new Resvg(bare, { font }).getBBox()
  );
}

test("whatever the names, everything stands within the card, and not on top of each other", () => {
  const names = fc.oneof(
    fc.constantFrom(
      ...HOSTILE_NAMES,
      "W".repeat(200),
      "n".repeat(200),
      "日本".repeat(80),
      "العربية",
    ),
    fc.string({ maxLength: 300, unit: "grapheme" }),
  );
  fc.assert(
    fc.property(
      names,
      names,
      names,
      fc.integer({ min: 1, max: 20 }),
      (title, label, cell, count) => {
        const rows = Array.from({ length: count }, () => {
          const { cells } = row(label, "worse");
          return { label, cells: cells.map((each) => ({ ...each, text: cell })) };
        });
        const svg = tableCardSvg({
          ...WORDS,
          title,
          about: title,
          line: title,
          columns: COLUMNS,
          rows,
        });
        assertWellFormed(svg);
        const { x, y, width, height } = inked(svg);
        assert.ok(x > 0 && y > 0, `begins at ${x}, ${y}`);
        assert.ok(x + width < CARD.width, `ends at ${x + width}`);
        assert.ok(y + height < CARD.height, `ends at ${y + height}`);
      },
    ),
    { numRuns: 40 },
  );
});

test("the picture has the same bytes each time", () => {
  const svg = tableCardSvg({ ...WORDS, columns: COLUMNS, rows: [row("update")] });
  assert.deepEqual(pngOf(svg), pngOf(svg));
});
