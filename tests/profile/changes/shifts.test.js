import assert from "node:assert/strict";
import { test } from "node:test";
import { netGrowth } from "../../../pipeline/profile/changes/net_growth.js";
import { shiftsOf } from "../../../pipeline/profile/changes/shifts.js";
import { pairOf } from "./pairs.js";

/** Code that stays as it is, so that nothing is nearly all. */
const REST = "t;rest 9000 9000";

/**
 * @param {string[]} lines
 * @param {string[]} among functions that may have moved
 * @param {import("../../../pipeline/profile/diff/names.js").Joined[]} [joined]
 * @param {Record<string, number>} [join] by name
 */
function shifts(lines, among, joined = [], join = {}) {
  const { diff, functions, growth, present, functionOf } = pairOf([...lines, REST]);
  const moves = netGrowth(growth, functions, present, 0);
  /** @param {number} index */
  const name = (index) => functions.ids[index].replace("code ", "");
  /** @param {number} node */
  const pathOf = (node) => {
    const path = [];
    for (let at = node; at > 0; at = diff.parent[at]) path.unshift(name(functions.at[at]));
    return path.slice(1).join(";");
  };
  const named = {
    ...diff,
    joined,
    join: diff.names.map((/** @type {string} */ each) => join[each] ?? null),
  };
  return shiftsOf(named, growth, functions, moves, among.map(functionOf)).map((shift) => ({
    name: name(shift.index),
    risen: shift.risen,
    net: shift.net,
    from: shift.from,
    to: pathOf(shift.to),
    parts: shift.parts.map(({ index, isOwn, change }) => [
      isOwn ? `${name(index)} itself` : name(index),
      change,
    ]),
    ...(shift.joined ? { joined: shift.joined.key } : {}),
  }));
}

test("what other callers call less is where a function's growth came from, the largest first", () => {
  const found = shifts(
    [
      "t;a 900 900",
      "t;a;f 100 40",
      "t;b 900 900",
      "t;b;f 100 10",
      "t;c 900 900",
      "t;c;f 100 70",
      "t;d 900 900",
      "t;d;f 100 90",
      "t;e 900 900",
      "t;e;f 10 40",
      "t;g 900 900",
      "t;g;f - 150",
      "t;h 900 900",
      "t;h;f - 20",
    ],
    ["f"],
  );
  assert.deepEqual(found, [
    {
      name: "f",
      risen: 200,
      net: 10,
      from: "calls",
      to: "g;f",
      parts: [
        ["b", -90],
        ["a", -60],
        ["c", -30],
      ],
    },
  ]);
});

test("callers that shrank alike come in the order of the tree; threads are no callers with a name", () => {
  const lines = [
    "t;b 900 900",
    "t;b;f 100 50",
    "t;a 900 900",
    "t;a;f 100 50",
    "t;c 900 900",
    "t;c;f - 100",
  ];
  const [{ parts }] = shifts(lines, ["f"]);
  assert.deepEqual(parts, [
    ["b", -50],
    ["a", -50],
  ]);
});

test("a function of its caller's code came from that, and from what the caller calls no more", () => {
  const found = shifts(
    [
      "t;load 300 260",
      "t;load;old 60 -",
      "t;load;kept 100 60",
      "t;load;parse - 100",
      "t;other;load 50 45",
      "t;third 900 900",
      "t;third;gone 70 -",
    ],
    ["parse"],
  );
  assert.deepEqual(found, [
    {
      name: "parse",
      risen: 100,
      net: 0,
      from: "caller",
      to: "load;parse",
      parts: [
        ["old", -60],
        ["load itself", -45],
      ],
    },
  ]);
});

test("of two callers, that shows where a function came from from which more came", () => {
  const lines = ["t;a 300 270", "t;a;parse - 30", "t;b 300 250", "t;b;parse - 50"];
  assert.deepEqual(shifts(lines, ["parse"])[0].parts, [["b itself", -50]]);
  const alike = ["t;b 300 250", "t;b;parse - 50", "t;a 300 250", "t;a;parse - 50"];
  assert.deepEqual(shifts(alike, ["parse"])[0].parts, [["b itself", -50]]);
});

