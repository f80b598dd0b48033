/**
 * Loaded before all tests: property tests take the same values in each run, so that a commit that
 * passed keeps passing. `PERFPRESS_FUZZ_SEED` makes them take others.
 */

import process from "node:process";
import fc from "fast-check";

fc.configureGlobal({ seed: Number(process.env.PERFPRESS_FUZZ_SEED ?? 1) });
