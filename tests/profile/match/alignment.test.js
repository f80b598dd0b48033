import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { diffGraph } from "../../../pipeline/flamegraph/graph/diff_graph.js";
import { diffProfiles } from "../../../pipeline/profile/diff/diff.js";
import { align } from "../../../pipeline/profile/match/alignment.js";
import { IN_AFTER, IN_BASE } from "../../../pipeline/profile/match/union.js";
import { profileOf, profileOfStacks } from "../profiles.js";

const LABELS = { baseLabel: "12", afterLabel: "18" };

/**
 * @param {Record<string, number>} base
 * @param {Record<string, number>} after
 */
function diffOf(base, after) {
  const [baseProfile, afterProfile] = [base, after].map((stacks) =>
    profileOfStacks(Object.entries(stacks).map(([path, weight]) => `${path} ${weight}`)),
  );
  return diffProfiles(baseProfile, afterProfile, LABELS);
}

/**
 * The paths of a diff with what each side weighs there, callees included, and who has the frame.
 *
 * @param {import("../../../pipeline/profile/diff/diff.js").Diff} diff
 */
function totals(diff) {
  const graph = diffGraph(diff);
  /** @param {number} share @param {string} total */
  const weight = (share, total) => Math.round(share * Number(total));
  return Object.fromEntries(
    diff.parent.map((_, node) => {
      const path = [];
      for (let at = node; at > 0; at = diff.parent[at]) path.unshift(graph.name(at));
      const weights = [
        weight(graph.baseTree.total[node], diff.base.total),
        weight(graph.afterTree.total[node], diff.after.total),
      ];
      return [path.join(";"), [...weights, diff.present[node]]];
    }),
  );
}

const BOTH = IN_BASE + IN_AFTER;

test("frames that only one release has are matched through", () => {
  const diff = diffOf(
    { "postgres;ServerLoop;PostgresMain;run": 60, "postgres;ServerLoop;PostgresMain;read": 40 },
    {
      "postgres;ServerLoop;postmaster_child_launch;BackendMain;PostgresMain;run": 50,
      "postgres;ServerLoop;postmaster_child_launch;BackendMain;PostgresMain;read": 45,
      "postgres;ServerLoop;postmaster_child_launch;BackendMain;InitPostgres": 5,
    },
  );
  const found = totals(diff);
  const main = "postgres;ServerLoop;postmaster_child_launch;BackendMain;PostgresMain";
  assert.deepEqual(found["postgres;ServerLoop;postmaster_child_launch"], [100, 100, IN_AFTER]);
  assert.deepEqual(found[`${main};run`], [60, 50, BOTH]);
  assert.deepEqual(found[`${main};read`], [40, 45, BOTH]);
  assert.equal(found["postgres;ServerLoop;PostgresMain"], undefined);
  assert.equal(diff.matched.base_percent, 100);
  assert.equal(diff.matched.after_percent, 95);
});

test("a wrapper's own weight is not matched, as one side alone has it", () => {
  const diff = diffOf(
    { "t;main;read": 100 },
    { "t;main;outer;read": 80, "t;main;outer": 10, "t;main;other": 10 },
  );
  assert.equal(diff.matched.after_percent, 80);
});

test("swapping the sides finds the same wrappers", () => {
  const short = { "t;main;work;read": 30, "t;main;work;write": 70 };
  const long = { "t;main;outer;inner;work;read": 35, "t;main;outer;inner;work;write": 65 };
  const there = diffOf(short, long);
  const back = diffOf(long, short);
  assert.deepEqual(there.parent, back.parent);
  assert.deepEqual(there.names, back.names);
  assert.deepEqual(there.base_self, back.after_self);
  assert.deepEqual(
    back.present,
    there.present.map((sides) => (sides === BOTH ? BOTH : BOTH - sides)),
  );
});

test("wrappers of both sides do not stand in each other's way", () => {
  const diff = diffOf(
    { "t;main;old_wrapper;parse": 50, "t;main;execute": 50 },
    { "t;main;parse": 40, "t;main;new_wrapper;execute": 60 },
  );
  assert.equal(diff.matched.percent, 100);
});

