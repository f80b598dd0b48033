/** What the command line of graphs does: diff, flamegraph and jobs. */

import { formatOf, profileOf, write } from "../../profile/cli/files.js";
import { runJobs } from "../../profile/cli/jobs.js";
import { BadUsage, readOptions, runProgram } from "../../profile/cli/program.js";
import { formatColumns } from "../../profile/model/columns.js";

/**
 * @typedef {import("../../profile/cli/program.js").Options
 *   & import("../../profile/cli/program.js").OptionsOf<typeof import("./options.json")["options"]>} Options
 */

const { options: OPTIONS, verbs: DESCRIPTIONS } = readOptions(
  new URL("./options.json", import.meta.url),
);

/** @type {Record<string, import("../../profile/cli/program.js").Verb>} */
const VERBS = {
  diff: { run: diffVerb, description: DESCRIPTIONS.diff },
  flamegraph: { run: flamegraphVerb, description: DESCRIPTIONS.flamegraph },
  jobs: { run: jobsVerb },
};

/** @param {string[]} args */
export function main(args) {
  return runProgram(VERBS, OPTIONS, args);
}

/**
 * @param {string[]} files
 * @param {Options} options
 */
async function diffVerb(files, { out, title, normalize, ...choice }) {
  if (files.length !== 2)
    throw new BadUsage(`diff takes BASE and AFTER, not ${files.length} files`);
  const { diffProfiles } = await import("../../profile/diff/diff.js");
  const { diffFolded, normalizedDiffFolded } = await import("../../profile/diff/folded.js");
  const { withColourScale } = await import("../graph/diff_graph.js");
  const { diffSvg } = await import("../svg/diff_svg.js");
  const [base, after] = files;
  const heading = title ?? `${base} and ${after}`;
  /** @typedef {import("../../profile/diff/diff.js").Diff} Diff */
  const format = formatOf(
    out,
    {
      ".folded": normalize ? normalizedDiffFolded : diffFolded,
      ".json": (/** @type {Diff} */ diff) => formatColumns(withColourScale(diff)),
      ".svg": (/** @type {Diff} */ diff) => diffSvg(diff, heading).svg,
    },
    ".folded",
  );
  if (normalize && format !== normalizedDiffFolded)
    throw new BadUsage(
      "--normalize is for .folded: pictures and files show shares, or both totals",
    );
  const diff = diffProfiles(await profileOf([base], choice), await profileOf([after], choice), {
    baseLabel: base,
    afterLabel: after,
  });
  await write(out, [format(diff)]);
}

/**
 * @param {string[]} files
 * @param {Options} options
 */
async function flamegraphVerb(files, { out, title, ...choice }) {
  const { profileSvg } = await import("../svg/profile_svg.js");
  const heading = title ?? files.join(", ");
  /** @typedef {import("../../profile/model/profile.js").Profile} Profile */
  const format = formatOf(
    out,
    { ".svg": (/** @type {Profile} */ profile) => profileSvg(profile, heading, []).svg },
    ".svg",
  );
  await write(out, [format(await profileOf(files, choice))]);
}

/** @param {string[]} files */
async function jobsVerb(files) {
  if (files.length > 0) throw new BadUsage("jobs takes its requests from stdin");
  await runJobs(await import("./draw_jobs.js"));
}
