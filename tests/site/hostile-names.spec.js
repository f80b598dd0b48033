/** A report of which every name is hostile does nothing in a browser but show its names. */

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const ATTACKS = path.join(ROOT, "tests", "attacks");
const PORT = Number(process.env.PERFPRESS_TEST_PORT ?? "4610") + 500;
const BASE = `http://127.0.0.1:${PORT}/perf/`;

/** @type {string} */
let directory;
/** @type {import("node:child_process").ChildProcess} */
let server;

test.describe.configure({ mode: "serial" });

test.beforeAll(async () => {
  test.setTimeout(480_000);
  directory = mkdtempSync(path.join(tmpdir(), "perfpress-hostile-"));
  const program = (/** @type {string} */ name) => path.join(ROOT, ".venv", "bin", name);
  const env = { ...process.env, PYTHONPATH: path.join(ROOT, "pipeline") };
  execFileSync(program("python"), [path.join(ATTACKS, "hostile_report.py"), directory], { env });
  const inside = (/** @type {string} */ name) => path.join(directory, name);
  execFileSync(
    program("perfpress"),
    [
      "build",
      ...["--results", inside("results"), "--content", inside("content")],
      ...["--out", inside("public"), "--base-url", BASE],
    ],
    { stdio: "pipe" },
  );
  server = spawn(process.execPath, ["tests/site/serve.js", BASE, inside("public")], { cwd: ROOT });
  await expect
    .poll(
      () =>
        fetch(BASE).then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 20_000 },
    )
    .toBe(200);
});

test.afterAll(() => {
  server?.kill();
  if (directory) rmSync(directory, { recursive: true, force: true });
});

/** The addresses of all pages and drawings. */
function addresses() {
  const site = path.join(directory, "public");
  const found = readdirSync(site, { recursive: true, encoding: "utf8" });
  return found
    .filter((name) => /(^|\/)index\.html$|\/(flamegraph|diff)\.svg$/.test(name))
    .map((name) => name.replace(/(^|\/)index\.html$/, "$1"));
}

test("no page or drawing opens a dialog, asks elsewhere, or gets an element of a name's", async ({
  page,
}) => {
  test.setTimeout(480_000);
  /** @type {string[]} */
  const events = [];
  page.on("dialog", (dialog) => {
    events.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on("pageerror", (error) => events.push(`error: ${error}`));
  page.on("console", (message) => {
    // Of a drawing that is opened by itself the browser asks for the host's own icon.
    if (message.location().url.endsWith("/favicon.ico")) return;
    events.push(`console: ${message.text()} ${message.location().url}`);
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(BASE) && !/^(data|blob):/.test(url)) events.push(`request: ${url}`);
  });
  const all = addresses();
  expect(all.length).toBeGreaterThan(20);
  for (const address of all) {
    await page.goto(BASE + address, { waitUntil: "load" });
    await page.waitForTimeout(50);
    const made = await page.evaluate(() => ({
      elements: document.querySelectorAll("pwned, img[src*='pwned'], iframe, object").length,
      handlers: [...document.querySelectorAll("*")].filter((element) =>
        [...element.attributes].some(({ name }) => name.startsWith("on") || name === "pwned"),
      ).length,
      scripts: [...document.querySelectorAll("script")].filter(
        (script) =>
          document.contentType === "text/html" &&
          !script.src.startsWith(location.origin) &&
          !script.type.includes("json"),
      ).length,
      links: [...document.querySelectorAll("a")].filter((link) =>
        String(link.href).startsWith("javascript:"),
      ).length,
    }));
    expect({ address, ...made }).toEqual({
      address,
      elements: 0,
      handlers: 0,
      scripts: 0,
      links: 0,
    });
  }
  expect(events).toEqual([]);
});