test("a frame of which only a small part goes on is no wrapper", () => {
  const diff = diffOf(
    { "t;main;read": 50, "t;main;other": 50 },
    { "t;main;prefetch;read": 10, "t;main;prefetch": 90, "t;main;other": 50 },
  );
  const found = totals(diff);
  assert.deepEqual(found["t;main;read"], [50, 0, IN_BASE]);
  assert.deepEqual(found["t;main;prefetch;read"], [0, 10, IN_AFTER]);
});

test("a function of the same name far below is not taken for the one above", () => {
  const between = Array.from({ length: 9 }, (_, index) => `f${index}`).join(";");
  const diff = diffOf({ "t;main;work": 10 }, { [`t;main;${between};work`]: 10 });
  assert.equal(diff.matched.percent, 0);
});

test("nodes that differ in name only are wrapped together", () => {
  const diff = diffOf(
    { "t;main;work.cold": 10, "t;main;work": 90 },
    { "t;main;outer;work": 80, "t;main;outer;work.part.0": 20 },
  );
  assert.equal(diff.matched.percent, 100);
});

test("frames that only one side has are one above the other, of both sides", () => {
  const diff = diffOf(
    { "t;main;old;read": 60, "t;main;old;write": 40 },
    { "t;main;new;read": 50, "t;main;new;write": 50 },
  );
  const found = totals(diff);
  const stacked = found["t;main;new;old;read"] ? "new;old" : "old;new";
  assert.deepEqual(found[`t;main;${stacked};read`], [60, 50, BOTH]);
  assert.deepEqual(found[`t;main;${stacked};write`], [40, 50, BOTH]);
  assert.equal(diff.matched.percent, 100);
});

test("every frame keeps its own callers: what a frame calls is never put below another of its side", () => {
  // `outer` and `inner` cannot both be above the other.
  const diff = diffOf(
    { "t;main;outer;read": 60, "t;main;write": 40 },
    { "t;main;read": 50, "t;main;inner;write": 50 },
  );
  const found = totals(diff);
  assert.deepEqual(found["t;main;outer"], [60, 50, IN_BASE]);
  assert.deepEqual(found["t;main;inner"], [40, 50, IN_AFTER]);
});

test("a place goes on in several of the other side's, in proportion and to the unit", () => {
  const diff = diffOf(
    { "t;main;memcmp": 101, "t;main": 100 },
    { "t;main;find;memcmp": 50, "t;main;insert;memcmp": 50, "t;main": 100 },
  );
  const found = totals(diff);
  assert.deepEqual(found["t;main;find;memcmp"], [51, 50, BOTH]);
  assert.deepEqual(found["t;main;insert;memcmp"], [50, 50, BOTH]);
  assert.deepEqual(
    diff.name.flatMap((name, node) => (diff.shared_out[node] ? [diff.names[name]] : [])),
    ["memcmp", "memcmp"],
  );
  const graph = diffGraph(diff);
  const shared = diff.shared_out.indexOf(IN_BASE);
  assert.ok(graph.facts(shared, 0).some((fact) => fact.startsWith("12 has it on one call path")));
});

test("a place that its match uses up does not go on elsewhere", () => {
  const diff = diffOf(
    { "t;main;memcmp": 50, "t;main": 150 },
    { "t;main;memcmp": 50, "t;main;insert;memcmp": 50, "t;main": 100 },
  );
  assert.deepEqual(totals(diff)["t;main;insert;memcmp"], [0, 50, IN_AFTER]);
  assert.deepEqual(diff.shared_out, new Array(diff.parent.length).fill(0));
});

test("a place goes on in all that are below one frame of the other side, however these grew", () => {
  const diff = diffOf(
    { "t;main;lock": 11, "t;main": 189 },
    { "t;main;find;lock": 30, "t;main;find;next;lock": 20, "t;main;find": 50, "t;main": 100 },
  );
  const found = totals(diff);
  assert.deepEqual(found["t;main;find;lock"], [7, 30, BOTH]);
  assert.deepEqual(found["t;main;find;next;lock"], [4, 20, BOTH]);
});

