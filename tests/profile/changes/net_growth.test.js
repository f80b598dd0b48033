import assert from "node:assert/strict";
import { test } from "node:test";
import { netGrowth } from "../../../pipeline/profile/changes/net_growth.js";
import { compareProfiles } from "../../../pipeline/profile/diff/diff.js";
import { functionsOf } from "../../../pipeline/profile/diff/functions.js";
import { growthOf } from "../../../pipeline/profile/diff/growth.js";
import { profileOfStacks } from "../profiles.js";
import { growthReader } from "./pairs.js";

/** Code that stays as it is, so that nothing is nearly all and not all code grew. */
const REST = ["t;rest 2000", "t;idle 1999"];

/**
 * @param {string[]} before
 * @param {string[]} now
 * @param {number} [least]
 */
function moved(before, now, least = 0) {
  const { diff } = compareProfiles(
    profileOfStacks([...before, ...REST]),
    profileOfStacks([...now, ...REST]),
    {
      baseLabel: "16",
      afterLabel: "18",
      bases: { weight_per_second: { base: 1, after: 1 } },
    },
  );
  const functions = functionsOf(diff);
  const growth = growthOf(diff, functions, 0);
  assert.equal(growth.even, 1);
  const found = netGrowth(growth, functions, diff.present, least);
  /** @param {string} name */
  const index = (name) => {
    const at = functions.ids.indexOf(`code ${name}`);
    assert.ok(at >= 0, `${name} in ${functions.ids}`);
    return at;
  };
  return growthReader(found, functions, index);
}

test("what grows where nothing shrinks is net growth", () => {
  const { of, frame } = moved(["t;load;parse 100"], ["t;load;parse 160"]);
  assert.deepEqual(of("parse"), { net: 60 });
  assert.deepEqual(of("load"), { net: 60 });
  assert.equal(frame("parse"), null);
});

test("other calls of a function that shrank are counted with those that grew", () => {
  const { of } = moved(
    ["t;load;parse 100", "t;store;parse 100", "t;load 500", "t;store 500"],
    ["t;load;parse 160", "t;store;parse 50", "t;load 500", "t;store 500"],
  );
  assert.deepEqual(of("parse"), { net: 10 });
});

test("a function that came out of its caller's code grew by what the caller did not lose", () => {
  const { of } = moved(["t;load 300"], ["t;load 220", "t;load;parse 100"]);
  assert.deepEqual(of("parse"), { net: 20, fromCaller: 80 });
  assert.deepEqual(of("load"), { net: 20 });
});

test("what the caller calls no more may be what it calls now", () => {
  const { of } = moved(["t;load 300", "t;load;old_scan 80"], ["t;load 300", "t;load;parse 100"]);
  assert.equal(of("parse").net, 20);
});

test("what a caller lost is shared out among all that is new below it", () => {
  const { of } = moved(["t;load 300"], ["t;load 210", "t;load;parse 90", "t;load;verify 30"]);
  // 90 lost of 120 new.
  assert.deepEqual(of("parse"), { net: 22.5, fromCaller: 67.5 });
  assert.deepEqual(of("verify"), { net: 7.5, fromCaller: 22.5 });
});

test("a caller that lost more than what is new below it accounts for all of that, and no more", () => {
  const { of } = moved(["t;load 3000"], ["t;load 1000", "t;load;parse 100"]);
  assert.deepEqual(of("parse"), { net: 0, fromCaller: 100 });
});

test("a callee that the caller had before is not taken for its caller's code", () => {
  const { of } = moved(["t;load 3000", "t;load;parse 100"], ["t;load 2950", "t;load;parse 150"]);
  assert.equal(of("parse").fromCaller, undefined);
});

test("a caller's loss counts wherever it is called from", () => {
  const { of } = moved(
    ["t;a;load 300", "t;b;load 300"],
    ["t;a;load 260", "t;a;load;parse 100", "t;b;load 240"],
  );
  assert.deepEqual(of("parse"), { net: 0, fromCaller: 100 });
});

