/**
 * The libraries of functions, where captures state them: the file of code that a function is in, which
 * may be the program's own or a module of the kernel. A function has one, or none where no capture
 * names one or several differ. In memory a library is its name; a profile file has them in columns.
 */

/** Longest name of a file (NAME_MAX of Linux); what is longer is no file's. */
export const LONGEST_LIBRARY = 255;

/** Programs load some dozen, with every module of a kernel a few hundred. */
export const MOST_LIBRARIES = 4096;

/** In place of a name: captures state several. No file's name is so. */
export const SEVERAL = "\0";

/** In the column `library`: none, or several. */
export const NO_LIBRARY = -1;

/**
 * @typedef {{ libraries: string[], library: number[] }} LibraryColumns `library` has one index a name, or
 *   NO_LIBRARY; absent from files where it would have nothing else
 */

/**
 * Join what two captures state of one function.
 *
 * @param {string} known empty where it is not stated
 * @param {string} stated
 */
export function joinedLibrary(known, stated) {
  if (stated === "" || stated.length > LONGEST_LIBRARY) return known;
  return known === "" || known === stated ? stated : SEVERAL;
}

/**
 * @param {string[]} libraries by name
 * @returns {Partial<LibraryColumns>} libraries in the order of their first name; empty where there are none
 */
export function libraryColumns(libraries) {
  /** @type {Map<string, number>} */
  const known = new Map();
  const library = libraries.map((each) => {
    if (each === "" || each === SEVERAL) return NO_LIBRARY;
    if (!known.has(each) && known.size < MOST_LIBRARIES) known.set(each, known.size);
    return known.get(each) ?? NO_LIBRARY;
  });
  return known.size > 0 ? { libraries: [...known.keys()], library } : {};
}

/**
 * @param {Partial<LibraryColumns> & { names: string[] }} columns
 * @returns {string[]} by name; empty where it has none
 */
export function libraryNames({ names, libraries = [], library = [] }) {
  return names.map((_, index) => libraries[library[index]] ?? "");
}

/** `libstdc++.so.6.0.33`, `libc-2.31.so`, `netty-common-4.1.100.Final.jar`, `mysqld-8.0.39` */
const VERSION = /[-_.]v?\d+\.\d.*$|\.(so[.\d]*|dylib|dll|jar)$/;

/**
 * Return the name of a library without version and ending: what is the same in two releases.
 *
 * @param {string} library
 */
export function withoutVersion(library) {
  return library.replace(VERSION, "") || library;
}
