import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { charactersOf, pictureOf, withoutBoxes } from "../../../pipeline/flamegraph/png/png.js";

const FONT = readFileSync(
  fileURLToPath(
    import.meta.resolve("@expo-google-fonts/source-serif-4/400Regular/SourceSerif4_400Regular.ttf"),
  ),
);

/** @param {string} words */
function shown(words) {
  return /<text>(.*)<\/text>/s.exec(withoutBoxes(`<svg><text>${words}</text></svg>`))?.[1];
}

test("letters that the fonts have stay: Latin, Greek, Cyrillic, and the signs of verdicts", () => {
  for (const words of ["é ẽ e\u0301", "αβγ", "Жёлтый", "▲ ▼ △ ▽ × − – … ·", "a &lt;b&gt; &amp;"]) {
    assert.equal(shown(words), words);
  }
});

test("words in other letters are left out with a sign, and what is beside them stays", () => {
  assert.equal(shown("订单 查询 on 18: faster, ×1.2"), "[…] on 18: faster, ×1.2");
  assert.equal(shown("select שלום"), "select […]");
  assert.equal(shown("😀"), "[…]");
});

test("a picture has the same pixels for a name without letters as for the sign", () => {
  /** @param {string} words */
  const picture = (words) =>
    pictureOf(
      `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="40"><rect width="200" height="40" fill="#fffefb"/><text y="30">${words}</text></svg>`,
    ).png;
  assert.deepEqual(picture("서울"), picture("[…]"));
  assert.notDeepEqual(picture("서울"), picture(""));
});

test("a font that does not say what it has is refused", () => {
  const without = Buffer.from(FONT);
  without.write("none", FONT.indexOf("cmap"), "latin1");
  assert.throws(() => charactersOf(without), /no table cmap/);
  assert.ok(charactersOf(FONT).some(([first, last]) => first <= 0x416 && 0x416 <= last));
});
