/** Shows in a graph what a link asks for, and reports what of it the graph cannot show. */

import { nameInSentence } from "../../profile/model/shown_names.js";
import { isSame, understood } from "./link_state.js";

/**
 * @param {import("./view.js").GraphView} view
 * @param {string} [fragment] of the address; default: of the page's own
 */
export function restore(view, fragment) {
  const link = view.options.store.read(fragment);
  if (!link) return view.remember(); // an anchor, which the state joins
  const { state: wanted, dropped } = understood(link, {
    bases: view.diffControls?.bases ?? null,
    columns: view.options.columns ?? [],
  });
  const problems =
    dropped.length > 0 ? [`Not understood in the link, and left out: ${dropped.join(", ")}.`] : [];
  if (!isSame(wanted, view.state)) {
    if (view.moves.canGoBack()) view.moves.leave();
    const node = view.change(wanted, false);
    if (node < 0) {
      problems.push(`The link's frame “${nameInSentence(wanted.frame)}” is not in this graph.`);
    }
  } else if (dropped.length > 0) view.remember();
  if (problems.length > 0) view.say(problems.join(" "));
}
