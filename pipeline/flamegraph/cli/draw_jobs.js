/** The jobs that compare and draw: `flamegraph`, `diff` and `diffgraph`. */

import { readFile } from "node:fs/promises";
import { findChanges } from "../../profile/changes/find_changes.js";
import { describeFindings } from "../../profile/changes/findings.js";
import { compareProfiles, labelled } from "../../profile/diff/diff.js";
import { diffFolded } from "../../profile/diff/folded.js";
import { formatColumns } from "../../profile/model/columns.js";
import { readCaptures, readProfile } from "../../profile/read/files.js";
import { writePieces, writeText } from "../../profile/write/files.js";
import { diffGraph, withColourScale } from "../graph/diff_graph.js";
import { summaryOf } from "../graph/diff_words.js";
import { diffFunctions, profileFunctions, tableHead } from "../graph/function_table.js";
import { goneFunctions } from "../graph/gone_functions.js";
import { profileGraph } from "../graph/profile_graph.js";
import { diffCard, diffSvg, inlineDiffSvg } from "../svg/diff_svg.js";
import { inlineProfileSvg, profileCard, profileSvg } from "../svg/profile_svg.js";

/** What a page holds of a graph, unless the job says otherwise. */
const MAXIMUM_FRAMES = 300;
/** Functions in the table that a page holds; the viewer has all. */
const MOST_FUNCTIONS = 15;
/** Functions in the list of those that are gone; the table has all. */
const MOST_GONE = 5;

/** @typedef {import("../../messages.js").Jobs} Jobs */

/**
 * @param {Jobs["flamegraph"]["request"]} request
 * @returns {Promise<Jobs["flamegraph"]["answer"]>}
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
    const { out, about, line = "" } = request.card;
    await writePng(out, profileCard(profile, { title: request.title, about, line }, graph));
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
 * @param {Jobs["diff"]["request"]} request
 * @returns {Promise<Jobs["diff"]["answer"]>}
 */
export async function diff(request) {
  const [base, after] = await Promise.all(
    [request.base, request.after].map((path) => readProfile(path)),
  );
  const { diff: uncoloured, captures } = compareProfiles(base, after, {
    basis: request.basis,
    bases: request.bases,
    baseCaptures: await readCaptures(request.base_captures),
    afterCaptures: await readCaptures(request.after_captures),
    aliases: request.aliases,
    costOf: request.cost_of,
    overdispersion: request.overdispersion,
  });
  const compared = withColourScale(uncoloured);
  const found = describeFindings(compared, findChanges(compared, captures));
  await writeText(request.out_diff, formatColumns(compared));
  await writeText(request.out_findings, JSON.stringify(found));
  if (request.out_folded) await writeText(request.out_folded, diffFolded(compared));
  return {};
}

/**
 * @param {Jobs["diffgraph"]["request"]} request
 * @returns {Promise<Jobs["diffgraph"]["answer"]>}
 */
export async function diffgraph(request) {
  const { base_label, after_label, title, headline, inline, card } = request;
  const [compared, changes] = await Promise.all(
    [request.diff, request.findings].map(async (path) =>
      labelled(JSON.parse(await readFile(path, "utf8")), base_label, after_label),
    ),
  );
  if (request.out_json) await writeText(request.out_json, formatColumns(compared));
  if (request.out_suspects)
    await writeText(request.out_suspects, `${JSON.stringify(changes, null, 1)}\n`);
  const graph = diffGraph(compared);
  if (request.out) await writeText(request.out, diffSvg(compared, title, headline, graph).svg);
  if (inline) {
    const most = inline.max_frames ?? MAXIMUM_FRAMES;
    await writeText(inline.out, inlineDiffSvg(compared, title, most, graph).svg);
  }
  if (card) {
    const { out, about, line } = card;
    await writePng(out, diffCard(compared, { title, about, line }, graph));
  }
  return {
    ...summaryOf(compared, graph),
    frames: compared.parent.length,
    functions: tableHead(diffFunctions(compared, graph), MOST_FUNCTIONS),
    gone: goneFunctions(compared, MOST_GONE),
    changes,
  };
}

/**
 * @param {string} path
 * @param {string} svg
 */
async function writePng(path, svg) {
  // Loaded where it is needed: it has a program for each kind of machine, and not for all of them.
  const { pngOf } = await import("../png/png.js");
  await writePieces(path, [pngOf(svg)]);
}
