// Text as Markdown and HTML show it literally.
// A brace by its number: to what makes sites of Markdown, Hugo and Jekyll, `{{` and `{%` are commands.

/** @param {string} text */
export function inMarkdown(text) {
  const literal = text.replace(/[\\|`*_<>&[\]]/g, "\\$&").replaceAll("{", "&#123;");
  return literal.replace(/\s+/g, " ");
}

/**
 * Also between the quotes of an attribute.
 *
 * @param {string} text
 */
export function inHtml(text) {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("{", "&#123;");
}
