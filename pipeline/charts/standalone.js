/**
 * A chart as a file: the picture of a page, with the colours and letters that the page's style sheet
 * would give it, on the page's light paper, whatever it is put on.
 */

import { formatPixels } from "@perfpress/flamegraph/numbers.js";

/** The light colours of the site's tokens. */
export const COLOURS = {
  paper: "#fffefb",
  ink: "#1d1b17",
  "ink-muted": "#5f5a50",
  "line-0": "#2c6ca3",
  "line-1": "#a85a10",
  "line-2": "#3f7a4a",
  "line-3": "#8a4a86",
  "line-4": "#6f695d",
  "line-5": "#a2301a",
  worse: "#a2301a",
};
/** Around the picture, in units of it. */
const MARGIN = 16;

const STYLE = [
  `svg{color:${COLOURS.ink};font-family:"Source Serif 4",charter,georgia,serif}`,
  `.chart-axis,.chart-colour-other{color:${COLOURS["ink-muted"]}}`,
  `.chart-colour-current{color:${COLOURS.ink}}`,
  ".chart-heading,.chart-colour-current .chart-label,.chart-colour-slow .chart-label{font-weight:600}",
  ".chart-mark-label{font-style:italic}",
  ...[0, 1, 2, 3, 4, 5].map(
    (line) => `.chart-colour-${line}{color:${COLOURS[/** @type {"line-0"} */ (`line-${line}`)]}}`,
  ),
  `.chart-colour-slow{color:${COLOURS.worse}}`,
  `.chart-timeline .chart-label,.chart-timeline .chart-value{color:${COLOURS.ink}}`,
].join("");

/**
 * @param {string} svg as it stands in a page
 * @returns {{ svg: string, width: number, height: number }}
 */
export function standaloneChart(svg) {
  const [start, box] = svg.match(/<svg [^>]*viewBox="0 0 ([\d.]+ [\d.]+)"[^>]*>/) ?? [];
  if (!start || !box) throw new Error("a chart begins with its box");
  const [width, height] = box.split(" ").map((length) => Math.ceil(Number(length) + 2 * MARGIN));
  const viewBox = [-MARGIN, -MARGIN, width, height].map(formatPixels).join(" ");
  const head = start.replace(
    /viewBox="[^"]*"/,
    `viewBox="${viewBox}" width="${width}" height="${height}"`,
  );
  const paper = `<rect x="${-MARGIN}" y="${-MARGIN}" width="${width}" height="${height}" fill="${COLOURS.paper}" stroke="none"/>`;
  return {
    svg: svg.replace(start, () => `${head}\n<style>${STYLE}</style>\n${paper}`),
    width,
    height,
  };
}
