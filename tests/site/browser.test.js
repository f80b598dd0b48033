import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { after, test } from "node:test";

const folder = mkdtempSync(path.join(tmpdir(), "browsers-"));
// Playwright reads it when it is imported; what this machine has is none of the tests' business.
process.env.PLAYWRIGHT_BROWSERS_PATH = path.join(folder, "playwright");
const { findBrowser } = await import("./browser.js");
const { chromium } = await import("@playwright/test");
after(() => rmSync(folder, { recursive: true }));

/**
 * @param {string} name
 * @param {number} status what the program ends with
 */
function program(name, status) {
  const file = path.join(folder, name);
  writeFileSync(file, `#!/bin/sh\nexit ${status}\n`, { mode: 0o755 });
  return file;
}

test("the browser that CHROMIUM_PATH names is used", () => {
  const browser = program("my-browser", 0);
  assert.equal(findBrowser({ CHROMIUM_PATH: browser, PATH: "/usr/bin" }), browser);
});

test("a CHROMIUM_PATH that does not run is an error, not another browser", () => {
  assert.throws(
    () => findBrowser({ CHROMIUM_PATH: "/nowhere/chromium", PATH: "/usr/bin" }),
    /CHROMIUM_PATH is \/nowhere\/chromium, which does not run/,
  );
});

test("a program that only says how to install the browser is passed over", () => {
  program("chromium-browser", 1);
  const browser = program("google-chrome", 0);
  assert.equal(findBrowser({ PATH: folder }), browser);
});

test("Playwright's own browser without windows is used before one with them", () => {
  const place = chromium.executablePath().replace("/chromium-", "/chromium_headless_shell-");
  mkdirSync(path.dirname(place), { recursive: true });
  const shell = path.join(path.dirname(place), "chrome-headless-shell");
  writeFileSync(shell, "#!/bin/sh\nexit 0\n", { mode: 0o755 });
  assert.equal(findBrowser({ PATH: folder }), shell);
});

test("a browser without windows is used before one with them", () => {
  program("chromium", 0);
  const browser = program("chromium-headless-shell", 0);
  assert.equal(findBrowser({ PATH: folder }), browser);
});
