/** Regular expressions of the search: what the browser's match, in time that cannot explode. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { expression } from "../../../pipeline/flamegraph/viewer/expression.js";
import { HOSTILE_NAMES } from "../../profile/profiles.js";

const NAMES = [
  "",
  "a",
  "aab",
  "ExecScan",
  "ExecHashJoin",
  "std::vector<int, std::allocator<int>>::push_back(int const&)",
  "operator<<",
  "a.b-c d_e",
  "line\nbreak",
  "ÄÖ ß ſ K 🔥x",
  "]}){^$",
  ...HOSTILE_NAMES,
];

const EXPRESSIONS = [
  "^Exec(Scan|Hash.*)$",
  "exec",
  "a{2}b",
  "a{1,}b?",
  "a{0,1}$",
  "(?:a|b|ab)*$",
  "^$",
  "",
  "\\bint\\b",
  "\\Bxec",
  "[^a-z]scan",
  "[\\]}{)(]",
  "\\p{Lu}{2}",
  "\\u{1f525}x",
  "\\ud83d\\udd25",
  "\\x41",
  "(?<name>exec)(.)",
  "a|",
  "(|a)+b",
  "(a*)*b",
  "(a?){3}b",
  ".+?_back\\(",
  "k",
  "ss",
  "[\\s\\S]b",
  ".",
  "\\.",
  "\\/",
  "^(?:^a)",
  "x{0}",
];

test("an expression matches what the browser's own matches", () => {
  for (const source of EXPRESSIONS) {
    const own = expression(source);
    const theirs = new RegExp(source, "iu");
    for (const name of NAMES) {
      assert.equal(own(name), theirs.test(name), `${source} in ${name.slice(0, 40)}`);
    }
  }
});

const { source: anySource } = fc.letrec(
  (/** @type {(key: string) => fc.Arbitrary<string>} */ tie) => ({
    source: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom("a", "b", ".", "[^a]", "\\w", "^", "$", "\\b", "c", "", "\\B"),
      fc.tuple(tie("source"), tie("source")).map(([a, b]) => `${a}${b}`),
      fc.tuple(tie("source"), tie("source")).map(([a, b]) => `(?:${a}|${b})`),
      fc
        .tuple(tie("source"), fc.constantFrom("*", "+", "?", "{2}", "{1,2}", "{0,}", "*?", "{3,}"))
        .map(([a, count]) => `(${a})${count}`),
    ),
  }),
);

test("so does any expression, in any text", () => {
  fc.assert(
    fc.property(
      anySource,
      fc.array(fc.string({ unit: fc.constantFrom("a", "b", "C", " "), maxLength: 7 })),
      (source, texts) => {
        const own = expression(source);
        for (const text of texts) {
          assert.equal(own(text), new RegExp(source, "iu").test(text), `${source} in ${text}`);
        }
      },
    ),
    { numRuns: 2000 },
  );
});

test("what browsers take minutes for takes none", () => {
  const started = performance.now();
  const name = `${"a".repeat(999)}!`;
  for (const source of ["(a+)+$", "^(a|a)*$", "(a*)*b", "^(\\w*)*\\d$", "(.*)*(.*)*(.*)*x$"]) {
    assert.equal(expression(source)(name), false, source);
  }
  assert.ok(performance.now() - started < 1000);
});

test("what is not understood is reported, and what is no expression", () => {
  for (const source of ["(?=a)", "(?!a)b", "(?<=a)b", "(?<!a)b", "(a)\\1", "(?<n>a)\\k<n>"]) {
    assert.throws(() => expression(source), /not supported/, source);
  }
  for (const source of [
    "a{9000}",
    "((a{99}){99})",
    "((){999}){999}",
    "(?:(?:(?:){999}){999}){999}",
  ]) {
    assert.throws(() => expression(source), /repeats too much/, source);
  }
  assert.throws(() => expression("a".repeat(501)), /longer than 500/);
  for (const source of ["(", "[", "a**", "\\", "{", "\\q"]) {
    assert.throws(() => expression(source), SyntaxError, source);
  }
});
