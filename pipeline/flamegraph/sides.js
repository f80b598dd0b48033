/** Which sides of a diff have a frame: bits, so that both is their sum. */

export const IN_BASE = 1;
export const IN_AFTER = 2;
