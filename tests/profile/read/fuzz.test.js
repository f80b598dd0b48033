/** What no damage of a file may do, whatever it holds. */

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { CompatFold } from "../../../pipeline/profile/cli/stackcollapse.js";
import { formatColumns } from "../../../pipeline/profile/model/columns.js";
import { BadInput } from "../../../pipeline/profile/model/problems.js";
import { parseProfile } from "../../../pipeline/profile/model/profile_check.js";
import * as folded from "../../../pipeline/profile/read/folded/reader.js";
import * as perfScript from "../../../pipeline/profile/read/perf_script/reader.js";
import { foldCapture, inDirectory } from "../captures.js";
import { checkProfile, fuzz, fuzzReader } from "../fuzz.js";
import { profileOfStacks } from "../profiles.js";

const FOLDED = [
  "# perfpress-folded event=cpu-clock samples=812 lost=3\nmysqld;main;read_[k] 1001001\nmysqld 5\n",
  "a;b;c 1.5\na;b 2.25\n# perfpress-folded event=cycles samples=1 lost=0 partial=true\nt;f 7\n",
];

const PERF = [
  "mysqld 1/2 [003] 1.0: 3 cycles:u:\n\t 7f1e inner+0x8c (/x)\n\t 7f1f outer (/lib/c.so.6)\n\n".repeat(
    3,
  ),
  "# ========\n# cmdline : perf record\nV8 Worker 25 47.109216: cpu-clock: \n\tffffffff81 run ([kernel.kallsyms])\n\t 7f a->b (/tmp/perf-1.map)\n\nperf 23 [000] 12.3: PERF_RECORD_LOST id:1: lost:34\n",
  "IO 2 bg 28081 \n\t            1173 spin\n  w.cc:11 (inlined)\n\t            11bf run(int)\n insn: 48\n".repeat(
    3,
  ),
  "\n\t            1173 spin\n\t            11bf run\n\n".repeat(3),
];

fuzzReader("folded stacks", folded, FOLDED, {
  words: ["# perfpress-folded event=", " samples=", "_[k]", "_[i]", "\ninput;main 7\n"],
});

fuzzReader("perf script", perfScript, PERF, {
  words: ["\n\t 7f main (/x)", " cycles:\n", "[000]", "(inlined)", "PERF_RECORD_LOST", "operator<"],
});

fuzz(
  "perf script with --compat: any damage leaves folded stacks, whatever the chunks",
  PERF,
  (bytes, size) => {
    const [whole, parts] = [bytes.length || 1, size].map((length) => {
      const compat = new CompatFold({ all: true, addrs: true });
      for (let at = 0; at < bytes.length; at += length) {
        compat.push(bytes.subarray(at, at + length));
      }
      const skipped = compat.endFile();
      const text = Buffer.concat([...compat.pieces()]).toString("latin1");
      assert.match(text, /^(?:[^\n]* \d+\n)*$/);
      return [text, skipped];
    });
    assert.deepEqual(parts, whole);
  },
);

/** TEXT through `xz -9`, which Node cannot write. */
const XZ = Buffer.from(
  "/Td6WFoAAATm1rRGAgAhARwAAAAQz1jM4ABDADddADaeSq4h1WuoGyIMKXZMyS/0Hb5SiHc7iWBehQ57qxFbSXCQnIN0VL+L+YPARNaGOE4WznojgAAAAH3mvldPdemdAAFTRDU+ocAftvN9AQAAAAAEWVo=",
  "base64",
);

const PACKED = [...FOLDED, ...PERF].flatMap((text) => [gzipSync(text), zstdCompressSync(text)]);

fuzz("files of any compression: any damage is counted or refused", [XZ, ...PACKED], (bytes) =>
  inDirectory(async (directory) => {
    const path = join(directory, "capture");
    await writeFile(path, bytes);
    try {
      const { profiles } = await foldCapture({ file: "capture", path });
      assert.ok(profiles.length > 0);
      for (const one of profiles) checkProfile(formatColumns(one), BigInt(one.total));
    } catch (error) {
      if (!(error instanceof BadInput)) throw error;
    }
  }),
);

const PROFILE = formatColumns(profileOfStacks(["t;f;g 6", "t;f;memcmp@libc 4", "s;f 2"]));

fuzz(
  "a profile: any damage is refused, or leaves one that adds up",
  [PROFILE],
  (bytes) => {
    try {
      const text = bytes.toString("utf8");
      checkProfile(text, BigInt(parseProfile(text, "p.json").total));
    } catch (error) {
      if (!(error instanceof BadInput)) throw error;
    }
  },
  ["null", "[]", "{}", "-1", "1e9", '"', ",", "true", '"9007199254740993"'],
);
