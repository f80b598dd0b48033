/** Stacks of one moment that a tracer prints apart: one of the kernel, one of the program that entered it. */

/**
 * Return all frames, the outermost first: those of the program, then those of the kernel.
 *
 * @template T
 * @param {T[][]} stacks the frames of each, innermost first
 * @param {(stack: T[]) => boolean} isOfKernel
 * @returns {{ frame: T, inKernel: boolean }[]}
 */
export function joinedStacks(stacks, isOfKernel) {
  const full = stacks.filter((stack) => stack.length > 0);
  const kernel = full.filter(isOfKernel);
  // where no name says it, the order is that of the tools' own examples: stack(), ustack()
  if (kernel.length === 0 && full.length > 1) kernel.push(full[0]);
  const others = full.filter((stack) => !kernel.includes(stack));
  return [
    ...kernel.flat().map((frame) => ({ frame, inKernel: true })),
    ...others.flat().map((frame) => ({ frame, inKernel: false })),
  ].reverse();
}
