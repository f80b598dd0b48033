/** What a reader takes along: links to what they see, pictures and frames for other sites. */

import { createServer } from "node:http";
import { expect, test } from "@playwright/test";
import { barriers } from "./visit.js";

const CELL = "reports/servers/11.0-rc.1/select/";
const GRAPH = "flamegraph-11.0-rc.1-select";
const DIFF = `${CELL}vs/9.4/`;

/** @param {import("@playwright/test").Page} page */
const clipboard = (page) => page.evaluate(() => navigator.clipboard.readText());

test.describe("a graph", () => {
  test.use({ permissions: ["clipboard-read", "clipboard-write"] });

  test("is shared as the reader sees it: link, Markdown, HTML and frame", async ({
    page,
    baseURL,
    context,
  }) => {
    await page.goto(CELL);
    const graph = page.locator(`flame-graph[id="${GRAPH}"]`);
    // It comes to life when it comes into sight.
    await graph.scrollIntoViewIfNeeded();
    await graph.locator("input[type=search]").fill("hash");
    await expect(page).toHaveURL(/search=hash/);
    const share = page.locator(`details.share[data-figure="${GRAPH}"]`);
    await share.locator("summary").click();
    const view = `#${GRAPH}&${GRAPH}.search=hash`;
    const copy = async (/** @type {string} */ name) => {
      await share.getByRole("button", { name: `Copy: ${name}` }).click();
      await expect(page.locator(".copied")).toHaveText(`${name} copied`);
      return clipboard(page);
    };
    const address = `${baseURL}${CELL}`;
    expect(await copy("Link")).toBe(`${address}${view}`);
    expect(await copy("Markdown")).toMatch(/^\[!\[Flame graph of select on .*\]\(http.*\.png\)\]/);
    expect(await copy("HTML")).toContain(`<a href="${address}${view.replaceAll("&", "&amp;")}">`);
    expect(await copy("Frame")).toContain(`<iframe src="${address}embed/#`);

    const other = await context.newPage();
    await other.goto(await copy("Link"));
    await expect(other.locator(`flame-graph[id="${GRAPH}"] input[type=search]`)).toHaveValue(
      "hash",
    );
    await expect(other.locator(`flame-graph[id="${GRAPH}"]`)).toBeInViewport();
  });

  test("of a diff is shared by the basis that the reader chose", async ({ page }) => {
    await page.goto(DIFF);
    const share = page.locator("details.share").first();
    const id = await share.getAttribute("data-figure");
    await page.getByRole("combobox", { name: "Compare" }).selectOption({ index: 1 });
    await expect(page).toHaveURL(/\.basis=/);
    await share.locator("summary").click();
    await share.getByRole("button", { name: "Copy: Link" }).click();
    expect(await clipboard(page)).toContain(`#${id}&${id}.basis=`);
  });

  test("a table is linked to as it is sorted", async ({ page, baseURL }) => {
    await page.goto(CELL);
    const figure = page.locator("figure.table", { has: page.locator('table[id="results"]') });
    await figure.locator("th[data-column=median] button").click();
    await figure.locator(".about-table > summary").click();
    await figure.getByRole("button", { name: "Copy link" }).click();
    expect(await clipboard(page)).toMatch(
      new RegExp(`^${baseURL}${CELL}#results&results\\.sort=-?median$`),
    );
  });
});

