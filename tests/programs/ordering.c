// Programs about order and graphs: sorts, merges, searches, sparse matrices, clusters.
#define _POSIX_C_SOURCE 200809L
#include "host.h"

static int rising(const void* a, const void* b) {
  const uint32_t x = *(const uint32_t*)a, y = *(const uint32_t*)b;
  return (x > y) - (x < y);
}

static int rising_signed(const void* a, const void* b) {
  const int32_t x = *(const int32_t*)a, y = *(const int32_t*)b;
  return (x > y) - (x < y);
}

static int rising_short(const void* a, const void* b) {
  const int16_t x = *(const int16_t*)a, y = *(const int16_t*)b;
  return (x > y) - (x < y);
}

static void bitonic_sort(void) {
  for_sizes(n, 256, 2048) {
    uint32_t* x = random_words(n, 0);
    device_address dx = upload(x, n * 4);
    unsigned two = 2, tile = 256;
    launch("bitonic_shared", at(n / 256), at(128), 0, with(&dx, &two, &tile));
    for (unsigned size = 512; size <= n; size *= 2) {
      for (unsigned step = size / 2; step >= 256; step /= 2)
        launch("bitonic_global", at(n / 256), at(128), 0, with(&dx, &size, &step));
      launch("bitonic_shared", at(n / 256), at(128), 0, with(&dx, &size, &size));
    }
    qsort(x, n, 4, rising);
    same_words("x", fetch(dx, n * 4), x, n);
  }
}

static void odd_even_sort(void) {
  for_sizes(n, 1, 2, 97, 200) {
    int16_t* x = room(n * 2);
    for (unsigned i = 0; i < n; ++i) x[i] = (int16_t)random_u32(0);
    device_address dx = upload(x, n * 2), rounds = poisoned(4);
    launch("odd_even_sort", at(1), at(64), n * 2, with(&dx, &n, &rounds));
    qsort(x, n, 2, rising_short);
    const int16_t* got = fetch(dx, n * 2);
    for (unsigned i = 0; i < n; ++i) equal("x", i, (uint16_t)got[i], (uint16_t)x[i]);
    const uint32_t count = *(uint32_t*)fetch(rounds, 4);
    if (count == 0 || count > n / 2 + 2) fail("%u rounds for %u values", count, n);
  }
}

static void radix_pass(void) {
  for_sizes(n, 1, 255, 257, 2003) {
    const uint32_t* keys = random_words(n, 1u << 16);
    uint32_t* values = room(n * 4);
    for (unsigned i = 0; i < n; ++i) values[i] = i;
    device_address k[2] = {upload(keys, n * 4), poisoned(n * 4)}, v[2] = {upload(values, n * 4), poisoned(n * 4)};
    for (unsigned shift = 0, from = 0; shift < 16; shift += 4, from ^= 1)
      launch("radix_pass", at(1), at(256), 0, with(&k[from], &v[from], &k[from ^ 1], &v[from ^ 1], &shift, &n));
    const uint32_t* sorted = fetch(k[0], n * 4);
    const uint32_t* places = fetch(v[0], n * 4);
    for (unsigned i = 0; i < n; ++i) {
      equal("keys", i, sorted[i], keys[places[i] % n]);
      if (i && (sorted[i - 1] > sorted[i] || (sorted[i - 1] == sorted[i] && places[i - 1] >= places[i])))
        fail("keys[%u] is out of order", i);
    }
  }
}

static void merge_path(void) {
  for_sizes(n, 1, 64, 1009) {
    int na = (int)n, nb = (int)(n * 3 / 5);
    int32_t* a = (int32_t*)random_words((size_t)na, 500);
    int32_t* b = (int32_t*)random_words((size_t)nb, 500);
    qsort(a, (size_t)na, 4, rising_signed);
    qsort(b, (size_t)nb, 4, rising_signed);
    const size_t all = (size_t)(na + nb);
    device_address da = upload(a, (size_t)na * 4), db = upload(b, (size_t)nb * 4), out = poisoned(all * 4);
    launch("merge_path", at(blocks((unsigned)all, 64 * 8)), at(64), 0, with(&da, &na, &db, &nb, &out));
    int32_t* want = room(all * 4);
    memcpy(want, a, (size_t)na * 4);
    memcpy(want + na, b, (size_t)nb * 4);
    qsort(want, all, 4, rising_signed);
    same_words("out", fetch(out, all * 4), (uint32_t*)want, all);
  }
}

static void quick_sort(void) {
  for_sizes(columns, 1, 7, 100) {
    int rows = 70;
    int32_t* x = (int32_t*)random_words(70 * columns, columns == 7 ? 3 : 0);
    device_address dx = upload(x, 70 * columns * 4);
    launch("quick_sort", at(2), at(64), 0, with(&dx, &columns, &rows));
    for (size_t r = 0; r < 70; ++r) qsort(x + r * columns, columns, 4, rising_signed);
    same_words("x", fetch(dx, 70 * columns * 4), (uint32_t*)x, 70 * columns);
  }
}

