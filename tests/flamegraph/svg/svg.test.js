import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { decompressed } from "../../../pipeline/flamegraph/graph/compressed.js";
import { profileGraph } from "../../../pipeline/flamegraph/graph/profile_graph.js";
import { diffCard, diffSvg, inlineDiffSvg } from "../../../pipeline/flamegraph/svg/diff_svg.js";
import { excerptNames, excerptWeights } from "../../../pipeline/flamegraph/svg/excerpt.js";
import { inCdata } from "../../../pipeline/flamegraph/svg/markup.js";
import {
  inlineProfileSvg,
  profileCard,
  profileSvg,
} from "../../../pipeline/flamegraph/svg/profile_svg.js";
import { standaloneParts } from "../../../pipeline/flamegraph/svg/svg_script.js";
import { diffProfiles } from "../../../pipeline/profile/diff/diff.js";
import { HOSTILE_NAMES, profileOf, profileOfStacks, profiles } from "../../profile/profiles.js";
import { excerptOf } from "../excerpt_of.js";
import { assertGolden } from "../golden.js";
import { assertSeen, assertWellFormed } from "../well_formed.js";

/** So many that nothing here is chance. */
const MANY = { samples: 1e8 };
const BASE = profileOfStacks(
  [
    "postgres;main;ExecScan;memcmp@libc 300",
    "postgres;main;ExecScan;heap_getnext 250",
    "postgres;main;ExecSort;tuplesort_performsort 200",
    "postgres;main;read@kernel 150",
    "checkpointer;main;write@kernel 100",
  ],
  MANY,
);
const AFTER = profileOfStacks(
  [
    "postgres;main;ExecScan;__memcmp_evex_movbe@libc 280",
    "postgres;main;ExecScan;heap_getnext 400",
    "postgres;main;ExecAgg;hash_search 120",
    "postgres;main;read@kernel 150",
    "checkpointer;main;write@kernel 100",
  ],
  MANY,
);
const DIFF = diffProfiles(BASE, AFTER, { baseLabel: "16", afterLabel: "18" });

const SHOWN = [AFTER, DIFF];

/**
 * The script is tested in a browser and changes more often than the picture.
 *
 * @param {string} svg
 */
const withoutScript = (svg) =>
  SHOWN.map(standaloneParts).reduce(
    (text, { script, style }) => text.replace(inCdata(script), "").replace(style, ""),
    svg,
  );

test("a profile is drawn as its golden file shows", () => {
  const { svg } = profileSvg(AFTER, "PostgreSQL 18, select", ["cpu-clock, 1 capture"]);
  assertGolden("profile.svg", withoutScript(svg));
  assertGolden("profile-inline.svg", inlineProfileSvg(AFTER, "PostgreSQL 18", 1500).svg);
});

test("a diff is drawn as its golden file shows", () => {
  assertGolden("diff.svg", withoutScript(diffSvg(DIFF, "PostgreSQL 18 against 16").svg));
  assertGolden("diff-inline.svg", inlineDiffSvg(DIFF, "PostgreSQL 18 against 16", 1500).svg);
});

test("whatever the names, the SVG is well-formed and holds no element that a name made", () => {
  const allowed = new Set("svg title desc style rect text path g script".split(" "));
  fc.assert(
    fc.property(profiles, profiles, (base, after) => {
      const options = { baseLabel: HOSTILE_NAMES[0], afterLabel: HOSTILE_NAMES[1] };
      const diff = diffProfiles(base, after, options);
      for (const svg of [
        profileSvg(after, HOSTILE_NAMES[0], HOSTILE_NAMES).svg,
        diffSvg(diff, HOSTILE_NAMES[1]).svg,
      ]) {
        const { elements } = assertWellFormed(svg);
        assert.equal(elements.filter((name) => name === "script").length, 2);
        for (const name of elements) assert.ok(allowed.has(name), name);
      }
      const page = `<div>${inlineProfileSvg(after, HOSTILE_NAMES[2], 50).svg}${inlineDiffSvg(diff, "d", 50).svg}</div>`;
      const { elements, attributes } = assertWellFormed(page);
      const drawn = new Set("div svg title rect text path details summary".split(" "));
      for (const name of elements) assert.ok(drawn.has(name), name);
      for (const name of attributes) assert.doesNotMatch(name, /^(?:style|on.*|href|src)$/);
    }),
    { numRuns: 25 },
  );
});

