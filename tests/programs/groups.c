// Programs whose threads talk: votes, shuffles, cooperative groups, atomics, locks, flags, named barriers.
#define _POSIX_C_SOURCE 200809L
#include "host.h"

static unsigned ones(uint32_t x) {
  unsigned count = 0;
  for (; x; x &= x - 1) ++count;
  return count;
}

static void votes(void) {
  enum { threads = 96, grid = 3 };
  uint32_t* x = random_words(threads * grid, 0);
  for (size_t i = 0; i < 32; ++i) x[i] |= 0x42;                                  // a warp that agrees
  for (size_t i = threads; i < 2 * threads; ++i) x[i] = (x[i] & ~0xffu) | 0x16;  // a block without a seven
  x[2 * threads + 5] = 7;
  device_address dx = upload(x, threads * grid * 4), out = poisoned(threads * grid * 40);
  launch("votes", at(grid), at(threads), 0, with(&dx, &out));
  const uint32_t* got = fetch(out, threads * grid * 40);
  for (size_t i = 0; i < threads * grid; ++i) {
    const size_t warp = i / 32 * 32, block = i / threads * threads, lane = i % 32;
    uint32_t odd = 0, two = 0, any = 0, all = 1, sixes = 0, fours = 0, sevens = 0;
    for (size_t k = 0; k < 32; ++k) {
      const uint32_t v = x[warp + k];
      odd |= (v & 1) << k, two |= (k % 3 == 0 ? v >> 1 & 1 : 0) << k, sixes += v >> 6 & 1;
      any |= (v & 15) == 3, all &= (v & 14) != 0;
    }
    for (size_t k = 0; k < threads; ++k) fours += x[block + k] >> 2 & 1, sevens += (x[block + k] & 0xff) == 7;
    const bool third = lane % 3 == 0;
    const uint32_t want[10] = {odd,
                               any,
                               all,
                               sixes % 32 == 0,
                               third ? two : 0,
                               third ? 0x49249249u : 0,
                               fours,
                               sevens == 0,
                               sevens != 0,
                               ones(odd & ((1u << lane) - 1))};
    for (size_t k = 0; k < 10; ++k)
      if (k != 5 || lane % 3 != 0)
        equal("out", i * 10 + k, got[i * 10 + k], want[k]);
      else if ((got[i * 10 + 5] & ~0x49249249u) != 0 ||
               (got[i * 10 + 5] >> lane & 1) == 0)  // hardware may split further
        fail("active mask 0x%x of lane %zu", got[i * 10 + 5], lane);
  }
}

static void matches(void) {
  enum { n = 128 };
  uint32_t* x = random_words(n, 6);
  for (size_t i = 32; i < 64; ++i) x[i] = 5;
  device_address dx = upload(x, n * 4), out = poisoned(n * 24);
  launch("matches", at(2), at(64), 0, with(&dx, &out));
  const uint32_t* got = fetch(out, n * 24);
  for (size_t i = 0; i < n; ++i) {
    uint32_t want[6] = {0};
    for (size_t k = 0; k < 32; ++k) {
      const uint32_t v = x[i], w = x[i / 32 * 32 + k], bit = 1u << k;
      if (v == w) want[0] |= bit;
      if (v % 4 == w % 4) want[1] |= bit;
      if (i % 32 < 16 && k < 16 && v / 2 == w / 2) want[4] |= bit;
      if (i % 32 >= 16 && k >= 16 && v % 2 == w % 2) want[5] |= bit;
    }
    want[3] = want[0] == ~0u, want[2] = want[3] ? ~0u : 0;
    same_words("out", got + i * 6, want, 6);
  }
}

static void shuffles(void) {
  enum { n = 128 };
  const int32_t* x = (const int32_t*)random_words(n, 0);
  const double* d = random_doubles(n, -1, 1);
  device_address dx = upload(x, n * 4), dd = upload(d, n * 8), out = poisoned(n * 40), wide = poisoned(n * 8);
  launch("shuffles", at(2), at(64), 0, with(&dx, &dd, &out, &wide));
  const int32_t* got = fetch(out, n * 40);
  const double* far = fetch(wide, n * 8);
  for (int i = 0; i < n; ++i) {
    const int32_t* w = x + i / 32 * 32;
    const int l = i % 32;
    const int from[10] = {x[i] & 31,
                          l < 3 ? l : l - 3,
                          l + 5 > 31 ? l : l + 5,
                          l ^ 17,
                          l / 8 * 8 + (l + 1) % 8,
                          l % 4 < 2 ? l : l - 2,
                          l % 16 == 15 ? l : l + 1,
                          (l ^ 12) > (l | 7) ? l : l ^ 12,
                          31,
                          l >= 16  ? l ^ 1
                          : l < 15 ? l + 1
                                   : l};
    for (size_t k = 0; k < 10; ++k)
      equal("out", (size_t)i * 10 + k, (uint32_t)got[(size_t)i * 10 + k], (uint32_t)w[from[k]]);
    const double* e = d + i / 32 * 32;
    near("wide", (size_t)i, far[i], (l + 7 > 31 ? e[l] : e[l + 7]) + (double)w[l ^ 9], 0);
  }
}

