/** Names of threads, without the numbers of processes and threads, which differ from run to run. */

/** The thread of a capture that names none. */
export const SOME_PROCESS = "[process]";

/**
 *     Thread 22329 "MainThread"      Process 12 Thread 0x7f "MainThread"      thread (0x7f): MainThread   py-spy
 *     CPU profile for 'Program: w.py' at 2026-11-22T21-11-13                                            pyinstrument
 *     [DestroyJavaVM tid=24954]                                                                    async-profiler
 *     P17638                                                                                             Austin
 */
const FORMS = [
  /^(?:Process \d+ )?Thread \w+ "(.*)"$/s,
  /^thread \(\w+\)(?:: (.*))?$/s,
  /^process \d+:"(.*)"$/s,
  /^CPU profile for '(?:Program: )?(.*)' at [\d-]+T[\d-]+$/s,
  /^\[(.+) tid=\d+\]$/s,
  /^P\d+$/,
];

/**
 * Return the name of a thread as profiles have it.
 *
 * @param {string} name as a profiler writes it
 */
export function plainThread(name) {
  const found = FORMS.map((form) => form.exec(name)).find(Boolean);
  return (found ? found[1] : name) || SOME_PROCESS;
}
