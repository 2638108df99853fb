// Programs that add up: reductions, scans, histograms and what is made of them.
#define _POSIX_C_SOURCE 200809L
#include "host.h"

static void reduction_tree(void) {
  for_sizes(n, 1, 127, 128, 129, 1009) {
    const uint32_t* x = random_words(n, 0);
    const unsigned count = blocks(n, 128);
    device_address dx = upload(x, n * 4), sums = poisoned(count * 4);
    launch("reduction_tree", at(count), at(128), 0, with(&dx, &sums, &n));
    const uint32_t* got = fetch(sums, count * 4);
    for (unsigned b = 0; b < count; ++b) {
      uint32_t want = 0;
      for (unsigned i = b * 128; i < n && i < (b + 1) * 128; ++i) want += x[i];
      equal("sums", b, got[b], want);
    }
  }
}

static void reduction_shuffle(void) {
  for_sizes(n, 1, 255, 257, 5003) {
    const int32_t* x = (const int32_t*)random_words(n, 0);
    int64_t sum = 0;
    int32_t limits[2] = {INT32_MAX, INT32_MIN}, low = INT32_MAX, high = INT32_MIN;
    for (unsigned i = 0; i < n; ++i) {
      sum += x[i];
      if (x[i] < low) low = x[i];
      if (x[i] > high) high = x[i];
    }
    device_address dx = upload(x, n * 4), ds = zeroed(8), dl = upload(&limits[0], 4), dm = upload(&limits[1], 4);
    launch("reduction_shuffle", at(3), at(256), 0, with(&dx, &ds, &dl, &dm, &n));
    equal("sum", 0, *(uint64_t*)fetch(ds, 8), (uint64_t)sum);
    equal("least", 0, *(uint32_t*)fetch(dl, 4), (uint32_t)low);
    equal("most", 0, *(uint32_t*)fetch(dm, 4), (uint32_t)high);
  }
}

static void reduction_atomic(void) {
  for_sizes(n, 1, 33, 1009) {
    const float* x = random_floats(n, -1, 1);
    device_address dx = upload(x, n * 4), ds = zeroed(4), dw = zeroed(8), db = zeroed(28);
    launch("reduction_atomic", at(blocks(n, 96)), at(96), 0, with(&dx, &ds, &dw, &db, &n));
    double sum = 0, squares = 0, bins[7] = {0};
    for (unsigned i = 0; i < n; ++i) {
      sum += (double)x[i], squares += (double)x[i] * (double)x[i], bins[i % 7] += (double)x[i];
    }
    // Partial sums stay below n; each of the n additions rounds once.
    near("sum", 0, (double)*(float*)fetch(ds, 4), sum, n * (double)n * eps32);
    near("squares", 0, *(double*)fetch(dw, 8), squares, n * (double)n * eps64);
    const float* got = fetch(db, 28);
    const double m = n / 7 + 1;
    for (size_t b = 0; b < 7; ++b) near("bins", b, (double)got[b], bins[b], m * m * eps32);
  }
}

static void reduction_warp(void) {
  for_sizes(n, 1, 127, 129, 2003) {
    const double* x = random_doubles(n, -1, 1);
    device_address dx = upload(x, n * 8), sums = poisoned(3 * 8);
    launch("reduction_warp", at(3), at(128), (128 + 32) * 8, with(&dx, &sums, &n));
    const double* got = fetch(sums, 3 * 8);
    for (unsigned b = 0; b < 3; ++b) {
      long double want = 0;
      for (unsigned i = 0; i < n; ++i)
        if (i / 128 % 3 == b) want += (long double)x[i];
      near("sums", b, got[b], (double)want, (n / 384 + 9) * (double)n * eps64);
    }
  }
}

static void reduction_last_block(void) {
  for_sizes(n, 1, 257, 5003) {
    const float* x = random_floats(n, 0, 1);
    device_address dx = upload(x, n * 4), parts = poisoned(17 * 4), sum = poisoned(4);
    double want = 0;
    for (unsigned i = 0; i < n; ++i) want += (double)x[i];
    launch("reduction_last_block", at(17), at(128), 0, with(&dx, &parts, &sum, &n));
    near("sum", 0, (double)*(float*)fetch(sum, 4), want, (n / 2176 + 16) * want * eps32);
  }
}

