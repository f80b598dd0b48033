/** Says what a file is that no reader takes, and what to do with it. */

import { BEGINNING, formatNamed } from "./formats.js";
import { compressedIn } from "./packed.js";

/** What to do with what no tool is known to write. */
const TODO =
  "have its tool write pprof, speedscope's format or folded stacks, or a CSV of its numbers; " +
  "the docs list what is read, under captures and logs";

/** Other files that lab hosts keep beside captures, and what to do with them. */
const OTHERS = [
  {
    start: /^.{0,32}memray/s,
    found: "a recording of memray",
    do: "convert it: memray transform gprof2dot -o memray.json FILE",
  },
  {
    start: /^\0{8}\p{Cc}\0{7}\0{8}.{8}\0{8}/su,
    found: "a CPU profile of gperftools, which has addresses and no names",
    do: "convert it where the program is: pprof -proto PROGRAM FILE > cpu.pb.gz",
  },
  {
    start: /^heap profile: /,
    found: "a heap profile of gperftools, which has addresses and no names",
    do: "convert it where the program is: pprof -proto PROGRAM FILE > heap.pb.gz",
  },
  {
    start: /^v \d+ \d+\s/,
    found: "a recording of heaptrack",
    do: "convert it: heaptrack_print --flamegraph-cost-type peak -F heap.folded FILE",
  },
  {
    start: /^\p{Cc}{2}\{.{0,8}:\p{Cc}version/su,
    found: "a result of StackProf in Ruby's own format",
    do: "write it as JSON, with raw: true: File.write(FILE, JSON.generate(results))",
  },
  {
    start: /^\s*CPU +ID +FUNCTION:NAME/,
    found: "what DTrace prints, without stacks",
    do: "aggregate stacks: dtrace -n 'profile-97 { @[ustack(), execname] = count(); }'",
  },
  {
    start: /^MOJ/,
    found: "Austin's binary format",
    do: "convert it: mojo2austin FILE austin.folded",
  },
  {
    start: /^\s*\{\s*"recording"\s*:/,
    found: "what jfr print --json writes",
    do: "take the recording itself, the .jfr file",
  },
  {
    start: /^\s*(?:#.*\s+)?\{\s*"(?:interval|counter-value)"\s*:/,
    found: "counters of perf stat, which are a log",
    do: "name the file under logs",
  },
  {
    start:
      /^\s*(?:File|Build ID|Type|PeriodType): .*\n(?:(?:Build ID|Type|Time|Period|Duration|Samples): ?.*\n)/,
    found: "what go tool pprof prints",
    do: "take the profile that it was printed from, the .pb.gz file",
  },
  {
    start: /^go 1\.\d+ trace\0/,
    found: "an execution trace of Go, which has events and no samples",
    do: "record a profile: go test -cpuprofile cpu.pb.gz, or net/http/pprof",
  },
  {
    start: /^[{\xfb][)\xa9]\p{Cc}/u,
    found: "statistics of cProfile (pstats), which have callers and no stacks",
    do: "record stacks: py-spy record -f speedscope, or pyinstrument -r speedscope",
  },
  {
    start: /^\s*\d+ function calls (?:\(\d+ primitive calls\) )?in [\d.]+ seconds/m,
    found: "what cProfile prints, which has callers and no stacks",
    do: "record stacks: py-spy record -f speedscope, or pyinstrument -r speedscope",
  },
  {
    start:
      /^\s*(?:\{"start_time": [\d.]+,\s*"duration": |.{0,9999}pyinstrumentHTMLRenderer| +_ {5}\._ {3}__\/__ )/s,
    found: "a session of pyinstrument, or a page or text that it made of one",
    do: "write it with its samples: pyinstrument -r speedscope -o FILE",
  },
  {
    start: /^(?:v8-version,\d|Statistical profiling result from )/,
    found: "what node --prof writes, or prints of it",
    do: "record a profile with stacks: node --cpu-prof",
  },
  {
    start: /^Full thread dump |^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\r?\nFull thread dump /,
    found: "a thread dump of Java, one moment of each thread",
    do: "record with JFR: jcmd PID JFR.start filename=rec.jfr",
  },
  {
    start: /^Total: \d+ samples\r?\n/,
    found: "what pprof of gperftools prints",
    do: "write stacks: pprof --collapsed PROGRAM FILE > cpu.folded",
  },
  {
    start: /^\s*\d+ K total memory\n/,
    found: "totals of vmstat -s, without a time",
    do: "record lines: vmstat -n 1, and name the file under logs",
  },
  {
    start: /^ ?Percent +\| +Source code & Disassembly of /,
    found: "what perf annotate prints, the lines of one function",
    do: "take the stacks: perf script --no-inline > perf.txt",
  },
  {
    start: /^ +[\d.]+ \( *(?:[\d.]+ ms| ) *\): .+\(.*\)? *=/,
    found: "system calls as perf trace prints them",
    do: "record stacks: perf trace has none; perf record -g -e raw_syscalls:sys_enter has",
  },
  {
    start: /^% time +seconds +usecs\/call +calls/,
    found: "counts of system calls by strace, which slows a program down many times",
    do: "record stacks: perf record -g -e raw_syscalls:sys_enter",
  },
  {
    start: /^\s*Version: \d[\d.]*\s+Chunks: \d+\s/,
    found: "what jfr summary prints",
    do: "take the recording itself, the .jfr file",
  },
  {
    start: /^--- symbol\nbinary=/,
    found: "what pprof --raw of gperftools writes",
    do: "write stacks: pprof --collapsed PROGRAM FILE > cpu.folded",
  },
  {
    start:
      /^\s*(?:allocator,num_allocations,|\xf0\x9f\x93\x8f Total allocations:|\{\s*"total_num_allocations":)/,
    found: "what memray stats or transform csv writes, without stacks",
    do: "convert the recording: memray transform gprof2dot -o memray.json FILE",
  },
  {
    start: /<title>memray - /,
    found: "a page of memray",
    do: "convert the recording: memray transform gprof2dot -o memray.json FILE",
  },
  {
    start: /^\s*\{\s*"alloc_samples":/,
    found: "a profile of Scalene, which has lines and no stacks that add up",
    do: "record stacks: py-spy record -f speedscope",
  },
  {
    start: /^Process \d+: .+\nPython v\d.*\n\nThread /,
    found: "what py-spy dump prints, one moment of each thread",
    do: "record stacks: py-spy record -f raw",
  },
  {
    start: /^Clock type: (?:CPU|WALL)\nOrdered by: /m,
    found: "what yappi prints, without stacks",
    do: "record stacks: py-spy record -f speedscope, or pyinstrument -r speedscope",
  },
  {
    start: /^--- Execution profile ---\n/,
    found: "what async-profiler prints with flat or traces",
    do: "write the recording or stacks: asprof -f FILE.jfr, or -o collapsed",
  },
  {
    start:
      /^<!DOCTYPE html>\s*<html lang=.en.>\s*<head>\s*(?:<title>Tree view<|<meta charset='utf-8'>\s*<style>\s*body \{margin: 0; padding: 10px)/,
    found: "a flame graph or a tree of async-profiler, as a page",
    do: "write the recording or stacks: asprof -f FILE.jfr, or -o collapsed",
  },
  {
    start: /^-{80}\n(?:Profile data file '|I1 cache: |Command: +.*\nMassif arguments: )/,
    found: "what callgrind_annotate, cg_annotate or ms_print made of a file of Valgrind",
    do: "take that file: callgrind.out.PID, cachegrind.out.PID, massif.out.PID",
  },
  {
    start: /^reading file ".*" - please wait, this might take some time/,
    found: "what heaptrack_print prints",
    do: "write stacks: heaptrack_print --flamegraph-cost-type peak -F heap.folded FILE",
  },
  {
    start: /^={34}\n {2}Mode: \w+\(\d+\)\n/,
    found: "what stackprof prints",
    do: "write the result as JSON, with raw: true: File.write(FILE, JSON.generate(results))",
  },
  {
    start: /^version: 1\ncreator: stackprof\n/,
    found: "a result of StackProf for callgrind, without the cost of functions in C",
    do: "write it as JSON, with raw: true: File.write(FILE, JSON.generate(results))",
  },
  {
    start: /^(?:Version: \d.*\nFile format: \d\n)?TRACE START \[/,
    found: "a trace of Xdebug, which has calls and no samples",
    do: "profile instead: php -d xdebug.mode=profile",
  },
  {
    start: /^Timer unit: [\d.e-]+ s\n/,
    found: "times of lines by line_profiler",
    do: "record stacks: py-spy record -f speedscope, or pyinstrument -r speedscope",
  },
  {
    start: /^Flat profile:\s+Each sample counts as /,
    found: "what gprof prints, which has callers and no stacks",
    do: "record stacks: perf record -g PROGRAM",
  },
  {
    start: /^==\d+== (?:Cachegrind|Callgrind|Massif|DHAT|Memcheck)/,
    found: "messages of Valgrind",
    do: "take the file that it wrote: callgrind.out.PID, massif.out.PID, dhat.out.PID",
  },
  {
    start: /^\s*digraph .{0,20}\{/,
    found: "a graph for Graphviz",
    do: "take the profile that it was drawn from",
  },
  {
    start: /^PERFILE2/,
    found: "a perf.data file",
    do:
      "fold it, unpacked, on the host that recorded it, which has its symbols: perfpress fold " +
      "perf.data -o perf.folded.gz, or: perf script --no-inline > perf.txt",
  },
  {
    start: /^.{8}Mac OS X {8}/s,
    found: "what macOS keeps of a file beside it (._ before its name)",
    do: "leave it out",
  },
  {
    start: /^\s*<.*ERROR: No valid input/s,
    found: "the drawing of an error: No valid input",
    do: "leave it out: there were no stacks to draw",
  },
  {
    start: /^\s*<.*(?:class="flame-graph"|<style>\.flame-graph\{)/s,
    found: "a flame graph of Perfpress",
    do: "take the profile or the folded stacks that are published beside it",
  },
  {
    start: /^\s*<(?:!doctype html|html)\b/i,
    found: "a page, as some profilers write reports",
    do: "have the profiler write its samples: pprof, speedscope's format or folded stacks",
  },
  {
    start: /^\s*(?:<\?xml|<!DOCTYPE|<svg)/i,
    found: "a drawing without a flame graph of flamegraph.pl or inferno",
    do: "keep the folded stacks that it was drawn from",
  },
  {
    start: /^\s*[{[]/,
    found: "JSON of no benchmark and no profiler that is known",
    do: TODO,
  },
];

/**
 * Describe a file that no reader takes, in words for its author.
 *
 * @param {Buffer} head
 * @returns {{ found: string, do: string, line?: number }}
 */
export function describeOther(head) {
  const text = head.toString("latin1", 0, BEGINNING);
  if (text.trim() === "")
    return { found: "nothing", do: "check that the recorder ran long enough" };
  const other = OTHERS.find(({ start }) => start.test(text)) ?? compressedIn(head);
  if (other) return other;
  const folded = /** @type {typeof import("./folded/reader.js")} */ (formatNamed("folded"));
  if (folded.isDiff(head.toString("utf8").split(/\r?\n/).slice(0, -1))) {
    return {
      found: "folded stacks with two weights a line, as a diff of two captures has them",
      do: "give the captures themselves; or, where names end in numbers, state the format: folded",
    };
  }
  if (text.includes("\0")) return { found: "binary data of no profiler that is known", do: TODO };
  const lines = head.toString("utf8", 0, BEGINNING).split("\n");
  const at = lines.findIndex((line) => line.trim() !== "");
  const begin = JSON.stringify(shown(lines[at]));
  const found = `text of no benchmark and no profiler that is known, ${begin}`;
  return { found, do: TODO, line: at + 1 };
}

/** Characters of a line that a message shows. */
const LONGEST_SHOWN = 40;

/** @param {string} line which may have control characters */
function shown(line) {
  const letters = Array.from(line.trim().replace(/\p{C}/gu, "\ufffd"));
  if (letters.length <= LONGEST_SHOWN) return letters.join("");
  return `${letters.slice(0, LONGEST_SHOWN).join("")}…`;
}
