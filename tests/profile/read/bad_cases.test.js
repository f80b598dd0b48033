/** Small files that once took minutes: the work is bounded by their size. */

import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { BinaryWriter } from "@bufbuild/protobuf/wire";
import { BadInput } from "../../../pipeline/profile/model/problems.js";
import { CaptureHead } from "../../../pipeline/profile/read/detection.js";
import { foldBytes } from "../captures.js";

/**
 * Return the CPU seconds that something takes.
 *
 * @param {() => unknown} run
 */
async function secondsOf(run) {
  const start = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

/**
 * @param {Buffer} bytes
 * @param {number} times
 */
const repeated = (bytes, times) => Buffer.alloc(times * bytes.length, bytes);

test("a packed pprof file of a quarter million types of samples is read at once", async () => {
  const type = new BinaryWriter().tag(1, 2).fork().tag(1, 0).int64(1).tag(2, 0).int64(2).join();
  const types = Buffer.alloc(250_000 * 6, type.finish());
  const strings = new BinaryWriter();
  for (const one of ["", "cpu", "count"]) strings.tag(6, 2).string(one);
  const packed = gzipSync(Buffer.concat([types, strings.finish()]));
  assert.ok(packed.length < 10_000);
  const seconds = await secondsOf(() => assert.rejects(foldBytes(packed), BadInput));
  assert.ok(seconds < 10, `${seconds} s`);
});

for (const what of ["name", "file", "object", "label"]) {
  test(`a pprof file whose samples all refer to one long ${what} is read at once`, async () => {
    const COUNT = 100_000;
    const message = new BinaryWriter();
    for (const one of ["", "cpu", "count", "f", "x".repeat(1_000_000)])
      message.tag(6, 2).string(one);
    const index = (/** @type {string} */ part) => (part === what ? 4 : 3);
    message.tag(1, 2).fork().tag(1, 0).int64(1).tag(2, 0).int64(2).join();
    message.tag(3, 2).fork().tag(1, 0).uint64(1).tag(5, 0).int64(index("object")).join();
    for (let id = 1; id <= COUNT; id++) {
      const called = message.tag(5, 2).fork().tag(1, 0).uint64(id).tag(2, 0).int64(index("name"));
      called.tag(4, 0).int64(index("file")).join();
      const location = message.tag(4, 2).fork().tag(1, 0).uint64(id).tag(2, 0).uint64(1);
      location.tag(4, 2).fork().tag(1, 0).uint64(id).join().join();
      const sample = message.tag(2, 2).fork().tag(1, 0).uint64(id).tag(2, 0).int64(1);
      sample.tag(3, 2).fork().tag(1, 0).int64(3).tag(2, 0).int64(index("label")).join().join();
    }
    const packed = gzipSync(message.finish());
    const seconds = await secondsOf(async () => {
      const { profiles } = await foldBytes(packed);
      assert.equal(profiles[0].total, String(COUNT));
    });
    assert.ok(seconds < 10, `${seconds} s`);
  });
}

test("a megabyte of empty lines is looked at a few times, however small the chunks are", async () => {
  const head = new CaptureHead();
  const chunk = Buffer.alloc(1000, "\n");
  const seconds = await secondsOf(() => {
    for (let count = 0; count < 1000; count++) assert.equal(head.push(chunk), "more");
  });
  assert.ok(seconds < 10, `${seconds} s`);
});

test("empty gzip members are read at once", async () => {
  const seconds = await secondsOf(() =>
    assert.rejects(foldBytes(repeated(gzipSync(""), 10_000)), /nothing/),
  );
  assert.ok(seconds < 10, `${seconds} s`);
});

test("zstd frames are read up to a bound in proportion to the size of the file", async () => {
  const empty = repeated(zstdCompressSync(""), 20_000);
  await assert.rejects(foldBytes(empty), /more than 2180 zstd frames: compress it as one frame/);
  const small = repeated(zstdCompressSync("a;b 1\n"), 20_000);
  const { profiles, problems } = await foldBytes(small);
  const most = 2000 + Math.floor(small.length / 1000);
  assert.match(problems[0].found, new RegExp(`more than ${most} zstd frames`));
  assert.equal(profiles[0].total, String(most), "what is before the bound counts");
  assert.equal(profiles[0].captures[0].partial, true);
});

test("a thousand zstd frames are all read, whatever their size", async () => {
  const { profiles, problems } = await foldBytes(repeated(zstdCompressSync("a;b 1\n"), 1000));
  assert.deepEqual(problems, []);
  assert.equal(profiles[0].total, "1000");
});
