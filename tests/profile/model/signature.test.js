import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import fc from "fast-check";
import { repairRust } from "../../../pipeline/profile/model/languages/rust.js";
import { matchKey } from "../../../pipeline/profile/model/names.js";
import { USER } from "../../../pipeline/profile/model/profile.js";
import { withoutParameters, withoutReturnType } from "../../../pipeline/profile/model/signature.js";

/** @type {Record<string, string>} what demanglers write, and what is left of it */
const SIGNATURES = {
  "run(int, char**) const": "run",
  "Foo::swap(Foo&) && noexcept": "Foo::swap",
  "app::It::operator[](int) const &": "app::It::operator[]",
  "(anonymous namespace)::Worker::operator()(int) const":
    "(anonymous namespace)::Worker::operator()",
  "(anonymous namespace)::Worker::operator<((anonymous namespace)::Worker const&) const":
    "(anonymous namespace)::Worker::operator<",
  "(anonymous namespace)::Worker::operator bool() const":
    "(anonymous namespace)::Worker::operator bool",
  "A::operator char const*() const": "A::operator char const*",
  "A::operator std::function<void (int)>()": "A::operator std::function<void (int)>",
  "operator-(A, A)": "operator-",
  "operator,(A, A)": "operator,",
  "operator/(A, A)": "operator/",
  "operator new[](unsigned long)": "operator new[]",
  'operator"" _s(char const*)': 'operator"" _s',
  "app::It::operator->()": "app::It::operator->",
  "A::operator->*(int A::*) const": "A::operator->*",
  "A::operator()() const": "A::operator()",
  // damaged names: nothing that is taken away may make an operator of what is left
  "operator(int)<()>f": "operator(int)<()>f",
  "operator<(int)<(int)>": "operator<(int)<(int)>",
  "std::operator<< <char>(std::ostream&)": "std::operator<< <char>",
  "long app::twice<long>(std::function<long (int)>, long)": "long app::twice<long>",
  "decltype(auto) app::pick<int>(int)": "decltype(auto) app::pick<int>",
  "decltype ((fp)+(1)) app::add<int>(int)": "decltype ((fp)+(1)) app::add<int>",
  "std::function<void (int)>::operator()(int) const": "std::function<void (int)>::operator()",
  "std::_Function_handler<long (int), main::{lambda(int)#1}>::_M_invoke(std::_Any_data const&)":
    "std::_Function_handler<long (int), main::{lambda(int)#1}>::_M_invoke",
  "f(int) const::{lambda(int)#1}::operator()(int) const": "f::{lambda(int)#1}::operator()",
  "f(int)::'lambda'(long)::operator()(long) const": "f::'lambda'(long)::operator()",
  "std::sort<A, f<&ns::operator< > >(A*)": "std::sort<A, f<&ns::operator< > >",
  "f<(1>0), (2<3)>(int)": "f<(1>0), (2<3)>",
  "void (*app::choose<long>(long))(int)": "void (*app::choose<long>(long))(int)",
  "void (*signal(int, void (*)(int)))(int)": "void (*signal(int, void (*)(int)))(int)",
  "handle(int) [clone .part.2] [clone .cold]": "handle [clone .part.2] [clone .cold]",
  "handle(int) (.cold.1)": "handle (.cold.1)",
  "handle(int)@plt": "handle@plt",
  "std::f[abi:cxx11](int)": "std::f[abi:cxx11]",
  "non-virtual thunk to A::b(int)": "non-virtual thunk to A::b",
  "main.(*T).Method": "main.(*T).Method",
  "main.(*List[go.shape.int]).Push": "main.(*List[go.shape.int]).Push",
  "main.(*List[int]).Push(int)": "main.(*List[int]).Push",
  "main.T.func1": "main.T.func1",
  "main.Map[...]": "main.Map[...]",
  "<alloc::vec::Vec<T> as core::ops::Drop>::drop": "<alloc::vec::Vec<T> as core::ops::Drop>::drop",
  "<fn() -> i32 as core::ops::FnOnce<()>>::call_once":
    "<fn() -> i32 as core::ops::FnOnce<()>>::call_once",
  "app::run::{closure#0}": "app::run::{closure#0}",
  "app::each<fn() -> F(int)>(int)": "app::each<fn() -> F(int)>",
  "Foo<Bar(int": "Foo<Bar(int",
  "Foo<Bar(int)": "Foo<Bar(int)",
  "f)(int)": "f)(int)",
  "(int)": "(int)",
  "(": "(",
  "": "",
};

for (const [name, short] of Object.entries(SIGNATURES)) {
  test(`the signature ${name} in short`, () => assert.equal(withoutParameters(name), short));
}