for (const address of [
  ...["", "reports/servers/", "reports/servers/11.0-rc.1/", CELL, DIFF],
  ...["reports/servers/steps/select/", "hosts/lab1/", "reports/servers/@lab1--c1--2clients/"],
]) {
  test(`every table and chart at /${address} is copied as Markdown, HTML and text`, async ({
    page,
  }) => {
    await page.goto(address);
    await expect(page.locator(".table-tools").first()).toBeAttached();
    await page.locator("details.share").evaluateAll((all) => {
      for (const share of all) share.setAttribute("open", "");
    });
    const without = () =>
      page.evaluate(() => {
        const tools = (/** @type {Element} */ place) =>
          ["Markdown", "HTML", "text"].every((kind) =>
            [...place.querySelectorAll(".table-tools button")].some(
              (button) => button.textContent === `Copy as ${kind}`,
            ),
          );
        const snippets = (/** @type {Element} */ figure) =>
          ["Markdown", "HTML", "Text"].every((kind) =>
            figure.querySelector(`.share button[aria-label="Copy: ${kind}"]`),
          );
        const tables = [...document.querySelectorAll("main table")].filter((table) => {
          const figure = table.closest("figure.table");
          const after = table.closest(".scroller")?.nextElementSibling;
          return !(figure ? tools(figure) : after && tools(after));
        });
        const waterfalls = [...document.querySelectorAll("figure.waterfall")].filter(
          (figure) => !tools(figure),
        );
        const drawn = [...document.querySelectorAll("figure:is(.chart, .graph)")].filter(
          (figure) => !snippets(figure),
        );
        return [...tables, ...waterfalls, ...drawn].map((each) => each.outerHTML.slice(0, 120));
      });
    await expect.poll(without).toEqual([]);
  });
}

/**
 * @param {import("@playwright/test").Page} page
 * @param {string} figure a selector
 * @param {string} name of the snippet
 */
async function snippet(page, figure, name) {
  const share = page.locator(figure).locator("details.share");
  await share.locator("summary").click();
  const row = share.locator("dt", { hasText: new RegExp(`^${name}$`) }).locator("+ dd pre");
  return (await row.textContent()) ?? "";
}

test("a blog that strips scripts shows the picture, and its link leads here", async ({
  page,
  browser,
}) => {
  await page.goto(CELL);
  const html = await snippet(page, `figure.graph:has([id="${GRAPH}"])`, "HTML");
  expect(html).toMatch(/alt="Flame graph of select on [^"]+" width="1200" height="630"/);
  const blog = await browser.newPage({ javaScriptEnabled: false });
  await blog.setContent(`<article>${html}</article>`);
  const picture = blog.locator("img");
  await expect
    .poll(() => picture.evaluate((image) => /** @type {HTMLImageElement} */ (image).naturalWidth))
    .toBe(1200);
  await blog.locator("a").click();
  await expect(blog).toHaveURL(new RegExp(`${CELL}#${GRAPH}$`));
  await blog.close();
});

test("a chart is shared as pixels, for sites that refuse an SVG, and offers the SVG", async ({
  page,
  request,
}) => {
  await page.goto(CELL);
  const chart = "figure:has(.chart-relative)";
  const html = await snippet(page, chart, "HTML");
  await expect(page.locator(`${chart} .share dd a`)).toHaveText([
    "comparison.png",
    "comparison.svg",
  ]);
  const [, image = "", width, height] =
    /src="([^"]+)" .*width="(\d+)" height="(\d+)"/.exec(html) ?? [];
  const picture = await (await request.get(image)).body();
  expect([picture.readUInt32BE(16), picture.readUInt32BE(20)].map(String)).toEqual([width, height]);
  expect(width).toBe("800");
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("link, words and picture of a figure are on the page", async ({
    page,
    baseURL,
    request,
  }) => {
    await page.goto(CELL);
    const share = page.locator(`details.share[data-figure="${GRAPH}"]`);
    await share.locator("summary").click();
    await expect(share.locator("dt")).toHaveText(["Link", "Text", "Picture"]);
    const [link, text] = await share.locator("pre").allTextContents();
    expect(link).toBe(`${baseURL}${CELL}#${GRAPH}`);
    expect(text).toMatch(/^Flame graph of select on /);
    const image = (await share.locator("dd a").getAttribute("href")) ?? "";
    const picture = await request.get(new URL(image, page.url()).href);
    expect(picture.headers()["content-type"]).toBe("image/png");
  });

  test("the figure that a frame names is shown alone, with its verdict and the way here", async ({
    page,
    baseURL,
  }) => {
    await page.goto(`${CELL}embed/#${GRAPH}`);
    const picture = page.locator("flame-graph image");
    await expect(picture).toBeVisible();
    expect((await page.request.get((await picture.getAttribute("href")) ?? "")).ok()).toBe(true);
    await expect(page.locator("figure:visible")).toHaveCount(1);
    await expect(page.locator("figcaption:visible")).toContainText("select on");
    const source = page.locator("main > p a");
    await expect(source).toHaveAttribute("href", `${baseURL}${CELL}`);
    await expect(source).toHaveAttribute("target", "_blank");
    const chart = await page.locator("figure.chart").first().getAttribute("id");
    await page.goto(`${CELL}embed/#${chart}`);
    await expect(page.locator("figure:visible")).toHaveCount(1);
    await expect(page.locator(".chart image:visible")).toHaveAttribute("href", /\.png$/);
  });
});

