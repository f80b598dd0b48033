/** Writes text and lengths as XML, whatever the text. */

/** What XML 1.0 has no place for (https://www.w3.org/TR/xml/#charsets), lone surrogates included. */
const INVALID =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** What any of it needs, a surrogate of a whole pair too. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const SPECIAL = /[&<>"'\u0000-\u0008\u000B\u000C\u000E-\u001F\uD800-\uDFFF\uFFFE\uFFFF]/;

const ESCAPES = /** @type {Record<string, string>} */ ({
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
});

/**
 * Escape text for an element or a quoted attribute. Characters that XML cannot hold become U+FFFD.
 *
 * @param {string} text
 */
export function escapeXml(text) {
  // Most names and all numbers have none of it.
  if (!SPECIAL.test(text)) return text;
  return text.replace(INVALID, "\uFFFD").replace(/[&<>"']/g, (character) => ESCAPES[character]);
}

/**
 * Write JSON that may be inside any element, script or CDATA section of any document.
 *
 * @param {unknown} value
 */
export function embeddedJson(value) {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029\uFFFE\uFFFF]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * Split a text that may hold the end of a CDATA section, as `a[b[0]]>1` does.
 *
 * @param {string} text
 */
export function inCdata(text) {
  return text.replaceAll("]]>", "]]]]><![CDATA[>");
}

/**
 * Write a length in pixels, rounded to a tenth, as short as SVG allows: `12`, `.5`, `3.1`.
 *
 * @param {number} pixels
 */
export function formatPixels(pixels) {
  const text = String(Math.round(pixels * 10) / 10);
  return text.startsWith("0.") ? text.slice(1) : text;
}
