/** Names of Go's functions. Its compiler numbers closures in the order of the source. */

/**
 *     main.(*Server).Serve.func1            main.run.func2.1      main.run.gowrap1      main.run-range2
 *     slices.SortFunc[go.shape.int]         and how pprof shortens it: slices.SortFunc[...]
 *
 * @type {import("./languages.js").ReadKey}
 */
export function readKey(name) {
  if (!name.includes(".")) return name;
  return name
    .replace(/\[(?:go\.shape\.|\.\.\.)[^\s]*\](?=$|[.)])/g, "[...]")
    .replace(
      /(?<=[\w)\]]\.)(func|gowrap|deferwrap)\d+(?:\.\d+)*(?=$|-|\.(?:func|gowrap|deferwrap)\d)/g,
      "$1",
    )
    .replace(/(?<=\w)-(?:fm|range\d+)$/, "");
}
