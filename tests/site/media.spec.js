/** Paper, forced colours and more contrast: what a page says with colour it says there, too. */

import { AxeBuilder } from "@axe-core/playwright";
import { expect, test } from "@playwright/test";

const REPORT = "reports/servers/";
const STEP = "reports/servers/11.0-rc.1/select/";
const MATRIX = "reports/servers/steps/select/";
const VARIANT = "reports/servers/@lab1--c1--2clients/";
const DIFF = `${STEP}vs/9.4/`;
const KINDS = [
  ...["", REPORT, "reports/servers/11.0-rc.1/", STEP, DIFF, MATRIX, VARIANT],
  ...["reports/servers/compare/", "hosts/lab1/", "problems/", "search/", "404.html"],
];

/** A4 at 96 dpi, less the margins of print.css. */
const SHEET = { width: 737, height: 1010 };

/**
 * @param {Element[]} elements
 * @returns {string[]} words of letters that are on two lines
 */
function brokenWords(elements) {
  const found = [];
  for (const element of elements) {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = /** @type {Text} */ (texts.currentNode);
      for (const word of text.data.matchAll(/[a-z]+/gi)) {
        const range = document.createRange();
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        const lines = new Set(Array.from(range.getClientRects(), (box) => Math.round(box.top)));
        if (lines.size > 1) found.push(word[0]);
      }
    }
  }
  return found;
}