/** @type {Record<string, string>} what perf script prints with -v, and without */
const RETURNING = {
  "long app::twice<long>": "app::twice<long>",
  "unsigned long const& app::twice<long>": "app::twice<long>",
  "decltype(auto) app::pick<std::vector<long, std::allocator<long> > >":
    "app::pick<std::vector<long, std::allocator<long> > >",
  "void (*app::choose<long>(long))(int)": "app::choose<long>",
  "void std::for_each<f<void (int)> >::{lambda(int)#1}::operator()":
    "std::for_each<f<void (int)> >::{lambda(int)#1}::operator()",
  "void A::operator()<int>": "A::operator()<int>",
  "A::operator unsigned long": "A::operator unsigned long",
  "A<int>::operator B<int>": "A<int>::operator B<int>",
  "(anonymous namespace)::f<int>": "(anonymous namespace)::f<int>",
  "std::operator<< <char>": "std::operator<< <char>",
  "vtable for A<int>": "vtable for A<int>",
  "guard variable for f<int>::x": "guard variable for f<int>::x",
  "void (*signal(int))(int)": "void (*signal(int))(int)",
  "two words": "two words",
};

for (const [name, plain] of Object.entries(RETURNING)) {
  test(`${name} without its return type`, () => assert.equal(withoutReturnType(name), plain));
}

/** @type {Record<string, string>} */
const RUST = {
  "_$LT$Vec$LT$T$GT$$u20$as$u20$core..ops..Drop$GT$::drop::h0123456789abcdef":
    "<Vec<T> as core::ops::Drop>::drop",
  "app::run::_$u7b$$u7b$closure$u7d$$u7d$::h0123456789abcdef": "app::run::{{closure}}",
  "core::fmt::write::h0123456789abcdef": "core::fmt::write",
  "core::fmt::write::h0123456789abcdef.llvm.77": "core::fmt::write.llvm.77",
  "_$LT$$RF$mut$u20$T$u20$as$u20$app..Step$GT$::step": "<&mut T as app::Step>::step",
  "<T as Trait>::f": "<T as Trait>::f",
  _RNvCs1234_7mycrate3foo: "_RNvCs1234_7mycrate3foo",
  "Outer$Inner::h0000000000000000": "Outer$Inner::h0000000000000000",
  Outer$u20$Inner: "Outer$u20$Inner",
  "main..inittask": "main..inittask",
  "a$u0a$b::h0123456789abcdef": "a$u0a$b",
};

for (const [name, repaired] of Object.entries(RUST)) {
  test(`${name} as Rust has it`, () => assert.equal(repairRust(name), repaired));
}

const PIECES = [
  ...["f", "A::", "ns", " ", "const", "operator", "->", "<", ">", "(", ")", "[", "]", "{", "}"],
  ...["(anonymous namespace)", "decltype", "(int)", "()", "<int>", "(*", "&", "::", ".", "'"],
  ...[" [clone .cold]", "@plt", "{lambda(int)#1}", "operator()", "operator<", ".(*T).", " const"],
];
const names = fc
  .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 12 })
  .map((pieces) => pieces.join(""))
  .filter((name) => name.trim() !== "");

/** @param {string} name */
function isBalanced(name) {
  const open = [];
  for (const letter of name) {
    if ("([{".includes(letter)) open.push(letter);
    else if (")]}".includes(letter) && open.pop() !== "([{"[")]}".indexOf(letter)]) return false;
  }
  return open.length === 0;
}

test("a shortened name is not empty, balanced where the whole one is, and as short as it gets", () => {
  fc.assert(
    fc.property(names, (name) => {
      const short = withoutParameters(name);
      assert.notEqual(short, "");
      assert.equal(withoutParameters(short), short);
      if (isBalanced(name)) assert.ok(isBalanced(short), short);
      assert.notEqual(withoutReturnType(short), "");
    }),
    { numRuns: 5000 },
  );
});

test("functions match whether their capture was shortened or not", () => {
  for (const name of Object.keys(SIGNATURES)) {
    assert.equal(matchKey(withoutParameters(name), USER), matchKey(name, USER));
  }
  for (const name of Object.keys(RUST)) {
    assert.equal(matchKey(repairRust(name), USER), matchKey(name, USER));
  }
  for (const [name, plain] of Object.entries(RETURNING)) {
    assert.equal(matchKey(name, USER), matchKey(plain, USER));
  }
});

test("hostile names take time by their length only", () => {
  for (const piece of [
    ...PIECES,
    "(*(",
    " (",
    "a(b)",
    " const(",
    "operator operator",
    "$LT$",
    "_$",
  ]) {
    const name = `f${piece.repeat(2 ** 20 / piece.length)}`;
    const before = process.cpuUsage(); // of this process: others may keep the machine busy
    withoutParameters(name);
    withoutParameters(`${name}(int) const`);
    withoutReturnType(`void ${name}<int>`);
    repairRust(`${name}$LT$::h0123456789abcdef`);
    assert.ok(process.cpuUsage(before).user < 2_000_000, piece);
  }
});
