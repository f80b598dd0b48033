/** What a reader can do with a table. */

import { Buffer } from "node:buffer";
import { expect, test } from "@playwright/test";

/** The first table of the site that has a column of numbers and enough rows to sort. */
test.beforeEach(async ({ page, request, baseURL }) => {
  const sitemap = await (await request.get("sitemap.xml")).text();
  const { origin } = new URL(baseURL ?? "");
  for (const [, url] of sitemap.matchAll(/<loc>(.*?)<\/loc>/g)) {
    await page.goto(origin + new URL(url).pathname);
    if ((await sortable(page).count()) > 0) return;
  }
  throw new Error("no page of this site has a table to sort");
});

test("sorts by a column, either way, and back to the order of the page", async ({ page }) => {
  const table = sortable(page).first();
  const column = await table
    .locator("tbody tr")
    .first()
    .evaluate((row) =>
      [.../** @type {HTMLTableRowElement} */ (row).cells].findIndex((cell) => cell.dataset.sort),
    );
  const head = table.locator("thead th").nth(column);
  const published = await sortValues(table, column);
  const ascending = [...published].filter(Number.isFinite).sort((a, b) => a - b);

  await head.getByRole("button").click();
  await expect(head).toHaveAttribute("aria-sort", "descending");
  expect((await sortValues(table, column)).filter(Number.isFinite)).toEqual(ascending.toReversed());

  await head.getByRole("button").press("Enter");
  await expect(head).toHaveAttribute("aria-sort", "ascending");
  const values = await sortValues(table, column);
  expect(values.filter(Number.isFinite)).toEqual(ascending);
  expect(values.slice(ascending.length).some(Number.isFinite)).toBe(false);

  await head.getByRole("button").press("Enter");
  await expect(head).not.toHaveAttribute("aria-sort");
  expect(await sortValues(table, column)).toEqual(published);
});

test("keeps the first column in sight where it scrolls sideways", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const table = sortable(page).first();
  const scroller = page.locator(".scroller").filter({ has: table }).first();
  const head = table.locator("tbody th").first();
  const before = await head.boundingBox();
  await scroller.evaluate((element) => element.scrollTo({ left: element.scrollWidth }));
  expect((await head.boundingBox())?.x).toBe(before?.x);
});

test("styles no cell again while it scrolls sideways", async ({ page, browser }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const table = sortable(page).first();
  const scroller = page.locator(".scroller").filter({ has: table }).first();
  await table.locator("tbody").evaluate((body) => {
    const rows = [...body.children];
    for (let at = 0; at < 20; at += 1) body.append(...rows.map((row) => row.cloneNode(true)));
  });
  await browser.startTracing(page, { categories: ["devtools.timeline"] });
  await scroller.evaluate(async (element) => {
    const frame = () => new Promise(requestAnimationFrame);
    for (let at = 0; at < 20; at += 1) {
      element.scrollBy({ left: element.matches(".from-newest") ? -2 : 2 });
      await frame();
    }
    await frame();
  });
  const trace = JSON.parse((await browser.stopTracing()).toString());
  const styled = trace.traceEvents
    .filter((/** @type {any} */ { name }) => name === "UpdateLayoutTree")
    .map((/** @type {any} */ { args }) => args.elementCount);
  expect(styled.length).toBeGreaterThan(5);
  // The edge of each row's label fades, and cells are as they were.
  expect(Math.max(...styled)).toBeLessThan(await table.locator("td").count());
});

