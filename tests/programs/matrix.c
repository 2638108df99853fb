// Programs of linear algebra: transposes, products, factorisations, iterations.
#define _POSIX_C_SOURCE 200809L
#include "host.h"

static void transpose(void) {
  for_sizes(rows, 1, 31, 32, 67) {
    unsigned columns = rows * 3 / 2 + 1;
    const size_t n = rows * columns;
    const uint32_t* x = random_words(n, 0);
    device_address dx = upload(x, n * 4);
    const char* kernels[] = {"transpose_naive", "transpose_tiled", "transpose_padded"};
    for (size_t k = 0; k < 3; ++k) {
      const unsigned tile = k == 0 ? 16 : 32;
      device_address dy = poisoned(n * 4);
      launch(kernels[k], at2(blocks(columns, tile), blocks(rows, tile)), at2(tile, k == 0 ? 16 : 8), 0,
             with(&dx, &dy, &rows, &columns));
      const uint32_t* got = fetch(dy, n * 4);
      for (size_t i = 0; i < n; ++i) equal(kernels[k], i, got[i], x[i % rows * columns + i / rows]);
    }
  }
}

/// Each sum of k products rounds at most 2 k times, relative to the sum of the products' sizes.
static void check_product(const char* what, size_t m, size_t n, size_t k, const double* a, const double* b,
                          const double* got, double eps) {
  for (size_t r = 0; r < m; ++r) {
    for (size_t c = 0; c < n; ++c) {
      double want = 0, size = 0;
      for (size_t i = 0; i < k; ++i) want += a[r * k + i] * b[i * n + c], size += fabs(a[r * k + i] * b[i * n + c]);
      near(what, r * n + c, got[r * n + c], want, 2 * (double)k * eps * size);
    }
  }
}

static double* widened(const float* x, size_t n) {
  double* out = room(n * 8);
  for (size_t i = 0; i < n; ++i) out[i] = (double)x[i];
  return out;
}

static void gemm_tiled(void) {
  for_sizes(m, 1, 16, 33) {
    unsigned n = m + 7, k = 2 * m + 1;
    const float* a = random_floats(m * k, -1, 1);
    const float* b = random_floats(k * n, -1, 1);
    const double* wa = random_doubles(m * k, -1, 1);
    const double* wb = random_doubles(k * n, -1, 1);
    device_address da = upload(a, m * k * 4), db = upload(b, k * n * 4), dc = poisoned(m * n * 4);
    launch("gemm_f32", at2(blocks(n, 16), blocks(m, 16)), at2(16, 16), 0, with(&da, &db, &dc, &m, &n, &k));
    check_product("f32", m, n, k, widened(a, m * k), widened(b, k * n), widened(fetch(dc, m * n * 4), m * n), eps32);
    da = upload(wa, m * k * 8), db = upload(wb, k * n * 8), dc = poisoned(m * n * 8);
    launch("gemm_f64", at2(blocks(n, 16), blocks(m, 16)), at2(16, 16), 0, with(&da, &db, &dc, &m, &n, &k));
    check_product("f64", m, n, k, wa, wb, fetch(dc, m * n * 8), 2 * eps64);
  }
}

static void gemm_registers(void) {
  for_sizes(k, 8, 40) {
    const unsigned m = 128;
    unsigned n = 64;
    float alpha = 0.5f, beta = -2.0f;
    const float* a = random_floats(m * k, -1, 1);
    const float* b = random_floats(k * n, -1, 1);
    const float* c = random_floats(m * n, -1, 1);
    device_address da = upload(a, m * k * 4), db = upload(b, k * n * 4), dc = upload(c, m * n * 4);
    launch("gemm_registers", at2(n / 64, m / 64), at(128), 0, with(&da, &db, &dc, &alpha, &beta, &n, &k));
    double* got = widened(fetch(dc, m * n * 4), m * n);
    for (size_t i = 0; i < m * n; ++i) got[i] = (got[i] + 2 * (double)c[i]) / 0.5;
    for (size_t r = 0; r < m; ++r) {
      for (size_t col = 0; col < n; ++col) {
        double want = 0, size = 0;
        for (size_t i = 0; i < k; ++i) {
          const double product = (double)a[r * k + i] * (double)b[i * n + col];
          want += product, size += fabs(product);
        }
        near("c", r * n + col, got[r * n + col], want, 2 * eps32 * (k * size + size + 8));
      }
    }
  }
}

