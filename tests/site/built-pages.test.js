/** Which pages of a built site are visited, and what reading all of them finds. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { chosenPages, deadLinks, readPage } from "./built_pages.js";

const SITE = "http://127.0.0.1:4610/perf/";

/**
 * @param {string} address
 * @param {string} main
 */
const page = (address, main) => readPage(`${SITE}${address}`, `<main id="main">${main}</main>`);
/** @param {number} count */
const steps = (count) =>
  Array.from({ length: count }, (_, at) => page(`r/${at}/`, `<h2 id="section-runs">${at}</h2>`));
/** @param {import("./built_pages.js").BuiltPage[]} pages */
const addresses = (pages) => pages.map(({ url }) => url.slice(SITE.length));

test("one of each kind is visited, the longest", () => {
  const pages = [
    ...steps(5),
    page("long/", '<h2 id="section-runs">a b c d e f g h</h2>'),
    page("graph/", '<h2 id="section-runs">1</h2><flame-graph id="of-17"></flame-graph>'),
    page("another/", '<h2 id="section-runs">1</h2><flame-graph id="18"></flame-graph>'),
    page("text/", "<table><tr><td>rocksdb::NewIterator</td></tr></table>"),
  ];
  assert.deepEqual(addresses(chosenPages(pages, 0, {}, 1)), ["long/", "graph/", "text/"]);
});

test("the widest table and the longest name are visited", () => {
  const pages = [
    page("long/", `<p>${"a b ".repeat(100)}</p>`),
    page("wide/", "<table><tr><td>1</td><td>2</td></tr></table>"),
    page("name/", "<p>rocksdb::ColumnFamilyData::NewIterator</p>"),
    page("plain/", "<p>1</p>"),
  ];
  assert.deepEqual(addresses(chosenPages(pages, 0, {}, 1)), ["long/", "wide/", "name/"]);
});

test("what has changed is visited before what has not", () => {
  const pages = steps(50);
  const known = Object.fromEntries(pages.map(({ url, hash }) => [url, hash]));
  known[pages[7].url] = "another";
  delete known[pages[9].url];
  for (const seed of [1, 2, 3]) {
    const chosen = addresses(chosenPages(pages, 5, known, seed));
    assert.equal(chosen.length, 5);
    assert.ok(chosen.includes("r/7/") && chosen.includes("r/9/"));
  }
});

test("the rest is a sample: the same for one seed, another for others", () => {
  const pages = steps(50);
  const sample = (/** @type {number} */ seed) => addresses(chosenPages(pages, 10, {}, seed));
  assert.deepEqual(sample(1), sample(1));
  assert.notDeepEqual(sample(1), sample(2));
  assert.equal(new Set(Array.from({ length: 40 }, (_, seed) => sample(seed)).flat()).size, 50);
});

test("a style sheet with another name changes no page", () => {
  const html = (/** @type {string} */ name) =>
    `<head><link href="main.${name}.css"></head><main><p>1</p></main><script src="${name}.js">`;
  assert.equal(readPage(SITE, html("a")).hash, readPage(SITE, html("b")).hash);
  assert.notEqual(readPage(SITE, html("a")).hash, page("", "<p>2</p>").hash);
});

test("links to missing pages, files and anchors are found, each address asked for once", async () => {
  const pages = [
    page(
      "a/",
      '<a href="../b/#here">1</a><a href="../b/#gone">2</a><a href="https://x.org/">3</a>',
    ),
    page("b/", '<i id="here"></i><a href="../c/">4</a><img src="x.svg"><img src="y.svg">'),
    page("d/", '<a href="/perf/b/x.svg#g&amp;g.search=1">5</a><a href="#g.frame=2">6</a>'),
  ];
  /** @type {string[]} */
  const asked = [];
  const dead = await deadLinks(pages, async (address) => {
    asked.push(address.slice(SITE.length));
    return address.endsWith("y.svg") || address.endsWith("c/") ? 404 : 200;
  });
  assert.deepEqual(dead, [
    [`${SITE}a/`, `links to ${SITE}b/#gone: no such anchor`],
    [`${SITE}b/`, `links to ${SITE}c/: 404`],
    [`${SITE}b/`, `links to ${SITE}b/y.svg: 404`],
  ]);
  assert.deepEqual(asked, ["c/", "b/x.svg", "b/y.svg"]);
});

const POLICY = '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'">';

for (const harmless of [
  '<a href="https://x.org/">1</a><a href="mailto:a@b.org">2</a><a href="../b/">3</a>',
  '<link rel="canonical" href="https://x.org/"><link rel="stylesheet" href="/perf/x.css">',
  '<script src="/perf/x.js"></script><script type="application/json">{}</script>',
  '<img src="data:image/svg+xml,x"><img src="x.svg" srcset="x.svg 1x">',
]) {
  test(`a page may have ${harmless}`, () => {
    assert.deepEqual(page("a/", POLICY + harmless).dangers, []);
  });
}

for (const [dangerous, found] of [
  ["<img src=x onerror=alert(1)>", "has <img> with onerror"],
  ["<script>alert(1)</script>", "has <script> with its own script"],
  ['<script src="//x.org/x.js"></script>', "has <script> with src=//x.org/x.js"],
  [
    '<script src="data:text/javascript,x"></script>',
    "has <script> with src=data:text/javascript,x",
  ],
  ['<a href="javascript:alert(1)">1</a>', "has <a> with href=javascript:alert(1)"],
  ['<link rel="stylesheet" href="https://x.org/">', "has <link> with href=https://x.org/"],
  ['<iframe src="https://x.org/"></iframe>', "has <iframe> with src=https://x.org/"],
  ['<base href="https://x.org/">', "has <base> with href=https://x.org/"],
  ['<form action="https://x.org/"></form>', "has <form> with action=https://x.org/"],
]) {
  test(`a page may not have ${dangerous}`, () => {
    assert.deepEqual(page("a/", POLICY + dangerous).dangers, [found]);
  });
}

test("a page without a policy is found", () => {
  assert.deepEqual(page("a/", "<p>1</p>").dangers, ["has no content-security-policy"]);
});
