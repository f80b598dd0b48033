// The readers of captures, by the names that `@perfpress/profile/read/formats.js` asks for.

import * as bpftrace from "@perfpress/profile/read/bpftrace/reader.js";
import * as callgrind from "@perfpress/profile/read/callgrind/reader.js";
import * as chromeTrace from "@perfpress/profile/read/chrome_trace/reader.js";
import * as cpuprofile from "@perfpress/profile/read/cpuprofile/reader.js";
import * as debuggerStacks from "@perfpress/profile/read/debugger_stacks/reader.js";
import * as dhat from "@perfpress/profile/read/dhat/reader.js";
import * as dtrace from "@perfpress/profile/read/dtrace/reader.js";
import * as firefoxProfiler from "@perfpress/profile/read/firefox_profiler/reader.js";
import * as flamegraphSvg from "@perfpress/profile/read/flamegraph_svg/reader.js";
import * as folded from "@perfpress/profile/read/folded/reader.js";
import * as gprof2dot from "@perfpress/profile/read/gprof2dot/reader.js";
import * as heapprofile from "@perfpress/profile/read/heapprofile/reader.js";
import * as instruments from "@perfpress/profile/read/instruments/reader.js";
import * as jfr from "@perfpress/profile/read/jfr/reader.js";
import * as jfrPrint from "@perfpress/profile/read/jfr_print/reader.js";
import * as macosSample from "@perfpress/profile/read/macos_sample/reader.js";
import * as massif from "@perfpress/profile/read/massif/reader.js";
import * as otlp from "@perfpress/profile/read/otlp/reader.js";
import * as perfJson from "@perfpress/profile/read/perf_json/reader.js";
import * as perfReport from "@perfpress/profile/read/perf_report/reader.js";
import * as perfScript from "@perfpress/profile/read/perf_script/reader.js";
import * as performanceSchema from "@perfpress/profile/read/performance_schema/reader.js";
import * as pprof from "@perfpress/profile/read/pprof/reader.js";
import * as speedscope from "@perfpress/profile/read/speedscope/reader.js";
import * as stackprof from "@perfpress/profile/read/stackprof/reader.js";

/** @type {Record<string, object>} */
export const READERS = {
  "./bpftrace/reader.js": bpftrace,
  "./callgrind/reader.js": callgrind,
  "./chrome_trace/reader.js": chromeTrace,
  "./cpuprofile/reader.js": cpuprofile,
  "./debugger_stacks/reader.js": debuggerStacks,
  "./dhat/reader.js": dhat,
  "./dtrace/reader.js": dtrace,
  "./firefox_profiler/reader.js": firefoxProfiler,
  "./flamegraph_svg/reader.js": flamegraphSvg,
  "./folded/reader.js": folded,
  "./gprof2dot/reader.js": gprof2dot,
  "./heapprofile/reader.js": heapprofile,
  "./instruments/reader.js": instruments,
  "./jfr/reader.js": jfr,
  "./jfr_print/reader.js": jfrPrint,
  "./macos_sample/reader.js": macosSample,
  "./massif/reader.js": massif,
  "./otlp/reader.js": otlp,
  "./perf_json/reader.js": perfJson,
  "./perf_report/reader.js": perfReport,
  "./perf_script/reader.js": perfScript,
  "./performance_schema/reader.js": performanceSchema,
  "./pprof/reader.js": pprof,
  "./speedscope/reader.js": speedscope,
  "./stackprof/reader.js": stackprof,
};
