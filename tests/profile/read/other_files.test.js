/** Files of profilers that are not read: what they are, and what to do. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { foldBytes } from "../captures.js";

/** @type {Record<string, [string, RegExp]>} the beginning of a file, and what its author reads */
const FILES = {
  memray: [
    '\x04"M\x18@@\xc0\x9f9\0\0\xfa\x04memray\0\r\0',
    /recording of memray.*memray transform gprof2dot/,
  ],
  "gperftools, CPU": [
    `${"\0".repeat(8)}\x03${"\0".repeat(15)}\x10\x27${"\0".repeat(14)}\x01`,
    /gperftools, which has addresses.*pprof -proto/,
  ],
  "gperftools, heap": [
    "heap profile:     16:    19306 [    31: 34532] @ heapprofile\n",
    /pprof -proto/,
  ],
  heaptrack: ["v 10400 3\nX ./w\nI 1000 5f\ns 5 ./w\n", /recording of heaptrack.*heaptrack_print/],
  "StackProf, dumped": ["\x04\x08{\x0e:\x0cversionf\x081.2:\tmode:\twall", /StackProf.*raw: true/],
  DTrace: [
    "CPU     ID                    FUNCTION:NAME\n  0  64091                 :tick-60s\n\n\n",
    /DTrace prints, without stacks.*ustack\(\)/,
  ],
  "Austin, binary": ["MOJ\x03\x01", /Austin's binary format.*mojo2austin/],
  "jfr print --json": ['{\n  "recording": {\n    "events": []}}', /jfr print --json.*\.jfr/],
  "perf stat": [
    '{"interval" : 1.000, "counter-value" : "1000", "unit" : "msec"}\n',
    /perf stat.*logs/,
  ],
  "go tool pprof -top": [
    "File: t.test\nBuild ID: 4fd6462a07f6ef8c\nType: cpu\nTime: 2026-11-26 16:15:53 UTC\n",
    /go tool pprof prints.*\.pb\.gz/,
  ],
  "go tool pprof -raw": ["PeriodType: cpu nanoseconds\nPeriod: 10000000\n", /go tool pprof prints/],
  "go test -trace": ["go 1.26 trace\0\0\0\x01\x01", /execution trace of Go.*-cpuprofile/],
  "cProfile -o": ["\xfb)\x03\xfa\x04w.py\xe9\x07\0\0\0\xda\x04main", /pstats.*py-spy record/],
  "cProfile -s": [
    "         155 function calls in 0.253 seconds\n\n   Ordered by: internal time\n",
    /cProfile prints.*py-spy record/,
  ],
  "pyinstrument -r json": [
    '{"start_time": 1795709735.506062,"duration": 0.759561,"sample_count": 111,',
    /session of pyinstrument.*-r speedscope/,
  ],
  "cProfile after what the program printed": [
    "100\n         1192002 function calls (1191884 primitive calls) in 1.009 seconds\n",
    /cProfile prints.*py-spy record/,
  ],
  "pyinstrument -r html": [
    `<!DOCTYPE html>\n<html>\n<body><script>var pyinstrumentHTMLRenderer=1;\n${"for(;i<9;i++) 5\n".repeat(20)}`,
    /pyinstrument, or a page.*-r speedscope/,
  ],
  "pyinstrument -r text": [
    "\n  _     ._   __/__   _ _  _  _ _/_   Recorded: 11:52:24  Samples:  394\n",
    /pyinstrument.*-r speedscope/,
  ],
  "py-spy dump": [
    'Process 11856: python3 app.py\nPython v3.11.7 (/usr/bin/python3.11)\n\nThread 11856 (active+gil): "MainThread"\n',
    /py-spy dump prints.*py-spy record/,
  ],
  yappi: ["100\n\nClock type: CPU\nOrdered by: totaltime, desc\n", /yappi prints.*py-spy record/],
  "asprof -o traces": [
    "--- Execution profile ---\nTotal samples       : 60\n\n--- 20044860 ns (3.33%), 2 samples\n",
    /async-profiler prints.*-o collapsed/,
  ],
  "asprof -f FILE.html": [
    "<!DOCTYPE html>\n<html lang='en'>\n<head>\n<meta charset='utf-8'>\n<style>\n\tbody {margin: 0; padding: 10px 10px 22px 10px}\n",
    /async-profiler, as a page.*-o collapsed/,
  ],
  "asprof -o tree": [
    '<!DOCTYPE html>\n<html lang="en">\n  <head>\n    <title>Tree view</title>\n',
    /async-profiler, as a page.*-o collapsed/,
  ],
  callgrind_annotate: [
    `${"-".repeat(80)}\nProfile data file 'cg.out' (creator: callgrind-3.19.0)\n`,
    /callgrind_annotate.*callgrind\.out/,
  ],
  ms_print: [
    `${"-".repeat(80)}\nCommand:            ./w 3\nMassif arguments:   --massif-out-file=ms.out\n`,
    /ms_print.*massif\.out/,
  ],
  heaptrack_print: [
    'reading file "ht.zst" - please wait, this might take some time...\n',
    /heaptrack_print.*-F heap\.folded/,
  ],
  "stackprof --text": [
    `${"=".repeat(34)}\n  Mode: cpu(1000)\n  Samples: 262 (0.00% miss rate)\n`,
    /stackprof prints.*raw: true/,
  ],
  "stackprof --callgrind, where functions in C have no cost": [
    "version: 1\ncreator: stackprof\npid: 0\nevents: Instructions\nsummary: 262\nfl=<cfunc>\nfn=String#split\n\nfn=Object#count\n4 47\n",
    /StackProf for callgrind.*raw: true/,
  ],
  "xdebug.mode=trace": [
    "TRACE START [2026-11-27 12:15:21.066330]\n    0.0002     390864   -> {main}() -:0\n",
    /trace of Xdebug.*xdebug\.mode=profile/,
  ],
  "a page with a drawing in it": [
    `<!DOCTYPE html>\n<html><body>\n${"main;work 5\n".repeat(20)}`,
    /a page, as some profilers.*folded stacks/,
  ],
  "node --prof": ["v8-version,11,3,244,8,-node.38,0\n", /node --prof writes.*--cpu-prof/],
  "node --prof-process": [
    "Statistical profiling result from isolate0x1-v8.log, (172 ticks, 0 unaccounted).\n",
    /--cpu-prof/,
  ],
  jstack: ["2026-11-26 16:33:41\nFull thread dump OpenJDK 64-Bit Server VM\n", /thread dump.*JFR/],
  "pprof --text": [
    "Total: 22 samples\n      18  81.8%  81.8%       18  81.8% heavy\n",
    /gperftools prints.*--collapsed/,
  ],
  "vmstat -s": ["     24113580 K total memory\n      1022324 K used memory\n", /vmstat -n 1/],
  "perf annotate": [
    " Percent |      Source code & Disassembly of libc.so.6 for cycles (5 samples)\n",
    /perf annotate.*perf script/,
  ],
  "perf trace": [
    "     0.000 ( 0.005 ms): ls/1234 brk()                                   = 0x55d6c0a3f000\n",
    /perf trace.*perf record -g/,
  ],
  "strace -c": [
    "% time     seconds  usecs/call     calls    errors syscall\n",
    /strace.*perf record -g/,
  ],
  "jfr summary": ["\n Version: 2.1\n Chunks: 1\n Start: 2026-01-01 12:00:00\n", /\.jfr file/],
  "pprof --raw": ["--- symbol\nbinary=./a.out\n0x1149 main\n---\n", /--raw.*--collapsed/],
  "memray stats": ["\xf0\x9f\x93\x8f Total allocations:\n\t1234\n", /memray stats.*gprof2dot/],
  "memray stats --json": ['{\n  "total_num_allocations": 2264425,\n', /memray stats.*gprof2dot/],
  "memray flamegraph": [
    "<!DOCTYPE html>\n<html>\n<head>\n  <title>memray - flamegraph report</title>\n",
    /page of memray.*gprof2dot/,
  ],
  "memray transform csv": ["allocator,num_allocations,size\n", /memray.*gprof2dot/],
  scalene: ['{"alloc_samples": 0, "args": ["x.py"]}', /Scalene.*py-spy record/],
  line_profiler: ["Timer unit: 1e-06 s\n\nTotal time: 0.5 s\n", /line_profiler.*py-spy/],
  gprof: ["Flat profile:\n\nEach sample counts as 0.01 seconds.\n", /gprof prints.*perf record -g/],
  "valgrind's messages": ["==12== Cachegrind, a cache profiler\n", /Valgrind.*callgrind\.out/],
  gprof2dot: ["digraph {\n\tgraph [fontname=Arial];\n", /Graphviz.*drawn from/],
  "py-spy record -f chrometrace": [
    '[{"args":{"filename":"w.py","line":10},"cat":"py-spy","name":"main","ph":"B","pid":1,"tid":1,"ts":62895}]',
    /Chrome trace without samples.*py-spy record -f speedscope/,
  ],
  "any JSON": [
    '{"results": [1, 2]}',
    /JSON of no benchmark and no profiler that is known.*speedscope's format/,
  ],
};

for (const [name, [text, message]] of Object.entries(FILES)) {
  test(`${name}: what it is and what to do`, async () => {
    await assert.rejects(foldBytes(Buffer.from(text, "latin1")), (/** @type {Error} */ error) => {
      assert.match(error.message, message);
      assert.doesNotMatch(error.message, /perfpress-profile|undefined/);
      return true;
    });
  });
}