test("what is not to be seen, or turns text around, is spelled out wherever it is", () => {
  const base = profileOf(HOSTILE_NAMES.map((name) => ({ frames: ["t", name], weight: 9 })));
  const after = profileOf(HOSTILE_NAMES.map((name) => ({ frames: ["t", "f", name], weight: 9 })));
  for (const name of HOSTILE_NAMES) {
    const diff = diffProfiles(base, after, { baseLabel: name, afterLabel: name });
    for (const svg of [
      profileSvg(after, name, [name]).svg,
      diffSvg(diff, name, [name]).svg,
      inlineProfileSvg(after, name, 50).svg,
      inlineDiffSvg(diff, name, 50).svg,
      profileCard(after, { title: name, about: name, line: name }),
      diffCard(diff, { title: name, about: name }),
    ]) {
      assertSeen(withoutScript(svg));
    }
  }
  assert.match(profileSvg(after, HOSTILE_NAMES[5], []).svg, /right\[U\+202E\]to\[U\+200F\]left</);
});

test("pictures on one page cannot clash: they have no ids, refer to none, and their classes are the graph's", () => {
  for (const { svg } of [inlineProfileSvg(AFTER, "18", 1500), inlineDiffSvg(DIFF, "d", 1500)]) {
    const { attributes } = assertWellFormed(`<div>${svg}</div>`);
    for (const name of attributes) assert.doesNotMatch(name, /^(?:id|for|aria-\w+by|xlink:href)$/);
    assert.doesNotMatch(svg, /url\(/);
    // The style sheet of the page gives colours to these below `.flame-graph` only.
    for (const top of svg.trimEnd().split(/(?<=<\/svg>)\n(?=<svg xmlns)/)) {
      assert.match(top, /^<svg xmlns="[^"]*" class="flame-graph"/);
    }
  }
});

test("a name of a megabyte is cut in the middle in pictures and in their data, not in the profile", () => {
  const name = `begin${"<🔥".repeat(2 ** 18)}end`;
  const profile = profileOf([{ frames: ["t", name, `${name}.cold`], weight: 5 }]);
  assert.ok(profile.names.includes(name));
  const diff = diffProfiles(profile, profile, { baseLabel: "16", afterLabel: "18" });
  assert.ok(diff.names.includes(name));
  for (const { svg } of [
    profileSvg(profile, "t", []),
    inlineProfileSvg(profile, "t", 50),
    diffSvg(diff, "d"),
    inlineDiffSvg(diff, "d", 50),
  ]) {
    assert.ok(withoutScript(svg).length < 40_000, `${svg.length}`);
    assert.match(svg, />begin&lt;…/);
  }
  for (const { svg } of [profileSvg(profile, "t", []), diffSvg(diff, "d")]) {
    assert.match(svg, /<title>begin[^<]*…[^<]*end\n/);
  }
});

test("an excerpt has the colours of the whole, however long the names", () => {
  const profile = profileOf([{ frames: ["t", `${"x".repeat(2000)}.part.0`], weight: 5 }]);
  const whole = profileGraph(profile);
  const named = excerptNames(profile, [0, 1, 2]);
  for (const name of [...named.names, ...named.keys]) assert.ok((name?.length ?? 0) <= 1000);
  const excerpt = profileGraph({
    ...profile,
    ...named,
    ...excerptWeights(whole.lanes[0].tree, [0, 1, 2]),
  });
  for (const node of [0, 1, 2]) {
    assert.equal(excerpt.name(node), whole.name(node));
    assert.equal(excerpt.key(node), whole.key(node));
    assert.equal(excerpt.colour(node, excerpt.lanes[0]), whole.colour(node, whole.lanes[0]));
  }
});

test("the same weights give the same bytes", () => {
  fc.assert(
    fc.property(
      fc.shuffledSubarray(
        ["a;b 1", "a;c;d 2", "a;b;e 3", "f;g 4"].map((line) => line),
        { minLength: 4 },
      ),
      (lines) => {
        const svg = (/** @type {string[]} */ stacks) =>
          profileSvg(profileOfStacks(stacks), "t", []).svg;
        assert.equal(svg(lines), svg(["a;b 1", "a;c;d 2", "a;b;e 3", "f;g 4"]));
      },
    ),
  );
});

test("frames too thin to draw are counted in the subtitle and stay in the totals", () => {
  const { svg, drawn, leftOut } = profileSvg(
    profileOfStacks(["t;wide 1000000", "t;thin;thinner 3", "t;sliver 2"]),
    "t",
    [],
  );
  assert.equal(drawn, 3);
  assert.deepEqual(leftOut, { frames: 3, weight: 5 });
  assert.match(svg, />3 frames are too thin to draw; their weight is in their callers\.</);
  assert.match(svg, /total 1\.0 M cycles, 100 % of all/);
});

test("the page's picture has at most the frames it was allowed, the file has them all", () => {
  const stacks = Array.from({ length: 300 }, (_, index) => `t;f${index} ${1000 + index}`);
  const profile = profileOfStacks(stacks);
  const inline = inlineProfileSvg(profile, "t", 100);
  assert.equal(inline.drawn, 100);
  assert.equal(inline.leftOut.frames, 202);
  assert.equal(profileSvg(profile, "t", []).drawn, 302);
});

test("the page's picture leaves out what a phone does not show, and short labels", () => {
  const profile = profileOfStacks(["t;wide_enough 950", "t;narrow 35", "t;thin 2", "t;rest 13"]);
  const { svg, leftOut } = inlineProfileSvg(profile, "t", 100);
  assert.equal(leftOut.frames, 1);
  assert.deepEqual(
    [...svg.matchAll(/<text y="\d+">([^<]*)</g)].map(([, label]) => label),
    ["all", "t", "wide_enough"],
  );
});

test("every full name is in the file, once a function", () => {
  const name = `ns::${"long_".repeat(40)}name`;
  const { svg } = profileSvg(profileOfStacks([`t;${name};a 1`, `t;b;${name} 999`]), "t", []);
  const data = /<script type="application\/json" class="data">(.*?)<\/script>/s.exec(svg)?.[1];
  assert.equal(
    JSON.parse(data ?? "").names.filter((/** @type {string} */ n) => n === name).length,
    1,
  );
});

test("a file is small: at most 0.55 of the 204 bytes that flamegraph.pl takes for a frame", () => {
  const stacks = Array.from({ length: 4000 }, (_, index) => ({
    frames: [
      "mysqld",
      "handle_connection",
      "dispatch_command",
      `storage::Engine::row_search_${index % 61}`,
      `storage::Index::btr_cur_${index % 509}`,
      `page_cur_${index}`,
    ],
    weight: 1000 + ((index * 7919) % 1000),
  }));
  const { svg, drawn } = profileSvg(profileOf(stacks), "t", []);
  assert.ok(svg.length / drawn < 0.55 * 204, `${svg.length / drawn} bytes a frame`);
});

test("the script is a classic one that needs nothing else, and ends no CDATA section", () => {
  for (const { script, style } of SHOWN.map(standaloneParts)) {
    assert.doesNotThrow(() => new Function(script));
    assert.doesNotMatch(script, /\b(?:import|export|require)\b\s*[({"']/);
    assert.doesNotMatch(style, /@import|url\(/);
  }
  const text = `<svg><![CDATA[${inCdata("a[b[0]]>1")}]]></svg>`;
  assertWellFormed(text);
  assert.equal(text.replace(/^<svg>|<\/svg>$|<!\[CDATA\[|\]\]>/g, ""), "a[b[0]]>1");
});

test("a file has the libraries of what it shows, and their controls only where there are some", () => {
  const stacks = ["t;main@user=db;memcpy@libc=libc.so.6 70", "t;main@user=db;<b>@libc=<i>.so 30"];
  const { svg } = profileSvg(profileOfStacks(stacks), "t", []);
  assertWellFormed(svg);
  const data = decompressed(JSON.parse(/class="data">(.*?)<\/script>/s.exec(svg)?.[1] ?? ""));
  assert.deepEqual(data.libraries, ["db", "<i>.so", "libc.so.6"]);
  assert.match(svg, /library libc\.so\.6<\/title>/);
  assert.match(svg, /library &lt;i&gt;\.so<\/title>/);
  const controls = /Library or kind of code/;
  assert.match(svg, controls);
  const without = profileSvg(profileOfStacks(["t;main;memcpy@libc 1"]), "t", []).svg;
  assert.doesNotMatch(without, controls);
  assert.doesNotMatch(
    /class="data">(.*?)<\/script>/s.exec(without)?.[1] ?? "",
    /"librar(?:y|ies)":/,
  );
});

test("a file has the colours of its own kinds of code, and of all code in one hue", () => {
  const { style } = standaloneParts(profileOfStacks(["t;main;memcpy@libc 1"]));
  const letters = new Set(
    Array.from(style.matchAll(/\.flame-graph \.(\w)\d?\{/g), ([, letter]) => letter),
  );
  assert.deepEqual([...letters].sort(), ["l", "r", "t", "u"]);
});

test("a profile without weight is drawn as an empty graph, with a root for the viewer", () => {
  assertWellFormed(profileSvg(profileOf([]), "empty", []).svg);
  assertWellFormed(inlineProfileSvg(profileOf([]), "empty", 9).svg);
  const { names } = excerptOf(profileSvg(profileOf([]), "empty", []).svg);
  assert.deepEqual(names, ["all"]);
});
