/**
 * Which function a frame is of, and how links name one. Functions are the same by their name-match key
 * and by the family of their class, as in diffs: a thread is not the function of its name, nor the
 * kernel's `write` the program's.
 *
 *     memcmp            the only function of that key
 *     [thread]postgres  where a function is called so, too
 */

import { shownName } from "./shown_names.js";

/** Families of classes; what is meant by a key alone comes first. */
const FAMILIES = ["user", "jit", "inlined", "kernel", "thread"];

/**
 * Return the class by which functions are the same: folded stacks of most tools do not state a
 * library's function from the program's own, so that the two must meet.
 *
 * @param {string} className
 */
export function matchClass(className) {
  return className === "library" ? "user" : className;
}

/**
 * @param {string} className one of the profile's `class_names`
 * @param {string} key name-match key, as graphs show it
 * @returns {string} what distinguishes functions
 */
export function functionId(className, key) {
  return `${matchClass(className)} ${key}`;
}

/**
 * @param {string} id of a function
 * @returns {{ family: string, key: string }}
 */
export function partsOf(id) {
  const space = id.indexOf(" ");
  return { family: id.slice(0, space), key: id.slice(space + 1) };
}

/**
 * @param {Pick<import("./naming.js").NamedNodes, "names" | "keys" | "classes" | "class_names">} data
 * @returns {string[]} ids of functions, by name
 */
export function functionIds({ names, keys, classes, class_names }) {
  return names.map((name, index) =>
    functionId(class_names[classes[index]], shownName(keys[index] ?? name)),
  );
}

/**
 * Split what a link holds into the family, if it has one, and the key.
 *
 * @param {string} text
 */
export function withFamily(text) {
  const [, family, key] = /^\[(user|jit|inlined|kernel|thread)\](.+)$/s.exec(text) ?? [];
  return family ? { family, key } : { family: null, key: text };
}

/**
 * @param {string[]} ids of all functions
 * @param {string} id of one of them
 * @returns {string} its key, with its family where others have the key as well
 */
export function linkName(ids, id) {
  const { family, key } = partsOf(id);
  const isShared = ids.some((other) => other !== id && partsOf(other).key === key);
  return isShared ? `[${family}]${key}` : key;
}

/**
 * @param {string[]} ids of all functions
 * @param {string} text as `linkName` writes it
 * @returns {string | undefined} the id of the function; undefined where there is none
 */
export function functionNamed(ids, text) {
  const known = new Set(ids);
  const shown = shownName(text);
  const plain = FAMILIES.map((family) => functionId(family, shown)).find((id) => known.has(id));
  if (plain) return plain;
  const { family, key } = withFamily(text);
  const id = family && functionId(family, shownName(key));
  return id && known.has(id) ? id : undefined;
}
