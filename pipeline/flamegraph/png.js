/** Pictures in pixels. The fonts are those that were installed with this package, none of the machine's. */

import { fileURLToPath } from "node:url";
import { Resvg } from "@resvg/resvg-js";

const FONTS = [
  "@expo-google-fonts/source-serif-4/400Regular/SourceSerif4_400Regular.ttf",
  "@expo-google-fonts/source-serif-4/600SemiBold/SourceSerif4_600SemiBold.ttf",
  "@expo-google-fonts/source-code-pro/400Regular/SourceCodePro_400Regular.ttf",
].map((name) => fileURLToPath(import.meta.resolve(name)));

/**
 * @param {string} svg
 * @returns {Uint8Array} a PNG of the SVG's own size
 */
export function pngOf(svg) {
  const font = { loadSystemFonts: false, fontFiles: FONTS, defaultFontFamily: "Source Serif 4" };
  return new Resvg(svg, { font }).render().asPng();
}
