/** The files beside this one are MariaDB 10.11's own output, trimmed. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import * as folded from "../../../../pipeline/profile/read/folded/reader.js";
import * as perfScript from "../../../../pipeline/profile/read/perf_script/reader.js";
import * as performanceSchema from "../../../../pipeline/profile/read/performance_schema/reader.js";
import { answerTo, foldBytes, readAs } from "../../captures.js";
import { fuzzReader } from "../../fuzz.js";

/** @param {string} name */
const output = (name) => readFileSync(new URL(`${name}`, import.meta.url), "utf8");

const HISTORY = output("events_waits_history_long.tsv");
const TWO_SUMMARIES = output("two_summaries.tsv");
const BY_INSTANCE = output("by_instance.txt");
const BOXED = output("boxed.txt");

/** @type {(text: string, options?: Parameters<typeof readAs>[2]) => import("../../captures.js").Read} */
const read = (text, options) => readAs(performanceSchema, text, options);

/** @param {...(string | number)[]} rows */
const tabbed = (...rows) => rows.map((row) => `${row.join("\t")}\n`).join("");

const HEADER = ["event_name", "timer_wait"];
const SUMS = ["EVENT_NAME", "COUNT_STAR", "SUM_TIMER_WAIT"];
const NESTED = ["thread_id", "event_id", "nesting_event_id", ...HEADER];

test("slashes separate the frames, and picoseconds are the weight", () => {
  const { stacks, profiles, sharesOnly, skipped } = read(
    tabbed(
      HEADER,
      ["wait/io/file/innodb/innodb_log_file", 812345680],
      ["wait/synch/mutex/sql/THD::LOCK_thd_data", 30030],
      ["wait/io/file/innodb/innodb_log_file", 20],
    ),
  );
  assert.deepEqual(stacks, {
    wait: [
      "wait;io;file;innodb;innodb_log_file 812345700",
      "wait;synch;mutex;sql;THD::LOCK_thd_data 30030",
    ],
  });
  assert.equal(profiles.wait.unit, "ps");
  assert.equal(profiles.wait.samples, 3);
  assert.deepEqual(profiles.wait.classes.slice(0, 3), [0, 0, 1], "the first frame is the thread's");
  assert.equal(sharesOnly, null);
  assert.deepEqual(skipped, []);
});

test("rows of more names than are distinguished are weighed", () => {
  const names = Array.from({ length: 2 ** 18 + 2 }, (_, at) => `wait/io/f${at}`);
  const reason = "row beyond 262144 names, files and tables";
  const single = read(tabbed(HEADER) + names.map((name) => `${name}\t1000000\n`).join(""));
  assert.deepEqual(single.skipped, [
    { reason: `${reason} (2.00 µs)`, count: 2, first_line: 2 ** 18 + 2 },
  ]);
  const [before, after] = [1_000_000, 4_000_000].map(
    (weight) =>
      tabbed(SUMS) + names.map((name) => `${name}\t${weight / 1e6}\t${weight}\n`).join(""),
  );
  const sums = read(before + after);
  assert.deepEqual(sums.skipped, [
    { reason: `${reason} (6.00 µs)`, count: 4, first_line: 2 ** 18 + 2 },
  ]);
});

test("idle waits are left out and weighed", () => {
  const { stacks, skipped } = read(
    tabbed(
      HEADER,
      ["wait/io/file/sql/FRM", 5],
      ["idle", 2_000_000_000],
      ["wait/synch/cond/sql/COND_thread_cache", 500_000_000],
    ),
  );
  assert.deepEqual(stacks, { wait: ["wait;io;file;sql;FRM 5"] });
  assert.deepEqual(skipped, [
    { reason: "waits of idle threads for work (2.50 ms), by rule", count: 2, first_line: 3 },
  ]);
});

