import assert from "node:assert/strict";
import { test } from "node:test";
import { nameSimilarity, stem, wordsOf } from "../../../pipeline/profile/match/similarity.js";
import { HOSTILE_NAMES } from "../profiles.js";

for (const [name, expected] of [
  ["db::cache::Shard::insert", "Shard::insert"],
  ["db::Shard::insert", "Shard::insert"],
  ["db::(anonymous namespace)::Shard::insert", "Shard::insert"],
  ["Shard<db::Key, Less>::insert<int>", "Shard::insert"],
  ["insert", "insert"],
  ["page_get<Row>", "page_get"],
  ["app::Job::run::{lambda(int)#1}::operator()", "Job::run::{lambda(int)#1}::operator()"],
  ["app::list::{{closure}}", "app::list::{{closure}}"],
  ["std::vector<Key>::push_back", "vector<Key>::push_back"],
  ["std::__1::vector<Key>::push_back", "vector<Key>::push_back"],
  ["Shard::operator<<", "Shard::operator<<"],
  ["cut::off<int", "cut::off<int"],
]) {
  test(`the stem of ${name}`, () => assert.equal(stem(name), expected));
}

/** @param {string} name @param {string} other */
const similarity = (name, other) => nameSimilarity(wordsOf(name), wordsOf(other));

for (const [name, other, expected] of /** @type {[string, string, number][]} */ ([
  ["page_get_offsets_func", "page_get_offsets", 1],
  ["row_upd_sec_index_entry", "row_upd_sec_index_entry_low", 0],
  ["cursor_move_to_next", "cursor_t::move_to_next", 1],
  ["has_read_ticket", "session_t::has_read_ticket", 1],
  ["db::Stage::enroll", "db::CommitStage::enroll", 0.9],
  ["Cache::GetBlock", "Cache::PutBlock", 0],
  ["cs_mb_wc_latin1", "cs_wc_mb_latin1", 0],
  ["db::Cache::insert", "db::Index::insert", 0],
  ["insert", "Cache::insert", 0],
  ["start_statement", "end_statement", 0],
  ["flush_page_cleaner_thread", "flush_page_cleaner_worker", 0],
  ["log_flush_page_cleaner_pool_thread", "log_flush_page_cleaner_pool_worker", 0],
  ["log_flush_page_cleaner_thread", "log_flush_page_cleaner_pool_thread", 21 / 22],
  ["db::DBIter::Next", "db::ArenaWrappedDBIter::Next", 0],
  ["db::KeyComparator::Compare", "db::KeyComparatorWrapper::Compare", 0],
  ["is_char_utf8", "is_char_utf8mb4", 0],
])) {
  test(`${name} is like ${other}: ${expected.toFixed(2)}`, () => {
    assert.ok(Math.abs(similarity(name, other) - expected) < 1e-9, `${similarity(name, other)}`);
    assert.equal(similarity(name, other), similarity(other, name));
  });
}

test("names that mean harm have a stem, and are like no other", () => {
  for (const name of HOSTILE_NAMES) {
    assert.notEqual(stem(name), "");
    for (const other of HOSTILE_NAMES) {
      if (other !== name) assert.equal(similarity(name, other), 0);
    }
  }
});
