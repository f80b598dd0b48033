/** Copies a frame: its name, its stack with one function per line, or as a line of folded stacks. */

import { foldedFrame, weightText } from "../../profile/model/export_format.js";
import { subtreeEnd } from "../../profile/model/tree.js";
import { SELF } from "../graph/rebuild.js";
import { callPath } from "../graph/sections.js";
import { htmlElement } from "./elements.js";

/**
 * @typedef {"name" | "stack" | "folded line"} Copied
 *
 * @typedef {import("./view.js").GraphView} View
 */

/** @type {Record<Copied, (view: View) => string>} */
const TEXTS = {
  name: ({ graph, cursor }) => graph.name(cursor.node),
  stack: ({ graph, cursor }) => callPath(graph, cursor.node).map(graph.name).join("\n"),
  "folded line": foldedLine,
};

/**
 * Make a choice of what to copy, which goes back to its name each time.
 *
 * @param {(what: Copied) => void} chosen
 */
export function copyChoice(chosen) {
  const choice = htmlElement(
    "select",
    { "aria-label": "Copy" },
    ...["Copy …", ...Object.keys(TEXTS)].map((text) => htmlElement("option", {}, text)),
  );
  choice.addEventListener("change", () => {
    chosen(/** @type {Copied} */ (choice.value));
    choice.selectedIndex = 0;
  });
  return choice;
}

/**
 * Copy what is asked for of the frame in the status line, and report it there.
 *
 * @param {View} view
 * @param {Copied} what
 * @param {(text: string) => unknown} [write] default: to the clipboard
 */
export async function copy(view, what, write = (text) => navigator.clipboard.writeText(text)) {
  if (view.cursor.node === 0) return;
  const text = TEXTS[what](view);
  try {
    await write(text);
    view.say(`Copied the ${what}.`);
  } catch {
    view.say(`The browser refused to copy: ${text}`);
  }
}

/**
 * Write the stack of a frame with the weight of the frame and all that it calls; of a diff, with the
 * weights of both sides, as in its folded file.
 *
 * @param {View} view
 */
function foldedLine({ graph, columns, cursor }) {
  const frames = callPath(graph, cursor.node).map((node) =>
    foldedFrame(graph.name(node), columns.classes[graph.nameIndex(node)]),
  );
  const end = subtreeEnd(graph.lanes[0].tree, cursor.node);
  /** @type {Record<string, any>} columns of either format, by their names */
  const all = columns;
  /** @param {string} key */
  const sum = (key) => {
    const weights = (all[key] ?? []).slice(cursor.node, end);
    return weights.reduce(
      (/** @type {bigint} */ total, /** @type {number} */ weight) => total + BigInt(weight),
      0n,
    );
  };
  const weights = SELF.filter((key) => all[key]).map((key) =>
    weightText(all[key.replace(/_?self/, "")] ?? all, sum(key) + sum(key.replace("self", "rest"))),
  );
  return [frames.join(";"), ...weights].join(" ");
}