test("a wait weighs what it took less the waits within it", () => {
  const { stacks, profiles, skipped } = read(HISTORY);
  const scan = "wait;io;table;sql;handler;fetch;shop.visits";
  const lock = "wait;lock;metadata;sql;mdl;metadata lock;shop.orders";
  const weights = Object.fromEntries(
    stacks.wait.map((line) => [line.replace(/ \d+$/, ""), Number(/\d+$/.exec(line))]),
  );
  const pages = 5125120 + 75195120;
  assert.equal(weights[`${scan};wait;io;file;aria;MAD;read;visits.MAD`], pages);
  assert.equal(weights[scan], 213863650 - pages);
  const condition = `${lock};wait;synch;cond;sql;MDL_context::COND_wait_status;timed_wait`;
  assert.equal(weights[condition], 398348770820);
  assert.equal(weights[lock], 398356228270 - 398348770820);
  assert.equal(profiles.wait.samples, 16);
  assert.deepEqual(
    skipped.map(({ reason, count }) => [reason, count]),
    [["waits of idle threads for work (25.00 µs), by rule", 1]],
  );
});

test("a wait within waits of other threads or of none is outermost", () => {
  const { stacks } = read(
    tabbed(
      NESTED,
      [1, 10, 7, "wait/io/file/a/b", 3],
      [2, 7, "NULL", "wait/io/table/sql/handler", 5],
      [2, 9, 7, "wait/synch/mutex/a/c", 2],
    ),
  );
  assert.deepEqual(stacks.wait, [
    "wait;io;file;a;b 3",
    "wait;io;table;sql;handler 3",
    "wait;io;table;sql;handler;wait;synch;mutex;a;c 2",
  ]);
});

test("a wait shorter than those within it weighs nothing by itself", () => {
  const { stacks, skipped } = read(
    tabbed(
      NESTED,
      [1, 1, "NULL", "wait/io/table/sql/handler", 5],
      [1, 2, 1, "wait/io/file/a/b", 9],
    ),
  );
  assert.deepEqual(stacks.wait, ["wait;io;table;sql;handler;wait;io;file;a;b 9"]);
  assert.equal(
    skipped[0].reason,
    "wait shorter than the waits within it: taken as long as they are",
  );
});

test("waits that go round in a circle are taken by themselves", () => {
  const { stacks, skipped } = read(
    tabbed(NESTED, [1, 1, 2, "wait/io/file/a/b", 5], [1, 2, 1, "wait/io/file/a/c", 5]),
  );
  assert.deepEqual(stacks.wait, []);
  assert.equal(skipped[0].count, 2);
});

test("where nothing shows what is within what, waits that contain others keep what those leave", () => {
  const rows = [
    ["wait/io/table/sql/handler", 900],
    ["wait/lock/table/sql/handler", 20],
    ["wait/lock/metadata/sql/mdl", 100],
  ];
  const mutex = ["wait/synch/mutex/a/b", 7];
  const condition = ["wait/synch/cond/sql/MDL_context::COND_wait_status", 99];
  assert.deepEqual(read(tabbed(HEADER, ...rows)).stacks.wait, [
    "wait;io;table;sql;handler 900",
    "wait;lock;metadata;sql;mdl 100",
    "wait;lock;table;sql;handler 20",
  ]);
  const { stacks, skipped } = read(tabbed(HEADER, ...rows, mutex));
  assert.deepEqual(stacks.wait, [
    "wait;io;table;sql;handler 893",
    "wait;lock;metadata;sql;mdl 100",
    "wait;lock;table;sql;handler 20",
    "wait;synch;mutex;a;b 7",
  ]);
  assert.deepEqual(skipped, [
    {
      reason: "table I/O, whose inner waits count instead (0.01 ns), by rule",
      count: 1,
      first_line: 2,
    },
  ]);
  assert.deepEqual(read(tabbed(HEADER, ...rows, condition)).stacks.wait, [
    "wait;io;table;sql;handler 900",
    "wait;lock;metadata;sql;mdl 1",
    "wait;lock;table;sql;handler 20",
    "wait;synch;cond;sql;MDL_context::COND_wait_status 99",
  ]);
});

test("a wait that contains others vanishes only where these took as long", () => {
  const inner = ["wait/io/file/innodb/innodb_data_file", 950];
  const outer = [
    ["wait/io/table/sql/handler", 900],
    ["wait/lock/table/sql/handler", 60],
  ];
  assert.deepEqual(read(tabbed(HEADER, ...outer, inner)).stacks.wait, [
    "wait;io;file;innodb;innodb_data_file 950",
    "wait;lock;table;sql;handler 10",
  ]);
});

