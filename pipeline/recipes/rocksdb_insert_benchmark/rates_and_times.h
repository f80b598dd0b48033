/* How insert_benchmark prints rates by the second and response times, as log.toml reads them. */

/* Prints the rate of each second that has passed since the last call. */
static void print_second(uint64_t started, uint64_t operations) {
  static uint64_t second = 1, at, counted;
  uint64_t now = nanoseconds() - started;
  if (now < second * 1000000000u) return;
  printf("second %lu: %.1f/s\n", second, (double)(operations - counted) * 1e9 / (double)(now - at));
  fflush(stdout);
  second = now / 1000000000u + 1;
  at = now;
  counted = operations;
}

static int compare_times(const void *left, const void *right) {
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

static void print_times(uint32_t *times, size_t count) {
  static const double percents[] = {50, 95, 99, 99.9};
  qsort(times, count, sizeof *times, compare_times);
  for (size_t each = 0; each < sizeof percents / sizeof *percents; each++)
    printf("p%g: %.3f us\n", percents[each],
           times[(size_t)((double)(count - 1) * percents[each] / 100)] / 1e3);
  printf("maximum: %.3f us\n", times[count - 1] / 1e3);
}
