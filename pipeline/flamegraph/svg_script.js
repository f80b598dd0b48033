/**
 * Script and style of a downloaded SVG: the viewer's own modules, put together as one script, so that
 * a file by itself and a page behave alike. Hugo does the same for pages, with the same program.
 */

import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

const VIEWER = fileURLToPath(new URL("viewer", import.meta.url));

/** @type {string | undefined} */
let script;
/** @type {string | undefined} */
let style;

/** @returns {string} a classic script */
export function standaloneScript() {
  script ??= bundled(
    'import { startStandalone } from "./standalone.js"; startStandalone(document.documentElement);',
    "js",
  );
  return script;
}

/** @returns {string} */
export function standaloneStyle() {
  style ??= bundled('@import "./graph.css"; @import "./standalone.css";', "css");
  return style;
}

/**
 * @param {string} contents of a file beside the viewer's
 * @param {"js" | "css"} loader
 */
function bundled(contents, loader) {
  const { outputFiles } = buildSync({
    stdin: { contents, loader, resolveDir: VIEWER },
    bundle: true,
    minify: true,
    write: false,
    format: loader === "js" ? "iife" : undefined,
    // Browsers of the last four years: no syntax that they lack, none spelled out for older ones.
    target: ["es2022", "chrome112", "firefox117", "safari16.5"],
    charset: "utf8",
    legalComments: "none",
    logLevel: "silent",
  });
  return outputFiles[0].text.trimEnd();
}
