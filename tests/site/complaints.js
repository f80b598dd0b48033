/** Tests in a browser that fail where the page complains: of scripts, policies, missing files. */

import { test as base, expect } from "@playwright/test";

/** `test` with what the page complains of, which a test that provokes it empties. */
export const test = base.extend(
  /** @type {import("@playwright/test").Fixtures<{ complaints: string[] }, {}, import("@playwright/test").PlaywrightTestArgs & import("@playwright/test").PlaywrightTestOptions>} */ ({
    complaints: [
      async ({ page }, use) => {
        /** @type {string[]} */
        const complaints = [];
        page.on("pageerror", (error) => complaints.push(String(error)));
        page.on("console", (message) => {
          if (message.type() === "error") complaints.push(message.text());
        });
        await use(complaints);
        expect(complaints).toEqual([]);
      },
      { auto: true },
    ],
  }),
);
