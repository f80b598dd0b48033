/**
 * Serves a site below the path of its address, as Pages serves the site of a project; what a page
 * asks for outside of that path is not found. `node serve.js URL DIR` serves the site in DIR,
 * `node serve.js URL` builds that of the tests and serves it.
 */

import { execFileSync } from "node:child_process";
import { createReadStream } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import process from "node:process";
import { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createGzip } from "node:zlib";
import { builtFor, find } from "./site_files.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const FIXTURE = path.join(ROOT, "tests", "site", "fixture");

/** Bytes of a page that is asked for `?slowly` and milliseconds between them: 2.5 Mbit/s. */
const PIECE = 16_000;
const PAUSE = 50;

/** @type {Record<string, string>} */
const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".csv": "text/csv; charset=utf-8",
  ".gz": "application/gzip",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".woff2": "font/woff2",
  ".xml": "application/xml; charset=utf-8",
};

/**
 * @param {string} baseUrl
 * @returns {string} the directory of the site
 */
function build(baseUrl) {
  const site = builtFor(baseUrl);
  const work = path.dirname(site);
  const program = (/** @type {string} */ name) => path.join(ROOT, ".venv", "bin", name);
  execFileSync(program("python"), [path.join(FIXTURE, "write.py"), work], { stdio: "inherit" });
  execFileSync(
    program("perfpress"),
    [
      "build",
      ...["--results", path.join(work, "results"), "--content", path.join(FIXTURE, "content")],
      ...["--out", site, "--base-url", baseUrl],
    ],
    { stdio: "inherit" },
  );
  return site;
}

/**
 * @param {string} site
 * @param {URL} url
 */
function serve(site, url) {
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const { status, file, location } = await find(site, url.pathname, decodeURIComponent(pathname));
    if (location) response.setHeader("Location", location);
    if (!file) {
      response.writeHead(status).end();
      return;
    }
    const type = TYPES[path.extname(file)] ?? "application/octet-stream";
    // As Pages does.
    const packs =
      /text|json|javascript|xml/.test(type) &&
      accepts(request, "gzip") &&
      !searchParams.has("slowly");
    response.writeHead(status, {
      "Content-Type": type,
      "Cache-Control": "no-store",
      ...(packs ? { "Content-Encoding": "gzip" } : {}),
    });
    const content = createReadStream(file).on("error", () => response.destroy());
    if (searchParams.has("slowly")) Readable.from(inPieces(content)).pipe(response);
    else (packs ? content.pipe(createGzip()) : content).pipe(response);
  });
  server.listen(Number(url.port), url.hostname);
}

/**
 * Yield a file as a phone gets it: a browser shows what has come before the rest is there.
 *
 * @param {import("node:stream").Readable} content
 */
async function* inPieces(content) {
  for await (const piece of content) {
    for (let at = 0; at < piece.length; at += PIECE) {
      yield piece.subarray(at, at + PIECE);
      await setTimeout(PAUSE);
    }
  }
}

/**
 * @param {import("node:http").IncomingMessage} request
 * @param {string} encoding
 */
function accepts(request, encoding) {
  return String(request.headers["accept-encoding"] ?? "").includes(encoding);
}

const [address, directory] = process.argv.slice(2);
serve(directory ?? build(address), new URL(address));