static float half_value(uint16_t h) {
  const int exponent = h >> 10 & 31, fraction = h & 1023;
  const float size = exponent == 0 ? ldexpf((float)fraction, -24) : ldexpf((float)(fraction + 1024), exponent - 25);
  return h & 0x8000 ? -size : size;
}

static void gemm_half(void) {
  enum { m = 16, n = 64, k = 48 };
  uint16_t a[m * k], b[k * n];
  for (size_t i = 0; i < count_of(a); ++i) a[i] = (uint16_t)(random_u32(0x3c01) | random_u32(2) << 15);  // |a| <= 1
  for (size_t i = 0; i < count_of(b); ++i) b[i] = (uint16_t)(random_u32(0x3c01) | random_u32(2) << 15);
  int n2 = n / 2, depth = k;
  device_address da = upload(a, sizeof a), db = upload(b, sizeof b), dc = poisoned(m * n * 4);
  launch("gemm_half", at2(2, 2), at2(16, 8), 0, with(&da, &db, &dc, &n2, &depth));
  const float* got = fetch(dc, m * n * 4);
  for (size_t r = 0; r < m; ++r) {
    for (size_t c = 0; c < n; ++c) {
      double want = 0, size = 0;
      for (size_t i = 0; i < k; ++i) {
        const double product = (double)half_value(a[r * k + i]) * (double)half_value(b[i * n + c]);
        want += product, size += fabs(product);
      }
      near("c", r * n + c, (double)got[r * n + c], want, 17 * eps16 * size + 48 * 0x1p-25);
    }
  }
}

/// Rows whose diagonal is larger than the rest together: every method here is stable on them.
static double* dominant(size_t n) {
  double* a = random_doubles(n * n, -1, 1);
  for (size_t i = 0; i < n; ++i) a[i * n + i] = (double)n + random_real(1, 2);
  return a;
}

static void lu_step(void) {
  for_sizes(n, 1, 16, 31) {
    enum { count = 3 };
    double* a = room(count * n * n * 8);
    for (size_t m = 0; m < count; ++m) memcpy(a + m * n * n, dominant(n), n * n * 8);
    device_address da = upload(a, count * n * n * 8);
    launch("lu_step", at(count), at(64), n * n * 8, with(&da, &n));
    const double* lu = fetch(da, count * n * n * 8);
    for (size_t m = 0; m < count; ++m, lu += n * n) {
      for (size_t r = 0; r < n; ++r) {
        for (size_t c = 0; c < n; ++c) {
          double product = 0, size = 0;
          for (size_t k = 0; k <= r && k <= c; ++k) {
            const double term = (k == r ? 1 : lu[r * n + k]) * lu[k * n + c];
            product += term, size += fabs(term);
          }
          near("l u", r * n + c, product, a[m * n * n + r * n + c], 3 * (double)n * eps64 * size);
        }
      }
    }
  }
}

static void cholesky(void) {
  enum { N = 6 };
  for_sizes(count, 1, 31, 130) {
    float* a = room(count * N * N * 4);
    for (unsigned i = 0; i < count; ++i) {
      const double* b = random_doubles(N * N, -1, 1);
      for (unsigned r = 0; r < N; ++r) {
        for (unsigned c = 0; c < N; ++c) {
          double sum = r == c ? 2 : 0;
          for (unsigned k = 0; k < N; ++k) sum += b[r * N + k] * b[c * N + k];
          a[(r * N + c) * count + i] = (float)sum;
        }
      }
    }
    device_address da = upload(a, count * N * N * 4), dl = poisoned(count * N * N * 4);
    launch("cholesky", at(blocks(count, 64)), at(64), 0, with(&da, &dl, &count));
    const float* l = fetch(dl, count * N * N * 4);
    for (unsigned i = 0; i < count; ++i) {
      for (unsigned r = 0; r < N; ++r) {
        for (unsigned c = 0; c < N; ++c) {
          if (c > r) {
            equal("upper", i, bits_of(l[(r * N + c) * count + i]), 0);
            continue;
          }
          double product = 0, size = 0;
          for (unsigned k = 0; k <= c; ++k) {
            const double term = (double)l[(r * N + k) * count + i] * (double)l[(c * N + k) * count + i];
            product += term, size += fabs(term);
          }
          near("l l'", i, product, (double)a[(r * N + c) * count + i], (3 * N + 2) * eps32 * size);
        }
      }
    }
  }
}