test("a frame of a chart shows the drawing of its page", async ({ page }) => {
  await page.goto(CELL);
  const chart = page.locator("figure.chart:has(.chart-relative)");
  const id = await chart.getAttribute("id");
  const drawing = await chart.locator("svg").evaluate((svg) => svg.outerHTML);
  await page.goto(`${CELL}embed/#${id}`);
  const shown = page.locator("figure:visible");
  await expect(shown.locator("svg.chart-relative")).toBeVisible();
  expect(await shown.locator("svg").evaluate((svg) => svg.outerHTML)).toBe(drawing);
});

test("a frame shows the picture of a chart whose page cannot be fetched", async ({ page }) => {
  await page.goto(CELL);
  const id = await page.locator("figure.chart").first().getAttribute("id");
  await page.route(CELL, (route) => route.abort());
  await page.goto(`${CELL}embed/#${id}`);
  await expect(page.locator(".chart image:visible")).toHaveAttribute("href", /\.png$/);
  expect(
    await page
      .locator(".chart image:visible")
      .evaluate((image) => image.getBoundingClientRect().width),
  ).toBeGreaterThan(100);
});

test("a frame on a site of another origin shows the graph as the link says, at 320 pixels", async ({
  page,
  baseURL,
}) => {
  const view = `${GRAPH}&${GRAPH}.search=hash`;
  const foreign = createServer((_, response) => {
    response.setHeader("content-type", "text/html");
    response.end(
      `<!DOCTYPE html><title>blog</title><iframe width="320" height="600" src="${baseURL}${CELL}embed/#${view}"></iframe>`,
    );
  }).listen(0);
  try {
    const { port } = /** @type {import("node:net").AddressInfo} */ (foreign.address());
    /** @type {string[]} */
    const complaints = [];
    page.on("console", (message) => complaints.push(message.text()));
    await page.goto(`http://localhost:${port}/`);
    const frame = page.frameLocator("iframe");
    await expect(frame.locator("flame-graph input[type=search]")).toHaveValue("hash");
    await expect(frame.locator(".flame-graph-found")).toContainText("%");
    await expect(frame.locator("figure:visible")).toHaveCount(1);
    const overflow = await frame
      .locator("html")
      .evaluate((html) => html.scrollWidth - html.clientWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    expect(complaints.filter((text) => !text.includes("favicon"))).toEqual([]);
  } finally {
    foreign.close();
  }
});

test("of several figures in a frame, the one is shown whose state the link holds", async ({
  page,
}) => {
  await page.goto(`${CELL}embed/`);
  await expect(page.locator("figure:visible")).toHaveCount(1);
  const ids = await page.locator("figure[id]").evaluateAll((all) => all.map(({ id }) => id));
  await page.evaluate((id) => {
    location.hash = `#${id}&${id}.any=1`;
  }, ids[0]);
  await expect(page.locator(`figure[id="${ids[0]}"]`)).toBeVisible();
  await expect(page.locator("figure:visible")).toHaveCount(1);
});

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  test(`axe finds nothing to say of a frame and of what is shared, in ${colorScheme}`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme });
    for (const address of [`${CELL}embed/`, `${DIFF}embed/`]) {
      await page.goto(address);
      await expect(page.locator(".flame-graph-bar")).toBeVisible();
      expect(await barriers(page)).toEqual([]);
    }
    await page.goto(CELL);
    const share = page.locator("details.share").first();
    await share.locator("summary").click();
    expect(await barriers(page, "details.share")).toEqual([]);
  });
}