test("folded stacks that awk makes of the table are read as the table is", async () => {
  const rows = [
    ["wait/io/table/sql/handler", 900],
    ["idle", 70],
    ["wait/io/file/sql/binlog", 800],
  ];
  const table = tabbed(HEADER, ...rows);
  // awk '{ printf("%s %d\n", $1, $2); }' | sed 's/\//;/g'
  const lines = rows.map(([name, weight]) => `${String(name).replaceAll("/", ";")} ${weight}\n`);
  const folded = `event_name 0\n${lines.join("")}`;
  assert.equal(answerTo(performanceSchema, folded), "yes");
  assert.deepEqual(read(folded), read(table));
});

test("folded stacks of waits without the line of the header are waits, with shares alone", () => {
  const rows = [
    ["wait/io/table/sql/handler", 900],
    ["idle", 70],
    ["wait/io/file/sql/binlog", 800],
  ];
  const folded = rows.map((row) => `${row.join(" ").replaceAll("/", ";")}\n`).join("");
  assert.equal(answerTo(performanceSchema, folded), "yes");
  assert.deepEqual(read(folded), read(rows.map((row) => `${row.join("\t")}\n`).join("")));
  assert.equal(answerTo(performanceSchema, `${folded}main;read 3\n`), "more");
  assert.equal(answerTo(performanceSchema, "wait;main;read 3\n"), "more");
});

test("waits that awk cut to the largest number of 32 bits are counted", () => {
  const { stacks, skipped } = read("event_name 0\nwait;io;file;sql;binlog 2147483647\n");
  assert.deepEqual(stacks.wait, ["wait;io;file;sql;binlog 2147483647"]);
  assert.deepEqual(
    skipped.map(({ reason, count }) => [reason.slice(0, 28), count]),
    [["wait that awk cut to 2.1 ms,", 1]],
  );
  const table = tabbed(HEADER, ["wait/io/file/sql/binlog", 2147483647]);
  assert.deepEqual(read(table).skipped, []);
});

test("waits that nobody timed are counted, and push none out", () => {
  const sums = [
    ["wait/io/table/sql/handler", 9, 900],
    ["wait/synch/mutex/a/b", 5, 0],
  ];
  const { stacks, skipped } = read(tabbed(SUMS, ...sums));
  assert.deepEqual(stacks.wait, ["wait;io;table;sql;handler 900"]);
  assert.deepEqual(skipped, [{ reason: "wait that was not timed", count: 5, first_line: 3 }]);
});

test("waits that weigh nothing push none out", () => {
  const single = [
    ["wait/io/table/sql/handler", 900],
    ["wait/synch/mutex/a/b", 0],
  ];
  assert.deepEqual(read(tabbed(HEADER, ...single)).stacks.wait, ["wait;io;table;sql;handler 900"]);
  const rows = [
    ["wait/io/table/sql/handler", 9, 900],
    ["wait/synch/mutex/a/b", 0, 0],
  ];
  assert.deepEqual(read(tabbed(SUMS, ...rows)).stacks.wait, ["wait;io;table;sql;handler 900"]);
});

test("threads, deeds and objects are frames where columns have them", () => {
  const names = ["NAME", "EVENT_NAME", "TIMER_WAIT", "OPERATION", "OBJECT_SCHEMA", "OBJECT_NAME"];
  const connection = "thread/sql/one_connection";
  const { stacks } = read(
    tabbed(
      names,
      [connection, "wait/io/file/sql/FRM", 1, "read", "NULL", "/data/shop/a.frm"],
      [connection, "wait/lock/metadata/sql/mdl", 2, "metadata lock", "shop", "a"],
      ["NULL", "wait/io/socket/sql/client_connection", 3, "send", "NULL", "10.0.0.1:4711"],
      ["NULL", "wait/io/file/sql/FRM", 4, "NULL", "NULL", "D:\\\\data\\\\a.frm"],
    ),
  );
  assert.deepEqual(stacks.wait, [
    "[unknown];wait;io;file;sql;FRM;a.frm 4",
    "[unknown];wait;io;socket;sql;client_connection;send 3",
    "one_connection;wait;io;file;sql;FRM;read;a.frm 1",
    "one_connection;wait;lock;metadata;sql;mdl;metadata lock;shop.a 2",
  ]);
});

