import assert from "node:assert/strict";
import { test } from "node:test";
import {
  isFunctionName,
  nameInFile,
  plainName,
} from "../../../../pipeline/profile/model/languages/languages.js";
import { matchKey } from "../../../../pipeline/profile/model/names.js";
import { JIT, USER } from "../../../../pipeline/profile/model/profile.js";

/** @type {Record<string, Record<string, string>>} names as profilers write them, and as profiles have them */
const NAMES = {
  Python: {
    "heavy (w.py:3)": "heavy (w.py)",
    "<module> (<frozen site>:616)": "<module> (<frozen site>)",
    "_load (<frozen importlib._bootstrap>:690)": "_load (<frozen importlib._bootstrap>)",
    "inner.<locals>.<genexpr> (w.py:2)": "inner.<locals>.<genexpr> (w.py)",
    "/usr/lib/python3.11/json/decoder.py:decode:337": "decode (json/decoder.py)",
    "<string>:<module>:1": "<module> (<string>)",
    "py::heavy:/app/w.py": "heavy (app/w.py)",
    "Shop.find /srv/my shop/w.py:3": "Shop.find (srv/my shop/w.py)",
    "_load <frozen importlib._bootstrap>:690": "_load (<frozen importlib._bootstrap>)",
    "0x7f017904524a (libc.so.6)": "[libc.so.6]",
    "0x7f0178b79c09 (?)": "[unknown]",
    "get (/srv/shop/.venv/lib/python3.12/site-packages/django/core/cache.py:81)":
      "get (django/core/cache.py)",
  },
  Ruby: {
    "block in heavy - /srv/shop/w.rb:3": "block in heavy (srv/shop/w.rb)",
    "sleep [c function] - (unknown):0": "sleep [c function]",
    "call - /usr/lib/ruby/gems/3.1.0/gems/rack-2.2.7/lib/rack/head.rb:12":
      "call (rack/rack/head.rb)",
    "<main> - w.rb:8": "<main> (w.rb)",
  },
  JavaScript: {
    "LazyCompile:*next /srv/router/index.js:130:12": "next (srv/router/index.js)",
    "LazyCompile:~next /srv/router/index.js:121:12": "next (srv/router/index.js)",
    "JS:^next file:///srv/router/index.mjs:1:2": "next (srv/router/index.mjs)",
    "LazyCompile:* /srv/app/x.js:1:1": "(anonymous) (srv/app/x.js)",
    "Function:~readFile node:fs:368:18": "readFile (node:fs)",
    "handle (/srv/a/node_modules/express/lib/router.js:12:3)": "handle (express/lib/router.js)",
  },
  Java: {
    "java/lang/String.charAt": "java.lang.String.charAt",
    "Main$$Lambda$1.0x00007fb300000a08.applyAsLong": "Main$$Lambda.applyAsLong",
    "com/acme/Main$$Lambda$14/0x0000000800c03000.run": "com.acme.Main$$Lambda.run",
    "com/acme/Main$$Lambda+0x00007f0a.run": "com.acme.Main$$Lambda.run",
    "com.acme.Main$$Lambda/0x00007f0a.run": "com.acme.Main$$Lambda.run",
    "java/lang/invoke/LambdaForm$MH.0x0000000800c07c00.invoke":
      "java.lang.invoke.LambdaForm$MH.invoke",
    "jdk/internal/reflect/GeneratedMethodAccessor12.invoke":
      "jdk.internal.reflect.GeneratedMethodAccessor.invoke",
    "com.sun.proxy.$Proxy23.run": "com.sun.proxy.$Proxy.run",
    "com.acme.Shop$$EnhancerBySpringCGLIB$$1a2b3c4d.save":
      "com.acme.Shop$$EnhancerBySpringCGLIB.save",
    "Main.main([Ljava/lang/String|)V": "Main.main",
    "Main.heavy(I)J": "Main.heavy",
  },
  Rust: {
    "core[846817f741e54dfd]::fmt::write": "core::fmt::write",
    "<alloc[0123456789abcdef]::vec::Vec<u8> as core[846817f741e54dfd]::ops::Drop>::drop":
      "<alloc::vec::Vec<u8> as core::ops::Drop>::drop",
  },
  "C#": {
    "[Shop] Shop.Orders::Save(int32)[OptimizedTier1]": "Shop.Orders::Save(int32)",
    "[Shop] Shop.Orders::Save(int32)[QuickJitted]": "Shop.Orders::Save(int32)",
  },
  PHP: {
    "{closure:/srv/Shop.php:12-20}": "{closure:/srv/Shop.php}",
    "{closure:Shop::load():12}": "{closure:Shop::load()}",
  },
  "C and C++": {
    "Item_func::val_int(int) const": "Item_func::val_int(int) const",
    "operator delete[]": "operator delete[]",
    "std::function<void (int)>::operator()(int) const":
      "std::function<void (int)>::operator()(int) const",
    "f::'lambda'(int)::operator()": "f::'lambda'(int)::operator()",
    "row_search_mvcc.constprop.0": "row_search_mvcc.constprop.0",
    "(anonymous namespace)::f": "(anonymous namespace)::f",
    "void (*signal(int))(int)": "void (*signal(int))(int)",
    "foo(int) (.cold.1)": "foo(int) (.cold.1)",
    "a<b> (c<d>::*)": "a<b> (c<d>::*)",
  },
  "other languages": {
    "net/http.HandlerFunc.ServeHTTP": "net/http.HandlerFunc.ServeHTTP",
    "main.(*Server).Serve.func1": "main.(*Server).Serve.func1",
    "Lsun/nio/Net;::read": "Lsun/nio/Net;::read",
    "[libc.so.6]": "[libc.so.6]",
  },
};

