/**
 * Frames that wait, and a tree without them: what a thread does while it has nothing to do says
 * nothing of where the time goes. Names as name-match keys have them; what ends in `*` may go on.
 */

import { keysOf, NewTree, rebuilt } from "./rebuild.js";

const IDLE = [
  // a CPU with nothing to run
  "swapper*",
  "cpu_startup_entry",
  "do_idle",
  "cpuidle_enter*",
  "default_idle*",
  "arch_cpu_idle",
  "intel_idle*",
  "acpi_idle*",
  "mwait_idle*",
  "native_safe_halt",
  "pv_native_safe_halt",
  // a thread that waits for something to do
  "epoll_wait",
  "epoll_pwait*",
  "do_epoll_wait",
  "poll",
  "__poll",
  "ppoll",
  "do_sys_poll",
  "select",
  "__select",
  "pselect*",
  "kevent",
  "io_getevents*",
  "sigwait*",
  "__sigtimedwait",
  "sigtimedwait",
  "nanosleep",
  "__nanosleep",
  "clock_nanosleep*",
  "__clock_nanosleep*",
  "usleep",
  "pthread_cond_wait",
  "__pthread_cond_wait*",
  "pthread_cond_timedwait",
  "__pthread_cond_timedwait*",
  "__futex_abstimed_wait*",
  "futex_wait*",
  "__futex_wait*",
  // of run times and servers
  "WaitEventSetWait",
  "runtime.futexsleep",
  "runtime.notesleep",
  "runtime.notetsleep*",
  "runtime.usleep",
  "runtime.netpoll",
  "runtime.gopark",
  "Unsafe_Park",
  "Parker::park",
  "ObjectMonitor::wait",
  "idle",
];

const WHOLE = new Set(IDLE.filter((name) => !name.endsWith("*")));
const BEGINNINGS = IDLE.filter((name) => name.endsWith("*")).map((name) => name.slice(0, -1));

/**
 * @param {string} key a name-match key
 * @returns {boolean}
 */
export function isIdle(key) {
  return WHOLE.has(key) || BEGINNINGS.some((start) => key.startsWith(start));
}

/**
 * @typedef {object} Hidden
 * @property {string} label the side of a diff; empty for a profile
 * @property {number} share of all, 0 to 1
 */

/**
 * Take the frames that wait out of a tree, with what they called. Shares are then of the rest.
 *
 * @param {import("./rebuild.js").Columns} data
 * @returns {{ data: import("./rebuild.js").Columns, hidden: Hidden[], names: string[] }} `names` of what was taken out
 */
export function withoutIdle(data) {
  const { parent, name } = data;
  const keys = keysOf(data);
  const idle = keys.map(isIdle);
  const tree = new NewTree(name[0]);
  const target = new Int32Array(parent.length);
  /** @type {Set<string>} */
  const names = new Set();
  for (let node = 1; node < parent.length; node++) {
    const caller = target[parent[node]];
    if (caller >= 0 && idle[name[node]]) names.add(keys[name[node]]);
    target[node] = caller < 0 || idle[name[node]] ? -1 : tree.child(caller, name[node]);
  }
  /** @type {[number, number][]} */
  const frames = [];
  target.forEach((to, at) => {
    if (to >= 0) frames.push([at, to]);
  });
  const left = rebuilt(data, tree, { weight: target, frames });
  if (data.format === "perfpress-diff") {
    const diff = /** @type {import("./diff_graph.js").DrawnDiff} */ (left);
    const before = /** @type {import("./diff_graph.js").DrawnDiff} */ (data);
    const base = lessHidden(
      before.base,
      all(before.base_self, before.base_rest),
      all(diff.base_self, diff.base_rest),
    );
    const after = lessHidden(
      before.after,
      all(before.after_self, before.after_rest),
      all(diff.after_self, diff.after_rest),
    );
    diff.base = base.side;
    diff.after = after.side;
    widenNoise(diff, Math.max(...[base, after].map(({ hidden }) => 1 / (1 - hidden.share))));
    return { data: left, hidden: [base.hidden, after.hidden], names: [...names].sort() };
  }
  const profile = /** @type {import("./profile_graph.js").DrawnProfile} */ (left);
  const before = /** @type {import("./profile_graph.js").DrawnProfile} */ (data);
  const total = all(before.self, before.rest);
  const share = shareOf(total - all(profile.self, profile.rest), total);
  return { data: left, hidden: [{ label: "", share }], names: [...names].sort() };
}

/**
 * Widen the noise of shares as the shares grew, when they became those of the rest.
 *
 * @param {import("./diff_graph.js").DrawnDiff} diff
 * @param {number} times
 */
function widenNoise(diff, times) {
  for (const key of /** @type {const} */ (["noise_share", "self_noise_share"])) {
    const column = diff[key];
    if (column && Number.isFinite(times)) diff[key] = column.map((noise) => noise * times);
  }
}

/**
 * @param {import("../../profile/diff/diff.js").DiffSide} side
 * @param {bigint} before scaled weight of all
 * @param {bigint} left of what is left
 */
function lessHidden(side, before, left) {
  const total = String(BigInt(side.total) - (before - left) * BigInt(side.scale));
  return {
    side: { ...side, total },
    hidden: { label: side.label, share: shareOf(before - left, before) },
  };
}

/**
 * @param {(number | string)[]} self
 * @param {number[]} [rest]
 */
function all(self, rest = []) {
  let sum = 0n;
  for (const weight of self) sum += BigInt(weight);
  for (const weight of rest) sum += BigInt(weight);
  return sum;
}

/**
 * @param {bigint} part
 * @param {bigint} whole
 */
function shareOf(part, whole) {
  return whole > 0n ? Number(part) / Number(whole) : 0;
}
