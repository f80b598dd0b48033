/** The picture in the README is the one that `make picture` took, of the report as it is. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { hashOfInputs, hashOfPicture, PICTURE, RECORD } from "./picture.js";

const STALE = "the picture in the README is stale: make site picture";

test("the picture in the README shows the report as it is", () => {
  const record = JSON.parse(readFileSync(RECORD, "utf8"));
  assert.equal(record.inputs, hashOfInputs(), STALE);
  assert.equal(record.picture, hashOfPicture(readFileSync(PICTURE)), STALE);
});

test("it is the only picture of the README", () => {
  const pictures = readFileSync("README.md", "utf8").match(/!\[[^\]]*\]\([^)]*\)/g) ?? [];
  assert.equal(pictures.length, 1);
  assert.match(pictures[0] ?? "", /\(static\/images\/report-page\.png\)$/);
});
