/**
 * Graphs as SVG text: a self-contained file, and a picture for a page.
 *
 * In a file, frames wide enough for a label are elements of their own, with the full name as their title;
 * the slivers between them are one path per colour. Names and weights of all frames are in it as data for
 * its script, which redraws the picture for the width that the reader has. A page has neither titles nor
 * data: its script draws the profile itself.
 */

import { grouped } from "../../profile/model/numbers.js";
import { shownName } from "../../profile/model/shown_names.js";
import { compressed } from "../graph/compressed.js";
import {
  grouping,
  LABEL_BASELINE,
  LABEL_INSET,
  MINIMUM_PIXELS,
  pathData,
  REFERENCE_WIDTH,
  scene,
} from "../graph/scene.js";
import { embeddedJson, escapeXml, formatPixels, inCdata } from "./markup.js";
import { standaloneParts } from "./svg_script.js";

const MARGIN = 10;
/**
 * Slivers of a file, and all frames on a page, are rounded to half a pixel: their path is a quarter of a
 * file's bytes, compressed, and a third smaller so. The script redraws them to the tenth.
 */
const EDGE_STEP = 5;
/** How wide a page draws a graph where there is room, in pixels: 70 of its rem, the site's `--page`. */
const PAGE_WIDTH = 1120;
/** Frames that are thinner leave no mark on a page: they are thinner than a pixel on a phone. */
const PAGE_PIXELS = 3;
/** Narrower frames have no label on a page: one of fewer than five characters hardly names a function. */
const LABELLED_PIXELS = 40;
/** What part of its caller's width a callee has at least to end its label where the caller does. */
const NEARLY = 0.95;

/**
 * @typedef {object} Picture what both renderings need
 * @property {import("../graph/graph.js").Graph} graph
 * @property {string} title
 * @property {string[]} subtitle lines of text
 * @property {(kept: number[]) => import("../graph/rebuild.js").Columns} data the excerpt of the profile or diff for these nodes
 * @property {{ colour: string, text: string }[]} [legend]
 *
 * @typedef {object} Rendered
 * @property {string} svg
 * @property {number} drawn frames drawn, over all lanes
 * @property {{ frames: number, weight: number }} leftOut
 */

/**
 * @param {Picture} picture
 * @returns {Rendered}
 */
export function standaloneSvg({ graph, title, subtitle, data, legend = [] }) {
  const width = REFERENCE_WIDTH - 2 * MARGIN;
  const drawing = scene(graph, {
    width,
    zoomed: 0,
    direction: "icicle",
    minimumPixels: MINIMUM_PIXELS,
  });
  const columns = data(keptNodes(drawing.frames));
  const { script, style } = standaloneParts(columns);
  const heading = escapeXml(shownName(title));
  const lines = [...subtitle, ...leftOutLine(drawing.leftOut.frames)];
  const legendTop = 40 + lines.length * 18;
  const places = legendPlaces(legend);
  const top = legendTop + (legend.length > 0 ? 26 + (places.at(-1)?.y ?? 0) : 0);
  const height = top + drawing.height + MARGIN;
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${REFERENCE_WIDTH}" height="${height}" viewBox="0 0 ${REFERENCE_WIDTH} ${height}" role="img" aria-labelledby="title desc">`,
    `<title id="title">${heading}</title>`,
    `<desc id="desc">${escapeXml(lines.join(" "))}</desc>`,
    `<style>${style}</style>`,
    '<rect class="paper" width="100%" height="100%"/>',
    '<g class="header">',
    `<text class="heading" x="${MARGIN}" y="28">${heading}</text>`,
    ...lines.map(
      (line, index) =>
        `<text class="line" x="${MARGIN}" y="${50 + index * 18}">${escapeXml(line)}</text>`,
    ),
    ...legendMarkup(legend, places, legendTop),
    "</g>",
    `<svg class="flame-graph" x="${MARGIN}" y="${top}" width="${width}" height="${drawing.height}">`,
    ...titlesMarkup(drawing),
    ...pathsMarkup(drawing.frames.filter(({ label }) => !label)),
    ...drawing.frames.filter(({ label }) => label).map((frame) => labelledMarkup(graph, frame)),
    "</svg>",
    `<script type="application/json" class="data">${embeddedJson(compressed(columns))}</script>`,
    `<script><![CDATA[${inCdata(script)}]]></script>`,
    "</svg>",
    "",
  ].join("\n");
  return { svg, drawn: drawing.frames.length, leftOut: drawing.leftOut };
}

