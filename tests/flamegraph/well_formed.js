/** A check that text is well-formed XML, strict about the parts of XML that the renderer writes. */

import assert from "node:assert/strict";

const TOKEN =
  /<!\[CDATA\[[\s\S]*?\]\]>|<(\/?)([a-zA-Z]+)((?:\s+[a-zA-Z:-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/gy;
const REFERENCE = /&(?!(?:amp|lt|gt|quot|#39);)/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/;

/** What is not to be seen or turns text around; not the marks that keep a name from doing so. */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
  /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u200B-\u200F\u202A-\u202E\u2066\u2067\uFFFD-\uFFFF]/;

/**
 * Check that nothing in a picture is hidden from who reads it.
 *
 * @param {string} svg
 */
export function assertSeen(svg) {
  assert.doesNotMatch(svg, UNSEEN);
}

/**
 * @param {string} text
 * @returns {{ elements: string[], attributes: string[] }} their names
 */
export function assertWellFormed(text) {
  assert.doesNotMatch(text, FORBIDDEN, "a character that XML cannot hold");
  assert.equal(Buffer.from(text).toString(), text, "a lone surrogate");
  /** @type {string[]} */
  const open = [];
  const elements = [];
  /** @type {Set<string>} */
  const attributeNames = new Set();
  let end = 0;
  for (const token of text.matchAll(TOKEN)) {
    const [whole, closing, element, attributes, empty, characters] = token;
    end = token.index + whole.length;
    if (characters !== undefined) {
      assert.doesNotMatch(characters, REFERENCE);
      assert.ok(!characters.includes("]]>"));
    } else if (element) {
      assert.doesNotMatch(attributes, REFERENCE);
      const names = [...attributes.matchAll(/([a-zA-Z:-]+)="/g)].map(([, name]) => name);
      assert.equal(new Set(names).size, names.length, `an attribute twice in ${whole}`);
      for (const name of names) attributeNames.add(name);
      if (closing) assert.equal(open.pop(), element);
      else {
        elements.push(element);
        if (!empty) open.push(element);
      }
    }
  }
  assert.equal(end, text.length, `not XML: ${text.slice(end, end + 80)}`);
  assert.deepEqual(open, [], "elements left open");
  return { elements, attributes: [...attributeNames] };
}