test("that is tall is laid out near the screen, and keeps its place when it is left", async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto("reports/servers/steps/select/");
  const scroller = page.locator(".scroller").filter({ has: page.locator("#results") });
  await scroller.evaluate((element) => {
    const body = element.querySelector("tbody");
    const rows = [...(body?.rows ?? [])];
    for (let at = 0; at < 20; at += 1) body?.append(...rows.map((row) => row.cloneNode(true)));
    element.classList.add("tall");
    const space = document.createElement("p");
    space.style.height = "6000px";
    element.closest("figure")?.before(space);
    scrollTo(0, 0);
  });
  const cell = scroller.locator("td").first();
  const isLaidOut = () =>
    cell.evaluate((each) => each.checkVisibility({ contentVisibilityAuto: true }));
  await expect.poll(isLaidOut).toBe(false);
  const place = () => scroller.evaluate((element) => [element.scrollLeft, element.scrollTop]);
  await scroller.evaluate((element) => element.scrollIntoView());
  await expect.poll(isLaidOut).toBe(true);
  await scroller.evaluate((element) => element.scrollTo(50, 100));
  await expect.poll(place).toEqual([50, 100]);
  await page.evaluate(() => scrollTo(0, 0));
  await expect.poll(isLaidOut).toBe(false);
  await scroller.evaluate((element) => element.scrollIntoView());
  await expect.poll(isLaidOut).toBe(true);
  expect(await place()).toEqual([50, 100]);
});

test("leads from a row of a view without a table of its own to the view with the same numbers", async ({
  page,
}) => {
  await page.goto("reports/servers/10.0/select/");
  const views = page.locator(".both-views").first();
  const row = views.locator("tbody tr").last();
  const [view, table, id] = await Promise.all([
    views.getAttribute("id"),
    views.locator("table").getAttribute("id"),
    row.getAttribute("id"),
  ]);
  await page.goto("about:blank");
  await page.goto(`reports/servers/10.0/select/#${id?.replace(`${table}`, `${view}`)}`);
  await expect(page).toHaveURL(new RegExp(`#${id}$`.replaceAll(".", "\\.")));
  await expect(row).toBeInViewport();
});

test("copies the link of a row", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const row = sortable(page).first().locator("tbody tr").first();
  const id = await row.getAttribute("id");
  await row.hover();
  await row.locator("th a.anchor").click();
  await expect(page.getByText("Link copied")).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(decodeURIComponent(new URL(copied).hash)).toBe(`#${id}`);
  expect(page.url()).toBe(copied);
});

test("leads to the head of a column that a link names", async ({ page }) => {
  await page.goto("reports/servers/10.0/select/#results.@head.median");
  const head = page.locator("#results th[data-column=median]");
  await expect(head).toBeInViewport();
  expect(await head.evaluate((element) => element.matches(":target"))).toBe(true);
});

test("opens the note of a cell by key, and closes it", async ({ page }) => {
  await page.goto("reports/servers/10.0/select/");
  const value = page.locator("main td > [popovertarget]:not(a + *):visible").first();
  const note = page.locator(`[id="${await value.getAttribute("popovertarget")}"]`);
  await expect(note).toBeHidden();
  await value.press("Enter");
  await expect(note).toBeVisible();
  await expect(note).toBeInViewport({ ratio: 1 });
  await page.keyboard.press("Escape");
  await expect(note).toBeHidden();
});

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "" : " without JavaScript";
  test(`opens a note that several cells have at each of them${how}`, async ({
    browser,
    baseURL,
  }) => {
    const context = await browser.newContext({ baseURL, javaScriptEnabled });
    const page = await context.newPage();
    await page.goto("reports/servers/10.0/select/");
    const [target, several] = await sharedNote(page);
    const note = page.locator(`[id="${target}"]`);
    for (let at = 0; at < several; at += 1) {
      const value = page.locator(`[popovertarget="${target}"]`).nth(at);
      await value.click();
      await expect(note).toBeVisible();
      const [box, below] = [await value.boundingBox(), await note.boundingBox()];
      expect(Math.abs((below?.x ?? 0) + (below?.width ?? 0) / 2 - (box?.x ?? 0))).toBeLessThan(
        (below?.width ?? 0) / 2 + (box?.width ?? 0),
      );
      expect(Math.abs((below?.y ?? 0) - (box?.y ?? 0))).toBeLessThan(100);
      if (javaScriptEnabled) {
        // It is read aloud after its number.
        await expect(value.locator("xpath=following-sibling::*[@popover]")).toBeVisible();
      } else {
        await page.keyboard.press("Escape");
      }
    }
    await page.keyboard.press("Escape");
    await expect(note).toBeHidden();
    await context.close();
  });
}

