/** Names of .NET's methods. Its compilers make methods of lambdas and of the parts of asynchronous methods. */

/**
 * How far the runtime compiled a method, as its perf map says it, and the assembly before it:
 *     [MyApp] MyApp.Orders::Save(int32)[OptimizedTier1]
 *
 * @type {import("./languages.js").ReadName}
 */
export function readName(name) {
  const found =
    /^(?:\w+ )?(?:\[[\w.-]+\] ?)?(\S.*?)\[(?:OptimizedTier1(?:OSR)?|OptimizedTier0|QuickJitted|PreJIT|ReadyToRun|Tier0|Tier1|Optimized|MinOptJitted|Instrumented\w*)\]$/s.exec(
      name,
    );
  return found ? found[1] : null;
}

/**
 * The compiler numbers what it makes in the order of the source:
 *     Orders+<SaveAsync>d__12.MoveNext      Orders+<>c__DisplayClass5_0.<Load>b__1      Orders.<Load>g__Parse|3_0
 *
 * @type {import("./languages.js").ReadKey}
 */
export function readKey(name) {
  if (!name.includes(">")) return name;
  return name
    .replace(/(>d__)\d+(?=$|[.:(`])/g, "$1")
    .replace(/(>b__)\d+(?:_\d+)?(?=$|[.:(`])/g, "$1")
    .replace(/(>c__DisplayClass)\d+(?:_\d+)?(?=$|[.:(`])/g, "$1")
    .replace(/(>g__\w+\|)\d+(?:_\d+)?(?=$|[.:(`])/g, "$1");
}
