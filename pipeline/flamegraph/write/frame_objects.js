/**
 * How exports tell the class of a frame: by the object, or file, that it is said to lie in. A
 * profile does not keep the real ones.
 */

import { CLASS_NAMES } from "../profile.js";

/** By class: `[thread]`, `[user]`, `[library]`, `[kernel]`, `[jit]`, `[inlined]`. */
export const OBJECT_OF_CLASS = CLASS_NAMES.map((name) => `[${name}]`);

/** @type {Map<string, number>} */
export const CLASS_OF_OBJECT = new Map(OBJECT_OF_CLASS.map((object, at) => [object, at]));
