// Written by make schemas.

/**
 * A release.
 *
 * @minItems 3
 */
export type SearchableRelease = [string, string, string];
/**
 * A step, a level change or a host: anything that has its own page.
 *
 * @minItems 2
 */
export type Searchable = [string, string];
/**
 * A graph or table that functions lead to.
 *
 * @minItems 2
 */
export type SearchablePlace = [string, string];
/**
 * A function at one place.
 *
 * @minItems 3
 */
export type SearchableFunction = [string, number, string];
/**
 * A row of a table that has several pages.
 *
 * @minItems 3
 */
export type RowOfPages = [string, string, number];

/**
 * The files that scripts of pages fetch.
 */
export interface ScriptData {
  compare: CompareChoices;
  compareCells: CompareCells;
  matrix: MatrixData;
  search: SearchIndex;
  tablePages: RowsOfPages;
}
/**
 * What the script of the page knows before it fetches the cells of a step.
 */
export interface CompareChoices {
  base: string;
  step: string;
  metrics: CompareMetric[];
  words: ComparisonWords;
  releases: CompareName[];
  variants: CompareName[];
  steps: CompareStep[];
  renames: CompareRename[];
  aliases: {
    [k: string]: string[];
  };
  overdispersion: {
    [k: string]: number;
  };
}
/**
 * A number of both sides that the comparison opens with.
 */
export interface CompareMetric {
  key: string;
  label: string;
  unit: string;
}
/**
 * The words of a comparison, on built pages and on the page that compares any two.
 */
export interface ComparisonWords {
  heading: string;
  functions: string;
  cost: string;
  not_known: string;
  no_change_known: string;
  no_common_event: string;
  no_common_cost: string;
}
/**
 * What a reader can choose.
 */
export interface CompareName {
  id: string;
  label: string;
}
/**
 * A step.
 */
export interface CompareStep {
  id: string;
  label: string;
  rate_unit: string;
  cells: string;
}
/**
 * A rename.
 */
export interface CompareRename {
  what: "release" | "step" | "variant";
  old: string;
  new: string;
  words: string;
}
/**
 * What was measured of one step; a file of its own, fetched when the step is chosen.
 */
export interface CompareCells {
  cells: CompareCell[];
}
/**
 * A release, variant and step that was measured; all three by their ids.
 */
export interface CompareCell {
  release: string;
  variant: string;
  step: string;
  metrics?: {
    [k: string]: number;
  };
  missing?: string;
  profiles?: CompareProfile[];
  diffs?: {
    [k: string]: string;
  };
  verdicts?: {
    [k: string]: string;
  };
  notices?: string[];
}
/**
 * One profile of a cell.
 */
export interface CompareProfile {
  event: string;
  unit: string;
  url: string;
  captures?: string;
  work: string;
  main?: boolean;
  operations?: number;
  cost_of?: string;
  seconds?: number;
  scope?: string;
  cost?: CompareCost;
  warnings?: string[];
}
/**
 * What an operation costs, in the profile's unit; `value` × `factor` is in `unit`.
 */
export interface CompareCost {
  value: number;
  factor: number;
  unit: string;
}
/**
 * What the script of the page reads: weights unrounded, in columns.
 *
 *     `key`, `name`, `class`, `totals` and `selfs` are of the functions; `depth`, `function` and
 *     `self` of the nodes of the merged call tree in preorder, of which node 0 is the root and
 *     function -1 the rest of a node's callees. `totals`, `selfs` and `self` hold one list a release.
 */
export interface MatrixData {
  unit: string;
  factor: number;
  cost_unit: string;
  releases: MatrixRelease[];
  key: string[];
  name: (string | null)[];
  class: string[];
  totals: number[][];
  selfs: number[][];
  depth: number[];
  function: number[];
  self: number[][];
}
/**
 * One column of the data.
 */
export interface MatrixRelease {
  label: string;
  total: number;
  operations: number | null;
  graph: string;
}
/**
 * `/search/index.json`: internal to the search page; `/api/` is the public interface.
 */
export interface SearchIndex {
  reports: SearchableReport[];
  hosts: Searchable[];
  places: SearchablePlace[];
  functions: SearchableFunction[];
  left_out: number;
}
/**
 * A report.
 */
export interface SearchableReport {
  title: string;
  url: string;
  releases: SearchableRelease[];
  steps: Searchable[];
  changes: Searchable[];
}
/**
 * `rows.json` beside the pages of a table: on which of them a row is.
 */
export interface RowsOfPages {
  rows: RowOfPages[];
}
