/**
 * Stryker's settings for one part of the code, which `make mutants` names in PART. A part is run by
 * the tests beside it alone: those of whole programs take seconds each, for every mutant.
 */

/** @type {Record<string, { mutate: string[], tests: string[] }>} */
const PARTS = {
  model: {
    mutate: ["pipeline/profile/model/{numbers,tree,units,weights}.js"],
    tests: ["tests/profile/model/{numbers,tree,units,weights}.test.js"],
  },
  diff: {
    mutate: ["pipeline/profile/diff/{capture_weights,common_noise,noise,overdispersion,values}.js"],
    tests: [
      "tests/profile/diff/{capture_weights,common_noise,noise_columns,overdispersion,values}.test.js",
    ],
  },
  columns: {
    mutate: ["pipeline/profile/diff/{bases,diff,names,sample_weight}.js"],
    tests: ["tests/profile/diff/{bases,columns,names,sample_weight}.test.js"],
  },
  changes: {
    mutate: [
      "pipeline/profile/changes/{edges,net_growth,permutations,significance}.js",
      "pipeline/profile/diff/{examined,function_samples,functions,growth,splits}.js",
    ],
    tests: [
      "tests/profile/changes/{edges,findings,permutations,significance}.test.js",
      "tests/profile/diff/{examined,functions,growth,splits}.test.js",
      "tests/profile/changes/net_growth{,_sources}.test.js",
    ],
  },
  ranking: {
    mutate: ["pipeline/profile/changes/{find_changes,findings,ranking,shifts}.js"],
    tests: ["tests/profile/changes/{described,find_changes,findings,ranking,shifts}.test.js"],
  },
};

const part = process.env.PART ?? "model";

export default {
  mutate: PARTS[part].mutate,
  testRunner: "tap",
  tap: {
    testFiles: PARTS[part].tests,
    nodeArgs: [
      "--test-reporter=tap",
      "--test-skip-pattern=as many others as there are|thousands of functions|whatever is compared",
      "-r",
      "{{hookFile}}",
      "{{testFile}}",
    ],
  },
  plugins: ["@stryker-mutator/tap-runner"],
  coverageAnalysis: "perTest",
  concurrency: 2,
  reporters: ["progress-append-only", "clear-text", "json"],
  clearTextReporter: {
    allowColor: false,
    allowEmojis: false,
    reportTests: false,
    skipFull: false,
  },
  jsonReporter: { fileName: `.mutants/${part}.json` },
  tempDirName: ".mutants/stryker",
  disableTypeChecks: false,
  tsconfigFile: "none: Stryker cannot read it with TypeScript 7",
  ignorePatterns: [
    "/.*",
    "/biome.json",
    "/data",
    "/public",
    "/content",
    "/layouts",
    "/static",
    "/assets",
    "/tests/perfpress",
    "/tests/site",
  ],
  thresholds: { break: null },
};
