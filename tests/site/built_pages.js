/**
 * The pages of a built site as their HTML says: what they link to, and which of them a browser looks
 * at. A browser takes seconds for each page, reading takes milliseconds.
 */

import { createHash } from "node:crypto";
import { Parser } from "htmlparser2";

/** Attributes that hold an address. */
const LINKING = ["href", "src", "data-profile"];
/** Those that a browser gets or sends something for, whatever element has them. */
const LOADING = ["src", "srcset", "data", "poster", "action", "formaction", "background", "ping"];
/** Elements that an address leads a reader from, and what a page says of itself. */
const LEADING = /^a$|^link (canonical|alternate|next|prev|license)$/;
const POLICY = "content-security-policy";

/**
 * @typedef {object} BuiltPage
 * @property {string} url
 * @property {string[]} ids in order, those that occur twice as well
 * @property {string[]} links whole addresses
 * @property {string[]} dangers what a name could have made: scripts, and what loads from elsewhere
 * @property {string} kind what it consists of: pages of one kind differ in data alone
 * @property {string} hash of what it says, without the heads that all pages share
 * @property {number} bytes
 * @property {number} columns of its widest table
 * @property {number} longestWord letters of its longest name
 */

/**
 * @param {string} url
 * @param {string} html
 * @returns {BuiltPage}
 */
export function readPage(url, html) {
  /** @type {string[]} */
  const ids = [];
  /** @type {Set<string>} */
  const links = new Set();
  /** @type {Set<string>} */
  const parts = new Set();
  /** @type {string[]} */
  const dangers = [];
  let hasPolicy = false;
  let columns = 0;
  let inRow = 0;
  let longestWord = 0;
  const parser = new Parser({
    onopentag(name, attributes) {
      const { id = "", class: classes = "" } = attributes;
      if (id) ids.push(id);
      dangers.push(...dangersOf(name, attributes, url));
      hasPolicy ||= attributes["http-equiv"]?.toLowerCase() === POLICY;
      for (const attribute of LINKING) {
        if (attribute in attributes) links.add(new URL(attributes[attribute], url).href);
      }
      if (id.startsWith("section-")) parts.add(id);
      if (name.includes("-")) parts.add(name);
      if (name === "figure") parts.add(`figure ${classes}`);
      if (name === "tr") inRow = 0;
      if (name === "th" || name === "td") inRow += 1;
      columns = Math.max(columns, inRow);
    },
    ontext(text) {
      for (const word of text.split(/\s+/)) longestWord = Math.max(longestWord, word.length);
    },
  });
  parser.end(html);
  if (!hasPolicy) dangers.push(`has no ${POLICY}`);
  const main = html.slice(html.indexOf("<main"), html.lastIndexOf("</main>"));
  return {
    url,
    ids,
    links: [...links],
    dangers,
    kind: [...parts].sort().join(" "),
    hash: createHash("sha256").update(main).digest("hex"),
    bytes: html.length,
    columns,
    longestWord,
  };
}

/**
 * @param {string} name of an element
 * @param {Readonly<Record<string, string>>} attributes
 * @param {string} url of its page
 * @returns {string[]} what it runs that no file of the site says, and what it gets from elsewhere
 */
function dangersOf(name, attributes, url) {
  const { origin } = new URL(url);
  const found = Object.keys(attributes).filter((each) => each.startsWith("on"));
  if (name === "script" && !("src" in attributes) && !attributes.type?.includes("json")) {
    found.push("its own script");
  }
  const leads = LEADING.test(name === "link" ? `link ${attributes.rel}` : name);
  for (const [attribute, value] of Object.entries(attributes)) {
    const isHref = attribute === "href" || attribute === "xlink:href";
    if (!isHref && !LOADING.includes(attribute)) continue;
    const to = URL.canParse(value, url) ? new URL(value, url) : undefined;
    const isPicture = to?.protocol === "data:" && /^(img|image)$/.test(name);
    const isLink = isHref && leads && /^(https?|mailto):$/.test(to?.protocol ?? "");
    if (to?.origin !== origin && !isPicture && !isLink) found.push(`${attribute}=${value}`);
  }
  return found.map((each) => `has <${name}> with ${each}`);
}

/**
 * Choose the pages that a browser looks at: the longest of each kind, those with most columns and the
 * longest names, then those that have changed, then others at random.
 *
 * @param {readonly BuiltPage[]} pages
 * @param {number} most pages, unless there are more kinds
 * @param {Readonly<Record<string, string>>} known hashes of pages that were looked at, by address
 * @param {number} seed another one chooses other pages
 * @returns {BuiltPage[]}
 */
export function chosenPages(pages, most, known, seed) {
  /** @type {Set<BuiltPage>} */
  const chosen = new Set();
  for (const alike of Map.groupBy(pages, ({ kind }) => kind).values()) {
    chosen.add(largest(alike, "bytes"));
  }
  chosen.add(largest(pages, "columns")).add(largest(pages, "longestWord"));
  const order = new Map(
    pages.map((page) => [page, createHash("sha256").update(`${seed} ${page.url}`).digest("hex")]),
  );
  const shuffled = pages.toSorted((a, b) => ((order.get(a) ?? "") < (order.get(b) ?? "") ? -1 : 1));
  const [changed, same] = [true, false].map((wanted) =>
    shuffled.filter(({ url, hash }) => (known[url] !== hash) === wanted),
  );
  for (const page of [...changed, ...same]) {
    if (chosen.size >= most) break;
    chosen.add(page);
  }
  return pages.filter((page) => chosen.has(page));
}

/**
 * @param {readonly BuiltPage[]} pages
 * @param {"bytes" | "columns" | "longestWord"} by
 */
function largest(pages, by) {
  return pages.reduce((most, page) => (page[by] > most[by] ? page : most));
}

/**
 * Find links that lead nowhere.
 *
 * @param {readonly BuiltPage[]} pages
 * @param {(address: string) => Promise<number>} statusOf the status of what is no page
 * @returns {Promise<[url: string, text: string][]>} page and what is wrong with it
 */
export async function deadLinks(pages, statusOf) {
  const anchors = new Map(pages.map(({ url, ids }) => [url, new Set(ids)]));
  const { origin } = new URL(pages[0].url);
  const links = pages.flatMap(({ url, links }) =>
    links
      .map((link) => ({ url, link, to: new URL(link) }))
      .filter(({ to }) => to.origin === origin),
  );
  const files = new Set(
    links.map(({ to }) => origin + to.pathname).filter((to) => !anchors.has(to)),
  );
  const statuses = new Map();
  for (const file of files) statuses.set(file, await statusOf(file));
  return links.flatMap(({ url, link, to }) => {
    const address = origin + to.pathname;
    const status = statuses.get(address) ?? 200;
    if (status !== 200) return [[url, `links to ${link}: ${status}`]];
    // A fragment with an equals sign is the state of a graph, not an anchor.
    const anchor = to.hash.includes("=") ? "" : decodeURIComponent(to.hash.slice(1));
    const isDead = anchor && anchors.get(address)?.has(anchor) === false;
    return isDead ? [[url, `links to ${link}: no such anchor`]] : [];
  });
}
