// The readers of captures, by the names that `@perfpress/profile/read/formats.js` asks for.

import * as bpftrace from "@perfpress/profile/read/bpftrace/reader.js";
import * as debuggerStacks from "@perfpress/profile/read/debugger_stacks/reader.js";
import * as flamegraphSvg from "@perfpress/profile/read/flamegraph_svg/reader.js";
import * as folded from "@perfpress/profile/read/folded/reader.js";
import * as perfReport from "@perfpress/profile/read/perf_report/reader.js";
import * as perfScript from "@perfpress/profile/read/perf_script/reader.js";
import * as performanceSchema from "@perfpress/profile/read/performance_schema/reader.js";
import * as pprof from "@perfpress/profile/read/pprof/reader.js";
import * as speedscope from "@perfpress/profile/read/speedscope/reader.js";

/** @type {Record<string, object>} */
export const READERS = {
  "./bpftrace/reader.js": bpftrace,
  "./debugger_stacks/reader.js": debuggerStacks,
  "./flamegraph_svg/reader.js": flamegraphSvg,
  "./folded/reader.js": folded,
  "./perf_report/reader.js": perfReport,
  "./perf_script/reader.js": perfScript,
  "./performance_schema/reader.js": performanceSchema,
  "./pprof/reader.js": pprof,
  "./speedscope/reader.js": speedscope,
};
