// Written by make schemas.

/**
 * Path of a file to read.
 */
export type Artifact = string;
/**
 * Path of what is written.
 */
export type Output = string;

/**
 * The jobs of the Node packages, by name.
 */
export interface Jobs {
  fold: {
    request: FoldRequest;
    answer: FoldAnswer;
  };
  merge: {
    request: MergeRequest;
    answer: MergeAnswer;
  };
  folded: {
    request: FoldedRequest;
    answer: Answer;
  };
  recognise: {
    request: RecogniseRequest;
    answer: RecogniseAnswer;
  };
  captures: {
    request: CapturesRequest;
    answer: CapturesAnswer;
  };
  flamegraph: {
    request: FlamegraphRequest;
    answer: FlamegraphAnswer;
  };
  diff: {
    request: DiffRequest;
    answer: Answer;
  };
  diffgraph: {
    request: DiffGraphRequest;
    answer: DiffAnswer;
  };
  "over-time": {
    request: OverTimeRequest;
    answer: ChartAnswer;
  };
  percentiles: {
    request: PercentilesRequest;
    answer: ChartAnswer;
  };
  relative: {
    request: RelativeRequest;
    answer: ChartAnswer;
  };
  releases: {
    request: ReleasesRequest;
    answer: ChartAnswer;
  };
  "table-card": {
    request: TableCardRequest;
    answer: TableCardAnswer;
  };
  timeline: {
    request: TimelineRequest;
    answer: ChartAnswer;
  };
}
/**
 * Fold captures into one profile an event; one that cannot be read is a problem.
 */
export interface FoldRequest {
  captures: CaptureFile[];
  out: Output;
}
/**
 * A capture to read.
 */
export interface CaptureFile {
  file: string;
  path: Artifact;
  sha256?: string | null;
  event?: string | null;
  format?: string | null;
  labels?: string[];
}
/**
 * One profile an event.
 */
export interface FoldAnswer {
  profiles: WrittenProfile[];
  problems?: Problem[];
}
/**
 * A profile file that a job wrote.
 */
export interface WrittenProfile {
  event: string;
  unit: string;
  path: string;
  /**
   * An exact weight, unscaled, in decimal digits.
   */
  total: string;
  samples: number | null;
  captures: Capture[];
}
/**
 * One capture that went into a profile.
 */
export interface Capture {
  file: string;
  sha256: string;
  format: string;
  samples: number | null;
  /**
   * An exact weight, unscaled, in decimal digits.
   */
  weight: string;
  lost: number;
  partial: boolean;
  shares_only: string | null;
  skipped: Skipped[];
  labels?: Label[];
}
/**
 * What was not read of a capture.
 */
export interface Skipped {
  reason: string;
  count: number;
  first_line: number;
}
/**
 * A label of a capture's samples, and how many values it has.
 */
export interface Label {
  key: string;
  values: number;
}
/**
 * One thing that is wrong with one input.
 *
 *     `path` is relative to the directory that the user named, so that the same input gives the same
 *     text on every machine. `line` counts from 1; 0 means the whole file or directory.
 */
export interface Problem {
  path: string;
  line?: number;
  found: string;
  expected?: string;
  do?: string;
  severity?: "error" | "note" | "warning";
  excerpt?: string;
}
/**
 * Merge profiles of one event.
 */
export interface MergeRequest {
  profiles: Artifact[];
  out: Output;
}
/**
 * The profile that others were merged into.
 */
export interface MergeAnswer {
  profile: WrittenProfile;
  problems?: Problem[];
}
/**
 * Write a profile as folded stacks, compressed where `out` ends in `.gz`.
 */
export interface FoldedRequest {
  profile: Artifact;
  out: Output;
}
/**
 * What a job returns besides the files that it wrote.
 */
export interface Answer {
  problems?: Problem[];
}
/**
 * Name the format of a file.
 */
export interface RecogniseRequest {
  path: Artifact;
}
/**
 * The format of a file; None where it is not a capture.
 */
export interface RecogniseAnswer {
  format: string | null;
  problems?: Problem[];
}
/**
 * Write what the single captures of a profile weigh on its nodes.
 */
export interface CapturesRequest {
  profile: Artifact;
  captures: CapturePart[];
  out: Output;
}
/**
 * A single capture of a merged profile.
 */
export interface CapturePart {
  profile: Artifact;
  exposure: number;
}
/**
 * What was weighed.
 */
export interface CapturesAnswer {
  captures: number;
  overdispersion: number | null;
  problems?: Problem[];
}
/**
 * Draw a profile.
 */
