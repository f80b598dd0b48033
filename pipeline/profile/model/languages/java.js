/**
 * Names of methods of the Java virtual machine. It makes classes while it runs, and numbers them or names them by
 * their address: that of one lambda differs from run to run.
 */

/** `java/lang/String.charAt`, as async-profiler writes it; other tools write dots. */
const WITH_SLASHES = /^(?:[\p{L}_$][\p{L}\p{N}_$-]*\/)+[\p{Lu}$_][^./;:()\s]*\.[^./;:()\s]+$/u;

/** The address or number of a class that the machine made: `Main$$Lambda/0x00007f8b2c000a10.apply`, `….1545242146.apply` */
const ADDRESS = /[/+.](?:0x[0-9a-f]+|\d+)(?=\.)/g;

/**
 * Return whether a name is a method's, by its slashes: Go has names such as `net/http.Get`, whose last part
 * begins with a small letter.
 *
 * @param {string} name
 */
export function isMethod(name) {
  return name.includes("/") && WITH_SLASHES.test(name.replace(ADDRESS, ""));
}

/** The same with dots or without a package. */
const WITH_DOTS = /^(?:[\p{L}\p{N}_$]+\.)*[\p{Lu}$_][\p{L}\p{N}_$]*\.[\p{L}\p{N}_$<>]+$/u;

/**
 * Return whether a name may be a method's, if nothing says that it is another language's.
 *
 * @param {string} name
 */
export function mayBeMethod(name) {
  return isMethod(name) || WITH_DOTS.test(name.replace(ADDRESS, ""));
}

/** Types of parameters and result, as async-profiler writes them on request: `Main.heavy(I[Ljava/lang/Object|)J` */
const SIGNATURE = /\((?:\[*(?:[BCDFIJSZ]|L[^;|()]+[;|:]))*\)\[*(?:[BCDFIJSVZ]|L[^;|()]+[;|:])$/;

/**
 * What the machine adds to the name of a class, by a sign that a name has only where it is needed:
 *     Main$$Lambda$14/0x0000000800c03000.apply      Main$$Lambda+0x00007f.apply
 *     LambdaForm$MH/0x0000000800c07c00.invoke       LambdaForm$MH.0x0000000800c07c00.invoke
 *     jdk.internal.reflect.GeneratedMethodAccessor12.invoke      com.sun.proxy.$Proxy23.run
 *     Service$$EnhancerBySpringCGLIB$$1a2b3c4d.save      Service$$SpringCGLIB$$0.save
 */
const MADE = /** @type {const} */ ([
  [ADDRESS, ""],
  [/(\$\$Lambda)(?:\$\d+)?(?=[./]|$)/g, "$1"],
  [/(Generated(?:Method|Constructor|SerializationConstructor)Accessor)\d+(?=\.)/g, "$1"],
  [/(\$Proxy)\d+(?=\.)/g, "$1"],
  [/(\$\$(?:\w*CGLIB|\w*ByCGLIB))\$\$[0-9a-f]+(?:\$\d+)?(?=[.$])/g, "$1"],
  [/(\$ByteBuddy\$|\$HibernateProxy\$)\w+(?=\.)/g, "$1"],
]);

/** @type {import("./languages.js").ReadName} */
export function readName(name) {
  let plain = name.includes("(") ? name.replace(SIGNATURE, "") : name;
  if (isMethod(plain)) plain = plain.replaceAll(/\/(?!\d)/g, ".");
  if (/\$|Generated/.test(plain)) {
    plain = MADE.reduce((text, [sign, kept]) => text.replace(sign, kept), plain);
  }
  return plain === name ? null : plain;
}

/**
 * Compilers number the lambdas of a class in the order of its source: `lambda$main$0`, Scala's
 * `$anonfun$main$1`, Kotlin's `main$lambda$0`.
 *
 * @type {import("./languages.js").ReadKey}
 */
export function readKey(name) {
  return name.includes("$")
    ? name.replace(/((?:lambda|\$anonfun)\$[\w$]+?|\$lambda)(?:\$\d+)+(?=$|\()/, "$1")
    : name;
}