/// Starts of rows and ends of edges, or columns of entries: up to `most` for each of `n` rows.
struct graph {
  uint32_t* starts;
  uint32_t* ends;
  unsigned edges;
};

static struct graph random_graph(unsigned n, unsigned most) {
  struct graph g = {room((n + 1) * 4), room(n * most * 4), 0};
  for (unsigned i = 0; i < n; ++i) {
    for (unsigned k = random_u32(most + 1); k > 0; --k) g.ends[g.edges++] = random_u32(n);
    g.starts[i + 1] = g.edges;
  }
  return g;
}

static void bfs(void) {
  for_sizes(n, 1, 50, 700) {
    const struct graph g = random_graph(n, 4);
    int32_t* want = room(n * 4);
    uint32_t* queue = room(n * 4);
    memset(want, -1, n * 4);
    want[0] = 0;
    device_address level = upload(want, n * 4), starts = upload(g.starts, (n + 1) * 4),
                   ends = upload(g.ends, g.edges * 4);
    for (unsigned head = 0, tail = 1; head < tail; ++head) {
      for (uint32_t e = g.starts[queue[head]]; e < g.starts[queue[head] + 1]; ++e) {
        if (want[g.ends[e]] >= 0) continue;
        want[g.ends[e]] = want[queue[head]] + 1;
        queue[tail++] = g.ends[e];
      }
    }
    const uint32_t root = 0;
    device_address queues[2] = {poisoned(n * 4), poisoned(n * 4)}, size = zeroed(4);
    require(cu.to_device(queues[0], &root, 4), "cuMemcpyHtoD");
    uint32_t count = 1;
    for (int depth = 1; count > 0; ++depth) {
      require(cu.fill(size, 0, 4), "cuMemsetD8");
      launch("bfs", at(blocks(count, 64)), at(64), 0,
             with(&starts, &ends, &level, &queues[(depth - 1) % 2], &count, &queues[depth % 2], &size, &depth));
      require(cu.to_host(&count, size, 4), "cuMemcpyDtoH");
    }
    same_words("level", fetch(level, n * 4), (uint32_t*)want, n);
  }
}

static void bellman_ford(void) {
  for_sizes(n, 2, 50, 300) {
    unsigned m = 5 * n;
    uint32_t* edges = random_words(2 * m, n);
    uint32_t* weights = random_words(m, 100);
    uint32_t* want = room(n * 4);
    memset(want, 0xff, n * 4);
    want[0] = 0;
    device_address distance = upload(want, n * 4), de = upload(edges, m * 8), dw = upload(weights, m * 4);
    device_address flag = zeroed(4);
    int changed = 1;
    for (unsigned round = 0; changed; ++round) {
      if (round > n) fail("no end after %u rounds", round);
      require(cu.fill(flag, 0, 4), "cuMemsetD8");
      launch("bellman_ford", at(blocks(m, 128)), at(128), 0, with(&de, &dw, &distance, &flag, &m));
      require(cu.to_host(&changed, flag, 4), "cuMemcpyDtoH");
    }
    for (unsigned round = 0; round < n; ++round) {
      for (unsigned e = 0; e < m; ++e) {
        const uint32_t near = want[edges[2 * e]], through = near + weights[e];
        if (near != UINT32_MAX && through < want[edges[2 * e + 1]]) want[edges[2 * e + 1]] = through;
      }
    }
    same_words("distance", fetch(distance, n * 4), want, n);
  }
}

