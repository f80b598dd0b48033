/** What a reader looks at, in the address: anchors, ways back, what a link holds that means nothing. */

import { expect } from "@playwright/test";
import { inlineProfileSvg } from "../../pipeline/flamegraph/svg/profile_svg.js";
import { profileOfStacks } from "../profile/profiles.js";
import { test } from "./complaints.js";
import { clickFrame, ORIGIN, openGraphs, parts } from "./graph_page.js";

const thin = Array.from({ length: 60 }, (_, index) => `postgres;main;ExecScan;thin_${index} 1`);
const PROFILE = profileOfStacks([
  ...thin,
  "postgres;main;ExecScan;heap_getnext 3000",
  "postgres;main;ExecAgg;hash_search 2500",
  "checkpointer;main;write@kernel 1000",
]);
const DATA = { "/profile.json": PROFILE };
const SVG = inlineProfileSvg(PROFILE, "PostgreSQL 18", 9).svg;
const TWO_GRAPHS = `<p><a href="#note">To the note</a></p>
  <flame-graph id="a" data-profile="profile.json">${SVG}</flame-graph>
  <flame-graph id="b" data-profile="profile.json">${SVG}</flame-graph>
  <p>${"<br>".repeat(90)}</p><h2 id="note">A note</h2>`;

/**
 * @param {import("@playwright/test").Page} page
 * @param {string} [fragment]
 */
async function open(page, fragment) {
  const requests = await openGraphs(page, { body: TWO_GRAPHS, data: DATA, fragment });
  return { requests, a: parts(page, "a"), b: parts(page, "b") };
}

test("an anchor on the page keeps what the graphs show, and a step back too", async ({ page }) => {
  const { a, b } = await open(page);
  await clickFrame(a.label("ExecAgg"));
  await clickFrame(b.label("ExecScan"));
  await page.getByRole("link", { name: "To the note" }).click();
  const note = page.getByRole("heading", { name: "A note" });
  await expect(note).toBeInViewport();
  await expect(page).toHaveURL(/#note&a\.frame=ExecAgg&b\.frame=ExecScan$/);
  await expect(a.trail).toHaveText(/ExecAgg$/);
  await expect(b.trail).toHaveText(/ExecScan$/);
  await clickFrame(a.label("all"));
  await expect(page).toHaveURL(/#note&b\.frame=ExecScan$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/#.*a\.frame=ExecAgg/);
  await expect(a.trail).toHaveText(/ExecAgg$/);
  await expect(b.trail).toHaveText(/ExecScan$/);
  await page.goForward();
  await expect(a.trail).toHaveText("all");
});

test("a link may hold an anchor and what graphs show", async ({ page }) => {
  const { a } = await open(page, "#note&a.frame=ExecAgg");
  await expect(page.getByRole("heading", { name: "A note" })).toBeInViewport();
  await a.graph.scrollIntoViewIfNeeded();
  await expect(a.trail).toHaveText(/ExecAgg$/);
});

test("zooming adds nothing to the browser's history: one step back leaves the page", async ({
  page,
}) => {
  await page.goto("about:blank");
  const { a } = await open(page);
  for (const name of ["postgres", "ExecAgg", "all", "ExecScan"]) await clickFrame(a.label(name));
  await expect(page).toHaveURL(/a\.frame=ExecScan$/);
  await page.goBack();
  await expect(page).toHaveURL("about:blank");
  await page.goForward();
  await expect(a.trail).toHaveText(/ExecScan$/);
});

test("the graph's way back leads through all that was seen, the whole too, each once", async ({
  page,
}) => {
  const { a } = await open(page, "#a.frame=ExecAgg");
  await expect(a.trail).toHaveText(/ExecAgg$/);
  await clickFrame(a.label("all"));
  await clickFrame(a.label("ExecScan"));
  for (const name of [/^all$/, /ExecAgg$/, /^all$/]) {
    await a.back.click();
    await expect(a.trail).toHaveText(name);
  }
  await expect(a.back).toBeDisabled();
  await expect(page).toHaveURL(`${ORIGIN}/`);
});

test("the focus goes to the frame when the button that was pressed is gone", async ({ page }) => {
  const { a } = await open(page);
  await clickFrame(a.label("ExecAgg"));
  await clickFrame(a.label("hash_search"));
  await a.back.focus();
  await page.keyboard.press("Enter");
  await expect(a.trail).toHaveText(/ExecAgg$/);
  await expect(a.back).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(a.trail).toHaveText("all");
  await expect(a.frame).toBeFocused();
  await clickFrame(a.label("ExecAgg"));
  await a.trail.getByRole("button", { name: "main" }).focus();
  await page.keyboard.press("Enter");
  await expect(a.frame).toBeFocused();
  await expect(a.frame).toHaveAccessibleName(/^main, /);
  await a.trail.getByRole("button", { name: "all" }).click();
  await expect(a.frame).toBeFocused();
  await expect(a.frame).toHaveAccessibleName(/^all, /);
});

test("what a link holds that means nothing here is left out, and reported", async ({ page }) => {
  const bad =
    "#a.draw=zzz&a.sort=bogus&a.view=sideways&a.sides=flipped&a.search=hash&a.later=1&b.of=x";
  const { a, b } = await open(page, bad);
  await expect(a.message).toHaveText(
    "Not understood in the link, and left out: view=sideways, draw=zzz, sides=flipped, sort=bogus.",
  );
  await expect(a.search).toHaveValue("hash");
  await expect(b.message).toHaveText("Not understood in the link, and left out: of=x.");
  // What a later version may mean is kept.
  await expect(page).toHaveURL(/#a\.later=1&a\.search=hash$/);
});

test("a long frame that is not there is named in short, and left out", async ({ page }) => {
  const { a } = await open(page, `#a.frame=${"x".repeat(3000)}`);
  await expect(a.message).toContainText(/^The link's frame “x{20,45}…x{20,45}” is not in/);
  await expect(page).toHaveURL(`${ORIGIN}/`);
  await a.graph.evaluate(() => {
    location.hash = `#a.view=callees&a.of=${"y".repeat(3000)}`;
  });
  await expect(a.shown).toHaveText(/^“y{20,45}…y{20,45}” is not in this graph\.$/);
  await expect(page).toHaveURL(`${ORIGIN}/`);
});

test("a profile that cannot be fetched leaves the picture, says so, and can be asked for again", async ({
  page,
  complaints,
}) => {
  await page.route("**/profile.json", (route) => route.abort());
  const { a } = await open(page, "#a.frame=ExecAgg");
  const failure = a.graph.getByRole("alert");
  await expect(failure).toContainText("The profile could not be fetched");
  await expect(a.label("ExecAgg")).toBeVisible();
  complaints.length = 0; // of the fetch
  await page.unroute("**/profile.json");
  await page.route("**/profile.json", (route) => route.fulfill({ json: PROFILE }));
  await a.button("Try again").press("Enter");
  await expect(failure).toHaveCount(0);
  await expect(a.trail).toHaveText(/ExecAgg$/);
  await expect(a.frame).toBeFocused();
});