test("a function that moved to another namespace is the same", () => {
  const diff = diffOf(
    { "t;main;db::Cache::Insert;malloc": 50, "t;main;db::Cache::Insert": 50 },
    { "t;main;db::lru::Cache::Insert;malloc": 60, "t;main;db::lru::Cache::Insert": 40 },
  );
  assert.deepEqual(diff.joined, [
    {
      key: "db::lru::Cache::Insert",
      base_key: "db::Cache::Insert",
      class: "user",
      how: "scope",
      base: ["db::Cache::Insert"],
      after: ["db::lru::Cache::Insert"],
    },
  ]);
  assert.equal(diff.matched.percent, 100);
  const graph = diffGraph(diff);
  const node = diff.parent.findIndex((_, index) => graph.name(index) === "db::lru::Cache::Insert");
  assert.ok(
    graph
      .facts(node, 0)
      .includes(
        "matched: db::Cache::Insert in 12, db::lru::Cache::Insert in 18 (same function and class, other namespace or template arguments)",
      ),
  );
});

test("a function that was renamed is the same, also where nothing but its name tells", () => {
  const diff = diffOf(
    { "t;main;Writer::WriteRaw;crc": 50, "t;main;Writer::WriteRaw": 5, "t;Writer::WriteRaw": 45 },
    {
      "t;main;Writer::WriteMaybe;crc": 60,
      "t;main;Writer::WriteMaybe": 5,
      "t;Writer::WriteMaybe": 35,
    },
  );
  assert.deepEqual(
    diff.joined.map(({ how, base, after }) => [how, ...base, ...after]),
    [["renamed", "Writer::WriteRaw", "Writer::WriteMaybe"]],
  );
  assert.equal(diff.matched.percent, 100);
});

for (const [
  why,
  base,
  after,
] of /** @type {[string, Record<string, number>, Record<string, number>][]} */ ([
  [
    "do opposite things, though all else is alike",
    { "t;Cache::GetBlock;memcpy": 50, "t;Cache::GetBlock": 10 },
    { "t;Cache::PutBlock;memcpy": 50, "t;Cache::PutBlock": 10 },
  ],
  [
    "call other functions",
    { "t;Writer::WriteRaw;crc": 50, "t;Writer::WriteRaw": 10 },
    { "t;Writer::WriteMaybe;malloc": 50, "t;Writer::WriteMaybe": 10 },
  ],
  ["call nothing", { "t;Writer::WriteRaw": 60 }, { "t;Writer::WriteMaybe": 60 }],
  [
    "weigh much less",
    { "t;Writer::WriteRaw;crc": 50, "t;x": 50 },
    { "t;Writer::WriteMaybe;crc": 5, "t;x": 95 },
  ],
  [
    "are both there in one of the two",
    { "t;Writer::WriteRaw;crc": 50, "t;x;Writer::WriteMaybe": 10 },
    { "t;Writer::WriteMaybe;crc": 50 },
  ],
  ["say it in another order", { "t;cs_mb_wc_latin1": 60 }, { "t;cs_wc_mb_latin1": 60 }],
  [
    "are of containers of other things",
    { "t;std::vector<Key>::push_back": 60 },
    { "t;std::vector<Row>::push_back": 60 },
  ],
])) {
  test(`functions are not joined that ${why}`, () => {
    assert.deepEqual(diffOf(base, after).joined, []);
  });
}

test("threads that do not correspond are taken together, and it is reported", () => {
  const diff = diffOf(
    { "mysqld;start_thread;work": 90, "mysqld;start_thread;purge": 10 },
    { "connection;start_thread;work": 80, "ib_purge;start_thread;purge": 20 },
  );
  assert.deepEqual(diff.threads, {
    together: true,
    base: ["mysqld"],
    after: ["connection", "ib_purge"],
  });
  const found = totals(diff);
  assert.deepEqual(found["start_thread;work"], [90, 80, BOTH]);
  assert.equal(diff.matched.percent, 100);
});

