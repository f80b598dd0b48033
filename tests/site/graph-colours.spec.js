/** Colours of a graph as readers ask for them: one hue, more contrast, their own. */

import { expect, test } from "@playwright/test";
import { inlineDiffSvg } from "../../pipeline/flamegraph/svg/diff_svg.js";
import { inlineProfileSvg } from "../../pipeline/flamegraph/svg/profile_svg.js";
import { diffProfiles } from "../../pipeline/profile/diff/diff.js";
import { profileOfStacks } from "../profile/profiles.js";
import { openGraphs, parts } from "./graph_page.js";

const BASE = profileOfStacks(["t;main;sort 40", "t;main;write@kernel 60"]);
const AFTER = profileOfStacks(["t;main;hash 50", "t;main;write@kernel 60"]);
const DIFF = diffProfiles(BASE, AFTER, { baseLabel: "16", afterLabel: "18" });
const BODY = `
  <flame-graph id="cpu" data-profile="profile.json">${inlineProfileSvg(AFTER, "PostgreSQL 18", 1500).svg}</flame-graph>
  <flame-graph id="change" data-profile="diff.json">${inlineDiffSvg(DIFF, "18 against 16", 1500).svg}</flame-graph>`;
const DATA = { "/profile.json": AFTER, "/diff.json": DIFF };

/** @param {import("@playwright/test").Locator} element */
const colourOf = (element) => element.first().evaluate((node) => getComputedStyle(node).stroke);

test("one hue for all code is a reader's choice, kept in the link; a diff has no such choice", async ({
  page,
}) => {
  await openGraphs(page, { body: BODY, data: DATA });
  const { graph } = parts(page);
  const kernel = graph.locator("path[class^=k]");
  const own = await colourOf(graph.locator("path[class^=u]"));
  expect(await colourOf(kernel)).not.toBe(own);
  await graph.getByText("Options", { exact: true }).click();
  await graph.getByRole("checkbox", { name: "One hue for all code" }).check();
  await expect(page).toHaveURL(/#cpu\.palette=plain$/);
  await expect(kernel).toHaveCount(0);
  await page.reload();
  await graph.getByText("Options", { exact: true }).click();
  await expect(graph.getByRole("checkbox", { name: "One hue for all code" })).toBeChecked();
  const change = parts(page, "change").graph;
  await change.getByText("Options", { exact: true }).click();
  await expect(change.getByRole("checkbox", { name: "One hue for all code" })).toBeHidden();
});

test("more contrast is given to who asks for it", async ({ page }) => {
  await page.emulateMedia({ contrast: "more" });
  await openGraphs(page, { body: BODY, data: DATA });
  const { label } = parts(page);
  await expect(label("main").first()).toHaveCSS("fill", "rgb(0, 0, 0)");
  await page.emulateMedia({ contrast: "more", colorScheme: "dark" });
  await expect(label("main").first()).toHaveCSS("fill", "rgb(255, 255, 255)");
});

test("where the reader's own colours are forced, what is beside the frames takes them", async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: "active" });
  await openGraphs(page, { body: BODY, data: DATA });
  const { label } = parts(page, "change");
  const body = await page.evaluate(() => getComputedStyle(document.body).color);
  await expect(label("every frame it has").first()).toHaveCSS("fill", body);
});
