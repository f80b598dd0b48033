import assert from "node:assert/strict";
import { test } from "node:test";
import { choicesIn, withChoices, withChoicesApplied } from "../../assets/js/kept-choices.js";

const NONE = { diffs: [], tables: [] };

test("the choice that was made last goes along, whatever graph or table it was made on", () => {
  const fragment = "#results&one.basis=share&two.basis=second&relative.base=17&x=1";
  assert.deepEqual(choicesIn(fragment), { basis: "second", base: "17" });
  assert.deepEqual(choicesIn("#basis=share"), { basis: "share", base: "" });
  assert.deepEqual(choicesIn("#one.basis=second&basis=share"), { basis: "second", base: "" });
});

test("the share of a frame, and what is no basis, stay where they are", () => {
  assert.equal(choicesIn("#one.basis=frame").basis, "");
  assert.equal(choicesIn("#basis=javascript:alert(1)").basis, "");
});

test("a link keeps its anchor, and what it asks for itself", () => {
  const choices = { basis: "share", base: "17" };
  assert.equal(withChoices("", choices), "#basis=share&base=17");
  assert.equal(withChoices("#results", choices), "#results&basis=share&base=17");
  assert.equal(withChoices("#one.basis=second", choices), "#one.basis=second&base=17");
  assert.equal(withChoices("#step=a&a=9&b=10", { basis: "", base: "" }), "#step=a&a=9&b=10");
});

test("all that has such a choice on the next page takes it up, but what a link chose for it", () => {
  const targets = { diffs: ["one", "two"], tables: [{ id: "relative-lab1", bases: ["16", "17"] }] };
  assert.equal(
    withChoicesApplied("#results&basis=share&two.basis=second&base=17", targets),
    "#results&one.basis=share&two.basis=second&relative-lab1.base=17",
  );
});

test("what nobody can take up stays for the page after", () => {
  assert.equal(withChoicesApplied("#basis=share&base=17", NONE), "#basis=share&base=17");
  const targets = { diffs: ["one"], tables: [{ id: "relative", bases: ["16"] }] };
  assert.equal(withChoicesApplied("#basis=frame&base=17", targets), "#basis=frame&base=17");
  assert.equal(withChoicesApplied("", targets), "");
});
