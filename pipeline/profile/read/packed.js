/** Recognises archives and compressed files within compressed files. */

const UNPACK = "unpack it, and give the captures in it";
const TWICE = { found: "a compressed file within a compressed file", do: "decompress it once" };

/** Archives and compressed files: what holds captures but is none. */
const PACKED = [
  { at: 257, bytes: "ustar", found: "a tar archive", do: UNPACK },
  { at: 0, bytes: "PK\x03\x04", found: "a zip archive", do: UNPACK },
  { at: 0, bytes: "7z\xbc\xaf", found: "a 7z archive", do: UNPACK },
  { at: 4, bytes: "1AY&SY", found: "a bzip2 file", do: UNPACK },
  { at: 0, bytes: '\x04"M\x18', found: "an lz4 file", do: UNPACK },
  { at: 0, bytes: "\x1f\x8b", ...TWICE },
  { at: 0, bytes: "\xfd7zXZ", ...TWICE },
  { at: 0, bytes: "\x28\xb5\x2f\xfd", ...TWICE },
];

/**
 * Return what to do with an archive or a compressed file; undefined where there is none.
 *
 * @param {Buffer} head
 */
export function compressedIn(head) {
  return PACKED.find(({ at, bytes }) => head.toString("latin1", at, at + bytes.length) === bytes);
}
