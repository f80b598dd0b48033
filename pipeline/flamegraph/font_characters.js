/**
 * Which characters a font has. A picture would show a box for any other.
 *
 * https://learn.microsoft.com/en-us/typography/opentype/spec/cmap#format-12-segmented-coverage
 */

const UNICODE = [3, 10];
const SEGMENTED = 12;

/**
 * @param {Buffer} font TrueType
 * @returns {[number, number][]} the first and the last of characters that follow each other
 * @throws {Error} where the font has no table of this kind
 */
export function charactersOf(font) {
  const table = tableAt(font, "cmap");
  const subtables = entries(table + 4, font.readUInt16BE(table + 2), 8);
  const at = subtables.find(
    (entry) =>
      font.readUInt16BE(entry) === UNICODE[0] && font.readUInt16BE(entry + 2) === UNICODE[1],
  );
  const segments = at === undefined ? -1 : table + font.readUInt32BE(at + 4);
  if (segments < 0 || font.readUInt16BE(segments) !== SEGMENTED) {
    throw new Error("the font has no segmented table of characters");
  }
  return entries(segments + 16, font.readUInt32BE(segments + 12), 12).map((entry) => [
    font.readUInt32BE(entry),
    font.readUInt32BE(entry + 4),
  ]);
}

/**
 * @param {Buffer} font
 * @param {string} name of four letters
 */
function tableAt(font, name) {
  const found = entries(12, font.readUInt16BE(4), 16).find(
    (entry) => font.toString("latin1", entry, entry + 4) === name,
  );
  if (found === undefined) throw new Error(`the font has no table ${name}`);
  return font.readUInt32BE(found + 8);
}

/**
 * @param {number} start
 * @param {number} count
 * @param {number} length bytes of each
 * @returns {number[]} where they begin
 */
function entries(start, count, length) {
  return Array.from({ length: count }, (_, index) => start + index * length);
}
