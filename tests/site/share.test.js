import assert from "node:assert/strict";
import { test } from "node:test";
import { withView } from "../../assets/js/share.js";

const PAGE = "https://example.org/perf/select/";
const VIEW = "cpu&cpu.frame=main(int)&cpu.search=hash";

test("a link, a snippet of HTML and one of Markdown lead to what the reader sees", () => {
  assert.equal(withView(`${PAGE}#cpu`, "cpu", VIEW), `${PAGE}#${VIEW}`);
  assert.equal(
    withView(`<a href="${PAGE}#cpu"><img alt="a"></a>`, "cpu", VIEW, "html"),
    `<a href="${PAGE}#cpu&amp;cpu.frame=main(int)&amp;cpu.search=hash"><img alt="a"></a>`,
  );
  assert.equal(
    withView(`[![a](b.png)](${PAGE}#cpu)`, "cpu", VIEW, "markdown"),
    `[![a](b.png)](${PAGE}#cpu&cpu.frame=main%28int%29&cpu.search=hash)`,
  );
});

test("no end of a link keeps a snippet of Markdown open", () => {
  assert.equal(
    withView(`[![a](b.png)](${PAGE}#cpu)`, "cpu", "cpu&cpu.search=x\\", "markdown"),
    `[![a](b.png)](${PAGE}#cpu&cpu.search=x%5C)`,
  );
});

test("what is no link to the figure stays as it is", () => {
  const html = `<a href="${PAGE}#cpu2"><img alt="issue #cpu3, $&amp;"></a>`;
  assert.equal(withView(html, "cpu", VIEW, "html"), html);
  assert.equal(withView(`${PAGE}#cpu`, "cpu", "cpu"), `${PAGE}#cpu`);
});