test("a thread's frame is above nested waits once", () => {
  const { stacks } = read(
    tabbed(
      [...NESTED, "name"],
      [1, 1, "NULL", "wait/io/table/sql/handler", 5, "thread/sql/one_connection"],
      [1, 2, 1, "wait/io/file/a/b", 3, "thread/sql/one_connection"],
    ),
  );
  assert.deepEqual(stacks.wait, [
    "one_connection;wait;io;table;sql;handler 2",
    "one_connection;wait;io;table;sql;handler;wait;io;file;a;b 3",
  ]);
});

test("sums without a column of counts are read", () => {
  const columns = ["event_name", "sum_timer_wait"];
  const { stacks, profiles, skipped } = read(
    tabbed(columns, ["wait/io/file/a/b", 5], ["wait/io/file/a/c", 0], ["idle", 4]),
  );
  assert.deepEqual(stacks.wait, ["wait;io;file;a;b 5"]);
  assert.equal(profiles.wait.samples, null);
  assert.equal(skipped[0].count, 1);
});

test("a full table gives shares only", () => {
  const rows = (/** @type {number} */ count) =>
    tabbed(HEADER, ...Array.from({ length: count }, () => ["wait/io/file/a/b", 1]));
  const reason = "events_waits_history_long was full: its 10,000 rows are the last waits, not all";
  assert.equal(read(rows(10_000)).sharesOnly, reason);
  assert.notEqual(read(rows(25_000)).sharesOnly, null, "it is larger, and nobody says how large");
  assert.notEqual(read(rows(999)).sharesOnly, null, "1,000 of which one was being written");
  assert.notEqual(read(rows(100)).sharesOnly, null);
  for (const count of [5, 101, 900, 1001, 9000]) assert.equal(read(rows(count)).sharesOnly, null);
});

test("the server's variable gives the size of the table", () => {
  const size = "performance_schema_events_waits_history_long_size";
  const table = tabbed(HEADER, ["wait/io/file/a/b", 1], ["idle", 1]);
  const variable = (/** @type {number} */ value) =>
    tabbed(["Variable_name", "Value"], [size, value]);
  assert.notEqual(read(variable(2) + table).sharesOnly, null);
  const large = read(table.repeat(1) + variable(1_000_000));
  assert.equal(large.sharesOnly, null);
  assert.deepEqual(large.skipped.length, 1, "idle");
});

test("one snapshot of sums gives shares only", () => {
  const { stacks, sharesOnly, profiles } = read(BY_INSTANCE);
  assert.equal(sharesOnly, "one snapshot: it counts all waits since the server started");
  assert.deepEqual(stacks.wait, [
    "wait;io;file;aria;MAD 386476090",
    `wait;io;file;aria;MAI ${318808490 + 4005741740}`,
  ]);
  assert.equal(profiles.wait.samples, 14);
});

test("of two snapshots the difference counts", () => {
  const { stacks, sharesOnly, skipped, profiles } = read(TWO_SUMMARIES);
  assert.equal(sharesOnly, null);
  assert.deepEqual(stacks.wait, [
    `wait;io;file;aria;MAI ${409995956370 - 12732379660}`,
    `wait;io;file;sql;FRM ${24872853390 - 22082676000}`,
    "wait;lock;metadata;sql;mdl 15725710",
    "wait;synch;cond;sql;MDL_context::COND_wait_status 1269282804790",
    `wait;synch;mutex;sql;LOCK_table_cache ${11731720 - 1591590}`,
  ]);
  assert.equal(profiles.wait.samples, 191 - 119 + 179 - 116 + 2 + 2 + 290 - 61);
  assert.deepEqual(
    skipped.map(({ reason, count }) => [reason, count]),
    [
      ["metadata locks, whose inner waits count instead (1.27 s), by rule", 1],
      ["table I/O, whose inner waits count instead (1.79 ms), by rule", 12046],
      ["table locks, whose inner waits count instead (9.76 µs), by rule", 20],
      ["waits of idle threads for work (2.24 s), by rule", 5 + 32],
    ],
  );
});

test("of three snapshots the last and the first count", () => {
  const table = (/** @type {number} */ weight) =>
    tabbed(SUMS, ["wait/io/file/a/b", weight / 10, weight]);
  const { stacks, profiles } = read(table(100) + table(150) + table(170));
  assert.deepEqual(stacks.wait, ["wait;io;file;a;b 70"]);
  assert.equal(profiles.wait.samples, 7);
});

