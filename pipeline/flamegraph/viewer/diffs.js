/** What a viewer of diffs needs besides: its own, so that the file of a profile does without it. */

import { diffGraph } from "../graph/diff_graph.js";
import { DiffControls, diffView } from "./diff_controls.js";
import { kinds } from "./kinds.js";

kinds.diff = {
  graphOf: (data, state, zoomed) => diffGraph(data, diffView(data, state, zoomed)),
  controlsOf: (data, actions) => new DiffControls(data, actions),
};
