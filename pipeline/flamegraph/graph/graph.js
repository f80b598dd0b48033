/**
 * A flame graph as the renderer and the viewer see it: lanes of frames with names, colours and
 * words. `profile_graph.js` and `diff_graph.js` make one from a profile and from a diff.
 *
 * Nodes are numbered the same in all lanes of a graph; a node that weighs nothing in a lane is not
 * drawn there.
 *
 * @typedef {object} Lane
 * @property {string} title empty where the graph has one lane
 * @property {import("../../profile/model/tree.js").CallTree} tree
 * @property {import("./sections.js").Section} section what of the tree is drawn; lanes of one section
 *   are drawn to one scale
 * @property {boolean} [continues] whether it continues below the lane before it, which has callers of
 *   the same function
 * @property {(node: number) => boolean} [isContext] what only shows where frames of the lane were
 *   called from; the lane begins below the context that all of them share
 *
 * @typedef {import("../../profile/model/naming.js").Naming & Drawing} Graph
 *
 * @typedef {object} Drawing
 * @property {Lane[]} lanes
 * @property {(node: number, lane: Lane) => string} colour colour class
 * @property {(node: number, lane: Lane) => string} mark written after the name where there is room; often empty
 * @property {(node: number, lane: Lane) => string} [sign] written before the name where there is no room for
 *   the mark: a character or none
 * @property {(node: number, zoomed: number) => string[]} facts lines about a frame, without its name
 */

export {};