test("threads that carry half of the weight on both sides correspond", () => {
  const diff = diffOf(
    { "connection;work": 60, "mysqld;purge": 40 },
    { "connection;work": 50, "ib_purge;purge": 50 },
  );
  assert.equal(diff.threads.together, false);
  assert.deepEqual(totals(diff)["connection;work"], [60, 50, BOTH]);
});

/** Names of which some are one function after a change, and a few call each other in any order. */
const names = fc.constantFrom(
  ...["main", "run", "read", "read.cold", "memcmp@libc", "f", "g", "h", "schedule@kernel"],
  ...["db::Cache::Insert", "db::lru::Cache::Insert", "page_get_offsets", "page_get_offsets_func"],
  ...["Writer::WriteRaw", "Writer::WriteMaybe", "std::vector<A>::at", "std::vector<B>::at"],
);
const profiles = fc
  .array(
    fc.record({
      frames: fc.array(names, { minLength: 1, maxLength: 9 }),
      weight: fc.integer({ min: 1, max: 1000 }),
    }),
    { minLength: 1, maxLength: 20 },
  )
  .map((stacks) =>
    profileOf(stacks.map(({ frames, weight }) => ({ frames: ["t", ...frames], weight }))),
  );

test("every node of either side stands in the union below where its caller stands", () => {
  fc.assert(
    fc.property(profiles, profiles, (base, after) => {
      const { union, ...images } = align(base, after, (key) => key);
      for (const [profile, side] of /** @type {const} */ ([
        [base, images.base],
        [after, images.after],
      ])) {
        /** @type {Set<number>[]} */
        const imagesAt = profile.parent.map(() => new Set());
        const parts = profile.parent.map(() => 0);
        for (const { node, at, part } of side) {
          imagesAt[node].add(at);
          parts[node] += part;
        }
        const ofSide = new Set(side.map(({ at }) => at));
        for (const { node, at } of side) {
          if (node === 0) continue;
          // Up from the frame, the first that this side has is its caller's.
          let above = union.parent[at];
          while (above > 0 && !ofSide.has(above)) above = union.parent[above];
          assert.ok(imagesAt[profile.parent[node]].has(above));
        }
        for (const sum of parts) assert.ok(Math.abs(sum - 1) < 1e-9);
      }
    }),
    { numRuns: 300 },
  );
});

test("whatever is joined and shared out, sums stay and swapping the sides negates every number", () => {
  /** @param {(number | string)[]} self */
  const sum = (self) => self.reduce((total, weight) => total + BigInt(weight), 0n);
  fc.assert(
    fc.property(profiles, profiles, (base, after) => {
      const there = diffProfiles(base, after, LABELS);
      const back = diffProfiles(after, base, LABELS);
      assert.equal(sum(there.base_self), sum(base.self));
      assert.equal(sum(there.after_self), sum(after.self));
      assert.deepEqual(there.parent, back.parent);
      assert.deepEqual(there.base_self, back.after_self);
      assert.deepEqual(there.after_self, back.base_self);
      assert.equal(there.matched.percent, back.matched.percent);
      assert.deepEqual(
        there.joined.map(({ how, base, after }) => [how, base, after]).sort(),
        back.joined.map(({ how, base, after }) => [how, after, base]).sort(),
      );
    }),
    { numRuns: 300 },
  );
});

test("of two profiles with deep and wide differences the match is found in bounded time", () => {
  /** @param {string} side */
  const hostile = (side) =>
    profileOfStacks(
      Array.from({ length: 4000 }, (_, index) => {
        const wide = `t;main;${side}${index % 200};${side}w${index % 7};memcmp;x${index % 13}`;
        const deep = `t;main;${Array.from({ length: 60 }, (_, level) => `${side}${(index * level) % 9}`).join(";")};memcmp`;
        return `${index % 2 ? wide : deep} ${index + 1}`;
      }),
    );
  const [base, after] = [hostile("a"), hostile("b")];
  const start = process.cpuUsage();
  diffProfiles(base, after, LABELS);
  const { user } = process.cpuUsage(start);
  assert.ok(user < 20e6, `${user / 1e6} s`);
});