static void gauss_jordan(void) {
  enum { N = 24, count = 4 };
  double* a = room(count * N * N * 8);
  for (size_t m = 0; m < count; ++m) {
    double* matrix = dominant(N);
    for (size_t r = 0; r < N; ++r) memcpy(a + m * N * N + (r + m * 5) % N * N, matrix + r * N, N * 8);  // pivots needed
  }
  device_address da = upload(a, count * N * N * 8), di = poisoned(count * N * N * 8);
  launch("gauss_jordan", at(count), at(96), 0, with(&da, &di));
  const double* inverse = fetch(di, count * N * N * 8);
  for (size_t m = 0; m < count; ++m) {
    for (size_t r = 0; r < N; ++r) {
      for (size_t c = 0; c < N; ++c) {
        double sum = 0;
        for (size_t k = 0; k < N; ++k) sum += a[m * N * N + r * N + k] * inverse[m * N * N + k * N + c];
        near("a a^-1", r * N + c, sum, r == c, 64 * N * eps64);
      }
    }
  }
}

static void jacobi(void) {
  for_sizes(n, 1, 31, 70) {
    const double* a = dominant(n);
    const double* b = random_doubles(n, -5, 5);
    double tolerance = 1e-12;
    device_address da = upload(a, n * n * 8), db = upload(b, n * 8), dx = zeroed(n * 8), dy = poisoned(n * 8);
    device_address count = poisoned(4);
    launch("jacobi", at(1), at(64), 0, with(&da, &db, &dx, &dy, &n, &tolerance, &count));
    const int steps = *(int*)fetch(count, 4);
    if (steps < 1) fail("no end after 1000 steps");
    const double* x = fetch(steps % 2 ? dy : dx, n * 8);
    for (size_t r = 0; r < n; ++r) {
      double sum = 0;
      for (size_t c = 0; c < n; ++c) sum += a[r * n + c] * x[c];
      near("a x", r, sum, b[r], 3 * (double)n * tolerance);
    }
  }
}

static void power_iteration(void) {
  enum { n = 101 };
  int size = n, steps = 60;
  float* a = room(n * n * 4);
  const float* v = random_floats(n, 0.5, 1);
  double square = 0;
  for (size_t i = 0; i < n; ++i) square += (double)v[i] * (double)v[i];
  for (size_t r = 0; r < n; ++r)
    for (size_t c = 0; c < n; ++c)
      a[r * n + c] = v[r] * v[c] + (r == c ? 2.0f : 0.0f);  // eigenvalues |v|^2 + 2, then 2
  device_address da = upload(a, n * n * 4), dv = poisoned(n * 4), value = poisoned(4);
  launch("power_iteration", at(1), at(128), 0, with(&da, &dv, &value, &size, &steps));
  // One product rounds n + 2 times; the start's error shrinks by 2 / 50 in each step and is gone after 60.
  near("value", 0, (double)*(float*)fetch(value, 4), square + 2, (square + 2) * (n + 12) * eps32);
  const float* got = fetch(dv, n * 4);
  for (size_t i = 0; i < n; ++i) near("vector", i, (double)got[i], (double)v[i] / sqrt(square), 4 * n * eps32);
}

static const struct program programs[] = {
    {"transpose", transpose, true},
    {"gemm_tiled", gemm_tiled, true},
    {"gemm_registers", gemm_registers, false},
    {"gemm_half", gemm_half, false},
    {"lu_step", lu_step, false},
    {"cholesky", cholesky, false},
    {"gauss_jordan", gauss_jordan, false},
    {"jacobi", jacobi, false},
    {"power_iteration", power_iteration, false},
};

int main(int argc, char** argv) { return run_programs(programs, count_of(programs), argc, argv); }
