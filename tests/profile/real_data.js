/** Published results that are not ours to copy: tests read them where they are. */

import { existsSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";

const DATA =
  process.env.PERFPRESS_DATA ?? fileURLToPath(new URL("../../../shared/data", import.meta.url));

/** @param {string} name of a file or directory */
export function realData(name) {
  return `${DATA}/${name}`;
}

/**
 * Say why a test is skipped.
 *
 * @param {...string} names what it reads
 * @returns {string | false} false where all is there
 */
export function skipWithout(...names) {
  const missing = names.find((name) => !existsSync(realData(name)));
  return missing ? `${missing} is not below ${DATA} (set PERFPRESS_DATA)` : false;
}
