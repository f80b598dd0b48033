/* One step of the Insert Benchmark on RocksDB, with the keys that MyRocks would write.
 *
 *     insert_benchmark LIBRARY DIRECTORY load ROWS
 *     insert_benchmark LIBRARY DIRECTORY index
 *     insert_benchmark LIBRARY DIRECTORY insert ROWS
 *     insert_benchmark LIBRARY DIRECTORY settle
 *     insert_benchmark LIBRARY DIRECTORY query SECONDS RATE
 *
 * `load` inserts rows in the order of their ids, without secondary indexes. `index` reads all rows
 * and writes three secondary indexes. `insert` inserts rows at the head of the table and deletes as
 * many from its tail, with all index entries. `settle` flushes, and waits until no compaction is left
 * to do. `query` reads ten neighbouring entries of a secondary index, over and over, while another
 * thread inserts and deletes RATE rows a second.
 */
#define NAME "insert_benchmark"
#define FUNCTIONS                                                                                  \
  F(void *, options_create, (void))                                                                \
  F(void, options_set_create_if_missing, (void *, unsigned char))                                  \
  F(void, options_set_write_buffer_size, (void *, size_t))                                         \
  F(void, options_set_target_file_size_base, (void *, uint64_t))                                   \
  F(void, options_set_max_bytes_for_level_base, (void *, uint64_t))                                \
  F(void, options_set_level_compaction_dynamic_level_bytes, (void *, unsigned char))               \
  F(void, options_set_compression, (void *, int))                                                  \
  F(void, options_set_block_based_table_factory, (void *, void *))                                 \
  F(void *, block_based_options_create, (void))                                                    \
  F(void, block_based_options_set_block_cache, (void *, void *))                                   \
  F(void, block_based_options_set_format_version, (void *, int))                                   \
  F(void *, cache_create_lru, (size_t))                                                            \
  F(void *, open, (void *, const char *, char **))                                                 \
  F(char *, property_value, (void *, const char *))                                                \
  F(void, close, (void *))                                                                         \
  F(int, property_int, (void *, const char *, uint64_t *))                                         \
  F(void *, flushoptions_create, (void))                                                           \
  F(void, flush, (void *, void *, char **))                                                        \
  F(void *, writeoptions_create, (void))                                                           \
  F(void *, readoptions_create, (void))                                                            \
  F(void, readoptions_destroy, (void *))                                                           \
  F(void, readoptions_set_iterate_upper_bound, (void *, const char *, size_t))                     \
  F(void *, create_iterator, (void *, void *))                                                     \
  F(void, iter_seek, (void *, const char *, size_t))                                               \
  F(void, iter_seek_for_prev, (void *, const char *, size_t))                                      \
  F(void, iter_next, (void *))                                                                     \
  F(unsigned char, iter_valid, (void *))                                                           \
  F(const char *, iter_key, (void *, size_t *))                                                    \
  F(const char *, iter_value, (void *, size_t *))                                                  \
  F(void, iter_destroy, (void *))                                                                  \
  F(char *, get, (void *, void *, const char *, size_t, size_t *, char **))                        \
  F(void *, writebatch_create, (void))                                                             \
  F(void, writebatch_clear, (void *))                                                              \
  F(void, writebatch_destroy, (void *))                                                            \
  F(void, writebatch_put, (void *, const char *, size_t, const char *, size_t))                    \
  F(void, writebatch_delete, (void *, const char *, size_t))                                       \
  F(void, writebatch_singledelete, (void *, const char *, size_t))                                 \
  F(void, write, (void *, void *, void *, char **))                                                \
  F(void, free, (void *))

#include "../rocksdb_program.h"
#include "keys_and_rows.h"
#include "rates_and_times.h"

#define MIB ((size_t)1 << 20)
#define LZ4 4
#define BATCH 50 /* rows a transaction, as in the original's l.i1 */
#define TRANSACTIONS_A_SECOND 10 /* of the thread that is held to a rate */
#define MOST_TIMES ((size_t)16 << 20)

static void *database, *writing, *reading;
static uint64_t head, tail; /* the ids of the next row, and of the oldest */
static atomic_int stopping;
static atomic_ulong done;

static void check(char *error) {
  if (error) fail(error);
}

static void commit(void *batch) {
  char *error = NULL;
  rocksdb_write(database, writing, batch, &error);
  check(error);
  rocksdb_writebatch_clear(batch);
}

