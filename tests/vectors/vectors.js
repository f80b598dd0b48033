/** What Python and JavaScript must both do: input and expected output, one file a thing. */

import { readFileSync } from "node:fs";

/**
 * @param {string} name
 * @returns {any} what `NAME.json` beside this file holds
 */
export function vectors(name) {
  return JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), "utf8"));
}