static void warp_reductions(void) {
  enum { n = 96 };
  const uint32_t* x = random_words(n, 0);
  device_address dx = upload(x, n * 4), out = poisoned(n * 32);
  launch("warp_reductions", at(1), at(n), 0, with(&dx, &out));
  const uint32_t* got = fetch(out, n * 32);
  for (size_t i = 0; i < n; ++i) {
    uint32_t want[8] = {0, ~0u, 0x80000000u, ~0u, 0, 0, 0x7fffffffu, 0};
    for (size_t k = 0; k < 32; ++k) {
      const uint32_t v = x[i / 32 * 32 + k];
      want[0] += v, want[3] &= v, want[4] |= v, want[5] ^= v;
      if (v < want[1]) want[1] = v;
      if ((int32_t)v > (int32_t)want[2]) want[2] = v;
      if ((int32_t)v < (int32_t)want[6]) want[6] = v;
      if (i % 32 % 5 < 2 && k % 5 < 2) want[7] += v;
    }
    same_words("out", got + i * 8, want, 8);
  }
}

static void tiled_groups(void) {
  enum { n = 192 };
  const int32_t* x = (const int32_t*)random_words(n, 1000);
  device_address dx = upload(x, n * 4), out = poisoned(n * 36);
  launch("tiled_groups", at(2), at(n / 2), 0, with(&dx, &out));
  const int32_t* got = fetch(out, n * 36);
  for (int i = 0; i < n; ++i) {
    const int32_t *warp = x + i / 32 * 32, *tile = x + i / 8 * 8;
    int32_t want[9] = {0, 0, 0, 0, tile[3], 0, 0, i % 32 / 8 * 100 + i % 8, 0};
    for (int k = 0; k < 32; ++k) {
      if (warp[k] > want[1]) want[1] = warp[k];
      if (k < i % 32) want[3] ^= warp[k];
    }
    for (int k = 0; k < 8; ++k) {
      want[0] += tile[k], want[2] += k <= i % 8 ? tile[k] : 0, want[5] |= (tile[k] & 1) << k;
      want[6] |= tile[k] == 3, want[8] |= (tile[k] % 4 == x[i] % 4) << k;
    }
    same_words("out", (const uint32_t*)got + i * 9, (uint32_t*)want, 9);
  }
}

static void coalesced_groups(void) {
  for_sizes(n, 1, 33, 200) {
    const int32_t* x = (const int32_t*)random_words(n, 100);
    device_address dx = upload(x, n * 4), counter = zeroed(4), places = poisoned(n * 4), sums = poisoned(n * 4);
    launch("coalesced_groups", at(blocks(n, 64)), at(64), 0, with(&dx, &counter, &places, &sums, &n));
    const uint32_t* place = fetch(places, n * 4);
    const int32_t* sum = fetch(sums, n * 4);
    uint8_t* seen = room(n);
    uint32_t taken = 0;
    for (unsigned i = 0; i < n; ++i) {
      if (x[i] % 3 == 0) {
        ++taken;
        if (place[i] >= n || seen[place[i]]++) fail("place %u of %u", place[i], i);
      } else {
        equal("places", i, place[i], ~0u);
      }
      // How many lanes of a branch a group finds is up to the machine: each at least itself.
      int32_t want = 0, odd = 0;
      for (unsigned k = i / 32 * 32; k < n && k < i / 32 * 32 + 32; ++k)
        want += x[k] % 4 == x[i] % 4 ? x[k] : 0, odd += x[k] & 1;
      equal("sums", i, (uint32_t)(sum[i] % 1000000), (uint32_t)want);
      const int32_t found = sum[i] / 1000000;
      if (x[i] & 1 ? found < 1 || found > odd : found != 0) fail("a group of %d odd values of %d", found, odd);
    }
    equal("counter", 0, *(uint32_t*)fetch(counter, 4), taken);
  }
}

