/** Renders SVG as PNG with the fonts installed with this package, never those of the machine. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Resvg } from "@resvg/resvg-js";
import { palettePng } from "./palette_png.js";

const FONTS = [
  "@expo-google-fonts/source-serif-4/400Regular/SourceSerif4_400Regular.ttf",
  "@expo-google-fonts/source-serif-4/600SemiBold/SourceSerif4_600SemiBold.ttf",
  "@expo-google-fonts/source-code-pro/400Regular/SourceCodePro_400Regular.ttf",
].map((name) => fileURLToPath(import.meta.resolve(name)));

/** https://learn.microsoft.com/en-us/typography/opentype/spec/cmap#format-12-segmented-coverage */
const UNICODE = [3, 10];
const SEGMENTED = 12;

/** Replaces characters that no font has. */
const LEFT_OUT = "[…]";
const DRAWN = FONTS.flatMap((path) => charactersOf(readFileSync(path)));

/**
 * @param {string} svg on paper: nothing of it is transparent
 * @returns {Uint8Array} a PNG of the SVG's own size
 */
export function pngOf(svg) {
  return pictureOf(svg).png;
}

/**
 * @param {string} svg on paper
 * @param {number} [wanted] how wide the picture shall be; default: as wide as the SVG
 * @returns {{ png: Uint8Array, width: number, height: number }} with its size in pixels
 */
export function pictureOf(svg, wanted) {
  const font = { loadSystemFonts: false, fontFiles: FONTS, defaultFontFamily: "Source Serif 4" };
  const fitTo = wanted ? /** @type {const} */ ({ mode: "width", value: wanted }) : undefined;
  const picture = new Resvg(withoutBoxes(svg), { font, fitTo }).render();
  const { pixels, width, height } = picture;
  return { png: palettePng({ pixels, width, height }), width, height };
}

/**
 * Leave out of texts what the fonts have no letters for, rather than to draw a box for each.
 *
 * @param {string} svg
 */
export function withoutBoxes(svg) {
  return svg.replace(/>[^<]+</g, (text) => {
    const letters = Array.from(text, (letter) => (isDrawn(letter) ? letter : LEFT_OUT));
    return letters.join("").replace(/\[…\](?:\s*\[…\])+/g, LEFT_OUT);
  });
}

/** @param {string} letter */
function isDrawn(letter) {
  const code = letter.codePointAt(0) ?? 0;
  if (code < 0x7f) return true;
  return DRAWN.some(([first, last]) => code >= first && code <= last);
}

/**
 * Return the characters of a font: a picture would show a box for any other.
 *
 * @param {Buffer} font TrueType
 * @returns {[number, number][]} the first and the last of characters that follow each other
 * @throws {Error} where the font has no table of this kind
 */
export function charactersOf(font) {
  const table = tableAt(font, "cmap");
  const subtables = entries(table + 4, font.readUInt16BE(table + 2), 8);
  const at = subtables.find(
    (entry) =>
      font.readUInt16BE(entry) === UNICODE[0] && font.readUInt16BE(entry + 2) === UNICODE[1],
  );
  const segments = at === undefined ? -1 : table + font.readUInt32BE(at + 4);
  if (segments < 0 || font.readUInt16BE(segments) !== SEGMENTED) {
    throw new Error("the font has no segmented table of characters");
  }
  return entries(segments + 16, font.readUInt32BE(segments + 12), 12).map((entry) => [
    font.readUInt32BE(entry),
    font.readUInt32BE(entry + 4),
  ]);
}

/**
 * @param {Buffer} font
 * @param {string} name of four letters
 */
function tableAt(font, name) {
  const found = entries(12, font.readUInt16BE(4), 16).find(
    (entry) => font.toString("latin1", entry, entry + 4) === name,
  );
  if (found === undefined) throw new Error(`the font has no table ${name}`);
  return font.readUInt32BE(found + 8);
}

/**
 * @param {number} start
 * @param {number} count
 * @param {number} length bytes of each
 * @returns {number[]} where they begin
 */
function entries(start, count, length) {
  return Array.from({ length: count }, (_, index) => start + index * length);
}