/**
 * Draw the picture for a page: no ids, styles or scripts; it is as wide as the page, its text is
 * not scaled, and what does not fit where a page is narrower is clipped.
 *
 * @param {Picture & { maximumFrames: number }} picture
 * @returns {Rendered}
 */
export function inlineSvg({ graph, title, subtitle, legend = [], maximumFrames }) {
  /** @param {import("../graph/graph.js").Lane[]} lanes */
  const draw = (lanes) =>
    scene(graph, {
      width: PAGE_WIDTH,
      zoomed: 0,
      direction: "icicle",
      minimumPixels: PAGE_PIXELS,
      maximumFrames: Math.floor(maximumFrames / graph.lanes.length),
      lanes,
    });
  const drawing = draw(graph.lanes.filter(({ isContext }) => !isContext));
  const gone = draw(graph.lanes.filter(({ isContext }) => isContext));
  const description = [
    `${shownName(title)}.`,
    ...subtitle,
    ...leftOutLine(drawing.leftOut.frames),
  ].join(" ");
  const svg = [
    ...stackedLegendMarkup(legend),
    `<svg xmlns="http://www.w3.org/2000/svg" class="flame-graph" role="img" width="100%" height="${drawing.height}" aria-label="${escapeXml(description)}" data-graph="">`,
    ...fluidScene(drawing),
    ...goneMarkup(gone),
    "",
  ].join("\n");
  return { svg, drawn: drawing.frames.length + gone.frames.length, leftOut: drawing.leftOut };
}

/**
 * Draw the inside of a picture that is as wide as the page, and its end.
 *
 * @param {import("../graph/scene.js").Scene} drawing
 */
function fluidScene(drawing) {
  return [
    `<svg width="100%" height="${drawing.height}" viewBox="0 0 ${PAGE_WIDTH} ${drawing.height}" preserveAspectRatio="none">`,
    ...pathsMarkup(drawing.frames),
    "</svg>",
    ...titlesMarkup(drawing),
    ...labelsMarkup(drawing.frames.filter(({ width }) => width >= LABELLED_PIXELS)),
    "</svg>",
  ];
}

/**
 * Draw what is gone, in a closed `<details>`: the page lists its largest functions.
 *
 * @param {import("../graph/scene.js").Scene} gone
 */
function goneMarkup(gone) {
  if (gone.frames.length === 0) return [];
  const title = escapeXml(gone.titles.map(({ text }) => text).join("; "));
  return [
    `<details class="flame-graph-gone"><summary>${title}</summary>`,
    `<svg xmlns="http://www.w3.org/2000/svg" class="flame-graph" role="img" width="100%" height="${gone.height}" aria-label="${title}">`,
    ...fluidScene(gone),
    "</details>",
  ];
}

/** @param {number} frames */
function leftOutLine(frames) {
  if (frames === 0) return [];
  if (frames === 1) return ["1 frame is too thin to draw; its weight is in its caller."];
  return [`${grouped(frames, 0)} frames are too thin to draw; their weight is in their callers.`];
}

/**
 * Return the nodes that drawn frames need, in preorder.
 *
 * @param {import("../graph/scene.js").Drawn[]} frames
 * @returns {number[]}
 */
function keptNodes(frames) {
  const isKept = new Uint8Array(frames.length > 0 ? frames[0].lane.tree.parent.length : 0);
  for (const { node, lane } of frames) {
    isKept[node] = 1;
    // A lane may begin below the root; what leads there is needed too.
    if (!lane.isContext) continue;
    for (let at = lane.tree.parent[node]; at >= 0; at = lane.tree.parent[at]) isKept[at] = 1;
  }
  const kept = [];
  for (let node = 0; node < isKept.length; node++) if (isKept[node]) kept.push(node);
  // Without weight nothing is drawn, and the viewer still begins at the root.
  return kept.length > 0 ? kept : [0];
}

/** @param {import("../graph/scene.js").Scene} drawing */
function titlesMarkup(drawing) {
  return drawing.titles.map(
    ({ text, y }) => `<text class="lane" x="0" y="${y}">${escapeXml(text)}</text>`,
  );
}

/**
 * Draw frames as one path per colour.
 *
 * @param {import("../graph/scene.js").Drawn[]} frames
 */
function pathsMarkup(frames) {
  return grouping(frames, ({ colour }) => colour).map(
    ([colour, each]) => `<path class="${colour}" d="${pathData(each, EDGE_STEP)}"/>`,
  );
}

