import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { formatColumns } from "../../pipeline/flamegraph/columns.js";
import { BadInput } from "../../pipeline/flamegraph/problems.js";
import { CLASS_NAMES, selfWeights } from "../../pipeline/flamegraph/profile.js";
import { ProfileBuilder } from "../../pipeline/flamegraph/profile_builder.js";
import { parseProfile } from "../../pipeline/flamegraph/profile_check.js";
import { exactSum, greatestDivisor } from "../../pipeline/flamegraph/weights.js";

/** @typedef {[string[], number | bigint]} Stack frames from the outside in, and the weight */

/** @param {Stack[]} stacks */
function profileOf(stacks) {
  const builder = new ProfileBuilder();
  for (const [frames, weight] of stacks) {
    let node = 0;
    for (const [depth, name] of frames.entries()) {
      const frameClass = depth === 0 ? 0 : 1 + (name.length % 4);
      node = builder.child(node, builder.frame(name, frameClass));
    }
    builder.add(node, weight, 1);
  }
  return builder.build({
    event: "cycles",
    unit: "cycles",
    samples: stacks.length,
    samplesByNode: true,
    captures: [],
  });
}

const weights = fc.oneof(fc.integer({ min: 0, max: 1e6 }), fc.bigInt({ min: 0n, max: 2n ** 60n }));
const names = fc.oneof(fc.constantFrom("a", "b", "a.b", "é", "\u{1f525}", "\uffee"), fc.string());
const stacks = fc.array(fc.tuple(fc.array(names, { minLength: 1, maxLength: 6 }), weights), {
  maxLength: 20,
});

/** @param {Stack[]} list */
function sumOf(list) {
  return list.reduce((sum, [, weight]) => sum + BigInt(weight), 0n);
}

test("a profile is what its stacks are", () => {
  const profile = profileOf([
    [["t", "f", "g"], 6],
    [["t", "f"], 4],
    [["s", "f"], 2],
    [["t", "f", "g"], 8],
  ]);
  assert.deepEqual(profile, {
    format: "perfpress-profile",
    version: 1,
    event: "cycles",
    unit: "cycles",
    scale: 2,
    total: "20",
    samples: 4,
    class_names: CLASS_NAMES,
    names: ["all", "s", "f", "t", "g"],
    keys: [null, null, null, null, null],
    classes: [0, 0, 2, 0, 2],
    parent: [-1, 0, 1, 0, 3, 4],
    name: [0, 1, 2, 3, 2, 4],
    self: [0, 0, 1, 0, 2, 7],
    self_samples: [0, 0, 1, 0, 1, 2],
    captures: [],
  });
});

test("siblings stand in the order of their UTF-8 bytes", () => {
  // UTF-16 puts U+1F525, a surrogate pair, before U+FFEE
  const profile = profileOf([
    [["\u{1f525}"], 1],
    [["\uffee"], 1],
    [["a"], 1],
    [["a.b"], 1],
  ]);
  assert.deepEqual(profile.names.slice(1), ["a", "a.b", "\uffee", "\u{1f525}"]);
});

test("the order of stacks changes nothing, and no weight is lost", () => {
  fc.assert(
    fc.property(stacks, (list) => {
      const profile = profileOf(list);
      assert.equal(formatColumns(profileOf([...list].reverse())), formatColumns(profile));
      assert.equal(profile.total, String(sumOf(list)));
      assert.equal(exactSum(selfWeights(profile)) * BigInt(profile.scale), sumOf(list));
    }),
  );
});

test("what is written is read again, the same", () => {
  fc.assert(
    fc.property(stacks, (list) => {
      const profile = profileOf(list);
      assert.deepEqual(parseProfile(formatColumns(profile), "p.json"), profile);
    }),
  );
});

test("the scale is the greatest that keeps weights whole", () => {
  assert.equal(
    profileOf([
      [["a"], 1001001],
      [["b"], 3003003],
    ]).scale,
    1001001,
  );
  assert.equal(profileOf([[["a"], 0]]).scale, 1);
  assert.equal(profileOf([]).scale, 1);
  const huge = 2n ** 80n;
  const profile = profileOf([
    [["a"], huge],
    [["b"], 3n * huge],
  ]);
  assert.equal(profile.scale, 1);
  assert.deepEqual(profile.self, ["0", String(huge), String(3n * huge)]);
  assert.equal(profile.total, String(4n * huge));
});