static void grid_sync(void) {
  enum { grid = 5, threads = 64, n = grid * threads };
  int steps = 7;
  uint32_t* want = random_words(n, 0);
  device_address now = upload(want, n * 4), next = poisoned(n * 4);
  launch_cooperative("grid_sync", at(grid), at(threads), with(&now, &next, &steps));
  for (int s = 0; s < steps; ++s) {
    uint32_t* made = room(n * 4);
    for (size_t i = 0; i < n; ++i) made[i] = want[(i + 37) % n] * 3 + want[(i + n - 1) % n];
    want = made;
  }
  same_words("next", fetch(next, n * 4), want, n);
}

static void atomics(void) {
  for_sizes(n, 1, 97, 500) {
    const uint32_t* x = random_words(n, 0);
    uint32_t words[16] = {0, 0, ~0u, 0, 0x7fffffffu, 0x80000000u, ~0u, 0, 0, 0, 0, ~0u, 0, 0, ~0u, 0};
    uint64_t longs[10] = {0, ~0ull, 0, INT64_MAX, 1ull << 63, ~0ull, 0, 0, 77, 0};
    const unsigned grid = blocks(n, 128);
    device_address dx = upload(x, n * 4), dw = upload(words, sizeof words), dl = upload(longs, sizeof longs),
                   old = poisoned(n * 12);
    launch("atomics", at(grid), at(128), 0, with(&dx, &dw, &dl, &old, &n));
    for (unsigned i = 0; i < n; ++i) {
      const uint32_t v = x[i];
      const uint64_t w = (uint64_t)v << 20 | i;
      ++words[0], words[1] -= v, words[6] &= v | 0xff, words[7] |= v & 0xff00, words[8] ^= v;
      if (v < words[2]) words[2] = v;
      if (v > words[3]) words[3] = v;
      if ((int32_t)v < (int32_t)words[4]) words[4] = v;
      if ((int32_t)v > (int32_t)words[5]) words[5] = v;
      words[9] = words[9] >= 12 ? 0 : words[9] + 1, words[10] = words[10] == 0 || words[10] > 12 ? 12 : words[10] - 1;
      longs[0] += w, longs[5] &= w | 0xfffff, longs[6] |= w, longs[7] ^= w, longs[9] += w;
      if (w < longs[1]) longs[1] = w;
      if (w > longs[2]) longs[2] = w;
      if ((int64_t)(w << 30) < (int64_t)longs[3]) longs[3] = w << 30;
      if ((int64_t)(w << 30) > (int64_t)longs[4]) longs[4] = w << 30;
      words[12] += v, words[14] &= v | 1;
      if (v > words[13]) words[13] = v;
    }
    for (unsigned b = 0; b < grid; ++b) words[15] += (b + 1 < grid ? 128 : n - b * 128) % 5;
    const uint32_t* got = fetch(dw, sizeof words);
    const uint64_t* got_long = fetch(dl, sizeof longs);
    for (size_t k = 0; k < 16; ++k)
      if (k != 11) equal("words", k, got[k], words[k]);
    for (size_t k = 0; k < 10; ++k)
      if (k != 8) equal("longs", k, got_long[k], longs[k]);
    // Counters give each number once; exchanges hand each value on once, the last one stays.
    const uint32_t* before = fetch(old, n * 12);
    const uint32_t last[3] = {n, got[11], (uint32_t)got_long[8]}, first[3] = {n, ~0u, 77};
    for (size_t row = 0; row < 3; ++row) {
      uint8_t* seen = room(n);
      if (row > 0) seen[last[row] < n ? last[row] : 0]++;
      for (unsigned i = 0; i < n; ++i) {
        const uint32_t v = before[row * n + i];
        if (row > 0 && v == first[row] && (v >= n || seen[v])) continue;
        if (v >= n || seen[v]++) fail("row %zu hands out %u twice, or too large", row, v);
      }
    }
  }
}

static void compare_and_swap(void) {
  for_sizes(n, 1, 65, 300) {
    const uint32_t* x = random_words(n, 0);
    const uint32_t one = 1, end = ~0u;
    const double lowest = -1e30;
    uint16_t halves[6] = {65530, 0, 1, 2, 3, 4};
    device_address dx = upload(x, n * 4), product = upload(&one, 4), most = upload(&lowest, 8), dh = upload(halves, 12),
                   head = upload(&end, 4), next = poisoned(n * 4);
    launch("compare_and_swap", at(blocks(n, 64)), at(64), 0, with(&dx, &product, &most, &dh, &head, &next, &n));
    uint32_t want = 1;
    double high = lowest;
    for (unsigned i = 0; i < n; ++i) {
      want *= x[i] | 1, high = fmax(high, (double)x[i] - 2e9);
      halves[x[i] % 5] = (uint16_t)(halves[x[i] % 5] + 3);
    }
    equal("product", 0, *(uint32_t*)fetch(product, 4), want);
    near("most", 0, *(double*)fetch(most, 8), high, 0);
    const uint16_t* got = fetch(dh, 12);
    for (size_t k = 0; k < 6; ++k) equal("halves", k, got[k], halves[k]);
    const uint32_t* link = fetch(next, n * 4);
    uint8_t* seen = room(n);
    unsigned length = 0;
    for (uint32_t i = *(uint32_t*)fetch(head, 4); i != end; i = link[i], ++length)
      if (i >= n || seen[i]++) fail("the list is broken at %u", i);
    equal("length", 0, length, n);
  }
}