__attribute__((noinline)) static void insert_rows(void *batch, uint64_t count, int with_indexes) {
  char key[ROW_KEY], entry[ENTRY_KEY], row[ROW];
  for (uint64_t each = 0; each < count; each++, head++) {
    make_row_key(key, head);
    make_row(row, head);
    rocksdb_writebatch_put(batch, key, ROW_KEY, row, ROW);
    for (uint32_t index = 1; with_indexes && index <= INDEXES; index++) {
      make_entry_key(entry, index, row, key);
      rocksdb_writebatch_put(batch, entry, ENTRY_KEY, "", 0);
    }
  }
  commit(batch);
}

/* Reads each row, as a server must to know its index entries, and deletes it with them. */
__attribute__((noinline)) static void delete_rows(void *batch, uint64_t count) {
  char key[ROW_KEY], entry[ENTRY_KEY], *error = NULL;
  for (uint64_t each = 0; each < count; each++, tail++) {
    size_t length;
    make_row_key(key, tail);
    char *row = rocksdb_get(database, reading, key, ROW_KEY, &length, &error);
    check(error);
    if (!row || length != ROW) fail("the oldest row is missing");
    rocksdb_writebatch_delete(batch, key, ROW_KEY);
    for (uint32_t index = 1; index <= INDEXES; index++) {
      make_entry_key(entry, index, row, key);
      rocksdb_writebatch_singledelete(batch, entry, ENTRY_KEY);
    }
    rocksdb_free(row);
  }
  commit(batch);
}

__attribute__((noinline)) static void build_index(void *batch, uint32_t index) {
  char start[ROW_KEY], entry[ENTRY_KEY];
  uint64_t entries = 0;
  size_t length;
  make_row_key(start, 0);
  void *iterator = rocksdb_create_iterator(database, reading);
  rocksdb_iter_seek(iterator, start, ROW_KEY);
  for (; rocksdb_iter_valid(iterator); rocksdb_iter_next(iterator)) {
    const char *key = rocksdb_iter_key(iterator, &length);
    if (length != ROW_KEY) break;
    make_entry_key(entry, index, rocksdb_iter_value(iterator, &length), key);
    rocksdb_writebatch_put(batch, entry, ENTRY_KEY, "", 0);
    if (++entries % (BATCH * 10) == 0) commit(batch);
  }
  commit(batch);
  rocksdb_iter_destroy(iterator);
  if (entries != head - tail) fail("the table has another number of rows than its ids say");
}

__attribute__((noinline)) static void query_range(uint64_t *random) {
  char start[8], end[4];
  size_t length;
  uint64_t drawn = next_random(random);
  uint32_t index = 1 + drawn % INDEXES;
  put_number(start, index);
  put_number(start + 4, (uint32_t)(drawn >> 32));
  put_number(end, index + 1);
  void *bounded = rocksdb_readoptions_create();
  rocksdb_readoptions_set_iterate_upper_bound(bounded, end, sizeof end);
  void *iterator = rocksdb_create_iterator(database, bounded);
  rocksdb_iter_seek(iterator, start, sizeof start);
  for (int each = 0; each < 10 && rocksdb_iter_valid(iterator); each++) {
    rocksdb_iter_key(iterator, &length);
    rocksdb_iter_next(iterator);
  }
  rocksdb_iter_destroy(iterator);
  rocksdb_readoptions_destroy(bounded);
}