test("one function shows what moved in a frame", () => {
  const lines = ["t;query 60 0", "t;query;sort 30 55", "t;query;sort;compare 170 200"];
  const found = shifts(lines, ["compare", "sort"]);
  assert.deepEqual(found, [
    {
      name: "sort",
      risen: 55,
      net: 0,
      from: "frame",
      to: "query;sort",
      parts: [["query", -5]],
    },
  ]);
});

test("what came from its class has no parts of its own", () => {
  const found = shifts(
    ["t;a 900 900", "t;a;Table::seek 100 -", "t;b 900 900", "t;b;Table::find - 100"],
    ["Table::find"],
  );
  assert.deepEqual(found, [
    { name: "Table::find", risen: 100, net: 0, from: "class", to: "b;Table::find", parts: [] },
  ]);
});

test("what callees brought along came from those, where they are not listed themselves", () => {
  const lines = [
    "t;a 900 900",
    "t;a;old;read 100 -",
    "t;a;old;seek 40 -",
    "t;b 900 900",
    "t;b;fresh - 5",
    "t;b;fresh;read - 100",
    "t;b;fresh;seek - 40",
  ];
  assert.deepEqual(shifts(lines, ["fresh"]), [
    {
      name: "fresh",
      risen: 145,
      net: 5,
      from: "callees",
      to: "b;fresh",
      parts: [
        ["read", -100],
        ["seek", -40],
      ],
    },
  ]);
  assert.deepEqual(
    shifts(lines, ["fresh", "seek"]).map(({ name }) => name),
    ["fresh"],
  );
  assert.deepEqual(
    shifts(lines, ["fresh", "read"]).map(({ name }) => name),
    ["read"],
  );
});

test("what was brought along is below the function, and nothing beside it", () => {
  const [{ parts }] = shifts(
    [
      "t;a 900 900",
      "t;a;old;read 100 -",
      "t;a;old;seek 40 -",
      "t;b 900 900",
      "t;b;fresh - 5",
      "t;b;fresh;read - 100",
      "t;b;seek - 40",
    ],
    ["fresh"],
  );
  assert.deepEqual(parts, [["read", -100]]);
});

test("a caller is left out where six tenths of what it brought along are listed", () => {
  /** @param {number} read */
  const found = (read) =>
    shifts(
      [
        "t;a 900 900",
        `t;a;old;read ${read} -`,
        `t;a;old;seek ${100 - read} -`,
        "t;b 900 900",
        `t;b;fresh;read - ${read}`,
        `t;b;fresh;seek - ${100 - read}`,
      ],
      ["fresh", "read"],
    ).map(({ name }) => name);
  assert.deepEqual(found(60), ["read"]);
  assert.deepEqual(found(59), ["fresh"]);
});

test("what is called below a frame that moved goes without saying", () => {
  const lines = [
    "t;a 900 900",
    "t;a;f 10 -",
    "t;a;f;g 90 -",
    "t;b 900 900",
    "t;b;f - 10",
    "t;b;f;g - 90",
  ];
  assert.deepEqual(
    shifts(lines, ["g", "f"]).map(({ name, risen }) => [name, risen]),
    [["f", 100]],
  );
  assert.deepEqual(
    shifts(lines, ["g"]).map(({ name }) => name),
    ["g"],
  );
});

test("what is called further below a frame that moved goes without saying, too", () => {
  const lines = ["t;a 900 900", "t;a;f;x;g 100 -", "t;b 900 900", "t;b;f;x;g - 100"];
  assert.deepEqual(
    shifts(lines, ["f", "g"]).map(({ name }) => name),
    ["f"],
  );
});

