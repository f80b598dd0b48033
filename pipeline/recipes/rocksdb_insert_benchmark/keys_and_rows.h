/* The keys and rows of insert_benchmark, as MyRocks would write them. */

#define INDEXES 3
#define ROW_KEY 12   /* the index's number, 0, and the id, both big-endian */
#define ENTRY_KEY 16 /* the index's number, the value of its column, the id */
#define ROW 100      /* the columns of the secondary indexes, and a filler */

static void put_number(char *place, uint32_t number) {
  number = __builtin_bswap32(number);
  memcpy(place, &number, sizeof number);
}

static void make_row_key(char *key, uint64_t id) {
  put_number(key, 0);
  id = __builtin_bswap64(id);
  memcpy(key + 4, &id, sizeof id);
}

static void make_entry_key(char *key, uint32_t index, const char *row, const char *row_key) {
  put_number(key, index);
  memcpy(key + 4, row + 4 * (index - 1), 4);
  memcpy(key + 8, row_key + 4, 8);
}

static void make_row(char *row, uint64_t id) {
  uint64_t state = id;
  memset(row, 'x', ROW);
  for (int each = 0; each < ROW / 2; each += 8) { /* half of it cannot be compressed */
    uint64_t random = next_random(&state);
    memcpy(row + each, &random, each + 8 <= ROW / 2 ? 8 : ROW / 2 - each);
  }
}
