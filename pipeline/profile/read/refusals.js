/** Explains why the system refuses to read a file. */

import { BadInput, problem } from "../model/problems.js";
import { NotAFile } from "./input/compression.js";

/** @type {Record<string, { found: string, expected?: string, do?: string }>}
 */
const REFUSALS = {
  ENOENT: { found: "no such file", do: "check the name" },
  ENOTDIR: { found: "no such file", do: "check the name" },
  EISDIR: { found: "a directory", expected: "a file", do: "name the files in it" },
  EACCES: { found: "a file that may not be read", do: "let it be read, or copy it" },
  ELOOP: { found: "a link that leads back to itself", do: "check where it should lead" },
  ENXIO: { found: "a socket or a device that nothing answers at", expected: "a file" },
};

/**
 * Run a function that reads a file, and report a file that cannot be read as a problem of the input.
 * Too many open files or a failing disk are no such problem: the next attempt may succeed.
 *
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} read
 */
export async function readOrExplain(file, read) {
  try {
    return await read();
  } catch (error) {
    if (error instanceof NotAFile) {
      throw new BadInput(problem({ path: file, found: error.message, expected: "a file" }));
    }
    const { code = "" } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === "EIO" && error instanceof Error) {
      error.message = `EIO: the system fails to read ${file}: copy it again, or to another disk`;
    }
    if (!Object.hasOwn(REFUSALS, code)) throw error;
    throw new BadInput(problem({ path: file, ...REFUSALS[code] }));
  }
}
