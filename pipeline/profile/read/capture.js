/** Reads one capture, whatever its format and compression, into a call tree an event. */

import { grouped } from "../model/numbers.js";
import { BadInput, problem } from "../model/problems.js";
import { NO_ROOM } from "../model/profile_builder.js";
import { UNKNOWN_EVENT, unitOf } from "../model/units.js";
import { DetectingReader } from "./detection.js";
import { FORMAT_NAMES, formatNamed } from "./formats.js";
import { readDecompressed } from "./input/compression.js";
import { isPerfData, readPerfData } from "./input/perf_data.js";
import { describeOther } from "./other_files.js";
import { readInParallel } from "./perf_script/parallel.js";
import { readOrExplain } from "./refusals.js";
import { ENDS_TOO_EARLY, skippedProblem } from "./stacks/skipped.js";

/** Nothing weighs as much. Whoever computes with it squares it, and doubles end at 10^308. */
const TOO_HEAVY = 10n ** 60n;

/** Ten thousand samples a second on 256 CPUs are 9.2e9 in an hour. */
const MOST_SAMPLES = 1e10;

/**
 * @typedef {object} CaptureFile
 * @property {string} file the name to show
 * @property {string} path where it is
 * @property {string | null} [event] what it counts, where the capture does not say
 * @property {string | null} [format] overrides recognition
 * @property {string[]} [labels] keys of labels that become frames below the thread
 * @property {boolean} [mayRunPerf] whether perf may read a perf.data file here: not on a host that
 *   has files of strangers, nor the programs that were recorded
 * @property {number} [parallelFrom] bytes from which on a second thread reads half of the file; default: one
 *   thread reads all of it
 * @property {string | null} [sha256] of the file as stored, where that is known already
 * @property {import("./input/pipe.js").Pipe} [pipe] what is read instead of a file
 *
 * @typedef {import("../model/event_tree.js").EventTree} EventTree
 * @typedef {import("../model/problems.js").Problem} Problem
 * @typedef {import("./input/compression.js").Damage} Damage
 */

/**
 * Return one tree per event of a capture, and the problems that its author should see.
 *
 * @param {CaptureFile} capture
 * @returns {Promise<{ trees: EventTree[], problems: Problem[] }>}
 * @throws {BadInput} where nothing can be read of it
 */
export async function readCapture(capture) {
  const { file, event, format, labels = [] } = capture;
  const stated = format ? statedFormat(file, format) : null;
  const reader = new DetectingReader(event ?? UNKNOWN_EVENT, labels, stated);
  const compressionDamage = await readOrExplain(file, () => readBytes(capture, reader));
  const { folded, damage, endsOpen, head, ...read } = reader.finish(compressionDamage);
  if (!folded) throw new BadInput(unreadable(file, head, compressionDamage));

  const partial = folded.partial || damage !== null;
  const events = folded.events
    .map(withPlausibleUnit)
    .map((one) => ({ ...one, total: one.builder.total() }))
    .sort((a, b) => (a.event < b.event ? -1 : 1));
  const weighed = events.filter(({ total }) => total > 0n);
  const weightless = events.filter(({ total }) => total === 0n);
  if (weighed.some(({ total }) => total > TOO_HEAVY)) {
    throw new BadInput(
      problem({
        path: file,
        found: "weights of more than 60 digits",
        expected: "weights that something counted",
        do: "fold the recording again",
      }),
    );
  }
  const problems = skippedProblems(file, folded, damage);
  if (endsOpen) {
    problems.push(
      problem({
        path: file,
        found: "a last line without an end: it counts, as whole",
        do: "copy the file again if there is more of it",
        severity: "warning",
      }),
    );
  }
  if (weighed.length === 0) {
    const { refusal } = folded;
    const why = refusal
      ? problem({ path: file, ...refusal })
      : withoutWeight(file, weightless, partial);
    throw new BadInput(...problems, why);
  }
  for (const one of weightless) {
    problems.push({ ...withoutWeight(file, [one]), severity: "warning" });
  }
  for (const { doubt: found, unit } of weighed) {
    if (!found) continue;
    const todo =
      unit === "events"
        ? 'they are read as events of an unknown kind: name it in run.toml, event = "cycles", or to perfpress compare, --event cycles'
        : "they are read as samples: fold the recording again with its periods, as perfpress fold does";
    problems.push(problem({ path: file, found, do: todo, severity: "warning" }));
  }
  for (const one of weighed.flatMap(cutOffStacks)) problems.push(skippedProblem(file, one));
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
        // what was lost or skipped belongs to no event: the first one reports it
        lost: index === 0 ? (folded.lost ?? 0) : 0,
        partial: folded.partial ?? false,
        shares_only: folded.sharesOnly ?? null,
        skipped: [...(index === 0 ? folded.skipped : []), ...cutOffStacks({ builder })],
        ...(folded.labels?.length && { labels: folded.labels }),
      },
    ],
  }));
}

