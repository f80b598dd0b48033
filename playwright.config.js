import process from "node:process";
import { defineConfig } from "@playwright/test";
import { findBrowser } from "./tests/site/browser.js";

const { PERFPRESS_TEST_PORT = "4610", PERFPRESS_TEST_SITE, PERFPRESS_BASE_URL } = process.env;

// The tests build a site of their own. What is true of every page is tested of the site in the
// directory PERFPRESS_TEST_SITE instead, where that is set.
const builtFor = PERFPRESS_TEST_SITE ? (PERFPRESS_BASE_URL ?? "/") : "/perf/";
const baseURL = new URL(
  new URL(builtFor, "http://localhost/").pathname,
  `http://127.0.0.1:${PERFPRESS_TEST_PORT}`,
).href;

// process.execPath is the pinned Node.
const serve = [process.execPath, "tests/site/serve.js", baseURL, PERFPRESS_TEST_SITE ?? []].flat();

export default defineConfig({
  testDir: "tests/site",
  testMatch: PERFPRESS_TEST_SITE ? "pages.spec.js" : "*.spec.js",
  workers: 2,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // Golden files, as those of the other tests.
  snapshotPathTemplate: "{testDir}/golden/{arg}{ext}",
  updateSnapshots: process.env.PERFPRESS_BLESS ? "all" : "none",
  // Machines that test are busy. What passes only when tried again is listed as flaky: a fault of the
  // test or of the page that remains to be found.
  retries: 1,
  timeout: 30_000,
  expect: { timeout: 10_000 },
  reporter: [["line"]],
  use: {
    baseURL,
    launchOptions: {
      executablePath: findBrowser(),
      // As with windows: without them letters are hinted more, and wider.
      args: ["--font-render-hinting=slight"],
    },
  },
  webServer: {
    command: serve.map((part) => `"${part}"`).join(" "),
    url: baseURL,
    timeout: 180_000,
    stdout: "pipe",
    reuseExistingServer: false,
  },
});
