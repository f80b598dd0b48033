/**
 * PNGs of pictures with few colours: graphs, charts and words on paper. One byte a pixel and a table of
 * colours take a third of what an encoder for photographs writes.
 *
 * https://www.w3.org/TR/png-3/
 */

import { crc32, deflateSync } from "node:zlib";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MOST_COLOURS = 256;

/**
 * @param {object} picture without transparency
 * @param {Uint8Array} picture.pixels red, green, blue and opacity of each
 * @param {number} picture.width
 * @param {number} picture.height
 * @returns {Uint8Array}
 */
export function palettePng({ pixels, width, height }) {
  const colours = countedColours(pixels);
  const { palette, entryOf } = paletteOf(colours);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) {
    // The first byte of a row names its filter: none, as neighbours in a table are no neighbours.
    for (let x = 0; x < width; x++) {
      const colour = colourAt(pixels, 4 * (y * width + x));
      rows[y * (width + 1) + x + 1] = entryOf.get(colour) ?? 0;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8); // a byte a pixel, by a table, and the only ways to pack and filter
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk(
      "PLTE",
      Buffer.from(palette.flatMap((each) => [each >> 16, (each >> 8) & 255, each & 255])),
    ),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/**
 * @param {Uint8Array} pixels
 * @returns {Map<number, number>} how often each colour is there
 */
function countedColours(pixels) {
  const counts = new Map();
  for (let at = 0; at < pixels.length; at += 4) {
    const colour = colourAt(pixels, at);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  return counts;
}

/**
 * @param {Uint8Array} pixels
 * @param {number} at
 */
function colourAt(pixels, at) {
  return (pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2];
}

/**
 * Choose the table. Soft edges of letters and lines may have more colours than it has room for: of those
 * that are alike the most frequent one stands for all, so that paper and ink stay what they are.
 *
 * @param {Map<number, number>} counts
 */
function paletteOf(counts) {
  const frequent = [...counts].sort(([a, timesA], [b, timesB]) => timesB - timesA || a - b);
  // At first all are told apart, then all but the lowest bit: it ends where 2³ⁿ are not too many.
  for (let unlike = 0xff; ; unlike = (unlike << 1) & 0xff) {
    /** @type {Map<number, number>} */
    const groups = new Map();
    /** @type {number[]} */
    const palette = [];
    /** @type {Map<number, number>} */
    const entryOf = new Map();
    for (const [colour] of frequent) {
      const group = colour & (unlike * 0x010101);
      const entry = groups.get(group) ?? palette.push(colour) - 1;
      groups.set(group, entry);
      entryOf.set(colour, entry);
    }
    if (palette.length <= MOST_COLOURS) return { palette, entryOf };
  }
}

/**
 * @param {string} type four letters
 * @param {Uint8Array} content
 */
function chunk(type, content) {
  const named = Buffer.concat([Buffer.from(type, "latin1"), content]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(content.length, 0);
  ends.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
}
