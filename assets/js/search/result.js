/**
 * A result in a list: a link, and below it what it is.
 *
 * @param {string} label
 * @param {string} url
 * @param {string} note
 */
export function resultItem(label, url, note) {
  const link = Object.assign(document.createElement("a"), { href: url, textContent: label });
  const below = Object.assign(document.createElement("span"), {
    className: "note",
    textContent: note,
  });
  const item = document.createElement("li");
  item.append(link, below);
  return item;
}
