// Programs whose copies run ahead: cp.async, barriers in shared memory, clusters, bulk copies.
#define _POSIX_C_SOURCE 200809L
#include "host.h"

static void pipeline_copy(void) {
  for_sizes(tiles, 1, 2, 3, 9) {
    enum { T = 64, grid = 2 };
    const size_t n = grid * tiles * T * 4;
    const float* x = random_floats(n, -1, 1);
    device_address dx = upload(x, n * 4), dy = poisoned(n * 4);
    launch("pipeline_copy", at(grid), at(T), 0, with(&dx, &dy, &tiles));
    const float* got = fetch(dy, n * 4);
    for (size_t i = 0; i < n; ++i) {
      const size_t tile = i / (T * 4) * (T * 4), next = tile + (i - tile + 4) / 4 * 4 % (T * 4);
      equal("y", i, bits_of(got[i]), bits_of(x[i] + x[next + 3 - i % 4]));
    }
  }
  for_sizes(n, 1, 3, 255, 256, 258) {
    const size_t all = blocks(n, 256) * 256;
    const uint32_t* x = random_words(n + 3, 0);
    device_address dx = upload(x, (n + 3) * 4), dy = poisoned(all * 4);
    launch("partial_copy", at(blocks(n, 256)), at(64), 0, with(&dx, &dy, &n));
    const uint32_t* got = fetch(dy, all * 4);
    for (size_t i = 0; i < all; ++i) {
      const size_t from = i / 256 * 256 + 255 - i % 256;
      equal("partial", i, got[i], from < n ? x[from] : 0);
    }
  }
}

static void group_copy(void) {
  for_sizes(words, 1, 64, 97) {
    const uint32_t* x = random_words(3 * words, 0);
    device_address dx = upload(x, 3 * words * 4), dy = poisoned(3 * words * 4);
    launch("group_copy", at(3), at(64), words * 4, with(&dx, &dy, &words));
    const uint32_t* got = fetch(dy, 3 * words * 4);
    for (size_t i = 0; i < 3 * words; ++i) equal("y", i, got[i], x[i / words * words + words - 1 - i % words]);
  }
  for_sizes(tiles, 1, 2, 7) {
    const uint32_t* x = random_words(2 * tiles * 96, 0);
    device_address dx = upload(x, 2 * tiles * 96 * 4), sums = poisoned(2 * 64 * 4);
    launch("pipeline_of_block", at(2), at(64), 0, with(&dx, &sums, &tiles));
    const uint32_t* got = fetch(sums, 2 * 64 * 4);
    for (size_t i = 0; i < 128; ++i) {
      uint32_t sum = 0;
      for (size_t k = 0; k < tiles; ++k) sum = sum * 5 + x[(i / 64 * tiles + k) * 96 + (i % 64 + k) % 96];
      equal("sums", i, got[i], sum);
    }
  }
}

static void block_barrier(void) {
  enum { grid = 2, n = 128 };
  int rounds = 9;
  const uint32_t* x = random_words(grid * n, 0);
  device_address dx = upload(x, grid * n * 4), dy = poisoned((grid * n + grid) * 4);
  launch("block_barrier", at(grid), at(n), 0, with(&dx, &dy, &rounds));
  const uint32_t* got = fetch(dy, (grid * n + grid) * 4);
  for (size_t b = 0; b < grid; ++b) {
    uint32_t v[n], work = 0, sum = 0;
    memcpy(v, x + b * n, sizeof v);
    for (uint32_t r = 0; r < (uint32_t)rounds; ++r) {
      uint32_t next[n];
      for (uint32_t t = 0; t < n; ++t) next[t] = v[t] + v[(t + r + 1) % n];
      memcpy(v, next, sizeof v);
      work = work * 7 + r;
    }
    for (size_t t = 0; t < n; ++t) {
      equal("y", b * n + t, got[b * n + t], v[t] + work);
      sum += t % 2 ? 0 : v[t];
    }
    equal("sum", b, got[grid * n + b], sum);
  }
}

static void mbarrier_rings(void) {
  for_sizes(rounds, 1, 3, 20) {
    const uint32_t* x = random_words(2 * rounds * 32, 0);
    device_address dx = upload(x, 2 * rounds * 128), dy = poisoned(2 * 96 * 4);
    launch("mbarrier_rings", at(2), at(128), 0, with(&dx, &dy, &rounds));
    const uint32_t* got = fetch(dy, 2 * 96 * 4);
    for (size_t i = 0; i < 192; ++i) {
      uint32_t sum = 0;
      for (size_t r = 0; r < rounds; ++r)
        sum = sum * 3 + x[(i / 96 * rounds + r) * 32 + (i % 32 + i % 96 / 32 + 1) % 32];
      equal("y", i, got[i], sum);
    }
  }
}

static void cluster_sums(void) {
  enum { grid = 8, threads = 64 };
  const uint32_t* x = random_words(grid * threads, 0);
  device_address dx = upload(x, grid * threads * 4), sums = poisoned(grid * 4), bins = poisoned(grid * 64);
  launch("cluster_sums", at(grid), at(threads), 0, with(&dx, &sums, &bins));
  uint32_t want[grid] = {0}, counts[grid * 16] = {0};
  for (size_t i = 0; i < grid * threads; ++i) want[i / threads] += x[i], ++counts[i / (4 * threads) * 64 + x[i] % 64];
  const uint32_t* got = fetch(sums, grid * 4);
  for (size_t b = 0; b < grid; ++b) {
    uint32_t total = 0;
    for (size_t r = 0; r < 4; ++r) total = total * 3 + want[b / 4 * 4 + r];
    equal("sums", b, got[b], total);
  }
  same_words("bins", fetch(bins, grid * 64), counts, grid * 16);
}

static void bulk_copy(void) {
  for_sizes(tiles, 1, 2, 5) {
    const size_t n = 3 * tiles * 256;
    const uint32_t* x = random_words(n, 0);
    device_address dx = upload(x, n * 4), dy = poisoned(n * 4);
    launch("bulk_copy", at(3), at(96), 0, with(&dx, &dy, &tiles));
    const uint32_t* got = fetch(dy, n * 4);
    for (size_t i = 0; i < n; ++i) equal("y", i, got[i], x[i] * 3 + (uint32_t)(i % 256));
  }
}

static const struct program programs[] = {
    {"pipeline_copy", pipeline_copy, false}, {"group_copy", group_copy, false},
    {"block_barrier", block_barrier, false}, {"mbarrier_rings", mbarrier_rings, false},
    {"cluster_sums", cluster_sums, false},   {"bulk_copy", bulk_copy, false},
};

int main(int argc, char** argv) { return run_programs(programs, count_of(programs), argc, argv); }
