/**
 * A graph as a card, the picture shown where its page is linked to. The frames are those of the page, drawn half as large again, as cards are looked at small; where the
 * stacks are too deep for it, the card begins below callers that have nearly all of the weight.
 */

import { readFileSync } from "node:fs";
import { formatShare } from "../../profile/model/numbers.js";
import { shorten } from "../graph/labels.js";
import { grouping, LABEL_BASELINE, LABEL_INSET, pathData, ROW, scene } from "../graph/scene.js";
import { CARD, CLOSED, cardPaper, fitted, headedBy, MARGIN } from "./card_paper.js";
import { COLOURS } from "./colours.js";
import { escapeXml, formatPixels } from "./markup.js";

/** How much larger than on a page frames and labels are. */
const ENLARGED = 1.5;
/** The width of the graph, in pixels of a page. */
export const GRAPH_WIDTH = (CARD.width - 2 * MARGIN) / ENLARGED;
/** Frames thinner than this, in pixels of a page, cannot be seen. */
const THINNEST_SHOWN = 0.4;
/** A callee with so much of its caller's total may be drawn in its place. */
const NEARLY_ALL = 0.85;

/**
 * @typedef {import("./card_paper.js").CardText & { legend?: { colour: string, text: string }[] }} GraphCardText
 */

/**
 * @param {import("../graph/graph.js").Graph} graph
 * @param {GraphCardText} text
 * @returns {string} SVG for `pngOf`
 */
export function cardSvg(graph, { legend = [], ...text }) {
  const top = headedBy(text.line) + (legend.length > 0 ? 56 : 20);
  const rows = Math.floor((CLOSED - top) / (ROW * ENLARGED));
  const { frames, note } = cardFrames(graph, rows);
  const parts = [
    ...legendMarkup(legend),
    `<g class="flame-graph" transform="translate(${MARGIN} ${top}) scale(${ENLARGED})">`,
    ...framesMarkup(frames),
    "</g>",
  ];
  return cardPaper(text, cardStyle(), parts, note);
}

/**
 * Choose the frames of a card, and their places: those of the graph's first lane, from where the
 * weight branches.
 *
 * @param {import("../graph/graph.js").Graph} graph
 * @param {number} rows there is room for
 * @returns {{ frames: import("../graph/scene.js").Drawn[], zoomed: number, note: string }} `note`: what was
 *   left out, in words
 */
export function cardFrames(graph, rows) {
  const { zoomed, drawing } = fittingScene(graph, rows);
  const [{ tree }, gone] = graph.lanes;
  const ofLane = drawing.frames.filter(({ lane }) => lane === graph.lanes[0]);
  const tops = [...new Set(ofLane.map(({ y }) => y))]
    .sort((a, b) => a - b)
    .slice(tree.depth[zoomed]);
  const at = new Map(tops.slice(0, rows).map((y, row) => [y, row * ROW]));
  const frames = ofLane.flatMap((frame) => {
    const y = at.get(frame.y);
    return y === undefined ? [] : [{ ...frame, y }];
  });
  const left = [
    tops.length > rows ? "deeper rows" : "",
    gone && gone.tree.total[0] > 0 ? "what is gone" : "",
  ].filter(Boolean);
  const share = formatShare(tree.total[zoomed] / tree.total[0]);
  const note = [
    zoomed === 0 ? "" : `From ${shorten(graph.name(zoomed), 60)} down, ${share} of all.`,
    left.length > 0 ? `The page has ${left.join(" and ")}.` : "",
  ];
  return { frames, zoomed, note: note.filter(Boolean).join(" ") };
}

/**
 * Go down through callers until the rest fits, or the weight branches.
 *
 * @param {import("../graph/graph.js").Graph} graph
 * @param {number} rows
 */
function fittingScene(graph, rows) {
  const [{ tree }] = graph.lanes;
  let zoomed = 0;
  while (true) {
    const drawing = scene(graph, {
      width: GRAPH_WIDTH,
      zoomed,
      direction: "icicle",
      minimumPixels: THINNEST_SHOWN,
    });
    const labelled = drawing.frames.filter(
      ({ lane, label }) => lane === graph.lanes[0] && label !== "",
    );
    const deepest = labelled.reduce((most, { node }) => Math.max(most, tree.depth[node]), 0);
    const next = heaviestChild(tree, zoomed);
    const fits = deepest + 1 - tree.depth[zoomed] <= rows;
    if (fits || next < 0 || tree.total[next] < NEARLY_ALL * tree.total[zoomed]) {
      return { zoomed, drawing };
    }
    zoomed = next;
  }
}

/**
 * @param {import("../../profile/model/tree.js").CallTree} tree
 * @param {number} node
 * @returns {number} -1 where there is none
 */
function heaviestChild({ firstChild, nextSibling, total }, node) {
  let heaviest = firstChild[node];
  for (let child = heaviest; child >= 0; child = nextSibling[child]) {
    if (total[child] > total[heaviest]) heaviest = child;
  }
  return heaviest;
}

/** @param {import("../graph/scene.js").Drawn[]} frames */
function framesMarkup(frames) {
  const paths = grouping(frames, ({ colour }) => colour).map(
    ([colour, members]) => `<path class="${colour}" d="${pathData(members)}"/>`,
  );
  const labels = frames
    .filter(({ label }) => label)
    .map(
      ({ x, y, label }) =>
        `<text x="${formatPixels(x + LABEL_INSET)}" y="${y + LABEL_BASELINE}">${escapeXml(label)}</text>`,
    );
  return [...paths, ...labels];
}

/** @param {{ colour: string, text: string }[]} legend */
function legendMarkup(legend) {
  const room = (CARD.width - 2 * MARGIN) / legend.length;
  return legend.map(({ colour, text }, index) => {
    const x = formatPixels(MARGIN + index * room);
    return [
      `<g class="flame-graph" transform="translate(${x} 0)">`,
      `<rect class="${colour}" y="164" width="20" height="20"/>`,
      `<text class="words" x="28" y="180">${escapeXml(fitted(text, room - 40, 18))}</text></g>`,
    ].join("");
  });
}

/** @type {string | undefined} */
let style;

/** The light colours of the page's own style sheet, and the letters of frames. */
function cardStyle() {
  style ??= [
    ...lightColours(),
    ".flame-graph path{fill:none;stroke:currentColor;stroke-width:16}.flame-graph rect{fill:currentColor}",
    '.flame-graph text{font-family:"Source Code Pro";font-size:11px}',
    `.flame-graph .words{fill:${COLOURS["ink-muted"]};font-family:"Source Serif 4";font-size:18px}`,
  ].join("");
  return style;
}

function lightColours() {
  const sheet = readFileSync(new URL("../viewer/graph.css", import.meta.url), "utf8");
  const light = sheet.split("@media")[0];
  const rules = light.matchAll(/(\.flame-graph [\w.]+) \{\s*(fill|color): (#[0-9a-f]{3,6});/g);
  return Array.from(
    rules,
    ([, selector, property, colour]) => `${selector}{${property}:${colour}}`,
  );
}
