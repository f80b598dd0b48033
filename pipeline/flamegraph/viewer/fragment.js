// The fragment of an address: anchors, and states as `<key>=<value>`, joined by `&`.

/** @param {string} fragment with its `#`, where it has one */
export function partsOf(fragment) {
  return fragment.replace(/^#/, "").split("&").filter(Boolean);
}

/** @param {string} part */
export function isState(part) {
  return part.includes("=");
}

/**
 * @param {string} fragment
 * @param {string} key encoded
 * @returns {string} empty where the fragment does not say
 */
export function valueIn(fragment, key) {
  const start = `${key}=`;
  const part = partsOf(fragment).find((each) => each.startsWith(start));
  return decoded(part?.slice(start.length) ?? "");
}

/** @param {string} text */
export function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a stray % that somebody typed
  }
}
