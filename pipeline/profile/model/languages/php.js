/** Names of PHP's functions. Closures have no name but where they stand. */

/**
 *     {closure:/app/Shop.php:12-20}      Xdebug
 *     {closure:Shop::load():12}          PHP itself, from 8.4 on
 *
 * @type {import("./languages.js").ReadName}
 */
export function readName(name) {
  if (!name.includes("{closure:")) return null;
  return name.replace(/(\{closure:.+?):\d+(?:-\d+)?\}/s, "$1}");
}
