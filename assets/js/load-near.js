// Loads a script when what it is for comes near, so that a page is light until the reader gets there.

/** How far away: two heights of the window. */
const NEAR = "200% 0px";

/** @param {HTMLTemplateElement} template holds the script; `data-near` selects what it is for */
export function loadNear(template) {
  const observer = new IntersectionObserver(
    (entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) load();
    },
    { rootMargin: NEAR },
  );
  const load = () => {
    observer.disconnect();
    removeEventListener("hashchange", loadLinked);
    document.body.append(template.content);
  };
  // A link to the state of a graph leads there.
  const loadLinked = () => {
    if (location.hash.includes("=")) load();
  };
  for (const element of document.querySelectorAll(template.dataset.near ?? "")) {
    observer.observe(element);
  }
  addEventListener("hashchange", loadLinked);
  loadLinked();
}