test("weights are text exactly where their scaled total passes 2^53 - 1", () => {
  const most = Number.MAX_SAFE_INTEGER;
  assert.deepEqual(
    profileOf([
      [["a"], most - 1],
      [["b"], 1],
    ]).self,
    [0, most - 1, 1],
  );
  assert.deepEqual(
    profileOf([
      [["a"], most],
      [["b"], 1],
    ]).self,
    ["0", String(most), "1"],
  );
  assert.equal(
    profileOf([
      [["a"], most],
      [["b"], 1],
    ]).total,
    "9007199254740992",
  );
});

test("sums of weights are exact", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(weights, fc.maxSafeNat())), (list) => {
      assert.equal(
        exactSum(list),
        list.reduce((/** @type {bigint} */ sum, weight) => sum + BigInt(weight), 0n),
      );
      const divisor = greatestDivisor(list);
      for (const weight of list) if (divisor) assert.equal(BigInt(weight) % BigInt(divisor), 0n);
    }),
  );
});

/** @type {[string, (profile: any) => void, RegExp][]} what, how to break it, what is said */
const FAULTS = [
  [
    "another format",
    (p) => {
      p.format = "speedscope";
    },
    /JSON of another kind/,
  ],
  [
    "another version",
    (p) => {
      p.version = 2;
    },
    /version 2; expected version 1/,
  ],
  [
    "no event",
    (p) => {
      delete p.event;
    },
    /event missing; expected text/,
  ],
  [
    "a scale of nothing",
    (p) => {
      p.scale = 0;
    },
    /scale 0/,
  ],
  [
    "other classes",
    (p) => {
      p.class_names = ["user"];
    },
    /class_names/,
  ],
  [
    "a name too few",
    (p) => {
      p.keys.pop();
    },
    /3 keys; expected 4/,
  ],
  [
    "a name twice",
    (p) => {
      p.names[1] = "f";
      p.classes[1] = p.classes[2];
    },
    /a name twice/,
  ],
  [
    "a class too high",
    (p) => {
      p.classes[1] = 6;
    },
    /classes\[1\] 6/,
  ],
  [
    "a name too high",
    (p) => {
      p.name[1] = 4;
    },
    /name\[1\] 4; expected an index below 4/,
  ],
  [
    "no root",
    (p) => {
      p.parent[0] = 0;
    },
    /parent\[0\] 0/,
  ],
  [
    "a parent behind its child",
    (p) => {
      p.parent[1] = 2;
    },
    /parent\[1\] 2; expected nodes in preorder/,
  ],
  [
    "a node out of order",
    (p) => {
      p.parent = [-1, 0, 0, 1];
    },
    /parent\[3\] 1/,
  ],
  [
    "a second root",
    (p) => {
      p.parent[2] = -1;
    },
    /parent\[2\] -1/,
  ],
  [
    "a negative weight",
    (p) => {
      p.self[1] = -1;
    },
    /self\[1\] -1/,
  ],
  [
    "a weight with a fraction",
    (p) => {
      p.self[1] = 0.5;
    },
    /self\[1\] 0.5/,
  ],
  [
    "a wrong total",
    (p) => {
      p.total = "9";
    },
    /total 9; expected 8/,
  ],
  [
    "a wrong number of samples",
    (p) => {
      p.samples = 9;
    },
    /samples 9/,
  ],
  [
    "a capture that is none",
    (p) => {
      p.captures = [{}];
    },
    /captures\[0\]/,
  ],
];

for (const [what, spoil, message] of FAULTS) {
  test(`a profile with ${what} is refused with the place`, () => {
    const profile = profileOf([
      [["t", "f"], 5],
      [["t", "gg"], 3],
    ]);
    spoil(profile);
    assert.throws(
      () => parseProfile(JSON.stringify(profile), "l.i1/profile.json"),
      (error) =>
        error instanceof BadInput &&
        message.test(error.message) &&
        error.message.startsWith("l.i1/profile.json: "),
    );
  });
}

test("no JSON is refused, whatever it is", () => {
  for (const text of [
    "",
    "{",
    "null",
    "[]",
    "7",
    '{"format": "perfpress-profile", "version": 1}',
  ]) {
    assert.throws(() => parseProfile(text, "p.json"), BadInput);
  }
});