export interface FlamegraphRequest {
  profile: Artifact;
  title: string;
  subtitle?: string | string[];
  work?: Work | null;
  out: Output;
  inline?: InlineGraph;
  card?: CardFile;
}
/**
 * What a weight was spent on: a cost is weight ÷ operations.
 */
export interface Work {
  operations: number;
  cost_unit: string;
}
/**
 * The picture for a page.
 */
export interface InlineGraph {
  out: Output;
  max_frames?: number;
}
/**
 * A PNG for links to the page, and the text next to the picture.
 */
export interface CardFile {
  out: Output;
  about: string;
  line?: string;
}
/**
 * What was drawn of a profile.
 */
export interface FlamegraphAnswer {
  problems?: Problem[];
  frames: number;
  drawn: number;
  left_out: number;
  /**
   * An exact weight, unscaled, in decimal digits.
   */
  left_out_weight: string;
  functions: FunctionTable;
  inline_drawn?: number;
  inline_left_out?: number;
}
/**
 * The first rows of a table of functions, in words.
 */
export interface FunctionTable {
  columns: FunctionColumn[];
  first: string;
  rows: FunctionRow[];
  functions: number;
}
/**
 * The head of a column of a table of functions.
 */
export interface FunctionColumn {
  key: string;
  label: string;
  unit: string;
  meaning: string;
}
/**
 * A function; its `id` is family of its class and name-match key.
 */
export interface FunctionRow {
  id: string;
  name: string;
  kind: string;
  cells: FunctionCell[];
}
/**
 * A number of a function, and how it reads.
 */
export interface FunctionCell {
  text: string;
  value: number | null;
}
/**
 * Compare two profiles. Neither is named: with other labels nothing is compared again.
 */
export interface DiffRequest {
  base: Artifact;
  after: Artifact;
  base_captures?: CapturePart[];
  after_captures?: CapturePart[];
  basis?: "cost_per_operation" | "relative_cost" | "share" | "weight_per_second";
  bases?: {
    [k: string]: Factors;
  };
  cost_of?: string;
  aliases?: {
    [k: string]: string[];
  };
  overdispersion?: number;
  out_diff: Output;
  out_findings: Output;
  out_folded?: Output;
}
/**
 * What each side is multiplied with.
 */
export interface Factors {
  base: number;
  after: number;
}
/**
 * Put a diff into words, with the labels of its sides, and draw it.
 */
export interface DiffGraphRequest {
  diff: Artifact;
  findings: Artifact;
  base_label: string;
  after_label: string;
  out_json?: Output;
  out_suspects?: Output;
  title: string;
  headline?: string[];
  out?: Output;
  inline?: InlineGraph;
  card?: CardFile;
}
/**
 * What a page says of a diff.
 */
export interface DiffAnswer {
  problems?: Problem[];
  matched_percent: number;
  matched: string;
  functions_first: boolean;
  joined: Joined[];
  threads: string[];
  legend: string[];
  about: string;
  noise: string;
  frames: number;
  functions: FunctionTable;
  gone: GoneFunctions;
  changes: Findings;
}
/**
 * Functions of both profiles that were matched under different names.
 */
export interface Joined {
  key: string;
  base_key: string;
  class: string;
  how: "alias" | "name" | "renamed" | "scope";
  base: string[];
  after: string[];
  why: string;
}
/**
 * The functions of the base that the profile after does not have.
 */
export interface GoneFunctions {
  functions: number;
  self_percent: number;
  rows: GoneFunction[];
}
/**
 * A function of the base that the profile after does not have.
 */
export interface GoneFunction {
  id: string;
  name: string;
  path: string;
  self_percent: number;
  total_percent: number;
}
/**
 * The changes and shifts of a diff; `suspects.json` holds the same.
 */
export interface Findings {
  format?: "perfpress-suspects";
  version?: 2;
  basis: "cost_per_operation" | "relative_cost" | "share" | "weight_per_second";
  unit: string;
  shown: Shown;
  base: SideSummary;
  after: SideSummary;
  even: number;
  spread_evenly: boolean;
  noise: Noise;
  within_noise: number;
  not_ranked: number;
  change: ChangeParts;
  additions: Change[];
  savings: Change[];
  shifts: Shift[];
}
/**
 * How a column of numbers is written.
 */
export interface Shown {
  factor: number;
  unit: string;
  decimals: number;
}
/**
 * One side of a diff.
 */
export interface SideSummary {
  label: string;
  captures: number;
  samples: number;
  samples_stated: boolean;
  whole: number;
}
/**
 * How the noise of functions is known.
 */
export interface Noise {
  overdispersion: number;
  shown_by: "archives" | "captures" | "limit" | "report" | "sides";
  ways: number;
  tried: number;
  level: number | null;
}
/**
 * The other parts add up to `whole`.
 */
