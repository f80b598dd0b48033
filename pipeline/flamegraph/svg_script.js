/**
 * Script and style of a downloaded SVG: the viewer's own modules, put together as one script, so that
 * a file by itself and a page behave alike. Hugo does the same for pages, with the same program.
 */

import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

const VIEWER = fileURLToPath(new URL("viewer", import.meta.url));

/** @type {{ script: string, style: string } | undefined} */
let parts;

/** @returns {string} a classic script */
export function standaloneScript() {
  parts ??= bundled();
  return parts.script;
}

/** @returns {string} */
export function standaloneStyle() {
  parts ??= bundled();
  return parts.style;
}

function bundled() {
  const { outputFiles } = buildSync({
    stdin: {
      contents: `
        import "./graph.css";
        import "./standalone.css";
        import { startStandalone } from "./standalone.js";
        startStandalone(document.documentElement);`,
      resolveDir: VIEWER,
    },
    bundle: true,
    minify: true,
    write: false,
    outdir: VIEWER, // where paths would begin if files were written
    format: "iife",
    // Browsers of the last years: no syntax that they lack, none spelled out for older ones.
    target: ["es2022", "chrome112", "firefox117", "safari16.5"],
    charset: "utf8",
    legalComments: "none",
    logLevel: "silent",
  });
  const [script, style] = ["js", "css"].map(
    (end) => outputFiles.find(({ path }) => path.endsWith(end))?.text.trimEnd() ?? "",
  );
  return { script, style };
}