test.describe("of a report", () => {
  const REPORT = "reports/servers/";
  const STEP = "reports/servers/10.0/select/";
  const RATIOS = "against-base-lab1--c1--2clients";

  test.beforeEach(async ({ context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  });

  test("keeps the order in the link, with whatever else is there", async ({ page }) => {
    await page.goto(`${STEP}#results.10.0&other.search=x`);
    const head = page.locator("#results th[data-column=median]");
    await head.getByRole("button").click();
    expect(hashOf(page)).toBe("#results.10.0&other.search=x&results.sort=-median");
    const order = await labels(page, "results");
    expect(order).toEqual(["10.0", "9.4", "11.0 rc1"]);

    await page.reload();
    await expect(head).toHaveAttribute("aria-sort", "descending");
    expect(await labels(page, "results")).toEqual(order);

    await head.getByRole("button").press("Enter");
    expect(hashOf(page)).toContain("results.sort=median");
    await head.getByRole("button").press("Enter");
    expect(hashOf(page)).toBe("#results.10.0&other.search=x");
  });

  test("relates to the release that the reader chooses, and back", async ({ page }) => {
    await page.goto(REPORT);
    const published = await texts(page, RATIOS);
    expect(published[0]?.[0]).toBe("base");

    const choice = page.locator("figure").filter({ has: page.locator(`[id="${RATIOS}"]`) });
    await choice.getByRole("combobox").selectOption("10.0");
    await expect(choice.getByRole("status")).toContainText("no verdicts");
    await expect(choice.locator("figcaption")).toContainText("relative to 10.0 on");
    expect(hashOf(page)).toBe(`#${RATIOS}.base=10.0`);
    const related = await texts(page, RATIOS);
    // The words of a verdict were on the published ratio.
    await expect(page.locator(`[id="${RATIOS}"] td a[aria-label]`)).toHaveCount(0);
    for (const [at, row] of published.slice(0, 2).entries()) {
      const [first, base, last] = row.map((text) => Number(text) || 1);
      expect(related[at]?.[1]).toBe("base");
      expect(Number(related[at]?.[0])).toBeCloseTo((first ?? 1) / (base ?? 1), 1);
      expect(Number(related[at]?.[2])).toBeCloseTo((last ?? 1) / (base ?? 1), 1);
    }
    const [select, insert, mean] = related.map((row) => Number(row[2]));
    expect(mean).toBeCloseTo(Math.sqrt((select ?? 0) * (insert ?? 0)), 1);

    await page.reload();
    await expect(choice.getByRole("combobox")).toHaveValue("10.0");
    await expect(choice.getByRole("status")).toContainText("no verdicts");
    expect(await texts(page, RATIOS)).toEqual(related);

    await choice.getByRole("combobox").selectOption("9.4");
    expect(await texts(page, RATIOS)).toEqual(published);
    const changed = page.locator(`[id="${RATIOS}"] td:is(.better, .worse) a`).first();
    await expect(changed).toHaveAccessibleName(/^\d\.\d\d, (faster|slower)$/);
    expect(hashOf(page)).toBe("");
  });

  test("says so where the numbers of other releases cannot be fetched", async ({ page }) => {
    await page.route("**/values.json", (route) => route.abort());
    await page.goto(REPORT);
    const choice = page.locator("figure").filter({ has: page.locator(`[id="${RATIOS}"]`) });
    await choice.getByRole("combobox").selectOption("10.0");
    await expect(choice.getByRole("status")).toContainText("could not be fetched");
    await expect(choice.getByRole("combobox")).toHaveValue("9.4");
    expect((await texts(page, RATIOS))[0]?.[0]).toBe("base");
  });

  test("copies a table as Markdown, and as text with a legend and the labels last", async ({
    page,
  }) => {
    await page.goto(REPORT);
    const figure = page.locator("figure").filter({ has: page.locator(`[id="${RATIOS}"]`) });
    const copied = () => page.evaluate(() => navigator.clipboard.readText());

    await figure.getByText("About this table").click();
    await figure.getByRole("button", { name: "Copy as Markdown" }).click();
    await expect(page.getByText("Table copied")).toBeVisible();
    const markdown = (await copied()).split("\n");
    expect(markdown[2]).toBe("| Step | 9.4 | 10.0 | 11.0 rc1 |");
    expect(markdown[3]).toBe("| --- | ---: | ---: | ---: |");
    expect(markdown[4]).toBe("| **Reads** |  |  |  |");
    expect(markdown[5]).toMatch(/^\| select \| base \| 1\.\d\d \| 0\.\d\d \|$/);

    await figure.getByRole("button", { name: "Copy as text" }).press("Enter");
    await expect.poll(copied).toMatch(/^a - 9\.4\nb - 10\.0\nc - 11\.0 rc1\n\nThroughput relative/);
    const text = (await copied()).split("\n");
    expect(text[5]).toBe("a       b       c       step");
    expect(text[8]).toMatch(/^base {4}1\.\d\d {4}0\.\d\d {4}select$/);
  });

  test("copies a table as HTML, which looks like a table anywhere", async ({ page }) => {
    await page.goto(REPORT);
    const figure = page.locator("figure").filter({ has: page.locator(`[id="${RATIOS}"]`) });
    await figure.getByText("About this table").click();
    await figure.getByRole("button", { name: "Copy as HTML" }).click();
    await expect(page.getByText("Table copied")).toBeVisible();
    const html = await page.evaluate(() => navigator.clipboard.readText());
    // The policy of the site's own pages forbids styles in elements.
    await page.goto("about:blank");
    await page.setContent(html);
    await expect(page.locator("caption")).toContainText("Throughput relative");
    await expect(page.locator("thead th")).toHaveText(["Step", "9.4", "10.0", "11.0 rc1"]);
    await expect(page.locator("tbody th[scope=rowgroup]").first()).toHaveText("Reads");
    const row = page.locator("tbody tr", { has: page.getByText("select", { exact: true }) });
    await expect(row.locator("td")).toHaveText(["base", /^1\.\d\d$/, /^0\.\d\d$/]);
    await expect(row.locator("td").first()).toHaveCSS("text-align", "right");
  });

  test("saves a table with all digits", async ({ page }) => {
    await page.goto(STEP);
    const figure = page.locator("figure").filter({ has: page.locator("#results") });
    await figure.getByText("About this table").click();
    const saved = async (/** @type {string} */ name) => {
      const download = page.waitForEvent("download");
      await figure.getByRole("button", { name }).click();
      const file = await download;
      return { name: file.suggestedFilename(), text: await read(file) };
    };
    const median = await page
      .locator("[id='results.10.0.median']")
      .evaluate((cell) => Number(/** @type {HTMLElement} */ (cell).dataset.sort));

    const csv = await saved("CSV");
    expect(csv.name).toBe("results.csv");
    const [heads, , row] = csv.text.split("\n");
    expect(heads).toMatch(/^Release,Against 9\.4,.*,"?Median, transactions\/s"?,/);
    expect(row).toMatch(/^10\.0,/);
    expect(row).toContain(`,${median},`);

    const json = JSON.parse((await saved("JSON")).text);
    const keys = json.columns.map((/** @type {{ key: string }} */ column) => column.key);
    const value = (/** @type {string} */ key) => json.rows[1].values[keys.indexOf(key)];
    expect(json.columns).toContainEqual({
      key: "median",
      label: "Median",
      unit: "transactions/s",
    });
    expect(value("median")).toBe(median);
    // What is sorted by the width of a range, or by how bad it is, is still what it says.
    expect(value("range")).toMatch(/^[\d,.]+–[\d,.]+$/);
    expect(value("base-verdict")).toMatch(/[a-z]{4}/);
  });

  test("is as published without JavaScript", async ({ browser, baseURL }) => {
    const context = await browser.newContext({ javaScriptEnabled: false, baseURL });
    const page = await context.newPage();
    await page.goto(`${REPORT}#${RATIOS}.base=10.0`);
    expect((await texts(page, RATIOS))[0]?.[0]).toBe("base");
    await expect(page.locator("main button:not([popovertarget]), main select")).toHaveCount(0);
    await page.locator(`[id="${RATIOS}.select"] td a[href*="/10.0/"]`).click();
    await expect(page).toHaveURL(/\/10\.0\/select\/#results\.10\.0$/);
    await context.close();
  });

  for (const width of [360, 1440]) {
    test(`shows the cell of a grid that a link names, at ${width} px`, async ({ page }) => {
      await page.setViewportSize({ width, height: 700 });
      for (const address of [REPORT, `${REPORT}@lab1--c1--2clients/`]) {
        await page.goto(`${address}#${RATIOS}.select.10.0`);
        const cell = page.locator(`td[id="${RATIOS}.select.10.0"]`);
        await expect(cell).toBeInViewport();
        await expect(cell.locator("a")).toHaveAttribute("href", /\/10\.0\/select\//);
        expect(await cell.evaluate((each) => each.matches(":target"))).toBe(true);
        await cell.hover();
        await expect(cell.locator(".anchor")).toHaveAttribute("href", `#${RATIOS}.select.10.0`);
      }
    });
  }

  test("leads from its rows to their steps below the first grid of a variant", async ({ page }) => {
    await page.goto(`${REPORT}@lab1--c1--2clients/`);
    const table = page.locator('table[id="throughput-lab1--c1--2clients"]');
    await expect(table.locator("td a[href]")).toHaveCount(0);
    await expect(table.locator("tbody th > a:not(.anchor)").first()).toHaveAttribute(
      "href",
      /\/steps\/[^/]+\/$/,
    );
  });

  test("fits a phone, and scrolls inside itself", async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 640 });
    for (const address of [REPORT, `${REPORT}@lab1--c1--2clients/`, STEP]) {
      await page.goto(address);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width, address).toBe(360);
    }
  });

  test("shows the newest release on a phone before anything is scrolled, script or not", async ({
    browser,
    baseURL,
  }) => {
    for (const javaScriptEnabled of [true, false]) {
      const phone = { viewport: { width: 160, height: 640 }, javaScriptEnabled, baseURL };
      const page = await browser.newPage(phone);
      await page.goto(REPORT);
      const head = page.locator(`[id="${RATIOS}"] thead th`);
      const newest = await head.last().boundingBox();
      expect(Math.round((newest?.x ?? 0) + (newest?.width ?? 999))).toBeLessThanOrEqual(160);
      // Older ones are beneath the steps.
      const steps = await head.first().boundingBox();
      const oldest = await head.nth(1).boundingBox();
      expect(oldest?.x).toBeLessThan((steps?.x ?? 0) + (steps?.width ?? 0));
      await page.close();
    }
  });

  test("of two releases has its scale of colours beside it, within the page", async ({ page }) => {
    await page.setViewportSize({ width: 1366, height: 900 });
    await page.goto(REPORT);
    await page
      .locator(`[id="${RATIOS}"] tr > :nth-child(n + 4)`)
      .evaluateAll((cells) => cells.map((cell) => cell.remove()));
    const scale = await page.locator(".with-picture .tints").boundingBox();
    expect((scale?.x ?? 9999) + (scale?.width ?? 0)).toBeLessThan(1366);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1366);
  });

  test("goes on beside the text where the page has room", async ({ page }) => {
    await page.setViewportSize({ width: 2560, height: 900 });
    await page.goto(STEP);
    const widths = await page
      // That of functions is beside the graph.
      .locator(".scroller:visible:not(.functions *)")
      .evaluateAll((all) => all.map((each) => each.scrollWidth - each.clientWidth));
    expect(Math.max(...widths)).toBe(0);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBe(2560);
  });

  test("has room for all columns of a step at 1440 pixels", async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    for (const address of [STEP, "reports/servers/steps/select/", "reports/servers/11.0-rc.1/"]) {
      await page.goto(address);
      const scroller = page.locator("section.scroller").first();
      expect(await scroller.locator("thead th").count()).toBeGreaterThan(8);
      const [all, shown] = await scroller.evaluate((each) => [each.scrollWidth, each.clientWidth]);
      expect(all, address).toBeLessThanOrEqual(shown + 1);
    }
  });

  test("shows a verdict on a phone before anything is scrolled", async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 640 });
    for (const [address, cell] of [
      [STEP, "results.10.0.base-verdict"],
      ["reports/servers/10.0/", "steps-lab1--c1--2clients.select.base-verdict"],
    ]) {
      await page.goto(address ?? "");
      const verdict = page.locator(`[id="${cell}"] > *`).first();
      const box = await verdict.boundingBox();
      expect(box?.x, address).toBeGreaterThan(0);
      expect((box?.x ?? 0) + (box?.width ?? 999), address).toBeLessThanOrEqual(360);
    }
  });

  test("shows how the runs went, and why a release's page warns", async ({ page }) => {
    await page.goto(STEP);
    const course = page.locator("[id='courses.10.0.course']");
    await expect(course).toHaveText(/^holds within \d+\s%/);
    await page.goto("reports/servers/10.0/");
    await expect(page.locator(".notice-warning")).toHaveCount(0);
  });
});