export interface ChangeParts {
  whole: number;
  even: number;
  additions: number;
  savings: number;
  rest: number;
}
/**
 * A function that grew or shrank beyond noise.
 */
export interface Change {
  function: string;
  name: string;
  base: number;
  after: number;
  net: number;
  path: string;
  only: ("after" | "base") | null;
  part: number;
  noise: number;
  p: number | null;
  callers: FunctionChange[];
  callees: FunctionChange[];
  calls: CallChange[];
}
/**
 * What a function costs on both sides, with everything it called.
 */
export interface FunctionChange {
  function: string;
  name: string;
  base: number;
  after: number;
  net: number;
}
/**
 * The change of one call path.
 */
export interface CallChange {
  path: string;
  change: number;
}
/**
 * Cost that moved to a function without growing.
 */
export interface Shift {
  function: string;
  name: string;
  base: number;
  after: number;
  net: number;
  path: string;
  risen: number;
  from: "callees" | "caller" | "calls" | "class" | "frame";
  class: string;
  sources: ShiftSource[];
  proposal: Proposal | null;
}
/**
 * Where cost went down instead.
 */
export interface ShiftSource {
  name: string;
  own: boolean;
  change: number;
}
/**
 * An alias that would join what was renamed.
 */
export interface Proposal {
  name: string;
  other: string;
}
/**
 * Lines of a metric over the seconds of a step, one a release.
 */
export interface OverTimeRequest {
  title: string;
  description: string;
  site?: string;
  page: string;
  out: Output;
  alone: Output;
  picture: Output;
  series: SeriesLine[];
  end: number;
  stretch: number | null;
  unit: string;
}
/**
 * A release over time.
 */
export interface SeriesLine {
  label: string;
  current?: boolean;
  pieces: [number, number, number, number][][];
  runs: [number, number][][][];
}
/**
 * The size of a chart in the page, and of its picture in pixels.
 */
export interface ChartAnswer {
  bytes: number;
  width: number;
  height: number;
  problems?: Problem[];
}
/**
 * Curves of percentiles, one a release.
 */
export interface PercentilesRequest {
  title: string;
  description: string;
  site?: string;
  page: string;
  out: Output;
  alone: Output;
  picture: Output;
  series: Curve[];
  unit: string;
}
/**
 * The percentiles of a release.
 */
export interface Curve {
  label: string;
  current?: boolean;
  points: [number, number][];
}
/**
 * Releases relative to the base, from top to bottom.
 */
export interface RelativeRequest {
  title: string;
  description: string;
  site?: string;
  page: string;
  out: Output;
  alone: Output;
  picture: Output;
  releases: RelativeRow[];
  base: string;
}
/**
 * A release relative to the base.
 */
export interface RelativeRow {
  label: string;
  current?: boolean;
  ratio: number | null;
  interval?: [number, number] | null;
  runs: number[];
  mark?: string;
}
/**
 * All steps relative to the base, release by release.
 */
export interface ReleasesRequest {
  title: string;
  description: string;
  site?: string;
  page: string;
  out: Output;
  alone: Output;
  picture: Output;
  releases: string[];
  steps: StepRow[];
  base: string;
}
/**
 * A step release by release.
 */
export interface StepRow {
  label: string;
  group?: string;
  ratios: (number | null)[];
  marks: number[];
  mark: string;
}
/**
 * Draw a table as the picture shown where its page is linked to.
 */
export interface TableCardRequest {
  title: string;
  about: string;
  line: string;
  row_head: string;
  columns: CardColumn[];
  rows: CardRow[];
  rows_left: string;
  rows_left_many: string;
  out: Output;
}
/**
 * The head of a column of a card.
 */
export interface CardColumn {
  label: string;
  numeric: boolean;
}
/**
 * A row of a card.
 */
export interface CardRow {
  label: string;
  cells: CardCell[];
}
/**
 * A cell of a card.
 */
export interface CardCell {
  text: string;
  tone?: "" | "better" | "same" | "unknown" | "worse";
}
/**
 * The size of the picture.
 */
export interface TableCardAnswer {
  bytes: number;
  problems?: Problem[];
}
/**
 * A trace of one operation, from top to bottom.
 */
export interface TimelineRequest {
  title: string;
  description: string;
  site?: string;
  page: string;
  out: Output;
  alone: Output;
  picture: Output;
  spans: TimelineSpan[];
  unit: string;
}
/**
 * A span of a trace; times in the unit of the request.
 */
export interface TimelineSpan {
  label: string;
  place: string;
  start: number;
  time: number;
  depth: number;
  slow: boolean;
}