test("what is new in a later snapshot counts whole, what is gone is reported", () => {
  const columns = ["thread_id", ...SUMS];
  const { stacks, skipped, sharesOnly } = read(
    tabbed(
      columns,
      [1, "wait/io/file/a/b", 1, 100],
      [2, "wait/io/file/a/b", 1, 1000],
      columns,
      [1, "wait/io/file/a/b", 2, 130],
      [3, "wait/io/file/a/b", 1, 7],
    ),
  );
  assert.deepEqual(stacks.wait, ["wait;io;file;a;b 37"]);
  assert.equal(sharesOnly, null);
  assert.deepEqual(skipped, [
    {
      reason: "row that the last table lacks: its thread or object is gone",
      count: 1,
      first_line: 3,
    },
  ]);
});

test("sums that went down are refused, and what is left gives shares only", () => {
  const { stacks, skipped, sharesOnly } = read(
    tabbed(
      SUMS,
      ["wait/io/file/a/b", 9, 900],
      ["wait/io/file/a/c", 1, 10],
      SUMS,
      ["wait/io/file/a/b", 1, 100],
      ["wait/io/file/a/c", 2, 30],
      SUMS,
      ["wait/io/file/a/b", 90, 9000],
      ["wait/io/file/a/c", 3, 40],
    ),
  );
  assert.deepEqual(stacks.wait, ["wait;io;file;a;c 30"]);
  assert.equal(sharesOnly, "the server was restarted, or a table emptied, between two snapshots");
  assert.deepEqual(skipped, [
    {
      reason: "row whose sum went down from one table to a later one",
      count: 1,
      first_line: 2,
    },
  ]);
});

test("a sum that went down counts as such whatever its count says", () => {
  const { stacks, sharesOnly } = read(
    tabbed(SUMS, ["wait/io/file/a/b", 1, 100], SUMS, ["wait/io/file/a/b", 2, 99]),
  );
  assert.deepEqual(stacks.wait, []);
  assert.match(sharesOnly ?? "", /restarted/);
});

test("without a header, shares only: nobody says what a row sums up", () => {
  const { stacks, sharesOnly, profiles } = read("wait/io/file/a/b\t7\nidle\t5\n");
  assert.deepEqual(stacks.wait, ["wait;io;file;a;b 7"]);
  assert.match(sharesOnly ?? "", /names of columns/);
  assert.equal(profiles.wait.samples, null);
});

test("boxed tables and rows of \\G are read as the others", () => {
  const boxed = read(BOXED);
  assert.deepEqual(boxed.stacks.wait, [
    `wait;io;socket;sql;client_connection ${16486470 + 2762760 + 12952940 + 2722720}`,
  ]);
  assert.deepEqual(boxed.skipped, []);
  const stars = "*".repeat(27);
  const rows = [
    `${stars} 1. row ${stars}`,
    "event_name: wait/io/file/a/b",
    "timer_wait: 5",
    `${stars} 2. row ${stars}`,
    "event_name: wait/io/file/a/c",
    "timer_wait: 6",
    "2 rows in set (0.00 sec)",
    "",
  ].join("\r\n");
  assert.deepEqual(read(rows).stacks.wait, ["wait;io;file;a;b 5", "wait;io;file;a;c 6"]);
  const twice = read(BY_INSTANCE + BY_INSTANCE.replaceAll("386476090", "386476100"));
  assert.deepEqual(twice.stacks.wait, ["wait;io;file;aria;MAD 10"]);
});

test("of a text that ends too early, the last row does not count", () => {
  const rows = tabbed(HEADER, ["wait/io/file/a/b", 12], ["wait/io/file/a/b", 345]);
  assert.deepEqual(read(rows.slice(0, -2), { partial: true }).stacks.wait, ["wait;io;file;a;b 12"]);
  const cut = BY_INSTANCE.slice(0, BY_INSTANCE.lastIndexOf("SUM_TIMER_WAIT"));
  assert.deepEqual(read(cut, { partial: true }).stacks.wait, [
    "wait;io;file;aria;MAD 386476090",
    "wait;io;file;aria;MAI 318808490",
  ]);
  const { skipped } = read(BY_INSTANCE, { partial: true });
  assert.deepEqual(skipped, [
    { reason: "row cut off by the end of the file", count: 1, first_line: 17 },
  ]);
});

test("a last value may be empty", () => {
  const { stacks } = read(tabbed([...HEADER, "source"], ["wait/io/file/a/b", 5, ""]));
  assert.deepEqual(stacks.wait, ["wait;io;file;a;b 5"]);
});

