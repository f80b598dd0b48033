/** The page that compares files has all readers of captures. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { FORMAT_NAMES } from "@perfpress/profile/read/formats.js";
import { READERS } from "../../assets/js/compare-files/readers.js";

test("every reader is in the bundle, under the name that it is asked for by", () => {
  const asked = FORMAT_NAMES.map((name) => `./${name.replaceAll("-", "_")}/reader.js`);
  assert.deepEqual(Object.keys(READERS).sort(), asked.sort());
});
