/** Pictures in pixels. The fonts are those that were installed with this package, none of the machine's. */

import { fileURLToPath } from "node:url";
import { Resvg } from "@resvg/resvg-js";
import { palettePng } from "./palette_png.js";

const FONTS = [
  "@expo-google-fonts/source-serif-4/400Regular/SourceSerif4_400Regular.ttf",
  "@expo-google-fonts/source-serif-4/600SemiBold/SourceSerif4_600SemiBold.ttf",
  "@expo-google-fonts/source-code-pro/400Regular/SourceCodePro_400Regular.ttf",
].map((name) => fileURLToPath(import.meta.resolve(name)));

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
  const picture = new Resvg(svg, { font, fitTo }).render();
  const { pixels, width, height } = picture;
  return { png: palettePng({ pixels, width, height }), width, height };
}
