/**
 * @param {string} url of a data file of the site
 * @returns {Promise<any>}
 * @throws {Error} where it cannot be loaded
 */
export async function fetchJson(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.json();
}

/** @param {unknown} error */
export function reasonOf(error) {
  return error instanceof Error ? error.message : String(error);
}