test("a cell is linked to by pointer and by keyboard, and shown to who follows the link", async ({
  page,
}) => {
  await page.goto(CELL);
  const row = page.locator('tr[id="results.9.4"]');
  const [first, second] = await row
    .locator("td")
    .evaluateAll((cells) => cells.map((cell) => cell.id));
  const median = page.locator('td[id="results.9.4.median"]');
  await median.hover();
  await expect(median.locator(".anchor")).toHaveAttribute("href", "#results.9.4.median");
  await expect(median.locator(".anchor")).toHaveAttribute("aria-label", /Median.*9\.4/);
  await expect(row.locator("th .anchor")).toHaveAccessibleName(/^Link to the row “.*9\.4”$/);
  await row.locator("th .anchor").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  const focused = page.locator(":focus");
  await expect(focused).toHaveAttribute("href", `#${second}`);
  await page.keyboard.press("ArrowLeft");
  await expect(focused).toHaveAttribute("href", `#${first}`);
  await page.keyboard.press("ArrowLeft");
  await expect(focused).toHaveAttribute("href", "#results.9.4");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`#${first}$`.replaceAll(".", "\\.")));
  const colour = (/** @type {string} */ id) => page.locator(`[id="${id}"]`).evaluate(background);
  expect(await colour(first)).not.toBe(await colour(second));
});

test("a finger asks for the links of a row and a cell; they cover nothing and widen nothing", async ({
  browser,
  baseURL,
}) => {
  const viewport = { width: 360, height: 640 };
  const page = await browser.newPage({ hasTouch: true, isMobile: true, viewport, baseURL });
  await page.goto(CELL);
  const row = page.locator('tr[id="results.10.0"]');
  const cell = page.locator('td[id="results.10.0.base-verdict"]');
  const ofRow = row.locator("th .anchor");
  await cell.scrollIntoViewIfNeeded();
  const width = await cell.evaluate((each) => each.closest("table")?.offsetWidth);
  const top = await cell.evaluate((each) => each.getBoundingClientRect().top);
  await expect(ofRow).toHaveCSS("clip-path", "inset(50%)");

  await cell.tap({ position: { x: 3, y: 3 } });
  const ofCell = cell.locator(".anchor");
  await expect(ofRow).toHaveCSS("clip-path", "none");
  await expect(ofCell).toHaveAttribute("href", "#results.10.0.base-verdict");
  expect(await cell.evaluate((each) => each.closest("table")?.offsetWidth)).toBe(width);
  expect(await cell.evaluate((each) => each.getBoundingClientRect().top)).toBe(top);
  const words = await cell.locator("> *").first().boundingBox();
  const link = await ofCell.boundingBox();
  expect(link?.y).toBeGreaterThanOrEqual((words?.y ?? 0) + (words?.height ?? 0) - 5);

  await page.locator('td[id="results.9.4.base"]').tap({ position: { x: 3, y: 3 } });
  await expect(page.locator("tr.asked")).toHaveAttribute("id", "results.9.4");
  await page.locator('tr[id="results.9.4"] th .anchor').tap();
  await expect(page).toHaveURL(/#results\.9\.4$/);
  await page.close();
});

/** @param {Element} element */
function background(element) {
  return getComputedStyle(element).backgroundColor;
}

test("rows and cells of functions are named by their functions", async ({ page }) => {
  await page.goto("reports/servers/steps/select/");
  const ids = await page
    .locator("#matrix tbody tr")
    .evaluateAll((rows) => rows.map((row) => [row.id, row.querySelector("th")?.textContent]));
  expect(ids.length).toBeGreaterThan(3);
  for (const [id] of ids) expect(id).not.toMatch(/^matrix\.[a-z]?\d+$/);
  expect(new Set(ids.map(([id]) => id)).size).toBe(ids.length);
});