test("what is no row of waits is counted", () => {
  const { stacks, skipped } = read(
    tabbed(
      HEADER,
      ["wait/io/file/a/b", 5],
      ["statement/sql/select", 5],
      ["wait/io/file/a/b", "NULL"],
      ["wait/io/file/a/b", "-5"],
      ["wait/io/file/a/b", 5, 6],
      ["ERROR 2013 (HY000): Lost connection"],
      ["EVENT_NAME", "COUNT_STAR", "SUM_TIMER_WAIT"],
      ["wait/io/file/a/b", 1, 7],
    ),
  );
  assert.deepEqual(stacks.wait, ["wait;io;file;a;b 5"]);
  assert.deepEqual(skipped, [
    { reason: "line that is no row of a table", count: 1, first_line: 7 },
    { reason: "row of another table than the first one of waits", count: 1, first_line: 9 },
    { reason: "row that is of no wait", count: 1, first_line: 3 },
    { reason: "row whose TIMER_WAIT is no number", count: 1, first_line: 5 },
    {
      reason: "row with more or fewer values than the table has columns",
      count: 1,
      first_line: 6,
    },
    { reason: "wait that was not timed", count: 1, first_line: 4 },
  ]);
});

test("waits are recognised by content", () => {
  for (const text of [HISTORY, TWO_SUMMARIES, BY_INSTANCE, BOXED, "idle\t5\n"]) {
    assert.equal(answerTo(performanceSchema, text), "yes");
    assert.notEqual(answerTo(perfScript, text), "yes");
  }
  for (const text of ["a;b 5\n", "wait;io;file 5\n", "event_name\tcount_star\n"]) {
    assert.equal(answerTo(performanceSchema, text), "more", text);
  }
  assert.equal(answerTo(folded, HISTORY), "no");
  assert.equal(answerTo(performanceSchema, "a line\n".repeat(3000)), "no");
});

test("a capture of waits is folded into a profile", async () => {
  const { profiles, problems } = await foldBytes(TWO_SUMMARIES, "cycles");
  const [profile] = profiles;
  assert.deepEqual([profile.event, profile.unit], ["wait", "ps"]);
  assert.equal(profile.captures[0].format, "performance-schema");
  assert.ok(problems.length > 0 && problems.every(({ severity }) => severity === "note"));
});

const wait = fc.record({
  thread: fc.integer({ min: 1, max: 3 }),
  event: fc.integer({ min: 1, max: 40 }),
  around: fc.option(fc.integer({ min: 1, max: 40 })),
  name: fc.constantFrom("wait/io/file/a/b", "wait/io/table/sql/handler", "wait/synch/mutex/a/c"),
  weight: fc.oneof(fc.integer({ min: 0, max: 1e6 }), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })),
});

test("the order of rows and the size of chunks change nothing, and no time counts twice", () => {
  const distinct = fc.uniqueArray(wait, {
    minLength: 1,
    maxLength: 50,
    selector: ({ thread, event }) => `${thread} ${event}`,
  });
  fc.assert(
    fc.property(distinct, fc.integer({ min: 1, max: 50 }), (list, chunkSize) => {
      const rows = list.map(({ thread, event, around, name, weight }) => [
        thread,
        event,
        around === event ? "NULL" : (around ?? "NULL"),
        name,
        String(weight),
      ]);
      const { profiles } = read(tabbed(NESTED, ...rows));
      const turned = read(tabbed(NESTED, ...[...rows].reverse()), { chunkSize });
      assert.deepEqual(turned.profiles, profiles);
      const outermost = list
        .filter((one, at) => {
          const around = rows[at][2];
          return !list.some(({ thread, event }) => thread === one.thread && event === around);
        })
        .reduce((sum, { weight }) => sum + BigInt(weight), 0n);
      const all = list.reduce((sum, { weight }) => sum + BigInt(weight), 0n);
      const total = BigInt(profiles.wait.total);
      assert.ok(outermost <= total && total <= all);
    }),
  );
});

fuzzReader("waits", performanceSchema, [HISTORY, TWO_SUMMARIES, BY_INSTANCE, BOXED], {
  words: ["idle", "wait/", "NULL", "event_name", "*** 1. row ***", " | ", "\t", "+---+"],
});
