/**
 * Script and style of a downloaded SVG: the viewer's own modules, put together as one script, so that
 * a file by itself and a page behave alike. Hugo does the same for pages, with the same program.
 *
 * Putting them together takes longer than drawing a graph, so the result is kept beside Node's
 * compiled code until one of the modules changes; a directory that may not be written keeps none.
 */

import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { TINTS } from "../graph/profile_graph.js";

const PACKAGES = fileURLToPath(new URL("../..", import.meta.url));
const VIEWER = fileURLToPath(new URL("../viewer", import.meta.url));
const KEPT = fileURLToPath(new URL("../../../node_modules/.cache/standalone", import.meta.url));

/** @typedef {"perfpress-profile" | "perfpress-diff"} Format what the file shows */
/** @typedef {Format | `${Format}-libraries`} Kind of file, by what its script has to know */
/** @typedef {{ script: string, style: string }} ScriptAndStyle a classic script, and the style of all it makes */

/** @type {Partial<Record<Kind, ScriptAndStyle>>} */
const parts = {};

/**
 * @param {import("../graph/rebuild.js").Columns} columns that the file shows
 * @returns {ScriptAndStyle}
 */
export function standaloneParts(columns) {
  /** @type {Kind} */
  const kind = columns.libraries ? `${columns.format}-libraries` : columns.format;
  parts[kind] ??= kept(kind) ?? keep(kind, bundled(kind));
  const { script, style } = parts[kind];
  return { script, style: withoutUnused(style, columns) };
}

/**
 * @param {Kind} kind
 * @returns {ScriptAndStyle | null}
 */
function kept(kind) {
  try {
    return JSON.parse(readFileSync(keptPath(kind), "utf8"));
  } catch {
    return null;
  }
}

/**
 * @param {Kind} kind
 * @param {ScriptAndStyle} made
 */
function keep(kind, made) {
  const path = keptPath(kind);
  const partial = `${path}.${process.pid}`;
  try {
    mkdirSync(KEPT, { recursive: true });
    for (const old of readdirSync(KEPT)) {
      if (old.replace(/-\w+\.json$/, "") === kind) rmSync(`${KEPT}/${old}`, { force: true });
    }
    writeFileSync(partial, JSON.stringify(made));
    renameSync(partial, path);
  } catch {
    // It is made again the next time.
  }
  return made;
}

/** @type {string | undefined} */
let sources;

/** @param {Kind} kind */
function keptPath(kind) {
  sources ??= hashOfSources();
  return `${KEPT}/${kind}-${sources}.json`;
}

/** All that a bundle may be made of: modules, the options below, and the bundler's version. */
function hashOfSources() {
  const hash = createHash("sha256");
  for (const name of ["profile", "flamegraph"]) {
    const files = readdirSync(`${PACKAGES}/${name}`, { recursive: true, encoding: "utf8" });
    for (const file of files.filter((each) => /\.(?:js|css|json)$/.test(each)).sort()) {
      hash.update(`\n${file}\n`).update(readFileSync(`${PACKAGES}/${name}/${file}`));
    }
  }
  return hash.digest("hex").slice(0, 16);
}

/**
 * @param {Kind} kind
 * @returns {ScriptAndStyle} with the colours of all files
 */
function bundled(kind) {
  // Loaded where it is needed, which is seldom.
  const { buildSync } = /** @type {typeof import("esbuild")} */ (
    createRequire(import.meta.url)("esbuild")
  );
  const { outputFiles } = buildSync({
    stdin: {
      contents: `
        import "./graph.css";
        import "./standalone.css";
        ${kind.startsWith("perfpress-diff") ? 'import "./standalone_legend.css"; import "./diffs.js";' : ""}
        ${kind.endsWith("-libraries") ? 'import "./libraries.js";' : ""}
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

/** `.flame-graph .g1{color:#f5e2d8}`, the colour of frames as the style sheet has it, minified. */
const FRAME_COLOUR = /\.flame-graph \.(\w)\d?\{color:[^}]*\}/g;

/**
 * Leave out the colours that no frame of a file may have: those of the other format, and of kinds of code that a
 * profile has not.
 *
 * @param {string} style
 * @param {import("../graph/rebuild.js").Columns} columns
 */
function withoutUnused(style, { format, classes, class_names }) {
  const letters =
    format === "perfpress-diff"
      ? new Set("nxgs")
      : new Set([
          "r",
          TINTS.user.letter,
          ...classes.map((each) => TINTS[class_names[each]].letter),
        ]);
  return style.replace(FRAME_COLOUR, (rule, letter) => (letters.has(letter) ? rule : ""));
}
