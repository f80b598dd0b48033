import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { findBrowser } from "./browser.js";

const folder = mkdtempSync(path.join(tmpdir(), "browsers-"));
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