static void argmax(void) {
  for_sizes(n, 1, 31, 1009) {
    float* x = random_floats(n, -5, -1);
    if (n > 40) x[40] = x[n - 1] = random_u32(2) ? 3.5f : -0.0f;
    unsigned want = 0;
    for (unsigned i = 0; i < n; ++i)
      if (x[i] > x[want]) want = i;
    device_address dx = upload(x, n * 4), best = zeroed(8);
    launch("argmax", at(3), at(64), 0, with(&dx, &best, &n));
    equal("position", 0, ~(uint32_t) * (uint64_t*)fetch(best, 8), want);
  }
}

static void softmax(void) {
  for_sizes(columns, 1, 127, 128, 300) {
    enum { rows = 3 };
    const float* x = random_floats(rows * columns, -20, 20);
    device_address dx = upload(x, rows * columns * 4), dy = poisoned(rows * columns * 4);
    launch("softmax", at(rows), at(128), 0, with(&dx, &dy, &columns));
    const float* got = fetch(dy, rows * columns * 4);
    for (unsigned r = 0; r < rows; ++r) {
      double most = -INFINITY, sum = 0;
      for (unsigned c = 0; c < columns; ++c) most = fmax(most, (double)x[r * columns + c]);
      for (unsigned c = 0; c < columns; ++c) sum += exp((double)x[r * columns + c] - most);
      for (unsigned c = 0; c < columns; ++c) {
        const double away = most - (double)x[r * columns + c], want = exp(-away) / sum;
        // The difference rounds once (eps * away, relative after exp); exp is off by 4 units, the sum by its additions.
        near("y", r * columns + c, (double)got[r * columns + c], want, want * eps32 * (away + 40 + 24 + columns / 128));
      }
    }
  }
}

static void layernorm(void) {
  for_sizes(columns, 1, 32, 33, 200) {
    int rows = 7;
    const float* x = random_floats(rows * columns, -3, 5);
    const float* scale = random_floats(columns, -2, 2);
    const float* shift = random_floats(columns, -2, 2);
    device_address dx = upload(x, rows * columns * 4), ds = upload(scale, columns * 4), dt = upload(shift, columns * 4),
                   dy = poisoned(rows * columns * 4);
    launch("layernorm", at(2), at2(32, 4), 0, with(&dx, &ds, &dt, &dy, &rows, &columns));
    const float* got = fetch(dy, rows * columns * 4);
    for (unsigned r = 0; r < (unsigned)rows; ++r) {
      double mean = 0, square = 0;
      for (unsigned c = 0; c < columns; ++c) mean += (double)x[r * columns + c] / columns;
      for (unsigned c = 0; c < columns; ++c) square += pow((double)x[r * columns + c] - mean, 2);
      const double inverse = 1 / sqrt(square / columns + 1e-5);
      for (unsigned c = 0; c < columns; ++c) {
        const double away = (double)x[r * columns + c] - mean;
        // Values below 5 and 5 + columns / 32 updates of the mean, each of three roundings.
        const double error = (5 + columns / 32) * 3 * 5 * eps32 + fabs(away) * 40 * eps32;
        near("y", r * columns + c, (double)got[r * columns + c], away * inverse * (double)scale[c] + (double)shift[c],
             fabs((double)scale[c]) * inverse * error + 4 * eps32);
      }
    }
  }
}

static int falling(const void* a, const void* b) {
  const uint32_t x = *(const uint32_t*)a, y = *(const uint32_t*)b;
  return (x < y) - (x > y);
}

static void top_k(void) {
  for_sizes(columns, 5, 63, 64, 65, 500) {
    uint32_t* x = random_words(3 * columns, columns == 65 ? 9 : 0);
    device_address dx = upload(x, 3 * columns * 4), best = poisoned(3 * 5 * 4);
    launch("top_k", at(3), at(64), 0, with(&dx, &best, &columns));
    const uint32_t* got = fetch(best, 3 * 5 * 4);
    for (size_t r = 0; r < 3; ++r) {
      qsort(x + r * columns, columns, 4, falling);
      same_words("best", got + r * 5, x + r * columns, 5);
    }
  }
}

static void histogram(void) {
  for_sizes(n, 1, 255, 257, 5003) {
    uint8_t* x = room(n);
    uint32_t want[256] = {0};
    for (unsigned i = 0; i < n; ++i) ++want[x[i] = (uint8_t)(random_u32(256) & random_u32(256))];
    device_address dx = upload(x, n);
    const struct {
      const char* kernel;
      unsigned grid;
    } ways[] = {{"histogram_global", 3}, {"histogram_shared", 3}, {"histogram_private", blocks(n, 4 * 224)}};
    for (size_t w = 0; w < count_of(ways); ++w) {
      device_address bins = zeroed(1024);
      launch(ways[w].kernel, at(ways[w].grid), at(128), 0, with(&dx, &bins, &n));
      same_words(ways[w].kernel, fetch(bins, 1024), want, 256);
    }
  }
}

