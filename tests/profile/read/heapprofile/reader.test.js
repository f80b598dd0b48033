/** What `node --heap-prof --heap-prof-interval 65536 w.js` wrote. */

import assert from "node:assert/strict";
import { test } from "node:test";
import * as heapprofile from "../../../../pipeline/profile/read/heapprofile/reader.js";
import { readAs } from "../../captures.js";
import { readFixture } from "../../fixtures.js";

test("bytes are those of the file's nodes", async () => {
  const { format, profiles, stacks, problems } = await readFixture(
    "w.heapprofile",
    import.meta.url,
  );
  assert.equal(format, "heapprofile");
  assert.deepEqual(problems, []);
  assert.equal(profiles.inuse_space.unit, "bytes");
  assert.equal(profiles.inuse_space.total, "140256"); // the sum of selfSize
  assert.ok(stacks.inuse_space.some((line) => line.includes("(tmp/readers/w.js)")));
});

test("a tree deeper than a stack may be is counted with its callers", () => {
  let node = '{"callFrame":{"functionName":"f","url":"file:///a.js"},"selfSize":1,"children":[]}';
  for (let depth = 0; depth < 5000; depth++)
    node = `{"callFrame":{"functionName":"f","url":"file:///a.js"},"selfSize":1,"children":[${node}]}`;
  const { profiles, skipped } = readAs(heapprofile, `{"head":${node}}`);
  assert.equal(profiles.inuse_space.total, "5001");
  assert.match(skipped[0].reason, /deeper than 4096/);
});
