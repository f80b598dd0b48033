/** Reads one capture, whatever its format and compression, into a call tree an event. */

import { grouped } from "../model/numbers.js";
import { BadInput } from "../model/problems.js";
import { NO_ROOM } from "../model/profile_builder.js";
import { UNKNOWN_EVENT, unitOf } from "../model/units.js";
import {
  asProblem,
  notThisUnit,
  problemsOf,
  tooHeavy,
  unknownFormat,
  unreadable,
  withoutEnd,
  withoutWeight,
} from "./capture_problems.js";
import { formatNamed } from "./formats.js";
import { readDecompressed } from "./input/compression.js";
import { isPerfData, readPerfData } from "./input/perf_data.js";
import { Intake } from "./intake.js";
import { readInParallel } from "./perf_script/parallel.js";
import { readOrExplain } from "./refusals.js";

/** Nothing weighs as much; and not all who read profiles read numbers of thousands of digits. */
const TOO_HEAVY = 10n ** 400n;

/** Ten thousand samples a second on 256 CPUs are 9.2e9 in an hour. */
const MOST_SAMPLES = 1e10;

/**
 * @typedef {object} CaptureFile
 * @property {string} file the name to show
 * @property {string} path where it is
 * @property {string | null} [event] what it counts, where it does not say so itself
 * @property {string | null} [format] where recognition is wrong
 * @property {string[]} [labels] keys of labels that become frames below the thread
 * @property {boolean} [mayRunPerf] whether perf may read a perf.data file here: not on a host that
 *   has files of strangers, nor the programs that were recorded
 * @property {number} [halvesFrom] bytes from which on a second thread reads half of it, which changes
 *   nothing but the time; none does where this is not given
 * @property {string | null} [sha256] of the file as stored, where that is known already
 * @property {import("./input/pipe.js").Pipe} [pipe] what is read instead of a file
 *
 * @typedef {import("../model/event_tree.js").EventTree} EventTree
 */

/**
 * Return a tree for each event of a capture, and what its author should know of it.
 *
 * @param {CaptureFile} capture
 * @returns {Promise<{ trees: EventTree[], problems: import("../model/problems.js").Problem[] }>}
 * @throws {BadInput} where nothing can be read of it
 */
export async function readCapture(capture) {
  const { file, event, format, labels = [] } = capture;
  const stated = format ? statedFormat(file, format) : null;
  const intake = new Intake(event ?? UNKNOWN_EVENT, labels, stated);
  const damage = await readOrExplain(file, () => readBytes(capture, intake));
  const { folded, ...read } = intake.finish(damage);
  if (!folded) throw new BadInput(unreadable(file, read.head, damage));

  const partial = folded.partial || read.damage !== null;
  const { weighed, weightless } = byWeight(file, folded.events.map(withPlausibleUnit));
  const problems = problemsOf(file, folded, read.damage);
  if (read.endsOpen) problems.push(withoutEnd(file));
  if (weighed.length === 0) {
    throw new BadInput(...problems, withoutWeight(file, weightless, partial));
  }
  for (const one of weightless) {
    problems.push({ ...withoutWeight(file, [one]), severity: "warning" });
  }
  for (const { doubt, unit } of weighed) {
    if (doubt) problems.push(notThisUnit(file, doubt, unit ?? "samples"));
  }
  for (const one of weighed.flatMap(withoutRoom)) problems.push(asProblem(file, one));
  return {
    trees: treesOf(capture, read.format, { ...folded, partial, events: weighed }),
    problems,
  };
}

/**
 * Doubt weights that are too many for samples, as flamegraph.pl draws cycles: `all (4,616,283,000,000
 * samples, 100%)`. They count something that the capture does not name.
 *
 * @param {import("./stacks/format.js").FoldedEvent} folded
 * @returns {import("./stacks/format.js").FoldedEvent}
 */
function withPlausibleUnit(folded) {
  const { event, builder, samples } = folded;
  const unit = folded.unit ?? unitOf(event, builder.decimals);
  const total = Number(builder.total());
  if (unit !== "samples" || samples !== null || total <= MOST_SAMPLES) return folded;
  return {
    ...folded,
    unit: "events",
    doubt: `weights of ${grouped(total, 0)} in all, which are no samples`,
  };
}

/**
 * Separate the events that weigh something, in the order of their names, from those that do not.
 *
 * @param {string} file
 * @param {import("./stacks/format.js").FoldedEvent[]} events
 */
function byWeight(file, events) {
  const inOrder = events.sort((a, b) => (a.event < b.event ? -1 : 1));
  const weighed = inOrder.filter(({ builder }) => builder.total() > 0n);
  if (weighed.some(({ builder }) => builder.total() > TOO_HEAVY)) {
    throw new BadInput(tooHeavy(file));
  }
  return { weighed, weightless: inOrder.filter(({ builder }) => builder.total() === 0n) };
}

/**
 * @param {CaptureFile} capture
 * @param {string} format
 * @param {import("./stacks/format.js").Folded} folded
 * @returns {EventTree[]}
 */
function treesOf({ file, path, pipe, sha256 = null }, format, folded) {
  return folded.events.map(({ event, unit, builder, samples, samplesByNode }, index) => ({
    event,
    unit: unit ?? unitOf(event, builder.decimals),
    builder,
    samples,
    samplesByNode,
    captures: [
      {
        file,
        sha256: pipe?.sha256() ?? sha256,
        path,
        format,
        samples,
        weight: String(builder.total()),
        // what was lost or skipped was so before its event was known: the first event reports it
        lost: index === 0 ? (folded.lost ?? 0) : 0,
        partial: folded.partial ?? false,
        shares_only: folded.sharesOnly ?? null,
        skipped: [...(index === 0 ? folded.skipped : []), ...withoutRoom({ builder })],
        ...(folded.labels?.length && { labels: folded.labels }),
      },
    ],
  }));
}

/**
 * Say which stacks were cut off because there are too many of them.
 *
 * @param {{ builder: import("../model/profile_builder.js").ProfileBuilder }} tree
 * @returns {import("../model/profile.js").Skipped[]}
 */
function withoutRoom({ builder }) {
  const { stacks, weight } = builder.withoutRoom();
  if (stacks === 0) return [];
  const reason = `stack cut off at ${NO_ROOM}, all together a weight of ${weight}`;
  return [{ reason, count: stacks, first_line: 0 }];
}

/**
 * @param {CaptureFile} capture
 * @param {Intake} intake
 */
async function readBytes({ file, path, pipe, mayRunPerf, event, halvesFrom }, intake) {
  /** @param {Uint8Array} chunk */
  const take = (chunk) => intake.push(chunk);
  if (pipe) return pipe.read(take);
  if (mayRunPerf && (await isPerfData(path))) return readPerfData(file, path, take);
  if (halvesFrom) return readInParallel(path, halvesFrom, intake, event ?? UNKNOWN_EVENT);
  return readDecompressed(path, take);
}

/**
 * @param {string} file
 * @param {string} name
 */
function statedFormat(file, name) {
  const format = formatNamed(name);
  if (!format) throw new BadInput(unknownFormat(file, name));
  return format;
}
