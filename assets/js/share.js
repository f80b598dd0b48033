// Copies links: share links, snippets for other sites and descriptions of figures as the reader sees
// them, and anchors.

import { button, htmlElement } from "@perfpress/flamegraph/viewer/elements.js";
import { viewOf } from "./link-state.js";
import { inHtml, inMarkdown } from "./markup.js";
import { announce, copyText } from "./status-line.js";

/**
 * @typedef {object} SharedFigure
 * @property {string} page address of the page that it is on
 * @property {string} text what it shows, in words
 * @property {string} image address of its picture
 * @property {string} width of the picture, pixels
 * @property {string} height of the picture, pixels
 * @property {boolean} framed whether a page has it alone, for frames
 */

/** @param {HTMLDetailsElement} share with the link, the text and the picture as published */
export function offerShare(share) {
  const figure = published(share);
  const id = share.dataset.figure ?? "";
  /** @type {Map<string, Element>} */
  const places = new Map();
  const update = () => {
    for (const [name, snippet] of snippetsOf(figure, viewOf(id))) {
      const place = places.get(name) ?? placeFor(name);
      place.textContent = snippet;
    }
  };
  const placeFor = (/** @type {string} */ name) => {
    const heads = [...share.querySelectorAll("dt")];
    const there = heads.find((each) => each.textContent === name)?.nextElementSibling;
    const row = there ?? htmlElement("dd", {}, htmlElement("pre", { tabindex: "0" }));
    if (!there) share.querySelector("dl")?.append(htmlElement("dt", {}, name), row);
    const place = /** @type {Element} */ (row.firstElementChild);
    places.set(name, place);
    // Only on https and localhost; what is there can be selected.
    if (navigator.clipboard) {
      const copy = button("Copy", () => {
        update();
        copyText(place.textContent ?? "", `${name} copied`);
      });
      copy.setAttribute("aria-label", `Copy: ${name}`);
      place.after(copy);
    }
    return place;
  };
  for (const occasion of ["toggle", "pointerenter", "focusin"]) {
    share.addEventListener(occasion, update);
  }
}

/**
 * @param {HTMLElement} share
 * @returns {SharedFigure}
 */
function published(share) {
  const [link, text] = [...share.querySelectorAll("pre")].map((pre) => pre.textContent);
  const [page = ""] = (link ?? "").split("#");
  const picture = share.querySelector("dd a")?.getAttribute("href") ?? "";
  const { width = "", height = "", framed } = share.dataset;
  return {
    page,
    text: text ?? "",
    image: new URL(picture, page).href,
    width,
    height,
    framed: framed !== undefined,
  };
}

/**
 * @param {SharedFigure} figure
 * @param {string} view the fragment that leads to what is seen
 * @returns {[name: string, snippet: string][]}
 */
export function snippetsOf({ page, text, image, width, height, framed }, view) {
  const link = `${page}#${view}`;
  // A parenthesis would end the link, and a backslash before its end would not let it end.
  const bare = link.replaceAll("(", "%28").replaceAll(")", "%29").replaceAll("\\", "%5C");
  const alt = inHtml(text);
  const size = `width="${width}" height="${height}" style="max-width: 100%; height: auto"`;
  const frame = `src="${page}embed/#${inHtml(view)}" title="${alt}" width="100%" height="600"`;
  /** @type {[string, string][]} */
  const snippets = [
    ["Link", link],
    ["Text", `${text} ${link}`],
    ["Markdown", `[![${inMarkdown(text)}](${image})](${bare})`],
    ["HTML", `<a href="${inHtml(link)}"><img src="${inHtml(image)}" alt="${alt}" ${size}></a>`],
  ];
  if (framed) {
    snippets.push(["Frame", `<iframe ${frame} style="border: 0" loading="lazy"></iframe>`]);
  }
  return snippets;
}

/**
 * @param {HTMLElement} root the element whose `.anchor` links copy their address
 */
export function offerLinks(root) {
  if (!navigator.clipboard) return; // Only on https and localhost; the link itself works anywhere.

  root.addEventListener("click", async (event) => {
    const link = event.target instanceof Element ? event.target.closest("a.anchor") : null;
    if (!(link instanceof HTMLAnchorElement)) return;
    try {
      await navigator.clipboard.writeText(link.href);
    } catch {
      return; // The reader does not allow it; the address bar shows the link.
    }
    announce("Link copied");
  });
}