for (const [language, names] of Object.entries(NAMES)) {
  for (const [name, plain] of Object.entries(names)) {
    test(`${language}: ${name}`, () => {
      assert.equal(plainName(name), plain);
      assert.equal(plainName(plain), plain, "a name of a profile stays as it is");
    });
  }
}

/** @type {Record<string, string[]>} names of one function in several builds, by its key */
const ONE_FUNCTION = {
  "main.(*Server).Serve.func": ["main.(*Server).Serve.func1", "main.(*Server).Serve.func12"],
  "main.run.func": ["main.run.func2.1", "main.run.func1.3"],
  "main.(*T).Do": ["main.(*T).Do-fm", "main.(*T).Do-range1"],
  "slices.SortFunc[...]": ["slices.SortFunc[go.shape.int]", "slices.SortFunc[...]"],
  "app::run::{{closure}}": [
    "app::run::{closure#0}",
    "app::run::{closure#7}",
    "app::run::{{closure}}",
  ],
  "Main.lambda$main": ["Main.lambda$main$0", "Main.lambda$main$12"],
  "Main$.$anonfun$main": ["Main$.$anonfun$main$1", "Main$.$anonfun$main$2"],
  "Shop.Orders+<SaveAsync>d__.MoveNext": [
    "Shop.Orders+<SaveAsync>d__12.MoveNext",
    "Shop.Orders+<SaveAsync>d__3.MoveNext",
  ],
  "Shop.Orders+<>c__DisplayClass.<Load>b__": [
    "Shop.Orders+<>c__DisplayClass5_0.<Load>b__1",
    "Shop.Orders+<>c__DisplayClass6_0.<Load>b__0",
  ],
  "Shop.Orders.<Load>g__Parse|": [
    "Shop.Orders.<Load>g__Parse|3_0",
    "Shop.Orders.<Load>g__Parse|4_0",
  ],
};

for (const [key, names] of Object.entries(ONE_FUNCTION)) {
  test(`${key} is one function, whatever the compiler's numbers`, () => {
    for (const name of names)
      for (const each of [USER, JIT]) assert.equal(matchKey(name, each), key);
  });
}

test("numbers that are a function's own name stay", () => {
  for (const name of ["func1", "my_func.func", "crc32", "Foo$1.run", "log10", "lambda$", "x.func"])
    assert.equal(matchKey(name, JIT), name);
});

test("a file in a field of its own becomes part of the names of languages that need it", () => {
  assert.equal(nameInFile("heavy", "/srv/w/app/w.py"), "heavy (w/app/w.py)");
  assert.equal(nameInFile("read", "file:///srv/app/io.mjs"), "read (srv/app/io.mjs)");
  assert.equal(nameInFile("main.run", "/src/main.go"), "main.run");
  assert.equal(nameInFile("work", "work.c"), "work");
  assert.equal(nameInFile("work", undefined), "work");
});

test("what is a function is no thread", () => {
  for (const name of [
    "<module> (w.py:7)",
    "heavy - w.rb:3",
    "java/lang/Thread.run",
    "Main.main_[j]",
  ])
    assert.ok(isFunctionName(name), name);
  for (const name of [
    "mysqld",
    "V8 Worker",
    "net/http.Get",
    "IO (2)",
    "python3.11",
    "a.py",
    "kworker/0:1",
  ])
    assert.ok(!isFunctionName(name), name);
});

test("hostile names take no time", () => {
  for (const piece of [
    "(a.py",
    " - ",
    "$$Lambda",
    "/a",
    "a/",
    ".0x0",
    "[0",
    "{closure:",
    "<a>d__1",
    ".func1",
    "::",
  ]) {
    const started = performance.now();
    const name = `f ${piece.repeat(2000 / piece.length)}`;
    for (const each of [name, `${name}.py:1)`, `${name}$x`, `${name}]`])
      matchKey(plainName(each), USER);
    assert.ok(performance.now() - started < 500, piece);
  }
});
