// A slash leads to the search, from every page on which it does not lead into a graph.

/** @param {Document} page */
export function offerSearch(page) {
  const link = page.querySelector(".masthead a[href$='/search/']");
  if (!(link instanceof HTMLAnchorElement)) return;
  page.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.defaultPrevented || isTyping(event.target)) return;
    if (page.querySelector("flame-graph, function-matrix, site-search")) return;
    event.preventDefault();
    location.assign(link.href);
  });
}

/** @param {EventTarget | null} target */
function isTyping(target) {
  return target instanceof Element && target.closest("input, select, textarea") !== null;
}
