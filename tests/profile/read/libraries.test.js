/** The libraries of functions, as the readers of each format find them. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { libraryNames } from "../../../pipeline/profile/model/libraries.js";
import * as bpftrace from "../../../pipeline/profile/read/bpftrace/reader.js";
import * as callgrind from "../../../pipeline/profile/read/callgrind/reader.js";
import * as debugger_ from "../../../pipeline/profile/read/debugger_stacks/reader.js";
import * as dhat from "../../../pipeline/profile/read/dhat/reader.js";
import * as firefox from "../../../pipeline/profile/read/firefox_profiler/reader.js";
import * as macos from "../../../pipeline/profile/read/macos_sample/reader.js";
import * as perfJson from "../../../pipeline/profile/read/perf_json/reader.js";
import * as perfScript from "../../../pipeline/profile/read/perf_script/reader.js";
import * as pprof from "../../../pipeline/profile/read/pprof/reader.js";
import { libraryOf } from "../../../pipeline/profile/read/stacks/objects.js";
import { readAs } from "../captures.js";

/** @param {string} name of a file beside the readers' tests */
function file(name) {
  return readFileSync(new URL(name, import.meta.url));
}

/**
 * @param {import("../../../pipeline/profile/read/stacks/format.js").Format} format
 * @param {string | Uint8Array} text
 * @returns {Record<string, string>} the libraries of functions that have one
 */
function librariesIn(format, text) {
  const [profile] = Object.values(readAs(format, text).profiles);
  const libraries = libraryNames(profile);
  return Object.fromEntries(
    profile.names.map((name, at) => [name, libraries[at]]).filter(([, library]) => library),
  );
}

/** @type {[object: string | null, library: string][]} */
const OBJECTS = [
  ["/usr/lib/x86_64-linux-gnu/libc.so.6", "libc.so.6"],
  ["/usr/sbin/mysqld (deleted)", "mysqld"],
  ["/opt/db (old)/lib.so", "lib.so"],
  ["[kernel.kallsyms]", "[kernel]"],
  ["[kernel.kallsyms]_stext", "[kernel]"],
  ["/usr/lib/debug/boot/vmlinux-6.1.0-13-amd64", "[kernel]"],
  ["/lib/modules/6.1.0/kernel/fs/ext4/ext4.ko.xz", "[ext4]"],
  ["[ext4]", "[ext4]"],
  ["[vdso]", "[vdso]"],
  ["[unknown]", ""],
  ["inlined", ""],
  ["[heap]", ""],
  ["[JIT] tid 4152", ""],
  ["//anon", ""],
  ["/tmp/perf-4152.map", ""],
  ["jitted-4152-7.so", ""],
  ["bpf_prog_6deef7357e7b4530_sd_fw_ingress", ""],
  ["", ""],
  [null, ""],
];

for (const [object, library] of OBJECTS) {
  test(`the library of ${object} is ${library || "not known"}`, () => {
    assert.equal(libraryOf(object), library);
  });
}

const PERF = `postgres 4152/4153 [003] 75695.008865:    1001001 cpu-clock:
\t          8ade2f rec_get_n_fields (inlined)
\t          8ade2f std::sort<int*> (inlined)
\t          8ade2f heap_scan+0x38 (/opt/pg/bin/postgres)
\t    7f4e9c0541a0 start_thread (/usr/lib/libc.so.6)

postgres 4152/4153 [003] 75695.108865:    1001001 cpu-clock:
\t          8ade2f std::sort<int*> (inlined)
\t    7f4e9c0541a0 order (/usr/lib/postgresql/ext.so)
\tffffffff810013aa vfs_read ([kernel.kallsyms])
\t          3d6b4c [unknown] (/tmp/perf-4152.map)

`;

test("perf script states libraries, and inlined functions have that of what they were inlined into", () => {
  assert.deepEqual(librariesIn(perfScript, PERF), {
    start_thread: "libc.so.6",
    heap_scan: "postgres",
    rec_get_n_fields: "postgres",
    vfs_read: "[kernel]",
    order: "ext.so", // and std::sort is in two
  });
});

test("a capture that is read in parts has the same libraries", () => {
  for (const chunkSize of [7, 64, 1000]) {
    const read = readAs(perfScript, PERF, { chunkSize });
    assert.deepEqual(read, readAs(perfScript, PERF));
  }
});

test("folded stacks of a capture are what they were without libraries", () => {
  assert.deepEqual(readAs(perfScript, PERF).stacks["cpu-clock"], [
    "postgres;[perf-4152.map]_[j];vfs_read_[k];order_[l];std::sort<int*>_[i] 1001001",
    "postgres;start_thread_[l];heap_scan;std::sort<int*>_[i];rec_get_n_fields_[i] 1001001",
  ]);
});

test("other formats state libraries where they have them", () => {
  assert.equal(
    librariesIn(
      bpftrace,
      "@[\n\t7f12 __write+16 (/usr/lib/libc.so.6)\n\t40 main+1 (/bin/shop)\n]: 3\n",
    ).__write,
    "libc.so.6",
  );
  assert.equal(librariesIn(callgrind, file("callgrind/w.callgrind")).main, "w");
  assert.equal(
    librariesIn(debugger_, file("debugger_stacks/eu_stack_verbose.txt"))["std::thread::join"],
    "libstdc++.so.6.0.30",
  );
  assert.equal(librariesIn(dhat, file("dhat/w.dhat.json")).malloc, "vgpreload_dhat-amd64-linux.so");
  assert.equal(
    librariesIn(macos, file("macos_sample/shop.sample.txt")).read,
    "libsystem_kernel.dylib",
  );
});

test("the Firefox Profiler's and pprof's files state libraries", () => {
  const samply = librariesIn(firefox, gunzipSync(file("firefox_profiler/samply.json.gz")));
  const { "[node]": program, "[libc.so.6]": library, vfs_write: kernel } = samply;
  assert.deepEqual([program, library, kernel], ["node", "libc.so.6", "[kernel]"]);
  const go = librariesIn(pprof, gunzipSync(file("pprof/cpu.pb.gz")));
  assert.equal(go["runtime.memmove"], "store");
});

test("perf data as JSON states libraries", () => {
  const sample = {
    comm: "t",
    callchain: [
      { ip: "0x40", symbol: "memcpy", dso: "libc.so.6" },
      { ip: "0x41", symbol: "main", dso: "shop" },
    ],
  };
  const json = JSON.stringify({ "linux-perf-json-version": 1, samples: [sample] });
  assert.deepEqual(librariesIn(perfJson, json), { main: "shop", memcpy: "libc.so.6" });
});
