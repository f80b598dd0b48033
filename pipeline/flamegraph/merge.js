/** One profile from many. */

import { BadInput, problem } from "./problems.js";
import { exactWeight, selfWeights } from "./profile.js";
import { ProfileBuilder } from "./profile_builder.js";
import { decimalsOf, wholeUnit } from "./units.js";

/**
 * Return the sum of profiles of one event; the captures of all are kept. The order does not
 * matter.
 *
 * @param {import("./profile.js").Profile[]} profiles at least one
 * @param {string[]} [paths] of the profiles, for messages
 * @returns {import("./profile.js").Profile}
 * @throws {BadInput} where the profiles count different events, or in different units
 */
export function mergeProfiles(profiles, paths = []) {
  const { event } = profiles[0];
  const counted = countedIn(profiles[0]);
  const other = profiles.findIndex((profile) => countedIn(profile) !== counted);
  if (other >= 0) {
    const found = countedIn(profiles[other]);
    const todo = "choose profiles of one event and unit";
    throw new BadInput(
      problem({ path: paths[other] ?? "merge", found, expected: counted, do: todo }),
    );
  }
  if (profiles.length === 1) return profiles[0];
  const builder = new ProfileBuilder();
  const finest = profiles.reduce((a, b) => (decimalsOf(b.unit) > decimalsOf(a.unit) ? b : a));
  builder.refine(decimalsOf(finest.unit));
  for (const profile of profiles) addProfile(builder, profile);
  const samples = profiles.reduce(
    (/** @type {number | null} */ sum, profile) =>
      sum === null || profile.samples === null ? null : sum + profile.samples,
    0,
  );
  return builder.build({
    event,
    unit: finest.unit,
    samples,
    samplesByNode: profiles.every((profile) => profile.self_samples !== null),
    captures: profiles.flatMap((profile) => capturesIn(profile, builder.decimals)),
  });
}

/**
 * Return what a profile counts, in words; weights of the same can be added.
 *
 * @param {import("./profile.js").Profile} profile
 */
function countedIn({ event, unit }) {
  return `the event ${event} in ${wholeUnit(unit)}`;
}

/**
 * @param {ProfileBuilder} builder
 * @param {import("./profile.js").Profile} profile
 */
function addProfile(builder, profile) {
  const finer = 10n ** BigInt(builder.decimals - decimalsOf(profile.unit));
  const self = selfWeights(profile);
  const frames = profile.names.map((name, index) => builder.frame(name, profile.classes[index]));
  const nodes = new Int32Array(profile.parent.length);
  for (let node = 1; node < nodes.length; node++) {
    nodes[node] = builder.child(nodes[profile.parent[node]], frames[profile.name[node]]);
    const weight = exactWeight(profile, self[node]) * finer;
    builder.add(nodes[node], weight, profile.self_samples?.[node] ?? 0);
  }
}

/**
 * Return the captures of a profile, their weights in the unit that the merged profile counts.
 *
 * @param {import("./profile.js").Profile} profile
 * @param {number} decimals of that unit
 */
function capturesIn({ captures, unit }, decimals) {
  const finer = 10n ** BigInt(decimals - decimalsOf(unit));
  return captures.map((each) => ({ ...each, weight: String(BigInt(each.weight) * finer) }));
}
