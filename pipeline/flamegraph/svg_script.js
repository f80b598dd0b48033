/**
 * Script and style of a downloaded SVG: the viewer's own modules, put together as one script, so that
 * a file by itself and a page behave alike. Hugo does the same for pages, with the same program.
 */

import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

const VIEWER = fileURLToPath(new URL("viewer", import.meta.url));

/** @typedef {"perfpress-profile" | "perfpress-diff"} Format what the file shows */

/** @type {Partial<Record<Format, { script: string, style: string }>>} */
const parts = {};

/**
 * @param {Format} format
 * @returns {{ script: string, style: string }} a classic script, and the style of all that it makes
 */
export function standaloneParts(format) {
  parts[format] ??= bundled(format);
  return parts[format];
}

/** @param {Format} format */
function bundled(format) {
  const { outputFiles } = buildSync({
    stdin: {
      contents: `
        import "./graph.css";
        import "./standalone.css";
        ${format === "perfpress-diff" ? 'import "./diffs.js";' : ""}
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
