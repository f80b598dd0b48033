#!/usr/bin/env node
/**
 * `node pipeline/profile/cli/main.js VERB …`: see verbs.js, whose compiled code is kept for the next
 * time; a directory that may not be written keeps none.
 */

import { enableCompileCache } from "node:module";
import process from "node:process";
import { fileURLToPath } from "node:url";

enableCompileCache(
  fileURLToPath(new URL("../../../node_modules/.cache/compiled", import.meta.url)),
);
const { main } = await import("./verbs.js");
await main(process.argv.slice(2));
