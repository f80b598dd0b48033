/** Damaged captures of other profilers: what each of them wrote, with bytes flipped, cut, repeated and inserted. */

import { formatNamed } from "../../../pipeline/profile/read/formats.js";
import { bytesOf } from "../fixtures.js";
import { fuzzReader } from "../fuzz.js";

/** @type {Record<string, string>} */
const CAPTURES = {
  cpuprofile: "cpuprofile/w2.cpuprofile",
  heapprofile: "heapprofile/w.heapprofile",
  "chrome-trace": "chrome_trace/chrome.trace.json",
  "firefox-profiler": "firefox_profiler/samply.json.gz",
  dhat: "dhat/w.dhat.json",
  gprof2dot: "gprof2dot/memray.json",
  stackprof: "stackprof/w.stackprof.json",
  "perf-json": "perf_json/perf.json",
  jfr: "jfr/async-profiler.jfr.xz",
  "jfr-print": "jfr_print/jfr.print.txt",
  callgrind: "callgrind/w.callgrind",
  massif: "massif/w.massif",
  "macos-sample": "macos_sample/shop.sample.txt",
  instruments: "instruments/cycles.txt",
  dtrace: "dtrace/stacks.txt",
  otlp: "otlp/cpu.otlp.pb",
};

const WORDS = [
  '"children":[',
  '"callFrame":{',
  "null",
  "calls=1 0\n",
  "fn=(1)",
  "n9: 1 0x1: f\n",
  "FLR\0",
];

for (const [name, file] of Object.entries(CAPTURES)) {
  const format = /** @type {import("../../../pipeline/profile/read/stacks/format.js").Format} */ (
    formatNamed(name)
  );
  fuzzReader(name, format, [await bytesOf(file, import.meta.url)], { words: WORDS });
}