test("what is called oftener where its caller is goes without saying, though neither is new there", () => {
  const lines = [
    "t;a 900 900",
    "t;a;f 500 -",
    "t;a;f;g 100 -",
    "t;b 900 900",
    "t;b;f 900 1400",
    "t;b;f;g 100 200",
  ];
  assert.deepEqual(
    shifts(lines, ["f", "g"]).map(({ name }) => name),
    ["f"],
  );
});

test("what grew where its caller shrank is a shift of its own", () => {
  const lines = [
    "t;a 900 900",
    "t;a;f 500 100",
    "t;a;f;g 100 250",
    "t;b 900 900",
    "t;b;f 500 900",
    "t;b;g 300 150",
  ];
  assert.deepEqual(
    shifts(lines, ["f", "g"]).map(({ name }) => name),
    ["f", "g"],
  );
});

test("what came out of the code of a caller that is new there goes without saying", () => {
  const lines = ["t;a 900 900", "t;a;f 500 -", "t;b 900 900", "t;b;f - 400", "t;b;f;parse - 100"];
  assert.deepEqual(
    shifts(lines, ["f", "parse"]).map(({ name, from }) => [name, from]),
    [["f", "calls"]],
  );
  assert.deepEqual(
    shifts(lines, ["parse"]).map(({ name, from }) => [name, from]),
    [["parse", "caller"]],
  );
});

test("a function is left out where six tenths of it are below what moved", () => {
  /** @param {number} inside */
  const found = (inside) =>
    shifts(
      [
        "t;a 900 900",
        "t;a;f 500 -",
        "t;a;f;g 100 -",
        "t;b 900 900",
        "t;b;f - 500",
        `t;b;f;g - ${inside}`,
        "t;c 900 900",
        `t;c;g - ${100 - inside}`,
      ],
      ["f", "g"],
    ).map(({ name }) => name);
  assert.deepEqual(found(60), ["f"]);
  assert.deepEqual(found(59), ["f", "g"]);
});

test("below frames that grew, and are not new, what is new there is a shift of its own", () => {
  // f is called by b as before, and oftener: parse came from its code.
  const found = shifts(
    ["t;a 900 900", "t;a;f 400 200", "t;b 900 900", "t;b;f 400 420", "t;b;f;parse - 150"],
    ["f", "parse"],
  ).map(({ name, from }) => [name, from]);
  assert.deepEqual(found, [
    ["f", "calls"],
    ["parse", "caller"],
  ]);
});

test("shifts are in the order of what grew, then of what there is, then of names", () => {
  const moved = ["b", "a", "c"].flatMap((each) => [
    `t;from;${each} 100 ${each === "c" ? 10 : 0}`,
    `t;to;${each} - 100`,
  ]);
  const lines = [
    "t;from 900 900",
    ...moved.filter((each) => each.includes("from")),
    "t;to 900 900",
    ...moved.filter((each) => each.includes("to")),
  ];
  assert.deepEqual(
    shifts(lines, ["b", "a", "c"]).map(({ name }) => name),
    ["c", "a", "b"],
  );
  assert.deepEqual(
    shifts(lines, ["a", "c", "b"]).map(({ name }) => name),
    ["c", "a", "b"],
  );
  const more = lines.map((line) => (line === "t;to;b - 100" ? "t;to;b - 101" : line));
  assert.deepEqual(
    shifts(more, ["b", "a", "c"]).map(({ name }) => name),
    ["b", "c", "a"],
  );
});

test("names that were joined by similarity alone are said with a shift", () => {
  /** @param {import("../../../pipeline/profile/diff/names.js").How} how */
  const found = (how) =>
    shifts(
      ["t;a 900 900", "t;a;f 100 -", "t;b 900 900", "t;b;f - 100"],
      ["f"],
      [{ key: "f", base_key: "f_old", class: "user", how, base: ["f_old"], after: ["f"] }],
      { f: 0 },
    )[0].joined;
  assert.deepEqual(
    ["renamed", "scope", "alias", "name"].map((how) => found(/** @type {any} */ (how))),
    ["f", "f", undefined, undefined],
  );
});
