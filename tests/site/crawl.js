/** Walks through all pages of the site of the tests, as a reader could. */

/**
 * @typedef {object} Page
 * @property {string} url
 * @property {string} html
 * @property {string[]} links addresses that the page names, made absolute
 *
 * @typedef {object} Crawl
 * @property {Page[]} pages in the order in which they were found
 * @property {Map<string, number>} statuses by address without fragment
 */

const NAMES = { amp: "&", lt: "<", gt: ">", quot: '"' };

/**
 * @param {string} text
 */
function unescapeHtml(text) {
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(amp|lt|gt|quot));/gi, (_, decimal, hex, name) => {
    if (name) return NAMES[/** @type {keyof typeof NAMES} */ (name)];
    return String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex, 16));
  });
}

/**
 * @param {string} html
 * @param {string} url
 */
function linksOf(html, url) {
  const found = html.matchAll(/<[a-z][^>]*?\s(?:href|src)="([^"]*)"/gi);
  return [...found].map(([, address]) => new URL(unescapeHtml(address), url).href);
}

/**
 * The page's ids, which fragments lead to.
 *
 * @param {string} html
 */
export function idsOf(html) {
  return new Set(
    [...html.matchAll(/<[a-z][^>]*?\sid="([^"]*)"/gi)].map(([, id]) => unescapeHtml(id)),
  );
}

/**
 * Follow every link from the first page on that stays on its host.
 *
 * @param {string} first
 * @returns {Promise<Crawl>}
 */
export async function crawl(first) {
  /** @type {Crawl} */
  const found = { pages: [], statuses: new Map() };
  const waiting = [first];
  for (let url = waiting.shift(); url; url = waiting.shift()) {
    if (found.statuses.has(url)) continue;
    const response = await fetch(url);
    found.statuses.set(url, response.status);
    if (!response.headers.get("content-type")?.startsWith("text/html")) {
      await response.body?.cancel();
      continue;
    }
    const html = await response.text();
    const links = linksOf(html, url);
    found.pages.push({ url, html, links });
    for (const link of links) {
      const address = link.replace(/#.*/, "");
      if (new URL(address).origin === new URL(first).origin) waiting.push(address);
    }
  }
  return found;
}
