/** What `bpftrace -f json` writes, a line a map, as the text that bpftrace writes without it. */

/** What each line begins with. */
export const JSON_LINE = /^\{"type": ?"/;

/**
 * Return the entries of a line's maps as text; none where it is of another kind, null where it is no JSON.
 *
 * @param {string} line
 * @returns {string[] | null}
 */
export function entriesIn(line) {
  /** @type {any} */
  let json;
  try {
    json = JSON.parse(line);
  } catch {
    return null;
  }
  if (json?.type !== "map" || json.data === null || typeof json.data !== "object") return [];
  return Object.entries(json.data).flatMap(([name, entries]) =>
    // a map without keys is a number
    entries === null || typeof entries !== "object"
      ? []
      : Object.entries(entries).map(
          ([key, value]) => `${name}[${key.replaceAll("\n,", "\n, ")}]: ${text(value)}`,
        ),
  );
}

/** @param {unknown} value a count, or a histogram */
function text(value) {
  return typeof value === "number" ? String(value) : JSON.stringify(value);
}