static void *write_at_rate(void *rate) {
  uint64_t rows = *(uint64_t *)rate / TRANSACTIONS_A_SECOND;
  uint64_t next = nanoseconds();
  void *batch = rocksdb_writebatch_create();
  pthread_setname_np(pthread_self(), "writer");
  while (!atomic_load(&stopping)) {
    insert_rows(batch, rows, 1);
    delete_rows(batch, rows);
    atomic_fetch_add(&done, rows);
    next += 1000000000u / TRANSACTIONS_A_SECOND;
    struct timespec until = {(time_t)(next / 1000000000u), (long)(next % 1000000000u)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
  }
  rocksdb_writebatch_destroy(batch);
  return NULL;
}

static void settle(void) {
  static const char *counts[] = {"rocksdb.compaction-pending", "rocksdb.num-running-compactions"};
  char *error = NULL;
  rocksdb_flush(database, rocksdb_flushoptions_create(), &error);
  check(error);
  for (int idle = 0; idle < 10; idle++) { /* for a second on end */
    usleep(100000);
    for (size_t each = 0; each < sizeof counts / sizeof *counts; each++) {
      uint64_t count = 0;
      if (rocksdb_property_int(database, counts[each], &count)) fail("a property is unknown");
      if (count) idle = -1;
    }
  }
}

static uint64_t query(uint64_t seconds, uint64_t rate) {
  uint32_t *times = malloc(MOST_TIMES * sizeof *times);
  if (!times) fail("no memory for the response times");
  memset(times, 1, MOST_TIMES * sizeof *times); /* no page faults while it is measured */
  uint64_t random = 1, queries = 0, started = nanoseconds(), before = started;
  pthread_t writer;
  pthread_create(&writer, NULL, write_at_rate, &rate);
  while (before < started + seconds * 1000000000u) {
    query_range(&random);
    uint64_t now = nanoseconds();
    if (queries < MOST_TIMES) times[queries] = (uint32_t)(now - before);
    before = now;
    print_second(started, ++queries);
  }
  uint64_t written = atomic_load(&done);
  atomic_store(&stopping, 1);
  pthread_join(writer, NULL);
  print_times(times, queries < MOST_TIMES ? queries : MOST_TIMES);
  printf("inserts: %.1f of %lu/s\n", (double)written * 1e9 / (double)(before - started), rate);
  free(times);
  return queries;
}

static uint64_t work(const char *step, uint64_t amount, uint64_t rate) {
  if (!strcmp(step, "query")) return query(amount, rate);
  int is_load = !strcmp(step, "load");
  void *batch = rocksdb_writebatch_create();
  uint64_t operations = 0, started = nanoseconds();
  if (!strcmp(step, "settle")) settle();
  if (!strcmp(step, "index")) {
    for (uint32_t index = 1; index <= INDEXES; index++) build_index(batch, index);
    operations = head - tail;
  }
  while (operations < amount) {
    insert_rows(batch, BATCH, !is_load);
    if (!is_load) delete_rows(batch, BATCH);
    print_second(started, operations += BATCH);
  }
  rocksdb_writebatch_destroy(batch);
  return operations;
}

static void open_database(const char *directory) {
  char *error = NULL;
  void *options = rocksdb_options_create(), *table = rocksdb_block_based_options_create();
  rocksdb_options_set_create_if_missing(options, 1);
  rocksdb_options_set_write_buffer_size(options, 8 * MIB);
  rocksdb_options_set_target_file_size_base(options, 8 * MIB);
  rocksdb_options_set_max_bytes_for_level_base(options, 32 * MIB);
  rocksdb_options_set_level_compaction_dynamic_level_bytes(options, 1);
  rocksdb_options_set_compression(options, LZ4);
  rocksdb_block_based_options_set_block_cache(table, rocksdb_cache_create_lru(1024 * MIB));
  rocksdb_block_based_options_set_format_version(table, 5);
  rocksdb_options_set_block_based_table_factory(options, table);
  database = rocksdb_open(options, directory, &error);
  check(error);
  writing = rocksdb_writeoptions_create();
  reading = rocksdb_readoptions_create();
}

static uint64_t id_of(void *iterator) {
  size_t length;
  uint64_t id;
  memcpy(&id, rocksdb_iter_key(iterator, &length) + 4, sizeof id);
  return __builtin_bswap64(id);
}

static void find_ends(void) {
  char first[4], last[4];
  put_number(first, 0);
  put_number(last, 1);
  void *iterator = rocksdb_create_iterator(database, reading);
  rocksdb_iter_seek(iterator, first, sizeof first);
  if (rocksdb_iter_valid(iterator)) {
    tail = id_of(iterator);
    rocksdb_iter_seek_for_prev(iterator, last, sizeof last);
    head = id_of(iterator) + 1;
  }
  rocksdb_iter_destroy(iterator);
}

/* Each of these is one more to search, in every query. */
static void print_level_0_files(void) {
  char *files = rocksdb_property_value(database, "rocksdb.num-files-at-level0");
  printf("files in level 0: %s\n", files);
  free(files);
}

int main(int count, char **words) {
  if (count < 4) fail("LIBRARY DIRECTORY load|index|insert|settle|query [AMOUNT [RATE]]");
  load(words[1]);
  open_database(words[2]);
  find_ends();
  pthread_setname_np(pthread_self(), "client");
  uint64_t amount = count > 4 ? strtoull(words[4], NULL, 10) : 0;
  uint64_t rate = count > 5 ? strtoull(words[5], NULL, 10) : 0;
  if (!strcmp(words[3], "query")) print_level_0_files();
  uint64_t started = nanoseconds(), operations = work(words[3], amount, rate);
  double seconds = (double)(nanoseconds() - started) / 1e9;
  if (!strcmp(words[3], "query")) seconds = (double)amount; /* sorting the times is not of it */
  printf("operations: %lu\nthroughput: %.1f/s\n", operations, (double)operations / seconds);
  rocksdb_close(database);
  return 0;
}