static void spin_lock(void) {
  enum { grid = 6, threads = 96, warps = grid * threads / 32 };
  device_address lock = zeroed(4), counter = zeroed(4), own = poisoned(grid * 4), trace = poisoned(warps * 4);
  launch("spin_lock", at(grid), at(threads), 0, with(&lock, &counter, &own, &trace));
  equal("lock", 0, *(uint32_t*)fetch(lock, 4), 0);
  equal("counter", 0, *(uint32_t*)fetch(counter, 4), warps);
  const uint32_t* counts = fetch(own, grid * 4);
  const uint32_t* order = fetch(trace, warps * 4);
  uint32_t seen[grid] = {0};
  for (size_t b = 0; b < grid; ++b) equal("own", b, counts[b], threads);
  for (size_t k = 0; k < warps; ++k) {
    const uint32_t block = order[k] / 32, bit = 1u << order[k] % 32;
    if (block >= grid || (seen[block] & bit)) fail("trace[%zu] is %u", k, order[k]);
    seen[block] |= bit;
  }
}

static void producer_consumer(void) {
  enum { pairs = 3, threads = 64 };
  int rounds = 11;
  device_address slots = poisoned(pairs * threads * 4), full = zeroed(pairs * 4),
                 results = poisoned(pairs * threads * 4);
  launch("producer_consumer", at(2 * pairs), at(threads), 0, with(&slots, &full, &results, &rounds));
  const uint32_t* got = fetch(results, pairs * threads * 4);
  for (uint32_t i = 0; i < pairs * threads; ++i) {
    uint32_t sum = 0;
    for (uint32_t r = 0; r < (uint32_t)rounds; ++r) sum = sum * 3 + r * 1000 + i % threads + i / threads;
    equal("results", i, got[i], sum);
  }
}

static void named_barriers(void) {
  for_sizes(tiles, 2, 3, 9) {
    const size_t n = tiles * 64;
    const float* x = random_floats(n, -1, 1);
    device_address dx = upload(x, n * 4), dy = poisoned(n * 4);
    launch("named_barriers", at(1), at(128), 0, with(&dx, &dy, &tiles));
    const float* got = fetch(dy, n * 4);
    for (size_t i = 0; i < n; ++i) equal("y", i, bits_of(got[i]), bits_of(x[i / 64 * 64 + 63 - i % 64] * 2 + 1));
  }
}

static void sleep_and_clock(void) {
  enum { n = 96 };
  device_address ticks = poisoned(n * 24), places = poisoned(n * 12);
  launch("sleep_and_clock", at(2), at(n / 2), 0, with(&ticks, &places));
  const int64_t* took = fetch(ticks, n * 24);
  const uint32_t* place = fetch(places, n * 12);
  for (size_t i = 0; i < n; ++i) {
    for (size_t k = 0; k < 3; ++k)
      if (took[3 * i + k] < (k == 1 ? 0 : 1))
        fail("clock %zu of thread %zu went by %lld", k, i, (long long)took[3 * i + k]);
    equal("lane", i, place[3 * i], i % (n / 2) % 32);
    equal("warp", i, place[3 * i + 1], 1);
    equal("multiprocessor", i, place[3 * i + 2], 1);
  }
}

static const struct program programs[] = {
    {"votes", votes, false},
    {"matches", matches, false},
    {"shuffles", shuffles, false},
    {"warp_reductions", warp_reductions, false},
    {"tiled_groups", tiled_groups, false},
    {"coalesced_groups", coalesced_groups, false},
    {"grid_sync", grid_sync, false},
    {"atomics", atomics, false},
    {"compare_and_swap", compare_and_swap, false},
    {"spin_lock", spin_lock, false},
    {"producer_consumer", producer_consumer, false},
    {"named_barriers", named_barriers, false},
    {"sleep_and_clock", sleep_and_clock, false},
};

int main(int argc, char** argv) { return run_programs(programs, count_of(programs), argc, argv); }
