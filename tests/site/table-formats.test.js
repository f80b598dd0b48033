import assert from "node:assert/strict";
import { test } from "node:test";
import { asCsv, asMarkdown } from "../../assets/js/table-formats.js";

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

test("a name is the same text in Markdown, whatever it looks like", () => {
  const [, , row] = asMarkdown(tableOf("a|b <b>&lt;*x*")).split("\n");
  assert.equal(row, "| a\\|b \\<b\\>\\&lt;\\*x\\* | −5.0 |");
});
