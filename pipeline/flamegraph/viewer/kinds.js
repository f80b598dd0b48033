/**
 * What the viewer knows to show besides profiles. `diffs.js` adds diffs, `libraries.js` the choice of a
 * library; a page imports both, a file what it needs.
 *
 * @typedef {object} Diffs
 * @property {(data: import("../graph/diff_graph.js").DrawnDiff, state: import("./diff_controls.js").DiffState,
 *   zoomed: number) => import("../graph/graph.js").Graph} graphOf
 * @property {(data: import("../graph/diff_graph.js").DrawnDiff,
 *   actions: ConstructorParameters<typeof import("./diff_controls.js").DiffControls>[1]) =>
 *   import("./diff_controls.js").DiffControls} controlsOf
 */

/**
 * @type {{ diff: Diffs | null, libraries: ((view: import("./view.js").GraphView) => Node[]) | null }}
 *   `libraries` makes the controls of a graph whose data has some
 */
export const kinds = { diff: null, libraries: null };
