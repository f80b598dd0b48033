/** A profile as SVG. */

import { shownName } from "../../profile/model/shown_names.js";
import { profileGraph } from "../graph/profile_graph.js";
import { cardSvg } from "./card.js";
import { excerptNames, excerptWeights } from "./excerpt.js";
import { inlineSvg, standaloneSvg } from "./svg.js";

/**
 * @param {import("../../profile/model/profile.js").Profile} profile
 * @param {string} title
 * @param {string[]} subtitle
 * @param {import("../graph/profile_graph.js").Work} [work] what the weight was spent on, where it is known
 * @param {import("../graph/graph.js").Graph} [graph] of the profile, where there is one already
 * @returns {import("./svg.js").Rendered}
 */
export function profileSvg(profile, title, subtitle, work, graph = profileGraph(profile)) {
  return standaloneSvg(picture(profile, graph, title, subtitle, work));
}

/**
 * @param {import("../../profile/model/profile.js").Profile} profile
 * @param {string} title
 * @param {number} maximumFrames
 * @param {import("../graph/graph.js").Graph} [graph] of the profile, where there is one already
 * @returns {import("./svg.js").Rendered}
 */
export function inlineProfileSvg(profile, title, maximumFrames, graph = profileGraph(profile)) {
  return inlineSvg({ ...picture(profile, graph, title, []), maximumFrames });
}

/**
 * @param {import("../../profile/model/profile.js").Profile} profile
 * @param {import("./card_paper.js").CardText} text
 * @param {import("../graph/graph.js").Graph} [graph] of the profile, where there is one already
 * @returns {string} SVG
 */
export function profileCard(profile, text, graph = profileGraph(profile)) {
  return cardSvg(graph, text);
}

/**
 * @param {import("../../profile/model/profile.js").Profile} profile
 * @param {import("../graph/graph.js").Graph} graph of it
 * @param {string} title
 * @param {string[]} subtitle
 * @param {import("../graph/profile_graph.js").Work} [work]
 * @returns {import("./svg.js").Picture}
 */
function picture(profile, graph, title, subtitle, work) {
  const [{ tree }] = graph.lanes;
  return {
    graph,
    title,
    subtitle: subtitle.map(shownName),
    data: (kept) => ({
      format: profile.format,
      unit: profile.unit,
      scale: profile.scale,
      ...(work && { work }),
      ...excerptNames(profile, kept),
      ...excerptWeights(tree, kept),
    }),
  };
}
