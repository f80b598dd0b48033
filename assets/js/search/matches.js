/**
 * What a search finds. Every word that was typed must be in a name, or in the names of where it is:
 * "select 18" finds the step select of release 18.
 *
 * @typedef {import("../data.js").SearchIndex} Index
 *
 * @typedef {"report" | "release" | "step" | "cell" | "change" | "host" | "function"} Kind in the order of results
 *
 * @typedef {object} Match
 * @property {Kind} kind
 * @property {string} label
 * @property {string} context where it is; empty where nothing is above it
 * @property {string} url below the address of the site, without a slash at its beginning
 */

/** Results that a reader may look through. */
export const MOST_SHOWN = 50;

/** @type {Kind[]} */
const KINDS = ["report", "release", "step", "cell", "change", "host", "function"];

/**
 * @param {Index} index
 * @param {string} query
 * @returns {{ matches: Match[], count: number }} the best, and how many there are
 */
export function search(index, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return { matches: [], count: 0 };
  const found = [];
  for (const match of everything(index)) {
    const rank = rankOf(match, words);
    if (rank !== null) found.push({ match, rank });
  }
  found.sort((a, b) => a.rank - b.rank);
  return { matches: found.slice(0, MOST_SHOWN).map(({ match }) => match), count: found.length };
}

/**
 * The better a name fits, the less: a whole name, its beginning, the beginning of a word in it, any
 * part; then the kind. Null where a word is nowhere.
 *
 * @param {Match} match
 * @param {string[]} words
 */
function rankOf({ kind, label, context }, words) {
  const name = label.toLowerCase();
  const around = context.toLowerCase();
  if (!words.every((word) => name.includes(word) || around.includes(word))) return null;
  const fits = words.map((word) => fitOf(name, word));
  const best = Math.min(...fits);
  // Found by where it is alone, everything in it would be found.
  if (best === NOWHERE) return null;
  const whole = name === words.join(" ") ? 0 : 1;
  return (whole * 10 + best) * 10 + KINDS.indexOf(kind);
}

const NOWHERE = 3;

/**
 * @param {string} name
 * @param {string} word
 */
function fitOf(name, word) {
  const at = name.indexOf(word);
  if (at < 0) return NOWHERE;
  if (at === 0) return 0;
  return /[\p{L}\p{N}]/u.test(name[at - 1]) ? 2 : 1;
}

/**
 * @param {Index} index
 * @returns {Generator<Match>}
 */
function* everything(index) {
  yield* pagesIn(index);
  for (const { title, url, changes } of index.reports) {
    for (const [label, part] of changes) {
      yield { kind: "change", label, context: title, url: `${url.slice(1)}${part}` };
    }
  }
  for (const [label, at, end] of index.functions) {
    const [url, context] = index.places[at];
    const whole = `${url.slice(1)}${encodeURIComponent(end || label)}`;
    yield { kind: "function", label, context, url: whole };
  }
}

/**
 * The pages of reports, steps, releases and hosts; the newest release first.
 *
 * @param {Index} index
 * @returns {Generator<Match>}
 */
export function* pagesIn(index) {
  for (const { title, url, releases, steps } of index.reports) {
    const below = url.slice(1);
    yield { kind: "report", label: title, context: "", url: below };
    for (const [at, [step, part]] of steps.entries()) {
      if (releases.every(([, , has]) => has[at] !== "1")) continue;
      const label = `${step} on all releases`;
      yield { kind: "step", label, context: title, url: `${below}steps/${part}/` };
    }
    for (const [label, part, has] of releases.toReversed()) {
      const release = `${below}${part}/`;
      yield { kind: "release", label, context: title, url: release };
      for (const [at, [step, stepPart]] of steps.entries()) {
        if (has[at] !== "1") continue;
        yield {
          kind: "cell",
          label: `${step} on ${label}`,
          context: title,
          url: `${release}${stepPart}/`,
        };
      }
    }
  }
  for (const [label, url] of index.hosts) {
    yield { kind: "host", label, context: "", url: url.slice(1) };
  }
}