/**
 * Draw a frame with its label, and in its title what the label has no room for.
 *
 * @param {import("../graph/graph.js").Graph} graph
 * @param {import("../graph/scene.js").Drawn} frame
 */
function labelledMarkup(graph, frame) {
  const { node, x, y, colour, label } = frame;
  const title = escapeXml(`${graph.name(node)}\n${graph.facts(node, 0).join("\n")}`);
  const left = formatPixels(x);
  // Placed as a group, so that its parts begin alike in all frames, which compresses well.
  const path = pathData([{ ...frame, x: x - Number(left), y: 0 }]);
  const text = `<text x="${LABEL_INSET}" y="${LABEL_BASELINE}">${escapeXml(label)}</text>`;
  return `<g class="${colour}" transform="translate(${left} ${y})"><title>${title}</title><path d="${path}"/>${text}</g>`;
}

/**
 * Write labels that end where their frames do, however narrow the page is. The style sheet places them in
 * their frames. A callee that is nearly as wide as its caller ends with it: a third of all labels.
 *
 * @param {import("../graph/scene.js").Drawn[]} frames callers before their callees
 */
function labelsMarkup(frames) {
  /** @type {import("../graph/scene.js").Drawn[][]} */
  const chains = [];
  for (const frame of frames) {
    const chain = chains.at(-1);
    const isNext = chain && chain[0].x === frame.x && chain[0].width * NEARLY <= frame.width;
    if (isNext) chain.push(frame);
    else chains.push([frame]);
  }
  return chains.map((chain) => {
    const [{ x, width }] = chain;
    const labels = chain.map(({ y, label }) => `<text y="${y}">${escapeXml(label)}</text>`);
    return `<svg x="${percent(x)}" width="${percent(width)}">${labels.join("\n")}</svg>`;
  });
}

/** @param {number} pixels of the page's width */
function percent(pixels) {
  return `${Math.round((pixels / PAGE_WIDTH) * 1e4) / 100}%`;
}

/**
 * Draw one line of a legend; without a colour it continues the line before.
 *
 * @param {{ colour: string, text: string }} entry
 * @param {number} x
 * @param {number} y
 */
function legendEntry({ colour, text }, x, y) {
  const swatch = colour && `<rect class="${colour}" x="${x}" y="${y}" width="14" height="14"/>`;
  return `${swatch}<text class="line" x="${x + 20}" y="${y + 12}">${escapeXml(text)}</text>`;
}

/**
 * Return the positions of the entries of a legend: side by side, and in another row where the width ends.
 *
 * @param {{ text: string }[]} legend
 */
function legendPlaces(legend) {
  let [x, y] = [MARGIN, 0];
  return legend.map(({ text }) => {
    const width = 44 + Math.ceil(text.length * 7);
    if (x > MARGIN && x + width > REFERENCE_WIDTH) [x, y] = [MARGIN, y + 19];
    const place = { x, y };
    x += width;
    return place;
  });
}

/**
 * @param {{ colour: string, text: string }[]} legend
 * @param {{ x: number, y: number }[]} places
 * @param {number} top
 */
function legendMarkup(legend, places, top) {
  if (legend.length === 0) return [];
  const entries = legend.map((entry, index) => {
    const { x, y } = places[index];
    return legendEntry(entry, x, top + y);
  });
  return [`<g class="flame-graph">${entries.join("")}</g>`];
}

/** Characters of a legend's line that a phone has room for. */
const NARROW = 42;

/**
 * Draw a legend one below the other and broken into lines, as a narrow page needs it.
 *
 * @param {{ colour: string, text: string }[]} legend
 */
function stackedLegendMarkup(legend) {
  if (legend.length === 0) return [];
  const lines = legend.flatMap(({ colour, text }) =>
    wrapped(text, NARROW).map((line, index) => ({ colour: index === 0 ? colour : "", text: line })),
  );
  const markup = lines.map((line, index) => legendEntry(line, 0, index * 19)).join("");
  const label = escapeXml(legend.map(({ text }) => text).join("; "));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="flame-graph" role="img" width="100%" height="${lines.length * 19 + 4}" aria-label="${label}">${markup}</svg>`,
  ];
}

/**
 * @param {string} text
 * @param {number} characters
 * @returns {string[]}
 */
function wrapped(text, characters) {
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= characters) {
      lines[lines.length - 1] = `${line} ${word}`;
    } else lines.push(word);
  }
  return lines;
}