/**
 * Return the count of stacks that were cut off because the tree is full.
 *
 * @param {{ builder: import("../model/profile_builder.js").ProfileBuilder }} tree
 * @returns {import("../model/profile.js").Skipped[]}
 */
function cutOffStacks({ builder }) {
  const { stacks, weight } = builder.withoutRoom();
  if (stacks === 0) return [];
  const reason = `stack cut off at ${NO_ROOM}, all together a weight of ${weight}`;
  return [{ reason, count: stacks, first_line: 0 }];
}

/**
 * @param {CaptureFile} capture
 * @param {DetectingReader} reader
 */
async function readBytes({ file, path, pipe, mayRunPerf, event, parallelFrom }, reader) {
  /** @param {Uint8Array} chunk */
  const take = (chunk) => reader.push(chunk);
  if (pipe) return pipe.read(take);
  if (mayRunPerf && (await isPerfData(path))) return readPerfData(file, path, take);
  if (parallelFrom) return readInParallel(path, parallelFrom, reader, event ?? UNKNOWN_EVENT);
  return readDecompressed(path, take);
}

/**
 * @param {string} file
 * @param {string} name
 */
function statedFormat(file, name) {
  const format = formatNamed(name);
  if (format) return format;
  throw new BadInput(
    problem({
      path: file,
      found: `the format ${JSON.stringify(name)}, which no reader reads`,
      expected: FORMAT_NAMES.join(", "),
      do: "correct it under [step.formats]",
    }),
  );
}

/**
 * @param {string} file
 * @param {Buffer} head
 * @param {Damage | null} damage
 */
function unreadable(file, head, damage) {
  const { found, do: todo, line = 1 } = describeOther(head);
  return problem({
    path: file,
    line,
    found: damage ? `${found} (${damage})` : found,
    expected: "the output of a profiler or a benchmark that is read",
    do: damage && head.length === 0 ? "check that it decompresses; if not, copy it again" : todo,
  });
}

/**
 * Describe a capture that weighs nothing: a share of nothing is not a number, so it is not a profile.
 *
 * @param {string} file
 * @param {{ event: string, samples: number | null }[]} events those that weigh nothing
 * @param {boolean} [partial] whether there was more in it
 */
export function withoutWeight(file, events, partial = false) {
  const sampled = events.filter(({ samples }) => samples !== 0).map(({ event }) => event);
  const found = sampled.length > 0 ? "samples that weigh nothing" : "no samples";
  const named = sampled.filter((event) => event !== UNKNOWN_EVENT);
  return problem({
    path: file,
    found: named.length > 0 ? `${named.join(", ")}: ${found}` : found,
    expected: "at least one that counts",
    do: partial
      ? "copy the file again: it is not whole"
      : "check that the recorder ran while the program was busy",
  });
}

/**
 * Say what was not read of a capture, and what is wrong with its file.
 *
 * @param {string} file
 * @param {import("./stacks/format.js").Folded} folded
 * @param {Damage | null} damage
 */
function skippedProblems(file, { skipped }, damage) {
  if (!damage) return skipped.map((one) => skippedProblem(file, one));
  // What the damage cut off is not a problem of its own: it shows the line at which the damage begins.
  const cutOff = skipped.find(({ reason }) => reason.endsWith(ENDS_TOO_EARLY));
  return [
    ...skipped.filter((one) => one !== cutOff).map((one) => skippedProblem(file, one)),
    problem({
      path: file,
      line: cutOff?.first_line ?? 0,
      found: damage,
      do: "what was read before the damage counts; copy the file again if there is more of it",
      severity: "warning",
    }),
  ];
}
