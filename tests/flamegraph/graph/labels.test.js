import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { shorten, shorterForms } from "../../../pipeline/flamegraph/graph/labels.js";
import { nameInSentence, rowName, shownName } from "../../../pipeline/profile/model/shown_names.js";
import { HOSTILE_NAMES } from "../../profile/profiles.js";
import { vectors } from "../../vectors/vectors.js";

const CASES = /** @type {[string, number, string][]} */ ([
  ["ExecScan", 8, "ExecScan"],
  ["ExecScan", 7, "ExecSc…"],
  [
    "std::vector<int, std::allocator<int>>::push_back(int const&)",
    32,
    "std::vector<…>::push_back(…)",
  ],
  ["std::vector<int, std::allocator<int>>::push_back(int const&)", 22, "std::vector::push_back"],
  ["std::vector<int, std::allocator<int>>::push_back(int const&)", 17, "vector::push_back"],
  ["std::vector<int, std::allocator<int>>::push_back(int const&)", 12, "push_back"],
  ["std::vector<int, std::allocator<int>>::push_back(int const&)", 6, "push_…"],
  ["void std::sort<int*>(int*, int*)", 14, "std::sort"],
  ["(anonymous namespace)::scan(Row const&)", 10, "scan"],
  ["Row::operator<<(std::ostream&)", 16, "Row::operator<<"],
  ["Row::operator<<(std::ostream&)", 11, "operator<<"],
  ["Task::operator()(int) const", 18, "Task::operator()"],
  ["my_operator<int>::call(Row)", 17, "my_operator::call"],
  ["java/util/concurrent/FutureTask.run", 20, "FutureTask.run"],
  ["github.com/acme/db.(*Tree).Get", 15, "db.(*Tree).Get"],
  ["[unknown]", 6, "[unkn…"],
  ["db::(anonymous namespace)::Iterator::Seek", 14, "Iterator::Seek"],
  ["pthread_mutex_lock@@GLIBC_2.2.5", 18, "pthread_mutex_lock"],
  ["memcpy@plt", 9, "memcpy"],
  ["extent_split.constprop.0.cold", 14, "extent_split"],
  ["__GI___libc_write", 10, "libc_write"],
  ["__x64_sys_write", 5, "sys_…"],
  ["std::vector<int>::_M_insert", 6, "insert"],
  ["<lambda>", 5, "<lam…"],
]);

for (const [name, characters, label] of CASES) {
  test(`${name} in ${characters} characters is ${label}`, () => {
    assert.equal(shorten(name, characters), label);
  });
}

test("a label fits, says something, and is the name where that fits", () => {
  const names = fc.oneof(
    fc.constantFrom(...HOSTILE_NAMES),
    fc.string({ minLength: 1, unit: fc.constantFrom(..."ab:<>(){}-/ ,&*operator") }),
    fc.string({ minLength: 1, unit: "binary" }),
  );
  fc.assert(
    fc.property(names, fc.integer({ min: 3, max: 60 }), (name, characters) => {
      const label = shorten(name, characters);
      assert.ok(Array.from(label).length <= characters);
      assert.ok(label.length > 0);
      if (name.length <= characters) assert.equal(label, name);
    }),
  );
});

test("there is no label without room for three characters", () => {
  assert.equal(shorten("ExecScan", 2), "");
  assert.equal(shorten("do", 2), "do");
});

test("a megabyte of brackets is shortened at once", () => {
  const started = performance.now();
  shorten("f<".repeat(500_000), 20);
  assert.ok(performance.now() - started < 200);
});

test("a name that nobody reads to its end is cut in the middle, between characters", () => {
  const name = `begin:${"🔥".repeat(1000)}:end`;
  assert.match(shownName(name), /^begin:(?:🔥)+…(?:🔥)+:end$/u);
  assert.ok(shownName(name).length <= 1000);
  assert.equal(shownName(shownName(name)), shownName(name));
  assert.equal(shownName("x".repeat(1000)), "x".repeat(1000));
});

test("of a name too long for a row the innermost arguments go first", () => {
  for (const [name, shown] of vectors("row_names")) assert.equal(rowName(name), shown);
  const started = performance.now();
  assert.equal(rowName(`${"f<".repeat(500_000)}${">".repeat(500_000)}`).length, 199);
  assert.ok(performance.now() - started < 200);
});

test("what nobody sees in a name is spelled out, once", () => {
  assert.equal(shownName("right\u202Eto\u200Fleft"), "right[U+202E]to[U+200F]left");
  assert.equal(shownName("bell\u0007\n\u2066"), "bell[U+0007][U+000A][U+2066]");
  assert.equal(shownName("half \ud83d of 🔥"), "half [U+D83D] of 🔥");
  assert.equal(shownName("größe(int) 日本 שלום"), "größe(int) 日本 שלום");
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 1200 }), (name) => {
      const shown = shownName(name);
      assert.equal(shownName(shown), shown);
      assert.doesNotMatch(shown, /[\p{Cc}\p{Bidi_Control}]/u);
    }),
  );
});

test("in a sentence a name is short, and turns nothing else around", () => {
  assert.equal(nameInSentence("ExecScan"), "ExecScan");
  assert.equal(nameInSentence("שלום"), "\u2068שלום\u2069");
  assert.ok(nameInSentence("x".repeat(5000)).length <= 80);
});

test("shorter forms get shorter", () => {
  const forms = [...shorterForms("a::b<c>::d(e)")];
  assert.deepEqual(forms, ["a::b<c>::d(e)", "a::b<…>::d(…)", "a::b::d", "b::d", "d"]);
});
