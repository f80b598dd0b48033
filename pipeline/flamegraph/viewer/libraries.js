/**
 * The choice of a library above the graph: which there are and how much of the CPU time or other weight
 * each has, and what to do with one. The state is that of any edit and of the search.
 */

import { formatShare } from "../../profile/model/numbers.js";
import { IN_LIBRARY } from "../graph/edits.js";
import { libraryShares } from "../graph/library_shares.js";
import { EDITS } from "./edit_controls.js";
import { button, htmlElement } from "./elements.js";
import { kinds } from "./kinds.js";

/** Those that weigh less are found by the search. */
const MOST_LISTED = 40;

/** @param {import("./view.js").GraphView} view */
function libraryControls(view) {
  const choice = htmlElement("select", { "aria-label": "Library or kind of code" });
  const buttons = EDITS.map(([edit, does]) =>
    button(does, () => view.moves.leaveOut(edit, choice.value)),
  );
  const find = button("Find", () => view.search(choice.value));
  const details = htmlElement(
    "details",
    { class: "flame-graph-options flame-graph-libraries" },
    htmlElement("summary", {}, "Libraries"),
    htmlElement("p", {}, choice, ...buttons, find),
  );
  choice.addEventListener("change", update);
  details.addEventListener("toggle", () => {
    if (details.open && choice.options.length === 0) fill();
    view.redraw(); // in a file, below it
  });

  function fill() {
    const { libraries, kinds, rest } = libraryShares(view.data);
    choice.append(
      group("Libraries", libraries.slice(0, MOST_LISTED)),
      group("Kinds of code", kinds),
    );
    const more = libraries.length - MOST_LISTED;
    const notes = [
      more > 0 ? `${more} more: search for ${IN_LIBRARY} and the name` : "",
      rest > 0 ? `Too thin for this file: ${formatShare(rest)}` : "",
    ];
    for (const note of notes.filter(Boolean)) {
      choice.append(htmlElement("option", { disabled: "" }, note));
    }
    update();
  }

  function update() {
    find.disabled = !choice.value.startsWith(IN_LIBRARY);
  }
  return [details];
}

/**
 * @param {string} label
 * @param {import("../graph/library_shares.js").Share[]} shares
 */
function group(label, shares) {
  return htmlElement(
    "optgroup",
    { label },
    ...shares.map(({ term, name, parts }) =>
      htmlElement("option", { value: term }, `${name}: ${parts.map(formatShare).join(" → ")}`),
    ),
  );
}

kinds.libraries = libraryControls;
