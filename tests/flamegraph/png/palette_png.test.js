import assert from "node:assert/strict";
import { test } from "node:test";
import { Resvg } from "@resvg/resvg-js";
import { palettePng } from "../../../pipeline/flamegraph/png/palette_png.js";

/**
 * @param {number} width
 * @param {number} height
 * @param {(x: number, y: number) => number} colourAt
 */
function picture(width, height, colourAt) {
  const pixels = Buffer.alloc(4 * width * height, 255);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) pixels.writeUIntBE(colourAt(x, y), 4 * (y * width + x), 3);
  }
  return { pixels, width, height };
}

/** @param {{ pixels: Uint8Array, width: number, height: number }} made */
function readAgain(made) {
  const png = Buffer.from(palettePng(made)).toString("base64");
  const size = `width="${made.width}" height="${made.height}"`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}><image ${size} href="data:image/png;base64,${png}"/></svg>`;
  return new Resvg(svg).render().pixels;
}

test("a picture with as many colours as there is room for is read again pixel by pixel", () => {
  const made = picture(33, 17, (x, y) => ((x * 17 + y) % 256) * 0x010101);
  assert.deepEqual(readAgain(made), made.pixels);
});

test("with more colours the frequent ones stay and the others are close", () => {
  const paper = 0xfffefb;
  const made = picture(120, 40, (x, y) => (y < 20 ? paper : ((x * 2) << 16) | ((y * 6) << 8) | x));
  const again = readAgain(made);
  let furthest = 0;
  for (const [at, value] of made.pixels.entries()) {
    furthest = Math.max(furthest, Math.abs(value - again[at]));
  }
  assert.ok(furthest > 0 && furthest < 64, `${furthest}`);
  assert.deepEqual(again.subarray(0, 4 * 120 * 20), made.pixels.subarray(0, 4 * 120 * 20));
});

test("every colour there is ends in a picture all the same", () => {
  const made = picture(512, 512, (x, y) => (x * 512 + y) * 64);
  assert.equal(readAgain(made).length, made.pixels.length);
});
