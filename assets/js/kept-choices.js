// Carries the reader's basis and base over to the next page of the report. It
// is in the address alone: a graph's `#<graph>.basis=share` and a table's `#<table>.base=17` leave
// their page as `#basis=share&base=17`, and whatever has such a choice on the next page takes it up.

import { partsOf } from "@perfpress/flamegraph/viewer/fragment.js";

/**
 * @typedef {object} Choices empty where there is none
 * @property {string} basis of diffs
 * @property {string} base of ratios: the key of a release
 *
 * @typedef {object} ChoiceTargets what of a page has such choices
 * @property {string[]} diffs ids of graphs
 * @property {{ id: string, bases: string[] }[]} tables and the bases that each can show, but its own
 */

/** Without the share of a frame: a frame belongs to one page. */
const BASES = ["share", "operation", "second"];
const KEYS = /** @type {const} */ (["basis", "base"]);

/**
 * Return the last value of a key, of whatever graph or table: the reader has chosen that last. What a
 * page has taken up of nobody counts where nobody has a choice of their own.
 *
 * @param {string[]} parts
 * @param {"basis" | "base"} key
 */
function lastOf(parts, key) {
  const own = parts.filter((part) => part.split("=")[0].endsWith(`.${key}`));
  const value =
    (own.at(-1) ?? parts.find((part) => part.startsWith(`${key}=`)))?.split("=")[1] ?? "";
  return key === "base" || BASES.includes(value) ? value : "";
}

/**
 * @param {string} fragment of the page that the reader is on
 * @returns {Choices} encoded
 */
export function choicesIn(fragment) {
  const parts = partsOf(fragment);
  return { basis: lastOf(parts, "basis"), base: lastOf(parts, "base") };
}

/**
 * Return the fragment of a link with the choices; one that the link makes itself stays.
 *
 * @param {string} fragment
 * @param {Choices} choices
 */
export function withChoices(fragment, choices) {
  const parts = partsOf(fragment);
  for (const key of KEYS) {
    const isMade = parts.some((part) => part.split("=")[0].split(".").at(-1) === key);
    if (choices[key] && !isMade) parts.push(`${key}=${choices[key]}`);
  }
  return parts.length > 0 ? `#${parts.join("&")}` : "";
}

/**
 * Return the fragment in which the graphs and tables of a page have taken up what came along. What nobody
 * could take up stays, and goes along to the next page.
 *
 * @param {string} fragment
 * @param {ChoiceTargets} targets
 */
export function withChoicesApplied(fragment, { diffs, tables }) {
  const parts = partsOf(fragment);
  /** @param {"basis" | "base"} key @param {(value: string) => string[]} targetsOf ids */
  const take = (key, targetsOf) => {
    const at = parts.findIndex((part) => part.startsWith(`${key}=`));
    if (at < 0) return;
    const value = parts[at].slice(key.length + 1);
    const ids = targetsOf(value).map(encodeURIComponent);
    if (ids.length === 0) return;
    const others = ids.filter((id) => !parts.some((part) => part.startsWith(`${id}.${key}=`)));
    parts.splice(at, 1, ...others.map((id) => `${id}.${key}=${value}`));
  };
  take("basis", (value) => (BASES.includes(value) ? diffs : []));
  take("base", (value) => tables.filter(({ bases }) => bases.includes(value)).map(({ id }) => id));
  return parts.length > 0 ? `#${parts.join("&")}` : "";
}

/** Apply the choices that came with the link to this page. */
function applyChoices() {
  const graphs = document.querySelectorAll('flame-graph[data-profile$="/diff.json"]');
  const tables = /** @type {NodeListOf<HTMLElement>} */ (
    document.querySelectorAll("table[data-values]")
  );
  const fragment = withChoicesApplied(location.hash, {
    diffs: [...graphs].map(({ id }) => id),
    tables: [...tables].map((table) => ({
      id: table.id,
      bases: [...table.querySelectorAll("thead [data-column]")]
        .map((head) => head.getAttribute("data-column") ?? "")
        .filter((key) => key !== table.dataset.base),
    })),
  });
  if (fragment !== location.hash) history.replaceState(history.state, "", fragment);
}

/**
 * Give the links to other pages of the report the choices that the reader has made on this one.
 *
 * @param {Document} page
 */
export function keepChoices(page) {
  applyChoices();
  const [report] = /^.*\/reports\/[^/]+\//.exec(location.pathname) ?? [];
  if (!report) return;
  /** Links as the page has them. @type {WeakMap<HTMLAnchorElement, string>} */
  const published = new WeakMap();
  // A link is pressed, opened by keyboard, or copied: each time it has the current choices.
  for (const kind of ["pointerdown", "click", "contextmenu"]) {
    page.addEventListener(
      kind,
      ({ target }) => {
        const link = target instanceof Element ? target.closest("a") : null;
        if (!link?.pathname.startsWith(report) || link.origin !== location.origin) return;
        const isPage = link.pathname.endsWith("/") && link.pathname !== location.pathname;
        if (!isPage) return;
        const fragment = published.get(link) ?? link.hash;
        published.set(link, fragment);
        const hash = withChoices(fragment, choicesIn(location.hash));
        if (hash !== link.hash) link.hash = hash;
      },
      { capture: true },
    );
  }
}
