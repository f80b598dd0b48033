/**
 * Frames of threads that wait for work: they say nothing about where the time goes. Names as
 * name-match keys have them, without underscores before; what ends in `*` may go on.
 */

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
  "ppoll",
  "do_sys_poll",
  "select",
  "pselect*",
  "kevent",
  "io_getevents*",
  "sigwait*",
  "sigtimedwait",
  "nanosleep",
  "clock_nanosleep*",
  "usleep",
  "pthread_cond_wait*",
  "pthread_cond_timedwait*",
  "futex_abstimed_wait*",
  "futex_wait*",
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

const IS_IDLE = new RegExp(
  `^_*(?:${IDLE.join("|").replaceAll(".", "\\.").replaceAll("*", ".*")})$`,
  "s",
);

/**
 * @param {string} key a name-match key
 * @returns {boolean}
 */
export function isIdle(key) {
  return IS_IDLE.test(key);
}
