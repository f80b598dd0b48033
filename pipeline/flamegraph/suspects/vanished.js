/** What shrank to less than half may be what was renamed, inlined or left; less is a change like others. */
const LEFT = 0.5;

/**
 * Tell whether what there was is no more, or next to it; the other way round, whether it is new.
 *
 * @param {number} was
 * @param {number} is
 */
export function isGone(was, is) {
  return is < LEFT * was;
}
