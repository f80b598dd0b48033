/** Pictures in pixels. The fonts are those that were installed with this package, none of the machine's. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Resvg } from "@resvg/resvg-js";
import { charactersOf } from "./font_characters.js";
import { palettePng } from "./palette_png.js";

const FONTS = [
  "@expo-google-fonts/source-serif-4/400Regular/SourceSerif4_400Regular.ttf",
  "@expo-google-fonts/source-serif-4/600SemiBold/SourceSerif4_600SemiBold.ttf",
  "@expo-google-fonts/source-code-pro/400Regular/SourceCodePro_400Regular.ttf",
].map((name) => fileURLToPath(import.meta.resolve(name)));

/** What stands for letters that no font has. */
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
