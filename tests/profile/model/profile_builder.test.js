import assert from "node:assert/strict";
import { test } from "node:test";
import { THREAD, USER } from "../../../pipeline/profile/model/profile.js";
import { NO_ROOM, ProfileBuilder } from "../../../pipeline/profile/model/profile_builder.js";
import { SampleTable } from "../../../pipeline/profile/read/perf_script/sample_table.js";
import { foldBytes, stacksOf } from "../captures.js";

/**
 * @param {ProfileBuilder} builder
 * @param {string[]} stack
 * @param {number} weight
 */
function addStack(builder, [thread, ...frames], weight) {
  let node = builder.child(0, builder.frame(thread, THREAD));
  for (const frame of frames) node = builder.child(node, builder.frame(frame, USER));
  builder.add(node, weight, 1);
}

/** @param {ProfileBuilder} builder */
function stacksIn(builder) {
  const about = { event: "cycles", unit: "cycles", samples: 1, samplesByNode: true, captures: [] };
  return stacksOf(builder.build(about));
}

test("a new function that there is no room for cuts its stacks off, and their weight counts", () => {
  const builder = new ProfileBuilder({ frames: 5, nodes: 100 }); // the root and NO_ROOM, then t, a and b
  addStack(builder, ["t", "a", "b"], 1);
  addStack(builder, ["t", "a", "c", "b"], 10);
  addStack(builder, ["t", "a", "d"], 100);
  addStack(builder, ["t", "b", "a"], 1000);
  addStack(builder, ["u", "a"], 10_000);
  assert.deepEqual(stacksIn(builder), [
    `${NO_ROOM} 10000`,
    `t;a;${NO_ROOM} 110`,
    "t;a;b 1",
    "t;b;a 1000",
  ]);
  assert.deepEqual(builder.withoutRoom(), { stacks: 3, weight: 10_110n });
});

test("a new stack that there is no room for is cut off below its last known caller", () => {
  const builder = new ProfileBuilder({ frames: 100, nodes: 3 }); // t, a and b
  addStack(builder, ["t", "a", "b"], 1);
  addStack(builder, ["t", "b", "a"], 10);
  addStack(builder, ["t", "a", "b", "a", "a"], 100);
  addStack(builder, ["t", "a", "b"], 1000);
  assert.deepEqual(stacksIn(builder), [`t;${NO_ROOM} 10`, "t;a;b 1001", `t;a;b;${NO_ROOM} 100`]);
  assert.deepEqual(builder.withoutRoom(), { stacks: 2, weight: 110n });
});

test("trees of one capture share what room there is, and each keeps its whole weight", () => {
  const room = { frames: 100, nodes: 3 };
  const [one, other] = [new ProfileBuilder(room), new ProfileBuilder(room)];
  addStack(one, ["t", "a"], 1);
  addStack(other, ["t", "a", "b"], 10);
  addStack(one, ["t", "b"], 100);
  assert.deepEqual(stacksIn(one), [`t;${NO_ROOM} 100`, "t;a 1"]);
  assert.deepEqual(stacksIn(other), [`t;${NO_ROOM} 10`]);
});

test("samples that are counted early add up to the same", () => {
  const [early, late] = [{ items: 8 }, {}].map((most) => {
    const table = new SampleTable(most);
    const event = table.event("cycles");
    for (let sample = 0; sample < 500; sample++) {
      const frames = ["t", `f${sample % 7}`, `g${sample % 11}`].map((name, at) =>
        table.frame({ name, frameClass: at === 0 ? THREAD : USER }),
      );
      table.add(Int32Array.from([event, ...frames]), 4, sample);
    }
    const [{ builder, samples }] = table.events();
    return [stacksIn(builder), samples];
  });
  assert.deepEqual(early, late);
});

test("functions beyond those that a table of samples takes are cut off by the tree", () => {
  const table = new SampleTable({ frames: 3 });
  const event = table.event("cycles");
  const [thread, a, b] = ["t", "a", "b"].map((name, at) =>
    table.frame({ name, frameClass: at === 0 ? THREAD : USER }),
  );
  table.add(Int32Array.from([event, thread, a, b]), 4, 5);
  const [{ builder }] = table.events();
  assert.deepEqual(stacksIn(builder), [`t;${NO_ROOM} 5`]);
  assert.equal(builder.withoutRoom().weight, 5n);
});

test("a capture says what there was no room for", async () => {
  const { profiles, problems } = await foldBytes(Buffer.from(`t;a;${NO_ROOM} 7\nt;a 3\n`));
  const reason = `stack cut off at ${NO_ROOM}, all together a weight of 7`;
  assert.equal(profiles[0].total, "10");
  assert.deepEqual(profiles[0].captures[0].skipped, [{ reason, count: 1, first_line: 0 }]);
  assert.deepEqual(
    problems.map(({ found, severity }) => [found, severity]),
    [[reason, "warning"]],
  );
});