static void scan_hillis_steele(void) {
  for_sizes(n, 1, 127, 128, 129, 500) {
    const uint32_t* x = random_words(n, 0);
    device_address dx = upload(x, n * 4), dy = poisoned(n * 4);
    launch("scan_hillis_steele", at(blocks(n, 128)), at(128), 0, with(&dx, &dy, &n));
    const uint32_t* got = fetch(dy, n * 4);
    for (uint32_t i = 0, sum = 0; i < n; ++i) equal("y", i, got[i], sum = x[i] + (i % 128 ? sum : 0));
  }
}

static void scan_blelloch(void) {
  for_sizes(n, 1, 255, 256, 257, 2003) {
    const uint32_t* x = random_words(n, 0);
    const unsigned count = blocks(n, 256);
    device_address dx = upload(x, n * 4), dy = poisoned(n * 4), sums = poisoned(count * 4);
    launch("scan_blelloch", at(count), at(128), 0, with(&dx, &dy, &sums, &n));
    launch("add_block_sums", at(count), at(128), 0, with(&dy, &sums, &n));
    const uint32_t* got = fetch(dy, n * 4);
    for (uint32_t i = 0, sum = 0; i < n; sum += x[i++]) equal("y", i, got[i], sum);
  }
}

static void scan_look_back(void) {
  for_sizes(n, 1, 127, 129, 4001) {
    const uint32_t* x = random_words(n, 1000);
    const unsigned count = blocks(n, 128);
    device_address dx = upload(x, n * 4), dy = poisoned(n * 4), states = zeroed(count * 8), ticket = zeroed(4);
    launch("scan_look_back", at(count), at(128), 0, with(&dx, &dy, &states, &ticket, &n));
    const uint32_t* got = fetch(dy, n * 4);
    for (uint32_t i = 0, sum = 0; i < n; ++i) equal("y", i, got[i], sum += x[i]);
  }
}

static void compaction(void) {
  for_sizes(n, 1, 31, 33, 1009) {
    const int32_t* x = (const int32_t*)random_words(n, 0);
    device_address dx = upload(x, n * 4), kept = poisoned(n * 4), count = zeroed(4);
    launch("compaction", at(blocks(n, 64)), at(64), 0, with(&dx, &kept, &count, &n));
    uint32_t* want = room(n * 4);
    unsigned m = 0;
    for (unsigned i = 0; i < n; ++i)
      if (x[i] > 0) want[m++] = (uint32_t)x[i];
    equal("count", 0, *(uint32_t*)fetch(count, 4), m);
    uint32_t* got = fetch(kept, n * 4);
    qsort(got, m, 4, falling);  // warps come in any order
    qsort(want, m, 4, falling);
    same_words("kept", got, want, m);
  }
}

static void unique(void) {
  for_sizes(n, 1, 255, 256, 1000) {
    uint8_t* x = room(n);
    for (unsigned i = 0, v = 0; i < n; ++i) x[i] = (uint8_t)(v += random_u32(9) == 0);
    device_address dx = upload(x, n), values = poisoned(n), lengths = poisoned(n * 4), count = poisoned(4);
    launch("unique", at(1), at(256), 0, with(&dx, &values, &lengths, &count, &n));
    const uint8_t* v = fetch(values, n);
    const uint32_t* l = fetch(lengths, n * 4);
    unsigned runs = 0;
    for (unsigned i = 0, end; i < n; i = end, ++runs) {
      for (end = i; end < n && x[end] == x[i];) ++end;
      equal("values", runs, v[runs], x[i]);
      equal("lengths", runs, l[runs], end - i);
    }
    equal("count", 0, *(uint32_t*)fetch(count, 4), runs);
  }
}

static const struct program programs[] = {
    {"reduction_tree", reduction_tree, true},
    {"reduction_shuffle", reduction_shuffle, false},
    {"reduction_atomic", reduction_atomic, false},
    {"reduction_warp", reduction_warp, false},
    {"reduction_last_block", reduction_last_block, false},
    {"argmax", argmax, false},
    {"softmax", softmax, false},
    {"layernorm", layernorm, false},
    {"top_k", top_k, false},
    {"histogram", histogram, true},
    {"scan_hillis_steele", scan_hillis_steele, true},
    {"scan_blelloch", scan_blelloch, false},
    {"scan_look_back", scan_look_back, false},
    {"compaction", compaction, false},
    {"unique", unique, false},
};

int main(int argc, char** argv) { return run_programs(programs, count_of(programs), argc, argv); }
