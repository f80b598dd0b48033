// Copies links: share links, embed pages and alt text of figures as the reader sees them, and anchors.

import { button } from "@perfpress/flamegraph/viewer/elements.js";
import { viewOf } from "./link-state.js";
import { announce, copyText } from "./status-line.js";

/** @param {HTMLDetailsElement} share */
export function offerShare(share) {
  const id = share.dataset.figure ?? "";
  const snippets = [...share.querySelectorAll("pre")].map((element) => ({
    element,
    // As published: the link shows the figure in its initial state.
    published: element.textContent ?? "",
  }));
  const update = () => {
    const view = viewOf(id);
    for (const { element, published } of snippets) {
      element.textContent = withView(published, id, view, element.dataset.snippet);
    }
  };
  for (const occasion of ["toggle", "pointerenter", "focusin"]) {
    share.addEventListener(occasion, update);
  }
  if (!navigator.clipboard) return; // Only on https and localhost; what is there can be selected.

  for (const { element } of snippets) {
    const name = element.closest("dd")?.previousElementSibling?.textContent ?? "";
    const copy = button("Copy", () => {
      update();
      copyText(element.textContent ?? "", `${name} copied`);
    });
    copy.setAttribute("aria-label", `Copy: ${name}`);
    element.after(copy);
  }
}

/**
 * Put what the reader sees into the links of a snippet.
 *
 * @param {string} snippet
 * @param {string} id of the figure, with which its links end
 * @param {string} view the fragment that leads to what is seen
 * @param {string} [language] that the snippet is written in
 */
export function withView(snippet, id, view, language) {
  const written = {
    html: view.replaceAll("&", "&amp;"),
    // A parenthesis would end the link, and a backslash before its end would not let it end.
    markdown: view.replaceAll("(", "%28").replaceAll(")", "%29").replaceAll("\\", "%5C"),
  }[language ?? ""];
  return snippet
    .split(/(?<=#[^\s"()#]*)(?=["\s)]|$)/)
    .map((part) => {
      const link = `#${id}`;
      return part.endsWith(link) ? `${part.slice(0, -link.length)}#${written ?? view}` : part;
    })
    .join("");
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
