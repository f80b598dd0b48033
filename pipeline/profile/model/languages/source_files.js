/** The source file of a function, as a part of its name: short, and the same wherever a program was installed. */

/** The end of a file of a language whose profilers name a function without its module or class. */
export const SOURCE_END = String.raw`\.(?:py[xi]?|rb|[cm]?[jt]sx?|php|lua|vue|svelte)`;

/** Where packages are installed: what is after it names the package. */
const INSTALLED =
  /^.*\/(?:site-packages|dist-packages|node_modules|gems\/(?:ruby-)?\d[\d.]*\/gems|gems|vendor\/bundle|lib\/python\d[\d.]*|lib\/ruby\/\d[\d.]*)\//s;

/** Parts of an absolute path that are kept where nothing says where the program begins. */
const KEPT_PARTS = 3;

/**
 * Return a file without what depends on the machine:
 *     /usr/lib/python3.11/json/decoder.py                     json/decoder.py
 *     file:///srv/shop/node_modules/express/lib/router.js     express/lib/router.js
 *     /builds/head/src/shop/cart.py                           src/shop/cart.py
 *     <frozen importlib._bootstrap>      node:internal/fs      the same
 *
 * @param {string} file
 */
function shortFile(file) {
  const path = file
    .trim()
    .replace(/^(?:file|https?|webpack|webpack-internal):\/\/(?:\/|[^/]*(?=\/))/, "/")
    .replace(/[?#].*$/s, "")
    .replaceAll("\\", "/");
  if (path === "" || /^<.*>$|^node:/s.test(path)) return path;
  const installed = path.replace(INSTALLED, "");
  if (installed !== path) return installed.replace(/^([\w-]+?)-\d[\w.]*\/(?:lib\/)?/, "$1/");
  if (!/^(?:\/|[A-Za-z]:\/)/.test(path)) return path.replace(/^(?:\.\.?\/)+/, "");
  return path.split("/").filter(Boolean).slice(-KEPT_PARTS).join("/");
}

/**
 * Return the name of a function in a file, without its line: `heavy (w.py)`. A line that is added above a function
 * does not make another one of it.
 *
 * @param {string} name
 * @param {string} file
 */
export function inFile(name, file) {
  const short = shortFile(file).replace(/[()]/g, "");
  return short === "" ? name : `${name} (${short})`;
}

/**
 * Return the two parts of what inFile() made; an empty file where it made none.
 *
 * @param {string} name of a profile
 */
export function splitFile(name) {
  const [, plain, file] = IN_FILE.exec(name) ?? [];
  return { name: plain ?? name, file: file ?? "" };
}

/** In names of C++ brackets at the end have no file. Python (analysis/paths/names.py) knows the same. */
const IN_FILE = new RegExp(String.raw`^(.+?) \(([^()]+${SOURCE_END}|<[^()]+>|node:[^()]+)\)$`, "s");
