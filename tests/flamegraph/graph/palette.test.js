import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { SHADES } from "../../../pipeline/flamegraph/graph/diff_graph.js";
import { plainClass, TINTS } from "../../../pipeline/flamegraph/graph/profile_graph.js";

const SHEET = readFileSync(
  new URL("../../../pipeline/flamegraph/viewer/graph.css", import.meta.url),
  "utf8",
);
const [LIGHT, DARK] = SHEET.split("@media (prefers-color-scheme: dark)");

/**
 * The colours of a part of the sheet: `.flame-graph .u0 { color: #ecd6b3; }`, of text as its fill.
 *
 * @param {string} css
 */
function fills(css) {
  const rules = css.matchAll(
    /\.flame-graph (?:\.?)([\w.]+) \{\s*(?:fill|color): (#[0-9a-f]{3,6});/g,
  );
  return new Map(Array.from(rules, ([, name, colour]) => [name, colour]));
}

/**
 * https://www.w3.org/TR/WCAG22/#dfn-relative-luminance
 *
 * @param {string} colour
 */
function luminance(colour) {
  const digits = colour.length === 4 ? colour.replace(/[0-9a-f]/g, "$&$&") : colour;
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(digits.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** @param {string} a @param {string} b */
function contrast(a, b) {
  const [darker, lighter] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (lighter + 0.05) / (darker + 0.05);
}

const classes = [
  ...Object.values(TINTS).flatMap(({ letter, tints }) =>
    Array.from({ length: tints }, (_, tint) => `${letter}${tint}`),
  ),
  ...["g", "s"].flatMap((letter) =>
    Array.from({ length: SHADES }, (_, shade) => `${letter}${shade + 1}`),
  ),
  ...["r", "n", "x"],
];

for (const [scheme, css] of [
  ["light", LIGHT],
  ["dark", DARK],
]) {
  test(`labels are readable at WCAG AA on every colour, in ${scheme}`, () => {
    const fill = fills(css);
    const ink = fill.get("text");
    assert.ok(ink);
    for (const name of classes) {
      const colour = fill.get(name);
      assert.ok(colour, `no colour for .${name}`);
      assert.ok(contrast(ink, colour) >= 4.5, `${name}: ${contrast(ink, colour)}`);
    }
    const found = fill.get("text.found");
    const match = fill.get("match");
    assert.ok(found && match);
    assert.ok(contrast(found, match) >= 4.5, "found");
  });

  test(`one hue holds all kinds of code, and no colour but the program's, in ${scheme}`, () => {
    const fill = fills(css);
    const ofProgram = ["r", ...Array.from({ length: TINTS.user.tints }, (_, tint) => `u${tint}`)];
    const hue = ofProgram.map((name) => fill.get(name));
    for (const { letter, tints } of Object.values(TINTS).filter((kind) => kind !== TINTS.user)) {
      const colours = Array.from({ length: tints }, (_, tint) =>
        fill.get(plainClass(`${letter}${tint}`)),
      );
      assert.ok(
        colours.every((colour) => hue.includes(colour)),
        letter,
      );
      assert.equal(new Set(colours).size, tints, `shades of ${letter} stay apart`);
    }
  });

  test(`stronger changes have stronger colours, in ${scheme}`, () => {
    const fill = fills(css);
    for (const letter of ["g", "s"]) {
      const distances = Array.from({ length: SHADES }, (_, shade) =>
        contrast(fill.get(`${letter}${shade + 1}`) ?? "", fill.get("n") ?? ""),
      );
      const last = distances.slice(1);
      assert.deepEqual(
        last,
        last.toSorted((a, b) => a - b),
      );
    }
  });
}
