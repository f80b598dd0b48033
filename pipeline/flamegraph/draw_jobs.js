/** The jobs that draw: `flamegraph` and `diff`, and `captures`, for what a browser draws. */

import { captureWeights } from "./capture_weights.js";
import { formatColumns } from "./columns.js";
import { compareProfiles } from "./diff.js";
import { diffFolded } from "./diff_folded.js";
import { diffGraph } from "./diff_graph.js";
import { diffCard, diffSvg, inlineDiffSvg } from "./diff_svg.js";
import { toldOf } from "./diff_words.js";
import { readProfile, writePieces, writeText } from "./files.js";
import { diffFunctions, profileFunctions, tableHead } from "./function_table.js";
import { profileGraph } from "./profile_graph.js";
import { inlineProfileSvg, profileCard, profileSvg } from "./profile_svg.js";
import { findSuspects } from "./suspects/index.js";
import { tell } from "./suspects/told.js";

/** What a page holds of a graph, unless the job says otherwise. */
const MAXIMUM_FRAMES = 1200;
/** Functions in the table that a page holds; the viewer has all. */
const MOST_FUNCTIONS = 50;

/**
 * @typedef {object} FlamegraphRequest
 * @property {string} profile path of a profile file
 * @property {string} title
 * @property {string | string[]} [subtitle] a line or several
 * @property {import("./profile_graph.js").Work | null} [work] what the weight was spent on
 * @property {string} out path of the standalone SVG
 * @property {{ out: string, max_frames?: number }} [inline] the picture for a page
 * @property {{ out: string, about: string, line: string }} [card] a PNG for links to the page
 *
 * @typedef {object} FlamegraphResult
 * @property {number} frames nodes of the profile
 * @property {number} drawn in the standalone SVG
 * @property {number} left_out too thin to draw there
 * @property {string} left_out_weight exact and uncompared, in decimal digits
 * @property {import("./function_table.js").TableHead} functions
 * @property {number} [inline_drawn]
 * @property {number} [inline_left_out]
 */

/**
 * @param {FlamegraphRequest} request
 * @returns {Promise<FlamegraphResult>}
 */
export async function flamegraph(request) {
  const profile = await readProfile(request.profile);
  const graph = profileGraph(profile);
  const { svg, drawn, leftOut } = profileSvg(
    profile,
    request.title,
    [request.subtitle ?? []].flat(),
    request.work ?? undefined,
    graph,
  );
  await writeText(request.out, svg);
  const result = {
    frames: profile.parent.length,
    drawn,
    left_out: leftOut.frames,
    left_out_weight: String(BigInt(leftOut.weight) * BigInt(profile.scale)),
    functions: tableHead(profileFunctions(profile, graph), MOST_FUNCTIONS),
  };
  if (request.card) {
    const { out, about, line } = request.card;
    await writePng(out, profileCard(profile, { title: request.title, about, line }));
  }
  if (!request.inline) return result;
  const inline = inlineProfileSvg(
    profile,
    request.title,
    request.inline.max_frames ?? MAXIMUM_FRAMES,
    graph,
  );
  await writeText(request.inline.out, inline.svg);
  return { ...result, inline_drawn: inline.drawn, inline_left_out: inline.leftOut.frames };
}

/**
 * @typedef {object} DiffRequest
 * @property {string} base path of a profile file
 * @property {string} after path of a profile file
 * @property {string} title
 * @property {string} base_label
 * @property {string} after_label
 * @property {import("./diff.js").Basis} [basis]
 * @property {import("./diff.js").DiffOptions["bases"]} [bases] those known besides the share
 * @property {CaptureRequest[]} [base_captures] the captures that the base was merged from
 * @property {CaptureRequest[]} [after_captures]
 * @property {string[]} [headline] what else is known of both sides: lines of text
 * @property {Record<string, string[]>} [aliases] by key: the keys that are the same function
 * @property {string} [out_svg]
 * @property {string} [out_inline] the picture for a page
 * @property {number} [max_frames] of the picture for a page
 * @property {{ out: string, about: string, line?: string }} [card] a PNG for links to the page
 * @property {string} [out_json] the diff file
 * @property {string} [out_folded] two-column folded stacks
 * @property {string} [out_suspects] what the answer has as `suspects`
 *
 * @typedef {object} CaptureRequest
 * @property {string} profile path of a profile file
 * @property {number} exposure what it stands for, beside the others: captured seconds, or 1
 *
 * @typedef {import("./diff_words.js").Told & {
 *   frames: number, functions: import("./function_table.js").TableHead,
 *   suspects: import("./suspects/told.js").Told }} DiffResult `frames`: of the union
 */

/**
 * @param {DiffRequest} request
 * @returns {Promise<DiffResult>}
 */
export async function diff(request) {
  const [base, after] = await Promise.all(
    [request.base, request.after].map((path) => readProfile(path)),
  );
  const { diff: compared, captures } = compareProfiles(base, after, {
    baseLabel: request.base_label,
    afterLabel: request.after_label,
    basis: request.basis,
    bases: request.bases,
    baseCaptures: await capturesOf(request.base_captures),
    afterCaptures: await capturesOf(request.after_captures),
    aliases: request.aliases,
  });
  const graph = diffGraph(compared);
  const { title, out_svg, out_inline, out_json, out_folded, out_suspects, card } = request;
  const suspects = tell(compared, graph, findSuspects(compared, captures));
  if (out_svg) await writeText(out_svg, diffSvg(compared, title, request.headline).svg);
  if (out_inline) {
    const { svg } = inlineDiffSvg(compared, title, request.max_frames ?? MAXIMUM_FRAMES);
    await writeText(out_inline, svg);
  }
  if (card)
    await writePng(card.out, diffCard(compared, { title, about: card.about, line: card.line }));
  if (out_json) await writeText(out_json, formatColumns(compared));
  if (out_folded) await writeText(out_folded, diffFolded(compared));
  if (out_suspects) await writeText(out_suspects, `${JSON.stringify(suspects, null, 1)}\n`);
  return {
    ...toldOf(compared, graph),
    frames: compared.parent.length,
    functions: tableHead(diffFunctions(compared, graph), MOST_FUNCTIONS),
    suspects,
  };
}

/**
 * Write what the single captures of a profile weigh on its nodes.
 *
 * @param {{ profile: string, captures: CaptureRequest[], out: string }} request
 */
export async function captures({ profile, captures: parts, out }) {
  const file = captureWeights(await readProfile(profile), await capturesOf(parts));
  await writePieces(out, [JSON.stringify(file)]);
  return { captures: file.captures.length };
}

/**
 * @param {CaptureRequest[]} [captures]
 * @returns {Promise<import("./capture_rows.js").CaptureProfile[]>}
 */
function capturesOf(captures = []) {
  return Promise.all(
    captures.map(async ({ profile, exposure }) => ({
      profile: await readProfile(profile),
      exposure,
    })),
  );
}

/**
 * @param {string} path
 * @param {string} svg
 */
async function writePng(path, svg) {
  // Loaded where it is needed: it has a program for each kind of machine, and not for all of them.
  const { pngOf } = await import("./png.js");
  await writePieces(path, [pngOf(svg)]);
}
