import assert from "node:assert/strict";
import { test } from "node:test";
import { snippetsOf } from "../../assets/js/share.js";

const PAGE = "https://example.org/perf/select/";
const FIGURE = {
  page: PAGE,
  text: "Flame graph of select: slower, ×1.2",
  image: `${PAGE}flamegraph.png`,
  width: "1200",
  height: "630",
  framed: true,
};
const VIEW = "cpu&cpu.frame=main(int)&cpu.search=hash";

test("every snippet leads to what the reader sees, in its own language", () => {
  assert.deepEqual(snippetsOf(FIGURE, VIEW), [
    ["Link", `${PAGE}#${VIEW}`],
    ["Text", `Flame graph of select: slower, ×1.2 ${PAGE}#${VIEW}`],
    [
      "Markdown",
      `[![Flame graph of select: slower, ×1.2](${PAGE}flamegraph.png)](${PAGE}#cpu&cpu.frame=main%28int%29&cpu.search=hash)`,
    ],
    [
      "HTML",
      `<a href="${PAGE}#cpu&amp;cpu.frame=main(int)&amp;cpu.search=hash"><img src="${PAGE}flamegraph.png" alt="Flame graph of select: slower, ×1.2" width="1200" height="630" style="max-width: 100%; height: auto"></a>`,
    ],
    [
      "Frame",
      `<iframe src="${PAGE}embed/#cpu&amp;cpu.frame=main(int)&amp;cpu.search=hash" title="Flame graph of select: slower, ×1.2" width="100%" height="600" style="border: 0" loading="lazy"></iframe>`,
    ],
  ]);
});

test("a figure without a page of its own has no frame", () => {
  const names = snippetsOf({ ...FIGURE, framed: false }, "cpu").map(([name]) => name);
  assert.deepEqual(names, ["Link", "Text", "Markdown", "HTML"]);
});

test("no end of a link keeps a snippet of Markdown open", () => {
  const { Markdown } = Object.fromEntries(snippetsOf(FIGURE, "cpu&cpu.search=x\\"));
  assert.match(Markdown ?? "", /#cpu&cpu\.search=x%5C\)$/);
});

test("a hostile name is text in every snippet, and no command to a generator of sites", () => {
  const text = `a"><img src=x onerror=alert(1)> ](https://evil.example) {{ x }} {% y %} 'b'`;
  const { Markdown, HTML, Frame } = Object.fromEntries(snippetsOf({ ...FIGURE, text }, "cpu"));
  for (const snippet of [Markdown, HTML, Frame]) {
    assert.doesNotMatch(snippet ?? "", /\{[{%]/);
    assert.doesNotMatch(snippet ?? "", /(?<!\\)<img src=x/);
  }
  assert.match(Markdown ?? "", /\\\]\(https:\/\/evil\.example\)/);
  assert.match(HTML ?? "", /alt="a&quot;&gt;&lt;img src=x/);
});
