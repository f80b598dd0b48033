/** Graphs in the text of a report: pictures whose profiles are fetched when the reader comes near. */

import { expect } from "@playwright/test";
import { inlineProfileSvg } from "../../pipeline/flamegraph/svg/profile_svg.js";
import { profileOfStacks } from "../profile/profiles.js";
import { test } from "./complaints.js";
import { clickFrame, openGraphs, parts } from "./graph_page.js";

const PROFILE = profileOfStacks([
  "postgres;main;ExecScan;heap_getnext 3000",
  "postgres;main;ExecAgg;hash_search 2500",
]);
const PICTURE = inlineProfileSvg(PROFILE, "PostgreSQL 18", 9).svg;
const TEXT = `<p>${"<br>".repeat(300)}</p>
  <flame-graph id="far" data-profile="far.json">${PICTURE}</flame-graph>`;
const DATA = { "/far.json": PROFILE };

test("a graph far below is a picture until the reader comes near", async ({ page }) => {
  const requests = await openGraphs(page, { body: TEXT, data: DATA });
  const { graph, label, search, trail } = parts(page, "far");
  await expect(graph.locator("svg text", { hasText: "ExecAgg" })).toBeAttached();
  await expect(search).toHaveCount(0);
  expect(requests).not.toContain("/far.json");
  await graph.scrollIntoViewIfNeeded();
  await expect(search).toBeVisible();
  await clickFrame(label("ExecAgg"));
  await expect(trail).toHaveText(/ExecAgg$/);
  expect(requests.filter((path) => path === "/far.json")).toHaveLength(1);
});

test("a link to a frame of a graph far below leads there", async ({ page }) => {
  await openGraphs(page, { body: TEXT, data: DATA, fragment: "#far.frame=ExecAgg" });
  const { graph, trail } = parts(page, "far");
  await expect(trail).toHaveText(/ExecAgg$/);
  await expect(graph).toBeInViewport();
});

test("a link followed on the page leads to a graph far below", async ({ page }) => {
  const body = `<p><a href="#far.frame=ExecAgg">ExecAgg</a></p>${TEXT}`;
  await openGraphs(page, { body, data: DATA });
  await page.getByRole("link", { name: "ExecAgg" }).click();
  const { graph, trail } = parts(page, "far");
  await expect(trail).toHaveText(/ExecAgg$/);
  await expect(graph).toBeInViewport();
});