test("where a frame does not grow as its callee does, the rest of it shrank", () => {
  const { of, frame } = moved(
    [
      "t;query;sort 300",
      "t;query;open 50",
      "t;query;lock 50",
      "t;query;read 50",
      "t;query;close 50",
    ],
    [
      "t;query;sort 360",
      "t;query;open 35",
      "t;query;lock 35",
      "t;query;read 35",
      "t;query;close 35",
    ],
  );
  assert.deepEqual(of("sort"), { net: 0, fromFrame: 60 });
  assert.equal(frame("sort"), "query");
});

test("a frame that grows by a part of it accounts for the rest", () => {
  const { of } = moved(
    ["t;query;sort 300", "t;query;open 100", "t;query;lock 100"],
    ["t;query;sort 360", "t;query;open 80", "t;query;lock 80"],
  );
  assert.deepEqual(of("sort"), { net: 20, fromFrame: 40 });
});

test("a frame of which a function is less than half says nothing of it", () => {
  const { of, frame } = moved(
    ["t;query;sort 200", "t;query;open 300", "t;query;lock 300"],
    ["t;query;sort 260", "t;query;open 270", "t;query;lock 270"],
  );
  assert.deepEqual(of("sort"), { net: 60 });
  assert.equal(frame("sort"), null);
});

test("less growth than is worth a look is taken as it is", () => {
  const stacks = ["t;query;sort 300", "t;query;open 100", "t;query;lock 100"];
  const now = ["t;query;sort 360", "t;query;open 80", "t;query;lock 80"];
  assert.deepEqual(moved(stacks, now, 61).of("sort"), { net: 60 });
  assert.deepEqual(moved(stacks, now, 60).of("sort"), { net: 20, fromFrame: 40 });
});

test("what moved within an inner frame moved in the outer one, once", () => {
  const { of } = moved(
    ["t;run;query;sort 300", "t;run;query;open 60", "t;run;check 60"],
    ["t;run;query;sort 360", "t;run;query;open 40", "t;run;check 50"],
  );
  // 20 came from beside it in the query, 10 from beside the query.
  assert.deepEqual(of("sort"), { net: 30, fromFrame: 30 });
});

test("what another function of the class lost is no growth of the class", () => {
  const { of } = moved(
    ["t;load;Table::seek 300", "t;store 500", "t;load 500"],
    ["t;store;Table::find 350", "t;store 500", "t;load 500"],
  );
  assert.deepEqual(of("Table::find"), { net: 50, fromClass: 300 });
});

test("a class of which a function is less than half says nothing of it", () => {
  const { of } = moved(
    ["t;load;Table::seek 400", "t;load;Table::lock 400", "t;store 500", "t;load 500"],
    ["t;load;Table::lock 400", "t;store;Table::find 350", "t;store 500", "t;load 500"],
  );
  assert.deepEqual(of("Table::find"), { net: 350 });
});

test("a wrapper of what others called before brought it along", () => {
  const { of } = moved(
    ["t;load;put_out;pwrite 600", "t;load 900", "t;store 900"],
    ["t;store;write_all;pwrite 610", "t;store;write_all 40", "t;load 900", "t;store 900"],
  );
  assert.deepEqual(of("write_all"), { net: 50, fromCallees: 600 });
  assert.equal(of("pwrite").net, 10);
  // What called it before has not become cheaper by it.
  assert.deepEqual(of("put_out"), { net: -600 });
});

test("what many call moves with no caller", () => {
  const { of } = moved(
    ["t;load;memcmp 100", "t;scan;memcmp 300", "t;load 900", "t;store 900", "t;scan 900"],
    ["t;store;memcmp 100", "t;scan;memcmp 300", "t;load 900", "t;store 900", "t;scan 900"],
  );
  assert.equal(of("store").net, 100);
  assert.equal(of("store").fromCallees, undefined);
});
