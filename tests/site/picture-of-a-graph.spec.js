/**
 * Downloaded graphs as a browser paints them, beside golden files that PERFPRESS_BLESS=1 rewrites:
 * the place of frames and labels is the same everywhere, pixels in one version of one browser.
 */

import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, test } from "@playwright/test";
import { diffSvg } from "../../pipeline/flamegraph/svg/diff_svg.js";
import { profileSvg } from "../../pipeline/flamegraph/svg/profile_svg.js";
import { diffProfiles } from "../../pipeline/profile/diff/diff.js";
import { profileOfStacks } from "../profile/profiles.js";

/** Of what the golden pictures are. */
const CHROMIUM = "156";
const SYSTEM = "linux x64";
/** One font for all text, so that the fonts of the machine do not show. */
const FONT = fileURLToPath(
  import.meta.resolve("@expo-google-fonts/source-code-pro/400Regular/SourceCodePro_400Regular.ttf"),
);

/** So many that nothing here is chance. */
const MANY = { samples: 1e8 };
const BASE = profileOfStacks(
  [
    "postgres;main;ExecutorRun;ExecScan;memcmp@libc 300",
    "postgres;main;ExecutorRun;ExecScan;heap_getnext;heap_fetch 250",
    "postgres;main;ExecutorRun;ExecSort;tuplesort_performsort 200",
    "postgres;main;ReadCommand;read@kernel 150",
    "checkpointer;main;write@kernel 100",
  ],
  MANY,
);
const AFTER = profileOfStacks(
  [
    "postgres;main;ExecutorRun;ExecScan;memcmp@libc 280",
    "postgres;main;ExecutorRun;ExecScan;heap_getnext;heap_fetch 430",
    "postgres;main;ExecutorRun;ExecScan;heap_getnext;std::vector<int, std::allocator<int>>::push_back 3",
    "postgres;main;ExecutorRun;ExecAgg;hash_search 120",
    "postgres;main;ReadCommand;read@kernel 110",
    "checkpointer;main;write@kernel 100",
  ],
  MANY,
);
const FILES = {
  profile: profileSvg(AFTER, "PostgreSQL 18, select", ["cpu-clock, 1 capture"]).svg,
  diff: diffSvg(
    diffProfiles(BASE, AFTER, { baseLabel: "16", afterLabel: "18" }),
    "select: PostgreSQL 18 against 16",
  ).svg,
};

/**
 * @param {import("@playwright/test").Page} page
 * @param {keyof typeof FILES} name
 */
async function open(page, name) {
  const data = readFileSync(FONT).toString("base64");
  const font = `@font-face{font-family:"G";src:url(data:font/ttf;base64,${data})}*{font-family:"G"!important}`;
  const file = test.info().outputPath(`${name}.svg`);
  writeFileSync(
    file,
    FILES[name].replace("</style>", () => `${font}</style>`),
  );
  await page.goto(pathToFileURL(file).href);
  await page.evaluate(() => document.fonts.ready);
}

/** @param {import("@playwright/test").Page} page */
const graphOf = (page) => page.locator("svg.flame-graph[height]:not(.swatch)").first();

for (const name of /** @type {const} */ (["profile", "diff"])) {
  test(`the frames and labels of a ${name} are where its golden file has them`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 820, height: 600 });
    await open(page, name);
    const drawn = await graphOf(page).evaluate((graph) =>
      [...graph.querySelectorAll("path[d], text")]
        .map((element) =>
          element instanceof SVGTextElement
            ? `${element.getAttribute("x")} ${element.getAttribute("y")} ${element.textContent}`
            : `${element.getAttribute("class")} ${element.getAttribute("d")}`,
        )
        .join("\n"),
    );
    expect(`${drawn}\n`).toMatchSnapshot(`${name}.txt`);
  });

  for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    test(`a ${name} is painted as its golden picture shows, in ${colorScheme}`, async ({
      browser,
    }) => {
      const found = `${browser.version().split(".")[0]} on ${process.platform} ${process.arch}`;
      test.skip(
        found !== `${CHROMIUM} on ${SYSTEM}`,
        `pixels are those of Chromium ${CHROMIUM} on ${SYSTEM}; this is ${found}`,
      );
      const page = await browser.newPage({ colorScheme, viewport: { width: 820, height: 460 } });
      await open(page, name);
      const picture = await graphOf(page).screenshot();
      expect(picture).toMatchSnapshot(`${name}-${colorScheme}.png`, {
        maxDiffPixels: 0,
        threshold: 0,
      });
      await page.close();
    });
  }
}

for (const [device, viewport] of /** @type {const} */ ([
  ["a phone", { width: 360, height: 740 }],
  ["a screen", { width: 1280, height: 700 }],
])) {
  test(`a downloaded diff shows all of a frame, in sight on ${device}`, async ({ page }) => {
    await page.setViewportSize(viewport);
    await open(page, "diff");
    await page.getByRole("treeitem").focus();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
    const status = page.locator(".flame-graph-status");
    await expect(status).toContainText("total");
    await expect(status).toContainText("user code");
    await expect(status).toBeInViewport({ ratio: 1 });
    const hidden = await status.evaluate((line) => line.scrollHeight - line.clientHeight);
    expect(hidden).toBe(0);
  });
}
