/** Golden files: `PERFPRESS_BLESS=1` rewrites them. */

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";

/**
 * @param {string} name file in `golden/`
 * @param {string} text
 */
export function assertGolden(name, text) {
  const file = new URL(`golden/${name}`, import.meta.url);
  if (process.env.PERFPRESS_BLESS) writeFileSync(file, text);
  assert.equal(text, readFileSync(file, "utf8"), `golden/${name}; PERFPRESS_BLESS=1 rewrites it`);
}
