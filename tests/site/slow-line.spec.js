/** Over a slow line a page is shown before its end has come: what comes may not move what is read. */

import { expect, test } from "@playwright/test";
import { newPage, visit } from "./visit.js";

const REPORT = "reports/servers/";
const STEP = `${REPORT}11.0-rc.1/select/`;
/** One page of each kind. */
const PAGES = [
  "",
  REPORT,
  `${REPORT}11.0-rc.1/`,
  STEP,
  `${STEP}vs/9.4/`,
  `${REPORT}compare/`,
  "docs/api/",
];
/** Heads of columns that give way by a hair. */
const NO_SHIFT = 0.001;

for (const width of [360, 1100, 1440]) {
  test(`pages do not jump while they arrive piece by piece, at ${width} px`, async ({
    browser,
    baseURL,
  }) => {
    test.slow();
    const jumping = [];
    for (const each of PAGES) {
      const page = await newPage(browser, { viewport: { width, height: 800 } });
      const { shift, moved } = await visit(page, `${baseURL}${each}?slowly`);
      if (shift > NO_SHIFT) jumping.push(`${each} shifts by ${shift.toFixed(4)}:${moved}`);
      // A script that is asked for last may still wait for the first paint.
      await page.unrouteAll({ behavior: "ignoreErrors" });
      await page.close();
    }
    expect(jumping).toEqual([]);
  });
}
