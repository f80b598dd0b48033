/** Profiles for tests: small ones by hand, any by fast-check, and names that mean harm. */

import fc from "fast-check";
import { KERNEL, LIBRARY, THREAD, USER } from "../../pipeline/profile/model/profile.js";
import { ProfileBuilder } from "../../pipeline/profile/model/profile_builder.js";
import { unitOf } from "../../pipeline/profile/model/units.js";

/**
 * A profile of stacks: `"postgres;ExecScan;memcmp@libc 12"`. A frame's class follows `@`: `libc` is a
 * library, `kernel` the kernel, and after `=` its library: `memcmp@libc=libc.so.6`, `ExecScan@user=postgres`;
 * the first frame is a thread.
 *
 * @param {string[]} stacks
 * @param {{ event?: string, samples?: number }} [options]
 */
export function profileOfStacks(stacks, { event = "cycles", samples = 0 } = {}) {
  const profile = profileOf(
    stacks.map((stack) => {
      const [, path, weight] = /^(.*) (\d+)$/s.exec(stack) ?? ["", "", "0"];
      return { frames: path.split(";"), weight: Number(weight) };
    }),
    event,
  );
  return { ...profile, samples: samples || null };
}

/**
 * @param {{ frames: string[], weight: number | bigint, samples?: number }[]} stacks
 * @param {string} [event]
 */
export function profileOf(stacks, event = "cycles") {
  const builder = new ProfileBuilder();
  const samples = stacks.reduce((sum, each) => sum + (each.samples ?? 0), 0);
  for (const { frames, weight } of stacks) {
    let node = 0;
    frames.forEach((text, depth) => {
      const [, name, dso, library] = /^(.*?)(?:@(libc|kernel|user)(?:=(.+))?)?$/s.exec(text) ?? [
        "",
        text,
      ];
      const ofDso = dso === "libc" ? LIBRARY : dso === "kernel" ? KERNEL : USER;
      node = builder.child(node, builder.frame(name, depth === 0 ? THREAD : ofDso, library));
    });
    builder.add(node, weight, 1);
  }
  return builder.build({
    event,
    unit: unitOf(event),
    samples: samples || null,
    samplesByNode: false,
    captures: [],
  });
}

/** Names that mean harm, or that break what is careless. */
export const HOSTILE_NAMES = [
  "</script><script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "]]><!--",
  "&lt;&amp;&#0;",
  "bell\u0007 null\u0000 escape\u001b[31m",
  "right\u202Eto\u200Fleft",
  "lone \ud800 surrogate and \uffff",
  "🔥".repeat(40),
  "x".repeat(5000),
  `std::${"vector<".repeat(300)}int`,
  "=HYPERLINK(1)",
  "../../etc/passwd",
  " ",
  "operator<<",
  "a > b | c",
];

const name = fc.oneof(
  fc.constantFrom("main", "ExecScan", "memcmp@libc", "hash_search", "schedule@kernel"),
  fc.constantFrom("__memcmp_evex_movbe@libc", "hash_search.part.0"),
  fc.constantFrom("memcpy@libc=libc.so.6", "memcpy@libc=libm.so", "ExecAgg@user=postgres"),
  fc.constantFrom(...HOSTILE_NAMES),
);

/** Stacks with few names, so that calls recur and paths share. */
export const stacks = fc.array(
  fc.record({
    frames: fc.array(name, { minLength: 1, maxLength: 7 }),
    weight: fc.integer({ min: 1, max: 1_000_000 }),
  }),
  { minLength: 1, maxLength: 25 },
);

export const profiles = stacks.map((list) => profileOf(list));
