/**
 * A problem of an input, in words that let its author fix it. The keys are those of
 * `pipeline/perfpress/base/problems.py`.
 *
 * @typedef {object} Problem
 * @property {string} path the name of the input as its user knows it
 * @property {number} line counted from 1; 0 means the whole file
 * @property {string} found
 * @property {string} expected
 * @property {string} do what its author can do
 * @property {"error" | "warning" | "note"} severity
 */

/**
 * @param {Partial<Problem> & { path: string, found: string }} parts
 * @returns {Problem}
 */
export function problem(parts) {
  return { line: 0, expected: "", do: "", severity: "error", ...parts };
}

/**
 * Write `path:line: found; expected …; do`, without the parts that are empty.
 *
 * @param {Problem} problem
 */
export function formatProblem({ path, line, found, expected, do: todo }) {
  const where = line ? `${path}:${line}` : path;
  const parts = [found, expected && `expected ${expected}`, todo];
  return `${where}: ${parts.filter(Boolean).join("; ")}`;
}

/**
 * Distinguish a refusal of the system to read or write from a defect of Perfpress.
 *
 * @param {unknown} error
 * @returns {error is NodeJS.ErrnoException}
 */
export function isSystemError(error) {
  return error instanceof Error && "syscall" in error;
}

/** Thrown where nothing can go on without the input that the problems describe. */
export class BadInput extends Error {
  /** @param {...Problem} problems */
  constructor(...problems) {
    super(problems.map(formatProblem).join("\n"));
    this.problems = problems;
  }
}
