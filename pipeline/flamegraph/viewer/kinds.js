/**
 * What the viewer knows to show besides profiles. `diffs.js` adds diffs; a page imports it, and the
 * file of a diff.
 *
 * @typedef {object} Diffs
 * @property {(data: import("../graph/diff_graph.js").DrawnDiff, state: import("./diff_controls.js").DiffState,
 *   zoomed: number) => import("../graph/graph.js").Graph} graphOf
 * @property {(data: import("../graph/diff_graph.js").DrawnDiff,
 *   actions: ConstructorParameters<typeof import("./diff_controls.js").DiffControls>[1]) =>
 *   import("./diff_controls.js").DiffControls} controlsOf
 */

/** @type {{ diff: Diffs | null }} */
export const kinds = { diff: null };
