/** Where the files of a site are, and which of them is at an address: as Pages finds them. */

import { stat } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";

const CACHE = fileURLToPath(new URL("../../data/.cache", import.meta.url));

/**
 * Return the directory of the tests' own site. It is beside the cache, so that a second run of the
 * tests builds only what has changed.
 *
 * @param {string} baseUrl
 */
export function builtFor(baseUrl) {
  return path.join(CACHE, `test-site-${new URL(baseUrl).port}`, "public");
}

/**
 * @param {string} site
 * @param {string} base path of the site's address
 * @param {string} address path of a request
 * @returns {Promise<{ status: number, file?: string, location?: string }>}
 */
export async function find(site, base, address) {
  if (!address.startsWith(base)) return { status: 404 };
  const file = path.join(site, path.normalize(`/${address.slice(base.length)}`));
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile()) return { status: 200, file };
  if (!found) return { status: 404, file: path.join(site, "404.html") };
  if (!address.endsWith("/")) return { status: 301, location: `${address}/` };
  const index = path.join(file, "index.html");
  const page = await stat(index).catch(() => undefined);
  return page ? { status: 200, file: index } : { status: 404, file: path.join(site, "404.html") };
}
