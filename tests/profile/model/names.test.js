import assert from "node:assert/strict";
import { test } from "node:test";
import { matchKey } from "../../../pipeline/profile/model/names.js";
import {
  INLINED,
  JIT,
  KERNEL,
  LIBRARY,
  THREAD,
  USER,
} from "../../../pipeline/profile/model/profile.js";

/** @type {Record<string, string>} */
const FUNCTIONS = {
  "row_search_mvcc.constprop.0": "row_search_mvcc",
  "row_search_mvcc.constprop.0.isra.1.cold": "row_search_mvcc",
  "row_search_mvcc.part.2": "row_search_mvcc",
  "row_search_mvcc.lto_priv.0": "row_search_mvcc",
  "my_hash_sort.llvm.1234567": "my_hash_sort",
  "foo(int) [clone .part.2] [clone .cold]": "foo",
  "std::string::append[abi:cxx11]": "std::string::append",
  "std::f[abi:cxx11](int)": "std::f",
  "memcpy@@GLIBC_2.14": "memcpy",
  "memcpy@GLIBC_2.2.5": "memcpy",
  "read@plt": "read",
  "core::fmt::write::h0123456789abcdef": "core::fmt::write",
  "Protocol::send(Item*, unsigned int) const": "Protocol::send",
  "Protocol::send() &&": "Protocol::send",
  "std::function<void (int)>::operator()": "std::function<void (int)>::operator()",
  "std::function<void (int)>::operator()(int) const": "std::function<void (int)>::operator()",
  "A::operator()<B(C)>(D) const": "A::operator()<B(C)>",
  "(anonymous namespace)::f(int)": "(anonymous namespace)::f",
  "ns::(anonymous namespace)::f(g(int))": "ns::(anonymous namespace)::f",
  "f(int)::{lambda(int)#1}::operator()(int) const": "f::{lambda(int)#1}::operator()",
  "f(int)::{lambda(int)#2}::operator()(int) const": "f::{lambda(int)#2}::operator()",
  "std::operator<< <char>(std::ostream&)": "std::operator<< <char>",
  "A::operator<(A const&) const": "A::operator<",
  "A::operator->() const": "A::operator->",
  "A::operator bool() const": "A::operator bool",
  "operator new(unsigned long)": "operator new",
  "A::operator[](unsigned long)": "A::operator[]",
  "my_operator<void (int)>(A)": "my_operator<void (int)>",
  "node::WriteString<(node::encoding)1>(v8::Args)": "node::WriteString<(node::encoding)1>",
  "void (*signal(int))(int)": "void (*signal(int))(int)",
  "non-virtual thunk to A::b()": "A::b",
  "virtual thunk to A::b()": "A::b",
  __memcmp_evex_movbe: "memcmp",
  __memmove_avx512_unaligned_erms: "memmove",
  __memset_avx2_unaligned_erms_rtm: "memset",
  __strlen_sse2: "strlen",
  __strcasecmp_l_avx2: "__strcasecmp_l_avx2",
  __sin_fma: "sin",
  __memcpy_generic: "memcpy",
  "[mysqld]": "[mysqld]",
  "[unknown]": "[unknown]",
  "(": "(",
  ".cold": ".cold",
  "@plt": "@plt",
  "a<b": "a<b",
};

for (const [name, key] of Object.entries(FUNCTIONS)) {
  test(`the key of ${name}`, () => {
    for (const frameClass of [USER, LIBRARY, INLINED])
      assert.equal(matchKey(name, frameClass), key);
  });
}

test("a key is its own key", () => {
  for (const key of Object.values(FUNCTIONS)) assert.equal(matchKey(key, USER), key);
});

test("CPU variants are the C library's, not the kernel's", () => {
  assert.equal(matchKey("__memcpy_erms", KERNEL), "__memcpy_erms");
  assert.equal(matchKey("tcp_rearm_rto.part.0", KERNEL), "tcp_rearm_rto");
});

test("what a JIT names is left as it is", () => {
  assert.equal(matchKey("LazyCompile:*a(b) c.js:1", JIT), "LazyCompile:*a(b) c.js:1");
});

test("threads match by what the kernel keeps of their name", () => {
  assert.equal(matchKey("rocksdb:low_priority", THREAD), "rocksdb:low_pri");
  assert.equal(matchKey(":1343111", THREAD), ":exited");
  assert.equal(matchKey(":-1", THREAD), ":exited");
  assert.equal(matchKey("foo(int)", THREAD), "foo(int)");
});

test("hostile names take no time", () => {
  for (const piece of [
    ".cold",
    "(",
    "<",
    " [clone .x]",
    "operator<",
    "@A",
    "::h",
    "\ud83d\ude00",
  ]) {
    const started = performance.now();
    matchKey(`f${piece.repeat(200_000)}x`, USER);
    matchKey(`f${piece.repeat(8000 / piece.length)}x`, USER);
    matchKey(piece.repeat(200_000), THREAD);
    assert.ok(performance.now() - started < 1000, piece);
  }
});
