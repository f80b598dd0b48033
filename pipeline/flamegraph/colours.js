/**
 * A colour class for every function: the same in every graph and release, because it depends on
 * nothing but the function's name-match key and its class. The style sheets give the classes their
 * colours, in light and dark; text on each is readable at WCAG AA.
 */

/** How many tints each class of the profile has, and by which letter its colour classes begin. */
export const TINTS = /** @type {Record<string, { letter: string, tints: number }>} */ ({
  thread: { letter: "t", tints: 1 },
  user: { letter: "u", tints: 6 },
  library: { letter: "l", tints: 4 },
  kernel: { letter: "k", tints: 4 },
  jit: { letter: "j", tints: 3 },
  inlined: { letter: "i", tints: 3 },
});

/**
 * Hash by FNV-1a over the UTF-16 code units (http://www.isthe.com/chongo/tech/comp/fnv/).
 *
 * @param {string} text
 */
function hash(text) {
  let state = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  }
  return state >>> 0;
}

/**
 * @param {string} key the function's name-match key
 * @param {string} className one of the profile's `class_names`
 * @returns {string} `u3`
 */
export function colourClass(key, className) {
  const { letter, tints } = TINTS[className] ?? TINTS.user;
  // The low bits of FNV-1a are its weakest: fold the high half in.
  const state = hash(key);
  return letter + (((state ^ (state >>> 16)) >>> 0) % tints);
}
