/* Writes random rows in small transactions, as CockroachDB's block_writer of 2016 made it do.
 *
 *     block_writer LIBRARY DIRECTORY SECONDS WORKERS BOUND TRACE
 *
 * Each operation looks for its transaction's record, which is not there, writes it, writes a row, and
 * deletes the record: the records' part of the key space holds nothing but tombstones. With BOUND
 * `bounded` the iterator that looks for a record ends at that record's key; with `unbounded` it does
 * not. Prints the operations of each second; the file TRACE gets the steps of one operation of the
 * last second.
 */
#define NAME "block_writer"
#define FUNCTIONS                                                                                  \
  F(void *, options_create, (void))                                                                \
  F(void, options_set_create_if_missing, (void *, unsigned char))                                  \
  F(void, options_set_write_buffer_size, (void *, size_t))                                         \
  F(void *, open, (void *, const char *, char **))                                                 \
  F(void, close, (void *))                                                                         \
  F(void *, writeoptions_create, (void))                                                           \
  F(void *, readoptions_create, (void))                                                            \
  F(void, readoptions_destroy, (void *))                                                           \
  F(void, readoptions_set_iterate_upper_bound, (void *, const char *, size_t))                     \
  F(void *, create_iterator, (void *, void *))                                                     \
  F(void, iter_seek, (void *, const char *, size_t))                                               \
  F(unsigned char, iter_valid, (void *))                                                           \
  F(const char *, iter_key, (void *, size_t *))                                                    \
  F(void, iter_destroy, (void *))                                                                  \
  F(void, put, (void *, void *, const char *, size_t, const char *, size_t, char **))              \
  F(void, delete, (void *, void *, const char *, size_t, char **))

#include "../rocksdb_program.h"

#define MEMTABLE ((size_t)1 << 30) /* full, and flushed, after 3.1 million operations */
#define KEY 17
#define ROW 200
#define EVENTS 6

struct worker {
  pthread_t thread;
  uint64_t random;
  uint64_t number;
};

static void *database, *writing;
static int is_bounded;
static atomic_ulong finished;
static atomic_int stopping, tracing;
static const char *trace_path;

/* A key is a letter, then two numbers, big-endian: `r` rows, `t` transactions, which come after. */
static void make_key(char *key, char kind, uint64_t first, uint64_t second) {
  first = __builtin_bswap64(first);
  second = __builtin_bswap64(second);
  key[0] = kind;
  memcpy(key + 1, &first, 8);
  memcpy(key + 9, &second, 8);
}

__attribute__((noinline)) static int is_present(const char *key, uint64_t *opened) {
  char after[KEY + 1];
  size_t length = 0;
  void *reading = rocksdb_readoptions_create();
  if (is_bounded) {
    memcpy(after, key, KEY);
    after[KEY] = 0;
    rocksdb_readoptions_set_iterate_upper_bound(reading, after, sizeof after);
  }
  void *iterator = rocksdb_create_iterator(database, reading);
  *opened = nanoseconds();
  rocksdb_iter_seek(iterator, key, KEY);
  int found = rocksdb_iter_valid(iterator) &&
              !memcmp(rocksdb_iter_key(iterator, &length), key, KEY) && length == KEY;
  rocksdb_iter_destroy(iterator);
  rocksdb_readoptions_destroy(reading);
  return found;
}

__attribute__((noinline)) static void write_key(const char *key, const char *value, size_t length) {
  char *error = NULL;
  rocksdb_put(database, writing, key, KEY, value, length, &error);
  if (error) fail(error);
}

__attribute__((noinline)) static void delete_key(const char *key) {
  char *error = NULL;
  rocksdb_delete(database, writing, key, KEY, &error);
  if (error) fail(error);
}

static void write_trace(const uint64_t *times) {
  static const char *events[EVENTS] = {
      "",
      "iterator opened",
      "transaction was not present",
      "transaction record written",
      "row written",
      "transaction record deleted",
  };
  FILE *file = fopen(trace_path, "w");
  if (!file) fail("the trace cannot be written");
  for (int each = 1; each < EVENTS; each++)
    fprintf(file, "%.3fµs | %d | store | %s\n", (double)(times[each] - times[each - 1]) / 1e3, each,
            events[each]);
  fclose(file);
}

static void write_block(struct worker *worker) {
  char transaction[KEY], row[KEY], value[ROW] = {0};
  uint64_t times[EVENTS];
  make_key(transaction, 't', next_random(&worker->random), worker->number);
  make_key(row, 'r', next_random(&worker->random), worker->number++);
  times[0] = nanoseconds();
  if (is_present(transaction, &times[1])) fail("a transaction's record is there before it begins");
  times[2] = nanoseconds();
  write_key(transaction, "pending", 7);
  times[3] = nanoseconds();
  write_key(row, value, ROW);
  times[4] = nanoseconds();
  delete_key(transaction);
  times[5] = nanoseconds();
  if (atomic_exchange(&tracing, 0)) write_trace(times);
}

static void *work(void *worker) {
  while (!atomic_load(&stopping)) {
    write_block(worker);
    atomic_fetch_add(&finished, 1);
  }
  return NULL;
}

static void print_second(int second, double rate) {
  char time[16];
  if (second < 60)
    snprintf(time, sizeof time, "%ds", second);
  else
    snprintf(time, sizeof time, "%dm%ds", second / 60, second % 60);
  printf("%6s: %8.1f/sec\n", time, rate);
  fflush(stdout);
}

int main(int count, char **words) {
  if (count != 7) fail("LIBRARY DIRECTORY SECONDS WORKERS bounded|unbounded TRACE");
  int seconds = atoi(words[3]), workers = atoi(words[4]);
  is_bounded = !strcmp(words[5], "bounded");
  trace_path = words[6];
  load(words[1]);
  char *error = NULL;
  void *options = rocksdb_options_create();
  rocksdb_options_set_create_if_missing(options, 1);
  rocksdb_options_set_write_buffer_size(options, MEMTABLE);
  database = rocksdb_open(options, words[2], &error);
  if (error) fail(error);
  writing = rocksdb_writeoptions_create();
  struct worker all[64] = {0};
  if (workers < 1 || workers > 64) fail("WORKERS is 1 to 64");
  uint64_t before = nanoseconds(), counted = 0;
  for (int each = 0; each < workers; each++) {
    all[each].random = (uint64_t)each + 1;
    all[each].number = (uint64_t)each << 32;
    pthread_create(&all[each].thread, NULL, work, &all[each]);
  }
  for (int second = 1; second <= seconds; second++) {
    if (second == seconds) atomic_store(&tracing, 1);
    sleep(1);
    uint64_t now = nanoseconds(), done = atomic_load(&finished);
    print_second(second, (double)(done - counted) * 1e9 / (double)(now - before));
    before = now;
    counted = done;
  }
  atomic_store(&stopping, 1);
  for (int each = 0; each < workers; each++) pthread_join(all[each].thread, NULL);
  rocksdb_close(database);
  return 0;
}
