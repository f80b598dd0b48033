import process from "node:process";
import { defineConfig } from "@playwright/test";
import { findBrowser } from "./tests/site/browser.js";

const port = Number(process.env.PERFPRESS_TEST_PORT ?? 4610);
const baseURL = `http://127.0.0.1:${port}/perf/`;

export default defineConfig({
  testDir: "tests/site",
  testMatch: "*.spec.js",
  workers: 2,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  timeout: 20_000,
  reporter: [["line"]],
  use: { baseURL, launchOptions: { executablePath: findBrowser() } },
  // process.execPath is the pinned Node.
  webServer: {
    command: `"${process.execPath}" tests/site/serve.js ${port}`,
    url: baseURL,
    timeout: 180_000,
    stdout: "pipe",
    reuseExistingServer: false,
  },
});