/** @param {import("@playwright/test").Page} page */
function hashOf(page) {
  return new URL(page.url()).hash;
}

/**
 * @param {import("@playwright/test").Page} page
 * @param {string} id
 */
function labels(page, id) {
  return page
    .locator(`[id="${id}"] tbody tr:not(.group) > th > a`)
    .filter({ hasNotText: "#" })
    .allTextContents();
}

/**
 * The numbers of a table as shown, without marks and what is only heard.
 *
 * @param {import("@playwright/test").Page} page
 * @param {string} id
 */
function texts(page, id) {
  return page.locator(`[id="${id}"] :is(tbody, tfoot) tr:not(.group)`).evaluateAll((rows) =>
    rows.map((row) =>
      [.../** @type {HTMLTableRowElement} */ (row).cells].slice(1).map((cell) => {
        const value =
          cell.querySelector("a, [popovertarget]")?.textContent ?? cell.textContent ?? "";
        return value.trim();
      }),
    ),
  );
}

/**
 * The id of a note that several cells in sight have, and how many.
 *
 * @param {import("@playwright/test").Page} page
 * @returns {Promise<[string, number]>}
 */
async function sharedNote(page) {
  const targets = await page
    .locator("main [popovertarget]:visible")
    .evaluateAll((buttons) => buttons.map((each) => each.getAttribute("popovertarget") ?? ""));
  const target = targets.find((each, at) => targets.indexOf(each) !== at) ?? "";
  return [target, targets.filter((each) => each === target).length];
}

/** @param {import("@playwright/test").Download} download */
async function read(download) {
  const chunks = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** @param {import("@playwright/test").Page} page */
function sortable(page) {
  return page
    .locator("table")
    .filter({ has: page.locator("tbody tr:nth-child(3)") })
    .filter({ has: page.locator("tbody tr:first-child td[data-sort]") })
    .filter({ visible: true });
}

/**
 * @param {import("@playwright/test").Locator} table
 * @param {number} column
 */
function sortValues(table, column) {
  return table
    .locator("tbody tr")
    .evaluateAll(
      (rows, column) =>
        rows.map((row) =>
          Number(/** @type {HTMLTableRowElement} */ (row).cells[column].dataset.sort ?? "NaN"),
        ),
      column,
    );
}

test("a note on a number in a table of the text has room for a finger", async ({ page }) => {
  await page.goto("reports/servers/");
  const value = page.locator("main p .value:has(a + [popovertarget])").first();
  await value.evaluate((element) => {
    const table = document.createElement("table");
    table.insertRow().insertCell().append(element);
    document.querySelector("main")?.append(table);
  });
  const mark = page.locator("main > table a + [popovertarget]");
  expect((await mark.boundingBox())?.width).toBeGreaterThanOrEqual(24);
});
