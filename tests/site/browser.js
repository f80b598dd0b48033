/**
 * Which Chromium the tests run in. As a program: see to it that there is one, or say clearly what
 * to do; no test is skipped for want of a browser.
 */

import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";

/** Without windows, Chromium opens a page in less than half the CPU time. */
const SHELL = "chromium-headless-shell";
const NAMES = [SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const PLAYWRIGHT = fileURLToPath(import.meta.resolve("@playwright/test/cli"));

/**
 * The browser that is there: `CHROMIUM_PATH`, else one with a usual name or Playwright's own; one
 * without windows before the others.
 *
 * @param {NodeJS.ProcessEnv} environment
 * @returns {string | undefined} its path
 * @throws {Error} where `CHROMIUM_PATH` names no program that runs
 */
export function findBrowser(environment = process.env) {
  const named = environment.CHROMIUM_PATH;
  if (named) {
    if (runs(named)) return named;
    throw new Error(
      `CHROMIUM_PATH is ${named}, which does not run; expected the path of a Chromium`,
    );
  }
  const folders = (environment.PATH ?? "").split(path.delimiter);
  const [shells, others] = [NAMES.slice(0, 1), NAMES.slice(1)].map((names) =>
    names.flatMap((name) => folders.map((folder) => path.join(folder, name))),
  );
  return [...shells, ...playwrightShells(), ...others, chromium.executablePath()].find(runs);
}

/** Where Playwright installs what it calls `chromium-headless-shell`, and says nowhere. */
function playwrightShells() {
  const beside = chromium
    .executablePath()
    .replace(/\bchromium-(\d+).*/, "chromium_headless_shell-$1/*/*headless*shell");
  return globSync(beside);
}

/** @param {string | undefined} browser */
const isShell = (browser) => /headless.shell/.test(browser ?? "");

/**
 * Ubuntu's `/usr/bin/chromium-browser` is there without its snap, but only says so and ends with 1;
 * Playwright's own may lack a library of the system.
 *
 * @param {string} program
 */
function runs(program) {
  if (!existsSync(program)) return false;
  return spawnSync(program, ["--version"], { stdio: "ignore" }).status === 0;
}

/** Install Playwright's own browser, else Debian's package; which of them worked, `runs` finds out. */
function installBrowser() {
  const install = [PLAYWRIGHT, "install", ...(isRoot() ? ["--with-deps"] : []), "--only-shell"];
  run(process.execPath, [...install, "chromium"]);
  if (findBrowser() || !isRoot() || !isDebian()) return;
  run("apt-get", ["update", "-qq"]);
  installPackage();
}

function installPackage() {
  run("apt-get", ["install", "-qq", "-y", "--no-install-recommends", SHELL]);
}

const isRoot = () => process.getuid?.() === 0;

/** Ubuntu's package of this name holds no browser: it asks for a snap. */
function isDebian() {
  return (
    existsSync("/etc/os-release") && /^ID=debian$/m.test(readFileSync("/etc/os-release", "utf8"))
  );
}

/**
 * @param {string} program
 * @param {string[]} parameters
 */
function run(program, parameters) {
  console.error([program, ...parameters].join(" "));
  spawnSync(program, parameters, { stdio: ["ignore", 2, 2] });
}

function main() {
  const found = findBrowser();
  if (!found) installBrowser();
  // A Chromium of the system is enough; a machine of the tests' own gets what they run faster in.
  else if (!isShell(found) && !process.env.CHROMIUM_PATH && isRoot() && isDebian())
    installPackage();
  if (findBrowser()) return;
  throw new Error(
    "There is no browser to run the tests of the site in, and none could be installed; run one of\n" +
      "    sudo apt-get install -y chromium-headless-shell          (Debian)\n" +
      "    npx playwright install --with-deps --only-shell chromium\n" +
      "or set CHROMIUM_PATH to a Chromium or Chrome.",
  );
}

if (import.meta.main) {
  try {
    main();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