test.describe("on paper", () => {
  test.use({ viewport: SHEET, colorScheme: "dark" });

  for (const [what, address, answer] of [
    ["report", REPORT, ".grid"],
    ["step", STEP, "#results"],
    ["diff", DIFF, ".facts"],
  ]) {
    test(`the first sheet of a ${what} has its answer`, async ({ page }) => {
      await page.emulateMedia({ media: "print" });
      await page.goto(address);
      await expect(page.locator(".lede, .opening").first()).toContainText(
        /slower|faster|no change|noisy|ratio/,
      );
      const bottom = await page
        .locator(answer)
        .first()
        .evaluate(
          (element) => (element.querySelector("table") ?? element).getBoundingClientRect().bottom,
        );
      expect(bottom).toBeLessThan(SHEET.height);
    });
  }

  test("the picture of thirty releases is on the first sheet, below its sentence", async ({
    page,
  }) => {
    await page.goto(REPORT);
    await page.emulateMedia({ media: "print" });
    const figure = page.locator("figure.grid").first();
    await figure.evaluate((each) => {
      for (const row of each.querySelectorAll("tr:not(.group)")) {
        const last = row.lastElementChild;
        while (last && row.children.length < 31) row.append(last.cloneNode(true));
      }
    });
    await expect(figure).toHaveCSS("page", "auto");
    const [top, right] = await figure
      .locator("table")
      .evaluate((each) => [each.getBoundingClientRect().top, each.getBoundingClientRect().right]);
    expect(top).toBeLessThan(SHEET.height / 2);
    expect(right).toBeLessThanOrEqual(SHEET.width + 1);
  });

  for (const [what, address] of [
    ["step", STEP],
    ["diff", DIFF],
  ]) {
    test(`no word in the head of a table of a ${what} is broken on paper`, async ({ page }) => {
      await page.emulateMedia({ media: "print" });
      await page.goto(address);
      const broken = await page
        .locator("table:not(:has(th:nth-child(10))) thead")
        .evaluateAll(brokenWords);
      expect(broken).toEqual([]);
    });
  }

  test("a ratio is printed in one line, with its mark, and so is an interval", async ({ page }) => {
    await page.goto(STEP);
    await page.emulateMedia({ media: "print" });
    const lines = await page.locator("#results td:not(.words)").evaluateAll((cells) =>
      cells.map((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell.querySelector("[popovertarget]:first-child") ?? cell);
        const shown = [...range.getClientRects()].filter((box) => box.width > 1);
        return (
          shown.length < 2 ||
          Math.max(...shown.map((box) => box.top)) < Math.min(...shown.map((box) => box.bottom))
        );
      }),
    );
    expect(lines.length).toBeGreaterThan(10);
    expect(lines).not.toContain(false);
  });

  test("what changed is printed before the graph, which has a sheet of its own", async ({
    page,
  }) => {
    await page.goto(DIFF);
    await page.emulateMedia({ media: "print" });
    const [changes, graph] = await Promise.all(
      [".beside .suspects", ".beside figure.graph"].map((part) => page.locator(part).boundingBox()),
    );
    expect(changes?.y).toBeLessThan(graph?.y ?? 0);
  });

  for (const address of KINDS) {
    test(`no control is printed at /${address}`, async ({ page }) => {
      // Comparisons come with a script.
      await page.goto(address, { waitUntil: "networkidle" });
      await page.emulateMedia({ media: "print" });
      const controls = await page
        .locator("button, input, select, textarea, nav")
        .evaluateAll((found) =>
          found
            // Values with a note, and heads that sort: on paper they are text.
            .filter(
              (each) =>
                !each.matches("th button, [popovertarget]:not(a + *), .breadcrumbs") &&
                each.checkVisibility(),
            )
            .map((each) => `${each.tagName} ${each.className} ${each.textContent?.slice(0, 30)}`),
        );
      expect(controls).toEqual([]);
    });
  }

  test("the first sheet says where the page is found, and no link says so again", async ({
    page,
  }) => {
    await page.goto(STEP);
    const address = page.locator(".masthead .address");
    await expect(address).toBeHidden();
    await page.emulateMedia({ media: "print" });
    await expect(address).toBeVisible();
    await expect(address).toHaveText(new RegExp(`/${STEP}$`));
    const after = await page
      .locator("main a")
      .evaluateAll((links) => links.map((link) => getComputedStyle(link, "::after").content));
    expect(after.filter((content) => content.includes("http"))).toEqual([]);
  });

  for (const address of [STEP, DIFF]) {
    test(`a live graph is on one sheet with its caption at /${address}`, async ({ page }) => {
      await page.goto(address);
      const figure = page.locator("figure.graph").first();
      await figure.scrollIntoViewIfNeeded();
      await expect(figure.locator("input[type=search]")).toBeVisible();
      await page.emulateMedia({ media: "print" });
      const svg = figure.locator("svg.flame-graph[viewBox]");
      await expect(svg).toHaveCSS("break-inside", "avoid");
      await expect(figure.locator("figcaption").first()).toHaveCSS("break-after", "avoid");
      const [top, bottom, right] = await figure.evaluate((each) => {
        const drawing = each.querySelector("svg.flame-graph[viewBox]")?.getBoundingClientRect();
        const caption = each.querySelector("figcaption")?.getBoundingClientRect();
        return [caption?.top ?? 0, drawing?.bottom ?? 0, drawing?.right ?? 0];
      });
      expect(bottom - top).toBeGreaterThan(100);
      expect(bottom - top).toBeLessThan(SHEET.height);
      expect(right).toBeLessThanOrEqual(SHEET.width + 1);
    });
  }

  test("a graph that shows something else than all says so on paper", async ({ page }) => {
    await page.goto(STEP);
    const graph = page.locator("flame-graph").first();
    await graph.scrollIntoViewIfNeeded();
    const [trail, status, shown, found] = ["trail", "status", "shown", "found"].map((part) =>
      graph.locator(`.flame-graph-${part}`),
    );
    await expect(status).toContainText("all");
    await page.emulateMedia({ media: "print" });
    for (const part of [trail, status, shown, found]) await expect(part).toBeHidden();
    await page.emulateMedia({ media: null });
    const frame = graph.getByRole("treeitem");
    await frame.focus();
    for (const key of ["End", "h", "ArrowDown", "ArrowDown", "Enter"]) {
      await page.keyboard.press(key);
    }
    await graph.getByRole("searchbox").fill("e");
    await expect(shown).toContainText("Percentages are relative to what is left");
    await page.emulateMedia({ media: "print" });
    await expect(trail).toContainText("all › ");
    for (const part of [trail, status, shown, found]) await expect(part).toBeVisible();
    for (const control of ["Back", "callees", "Next"]) {
      await expect(graph.getByRole("button", { name: control, exact: true })).toBeHidden();
    }
    expect(await trail.evaluate((line) => line.scrollWidth)).toBeLessThanOrEqual(SHEET.width);
  });

  test("tints are printed where the printer leaves out backgrounds, on white", async ({ page }) => {
    await page.emulateMedia({ media: "print" });
    await page.goto(REPORT);
    const tinted = page.locator(".grid td[class*='-']").first();
    await expect(tinted).toHaveCSS("print-color-adjust", "exact");
    const [tint, ink] = await tinted.evaluate((cell) => [
      getComputedStyle(cell).backgroundColor,
      getComputedStyle(document.body).color,
    ]);
    expect(tint).not.toBe("rgba(0, 0, 0, 0)");
    expect(ink).toBe("rgb(0, 0, 0)");
  });
});

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  test.describe(`in forced colours, ${colorScheme}`, () => {
    test.use({ colorScheme });

    test.beforeEach(({ page }) => page.emulateMedia({ forcedColors: "active", colorScheme }));

    test("a mark stands beside the number of a tinted cell, in its line", async ({ page }) => {
      await page.goto(REPORT);
      const cells = await page.locator(".grid tbody td:is(.better, .worse)").all();
      expect(cells.length).toBeGreaterThan(0);
      for (const cell of cells) {
        const { mark, height } = await cell.evaluate((each) => ({
          mark: getComputedStyle(each, "::before").content,
          height: each.clientHeight / Number.parseFloat(getComputedStyle(each).lineHeight),
        }));
        expect(mark).toMatch(/^"[▲▼△▽] "/);
        expect(height, "lines").toBeLessThan(1.5);
      }
    });

    test("verdicts have their marks in every list of them", async ({ page }) => {
      for (const address of ["", MATRIX, "reports/servers/11.0-rc.1/"]) {
        await page.goto(address);
        const marks = page.locator("main td .mark");
        expect(await marks.count(), address).toBeGreaterThan(0);
        await expect(marks.first()).toBeVisible();
      }
    });

    test("the legend of colours that are not shown is left out", async ({ page }) => {
      await page.goto(REPORT);
      await expect(page.locator(".tints").first()).toBeHidden();
    });

    test("cells of a grid have bounds", async ({ page }) => {
      await page.goto(REPORT);
      const cell = page.locator(".grid tbody td:not(.words)").nth(1);
      const [line, paper] = await cell.evaluate((each) => {
        const style = getComputedStyle(each);
        return [style.borderInlineStartColor, style.backgroundColor];
      });
      expect(line).not.toBe(paper);
    });

    test("bars of a waterfall and lines of charts are seen", async ({ page }) => {
      await page.goto(DIFF);
      const paper = await page
        .locator("body")
        .evaluate((body) => getComputedStyle(body).backgroundColor);
      const bars = await page
        .locator(".waterfall svg > *")
        .evaluateAll((found) => found.map((each) => getComputedStyle(each).fill));
      expect(bars.length).toBeGreaterThan(0);
      expect(bars).not.toContain(paper);
      await page.goto(STEP);
      const lines = await page
        .locator(".chart-drawing :is(path, line, polyline)")
        .evaluateAll((found) => found.map((each) => getComputedStyle(each).stroke));
      expect(lines.length).toBeGreaterThan(0);
      expect(lines).not.toContain(paper);
    });

    test("frames of a graph have bounds", async ({ page }) => {
      await page.goto(DIFF);
      const frame = page.locator(".flame-graph rect:is(.g4, .s4, .n)").last();
      await expect(frame).not.toHaveCSS("stroke", "none");
    });

    test("the focus is seen on links, fields and buttons", async ({ page }) => {
      await page.goto(DIFF);
      await expect(page.locator("flame-graph button").first()).toBeVisible();
      for (let at = 0; at < 25; at++) {
        await page.keyboard.press("Tab");
        const [what, outline] = await page.evaluate(() => {
          const element = /** @type {Element} */ (document.activeElement);
          const cursor = element.querySelector("rect");
          const style = getComputedStyle(element);
          const shown =
            style.outlineStyle === "none" ? getComputedStyle(cursor ?? element).stroke : "";
          return [element.outerHTML.slice(0, 80), shown];
        });
        expect(outline, what).not.toBe("none");
      }
    });
  });
}

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  test(`text has a contrast of 7 : 1 where more contrast is preferred, ${colorScheme}`, async ({
    page,
  }) => {
    await page.emulateMedia({ contrast: "more", colorScheme });
    for (const address of [REPORT, STEP, "", MATRIX, VARIANT, "hosts/lab1/", "search/"]) {
      await page.goto(address);
      const { violations } = await new AxeBuilder({ page })
        .include("main")
        .exclude(".flame-graph")
        .exclude(".chart-drawing")
        .withRules(["color-contrast-enhanced"])
        .analyze();
      const found = violations.flatMap(({ nodes }) =>
        nodes.map(({ html, any }) => `${html.slice(0, 90)}: ${any[0]?.message.slice(0, 110)}`),
      );
      expect(found).toEqual([]);
    }
  });
}