static void spmv(void) {
  for_sizes(rows, 1, 127, 131) {
    const struct graph g = random_graph(rows, 70);
    const float* values = random_floats(g.edges, -1, 1);
    const float* x = random_floats(rows, -1, 1);
    unsigned width = 0;
    for (unsigned r = 0; r < rows; ++r)
      if (width < g.starts[r + 1] - g.starts[r]) width = g.starts[r + 1] - g.starts[r];
    int32_t* ell_columns = room(rows * width * 4);
    float* ell_values = room(rows * width * 4);
    memset(ell_columns, -1, rows * width * 4);
    for (unsigned r = 0; r < rows; ++r) {
      for (unsigned k = 0; k < g.starts[r + 1] - g.starts[r]; ++k) {
        ell_columns[k * rows + r] = (int32_t)g.ends[g.starts[r] + k];
        ell_values[k * rows + r] = values[g.starts[r] + k];
      }
    }
    device_address starts = upload(g.starts, (rows + 1) * 4), columns = upload(g.ends, g.edges * 4),
                   dv = upload(values, g.edges * 4), dx = upload(x, rows * 4), y = poisoned(rows * 4),
                   y2 = poisoned(rows * 4), y3 = poisoned(rows * 4), ec = upload(ell_columns, rows * width * 4),
                   ev = upload(ell_values, rows * width * 4);
    launch("spmv_scalar", at(blocks(rows, 64)), at(64), 0, with(&starts, &columns, &dv, &dx, &y, &rows));
    launch("spmv_vector", at(blocks(rows, 4)), at2(32, 4), 0, with(&starts, &columns, &dv, &dx, &y2, &rows));
    launch("spmv_ell", at(blocks(rows, 64)), at(64), 0, with(&ec, &ev, &dx, &y3, &rows, &width));
    const float* one = fetch(y, rows * 4);
    const float* two = fetch(y2, rows * 4);
    const float* three = fetch(y3, rows * 4);
    for (unsigned r = 0; r < rows; ++r) {
      float in_order = 0;
      double want = 0, size = 0;
      for (uint32_t k = g.starts[r]; k < g.starts[r + 1]; ++k) {
        in_order = fmaf(values[k], x[g.ends[k]], in_order);
        want += (double)values[k] * (double)x[g.ends[k]], size += fabs((double)values[k] * (double)x[g.ends[k]]);
      }
      equal("scalar", r, bits_of(one[r]), bits_of(in_order));
      equal("ell", r, bits_of(three[r]), bits_of(in_order));
      near("vector", r, (double)two[r], want, 9 * eps32 * size);
    }
  }
}

static void k_means(void) {
  enum { K = 6 };
  for_sizes(n, 1, 127, 1009) {
    const float* points = random_floats(3 * n, -1, 1);
    const float* centres = random_floats(3 * K, -1, 1);
    require(cu.to_device(global("centres", K * 12), centres, K * 12), "cuMemcpyHtoD");
    device_address dp = upload(points, n * 12), nearest = poisoned(n), sums = zeroed(K * 24), counts = zeroed(K * 4);
    launch("k_means", at(blocks(n, 128)), at(128), 0, with(&dp, &nearest, &sums, &counts, &n));
    const uint8_t* got = fetch(nearest, n);
    double want[K * 3] = {0};
    uint32_t members[K] = {0};
    for (unsigned i = 0; i < n; ++i) {
      float least = INFINITY;
      unsigned best = 0;
      for (unsigned k = 0; k < K; ++k) {
        const float* p = points + 3 * i;
        const float* c = centres + 3 * k;
        const float dz = p[2] - c[2], dy = p[1] - c[1], dx = p[0] - c[0];
        const float distance = fmaf(dx, dx, fmaf(dy, dy, dz * dz));
        if (distance < least) least = distance, best = k;
      }
      equal("nearest", i, got[i], best);
      ++members[best];
      for (unsigned d = 0; d < 3; ++d) want[best * 3 + d] += (double)points[3 * i + d];
    }
    same_words("counts", fetch(counts, K * 4), members, K);
    const double* total = fetch(sums, K * 24);
    for (size_t k = 0; k < K * 3; ++k) near("sums", k, total[k], want[k], n * (double)n * eps64);
  }
}

static void floyd_warshall(void) {
  for_sizes(n, 1, 16, 37) {
    uint32_t* want = room(n * n * 4);
    for (unsigned i = 0; i < n * n; ++i) want[i] = i % (n + 1) == 0 ? 0 : random_u32(4) ? 1u << 28 : 1 + random_u32(50);
    device_address distance = upload(want, n * n * 4), via = poisoned(n * n * 4);
    launch("floyd_warshall", at(1), at2(16, 16), n * n * 4, with(&distance, &via, &n));
    for (unsigned k = 0; k < n; ++k)
      for (unsigned i = 0; i < n; ++i)
        for (unsigned j = 0; j < n; ++j)
          if (want[i * n + k] + want[k * n + j] < want[i * n + j]) want[i * n + j] = want[i * n + k] + want[k * n + j];
    const uint32_t* got = fetch(distance, n * n * 4);
    const int32_t* middle = fetch(via, n * n * 4);
    same_words("distance", got, want, n * n);
    for (unsigned i = 0; i < n * n; ++i) {
      const int32_t k = middle[i];
      if (k >= (int32_t)n || k < -1) fail("via[%u] is %d", i, k);
      if (k >= 0) equal("through", i, got[i / n * n + (unsigned)k] + got[(unsigned)k * n + i % n], got[i]);
    }
  }
}

static const struct program programs[] = {
    {"bitonic_sort", bitonic_sort, true},  {"odd_even_sort", odd_even_sort, false},
    {"radix_pass", radix_pass, false},     {"merge_path", merge_path, false},
    {"quick_sort", quick_sort, true},      {"bfs", bfs, true},
    {"bellman_ford", bellman_ford, false}, {"spmv", spmv, true},
    {"k_means", k_means, false},           {"floyd_warshall", floyd_warshall, false},
};

int main(int argc, char** argv) { return run_programs(programs, count_of(programs), argc, argv); }
