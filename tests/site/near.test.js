import assert from "node:assert/strict";
import { test } from "node:test";
import { MOST_PROPOSED, nearPages } from "../../assets/js/not-found/near.js";

const NEWEST_FIRST = ["11.4.2", "10.11.7", "10.5.29", "10.5.28"];
const STEPS = ["select", "insert-range-100", "update-index"];

const PAGES = [
  ...["docs/", "docs/flame-graphs/", "docs/verdicts/", "reports/", "search/"],
  ...["reports/mariadb/", "reports/postgres-releases/"],
  ...NEWEST_FIRST.flatMap((release) => [
    `reports/mariadb/${release}/`,
    // The oldest has no such step.
    ...STEPS.slice(release === "10.5.28" ? 1 : 0).map(
      (step) => `reports/mariadb/${release}/${step}/`,
    ),
  ]),
].map((url) => ({ label: url, url }));

/** @param {string} address */
const near = (address) => nearPages(PAGES, address).map(({ url }) => url);

test("a misspelled step, report or page of the docs is found", () => {
  assert.equal(near("reports/mariadb/11.4.2/selcet/")[0], "reports/mariadb/11.4.2/select/");
  assert.equal(
    near("reports/mariadb/11.4.2/insert_range_100")[0],
    "reports/mariadb/11.4.2/insert-range-100/",
  );
  assert.equal(near("reports/postgres-relases/")[0], "reports/postgres-releases/");
  assert.equal(near("docs/flamegraphs/")[0], "docs/flame-graphs/");
});

test("letters in another case, and a page's file, are of the same page", () => {
  assert.equal(near("Reports/MariaDB/11.4.2/Select/")[0], "reports/mariadb/11.4.2/select/");
  assert.equal(
    near("reports/mariadb/11.4.2/select/index.html")[0],
    "reports/mariadb/11.4.2/select/",
  );
});

test("a release that does not exist leads to the nearest that has the step", () => {
  assert.deepEqual(near("reports/mariadb/10.5.27/update-index/").slice(0, 2), [
    "reports/mariadb/10.5.29/update-index/",
    "reports/mariadb/10.5.28/update-index/",
  ]);
});

test("a step that a release does not have leads to the release, and to the others of its step", () => {
  const found = near("reports/mariadb/10.5.28/select/");
  assert.ok(found.includes("reports/mariadb/10.5.29/select/"), `${found}`);
  assert.equal(near("reports/mariadb/11.4.2/vacuum/")[0], "reports/mariadb/11.4.2/");
});

test("a part that is missing or too much is forgiven", () => {
  assert.equal(near("mariadb/11.4.2/select/")[0], "reports/mariadb/11.4.2/select/");
  assert.equal(
    near("reports/mariadb/11.4.2/select/vs/10.5.27/")[0],
    "reports/mariadb/11.4.2/select/",
  );
});

test("what is near to nothing gets no proposal", () => {
  assert.deepEqual(near("wp-login.php"), []);
  assert.deepEqual(near(""), []);
  assert.deepEqual(near("reports/oracle/"), []);
});

test("the address itself is not proposed", () => {
  assert.ok(!near("reports/mariadb/11.4.2/select/").includes("reports/mariadb/11.4.2/select/"));
});

test("of many that are near, a few are proposed", () => {
  const many = Array.from({ length: 50 }, (_, at) => ({ label: "", url: `reports/r/1.${at}/` }));
  assert.equal(nearPages(many, "reports/r/1.x/").length, MOST_PROPOSED);
});

test("stray percent signs, markup and endless addresses are only text", () => {
  assert.equal(near("reports/mariadb/11.4.2/sel%ect/")[0], "reports/mariadb/11.4.2/select/");
  assert.deepEqual(near("%3Cimg%20src=x%20onerror=alert(1)%3E/"), []);
  assert.deepEqual(near("a/".repeat(100_000)), []);
  assert.deepEqual(near(`reports/${"a".repeat(1_000_000)}/`), []);
});
