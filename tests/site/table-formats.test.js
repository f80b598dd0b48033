import assert from "node:assert/strict";
import { test } from "node:test";
import { asCsv, asHtml, asMarkdown } from "../../assets/js/table-formats.js";

/** @param {string} label */
function tableOf(label) {
  const values = [{ text: "−5.0", number: -5 }];
  const columns = [{ key: "change", label: "Change", unit: "%" }];
  return { caption: "", rowHead: "Step", columns, lines: [{ group: "", label, unit: "", values }] };
}

test("no name is a formula in a spreadsheet, and negative numbers stay numbers", () => {
  for (const begin of ["=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n"]) {
    const [, row] = asCsv(tableOf(`${begin}1+1`)).split(/^Step,.*\n/m);
    assert.match(row, /^"?'/, JSON.stringify(begin));
    assert.match(row, /,-5\n$/);
  }
});

test("no name is a command to what makes sites of Markdown", () => {
  const text = asMarkdown(tableOf("{{ x }}{% x %}{{< x >}}{{% x %}}"));
  assert.doesNotMatch(text, /\{[{%]/);
});

test("a table in HTML has its own styles, and names are no markup or commands in it", () => {
  const grouped = tableOf("<b>{{ x }}&");
  grouped.lines[0].group = "Reads";
  const html = asHtml({ ...grouped, caption: "Changes" });
  assert.match(html, /^<table style="border-collapse: collapse">\n<caption [^>]+>Changes</);
  assert.match(html, /<th scope="rowgroup" colspan="2"[^>]+>Reads</);
  assert.match(
    html,
    /font-weight: normal">&lt;b&gt;&#123;&#123; x }}&amp;<\/th><td style="[^"]*text-align: right">−5.0</,
  );
});

test("a name is the same text in Markdown, whatever it looks like", () => {
  const [, , row] = asMarkdown(tableOf("a|b <b>&lt;*x*")).split("\n");
  assert.equal(row, "| a\\|b \\<b\\>\\&lt;\\*x\\* | −5.0 |");
});
