/* What load generators on RocksDB share: the library loaded while running, time, random numbers.
 *
 * A program defines NAME, its own, and FUNCTIONS, the C interface that it uses: F(result, name,
 * arguments) for each. Any build of RocksDB that exports the C interface can then be loaded, so that
 * the program is the same for all of them.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define F(result, name, arguments) static result(*rocksdb_##name) arguments;
FUNCTIONS
#undef F

static void fail(const char *what) {
  fprintf(stderr, NAME ": %s\n", what);
  exit(1);
}

static uint64_t next_random(uint64_t *state) { /* splitmix64 */
  uint64_t mixed = (*state += 0x9e3779b97f4a7c15u);
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
  return mixed ^ (mixed >> 31);
}

static uint64_t nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void load(const char *library) {
  void *handle = dlopen(library, RTLD_NOW);
  if (!handle) fail(dlerror());
#define F(result, name, arguments)                                                                 \
  if (!(rocksdb_##name = (result(*) arguments)dlsym(handle, "rocksdb_" #name)))                    \
    fail("the library lacks rocksdb_" #name);
  FUNCTIONS
#undef F
}
