// Programs of short formats and of tensor cores.
#define _POSIX_C_SOURCE 200809L
#include <fenv.h>

#include "host.h"

/// What a short float is: bits of exponent and fraction, and whether its largest exponent holds numbers.
struct format {
  int exponent_bits, fraction_bits;
  bool is_finite;
};
static const struct format half = {5, 10, false}, bfloat = {8, 7, false}, e4m3 = {4, 3, true}, e5m2 = {5, 2, false};

static double value_of(unsigned bits, struct format f) {
  const int bias = (1 << (f.exponent_bits - 1)) - 1, fraction = (int)bits & ((1 << f.fraction_bits) - 1);
  const int top = (1 << f.exponent_bits) - 1, exponent = (int)bits >> f.fraction_bits & top;
  const double sign = bits >> (f.exponent_bits + f.fraction_bits) & 1 ? -1 : 1;
  if (exponent == top && !f.is_finite) return fraction ? NAN : sign * INFINITY;
  if (exponent == top && f.is_finite && fraction == (1 << f.fraction_bits) - 1) return NAN;
  if (exponent == 0) return sign * ldexp(fraction, 1 - bias - f.fraction_bits);
  return sign * ldexp(fraction + (1 << f.fraction_bits), exponent - bias - f.fraction_bits);
}

/// The short float nearest to a value, in the current rounding mode; too large becomes infinite, or NaN without
/// infinities.
static double rounded(double value, struct format f) {
  if (value == 0 || !isfinite(value)) return value;
  const int bias = (1 << (f.exponent_bits - 1)) - 1;
  int exponent = 0;
  frexp(value, &exponent);
  const int least = 1 - bias - f.fraction_bits;
  const int unit = exponent - 1 - f.fraction_bits > least ? exponent - 1 - f.fraction_bits : least;
  volatile double scaled = ldexp(value, -unit);
  const double result = ldexp(nearbyint(scaled), unit);
  const int top = (1 << f.exponent_bits) - 1 - (f.is_finite ? 0 : 1) - bias;
  const double largest = ldexp(2 - ldexp(f.is_finite ? 2 : 1, -f.fraction_bits), top);
  return fabs(result) > largest ? copysign(fegetround() == FE_TOWARDZERO ? largest : INFINITY, value) : result;
}

/// A sum that is rounded to odd: rounded again to fewer bits, it is rounded once.
static double odd_sum(double a, double b) {
  volatile double sum = a + b, taken = sum - a, error = (a - (sum - taken)) + (b - taken);
  if (!isfinite(sum) || error == 0 || (bits_of_double(sum) & 1)) return sum;
  return nextafter(sum, error > 0 ? INFINITY : -INFINITY);
}

static uint16_t* random_shorts(size_t n, uint32_t bound) {
  uint16_t* out = room(n * 2);
  for (size_t i = 0; i < n; ++i) out[i] = (uint16_t)(random_u32(bound) | random_u32(2) << 15);
  return out;
}

static void same(const char* what, size_t i, double got, double want) {
  if (!(isnan(got) && isnan(want))) near(what, i, got, want, 0);
}

static void half_arithmetic(void) {
  int n = 2000;
  uint16_t* x = random_shorts(2000, 0x7c00);
  const uint16_t edges[] = {0, 0x8000, 1, 0x3c00, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x0400, 0x83ff};
  for (size_t i = 0; i < 2000; ++i)
    if (random_u32(3))
      x[i] = random_u32(4) ? (uint16_t)(0x3000 + random_u32(0x1800)) : edges[random_u32(count_of(edges))];
  const size_t m = 1998;
  device_address dx = upload(x, 4000), out = poisoned(m * 20), wide = poisoned(m * 16), flags = poisoned(m * 4);
  launch("half_arithmetic", at(16), at(128), 0, with(&dx, &out, &wide, &flags, &n));
  const uint16_t* got = fetch(out, m * 20);
  const float* far = fetch(wide, m * 16);
  const uint32_t* flag = fetch(flags, m * 4);
  for (size_t i = 0; i < m; ++i) {
    const double a = value_of(x[i], half), b = value_of(x[i + 1], half), c = value_of(x[i + 2], half);
    const double sum = rounded(a + b, half), fused = rounded(odd_sum(a * b, c), half);
    const double root = rounded(sqrt(fabs(a)), half);
    const float product = (float)a * 1.1f;
    fesetround(FE_TOWARDZERO);
    const double shorter = rounded((double)product, half);
    fesetround(FE_TONEAREST);
    const double want[10] = {sum,
                             rounded(a - b, half),
                             rounded(a * b, half),
                             fused,
                             isnan(sum) || sum < 0 ? 0
                             : sum > 1             ? 1
                                                   : sum,
                             isnan(a) ? NAN : -fabs(a),
                             fmin(a, b),
                             fmax(a, c),
                             shorter,
                             fused < 0 ? 0 : fused};
    for (size_t k = 0; k < 10; ++k) {
      char what[64];
      snprintf(what, sizeof what, "out %zu of %.9g %.9g %.9g ", k, a, b, c);
      same(what, i, value_of(got[i * 10 + k], half), want[k]);
    }
    same("low", i, (double)far[4 * i], rounded(odd_sum(a * b, rounded(a * a, half)), half));
    same("high", i, (double)far[4 * i + 1], rounded(odd_sum(b * c, rounded(b * b, half)), half));
    if (isfinite(root)) near("root", i, (double)far[4 * i + 2], root, root * 0x1p-9);
    const double quotient = a / b;
    if (isfinite(quotient) && fabs(quotient) < 65000 && fabs(quotient) > 0x1p-12)
      near("quotient", i, (double)far[4 * i + 3], quotient, fabs(quotient) * 0x1p-10);
    const double whole = isnan(c) ? 0 : c;
    const int converted = isinf(whole) ? (whole > 0 ? 0x7fffffff : (int)0x80000000) : (int)nearbyint(whole);
    const uint32_t bits = (uint32_t)(a < b) | (uint32_t)(a == a) << 1 | (uint32_t)(b > c) << 2 |
                          (uint32_t)(a != a) << 3 | (uint32_t)(a >= b && b >= c) << 4 |
                          (uint32_t)(converted & 0xff) << 8;
    equal("flags", i, flag[i] & 0xffff, bits);
    near("integer", i, value_of(flag[i] >> 16, half), rounded((double)i - 100, half), 0);
  }
}

static void bfloat_arithmetic(void) {
  int n = 1000;
  const uint16_t* x = random_shorts(1000, 0x4400);
  const float* f = random_floats(1000, -1e3, 1e3);
  const size_t m = 998;
  device_address dx = upload(x, 2000), df = upload(f, 4000), out = poisoned(m * 16), wide = poisoned(m * 12);
  launch("bfloat_arithmetic", at(8), at(128), 0, with(&dx, &df, &out, &wide, &n));
  const uint16_t* got = fetch(out, m * 16);
  const float* far = fetch(wide, m * 12);
  for (size_t i = 0; i < m; ++i) {
    const double a = value_of(x[i], bfloat), b = value_of(x[i + 1], bfloat), c = value_of(x[i + 2], bfloat);
    fesetround(FE_TOWARDZERO);
    const double cut = rounded((double)f[i], bfloat);
    fesetround(FE_TONEAREST);
    const double near_f = rounded((double)f[i], bfloat), next_f = rounded((double)f[i + 1], bfloat);
    const double want[8] = {
        rounded(odd_sum(a * b, c), bfloat), fmin(a, b), fmax(b, c), -a, near_f, cut, near_f, next_f};
    for (size_t k = 0; k < 8; ++k) near("out", i * 8 + k, value_of(got[i * 8 + k], bfloat), want[k], 0);
    near("low", i, (double)far[3 * i], rounded(odd_sum(a * b, near_f), bfloat), 0);
    near("high", i, (double)far[3 * i + 1], rounded(odd_sum(b * c, next_f), bfloat), 0);
    near("sum", i, (double)far[3 * i + 2], a + b * c, (fabs(a) + 2 * fabs(b * c)) * 0x1p-8 + 0x1p-133);
  }
}

static void small_floats(void) {
  int n = 1000;
  float* x = random_floats(2000, -500, 500);
  for (size_t i = 0; i < 2000; i += 2) x[i] = ldexpf(x[i], -(int)random_u32(24));
  x[0] = 1e6f, x[1] = -1e6f, x[2] = 0, x[3] = NAN, x[4] = 448, x[5] = -464, x[6] = 57344, x[7] = 61440;
  device_address dx = upload(x, 8000), out = poisoned(4000), back = poisoned(16000);
  launch("small_floats", at(8), at(128), 0, with(&dx, &out, &back, &n));
  const uint8_t* got = fetch(out, 4000);
  const float* far = fetch(back, 16000);
  for (size_t i = 0; i < 1000; ++i) {
    for (size_t k = 0; k < 4; ++k) {
      const struct format f = k < 2 ? e4m3 : e5m2;
      const double v = (double)x[2 * i + k % 2], largest = k < 2 ? 448 : 57344;
      double want = rounded(v, f);
      if (fabs(want) > largest) want = copysign(largest, want);
      same("stored", i * 4 + k, value_of(got[i * 4 + k], f), want);
      same("back", i * 4 + k, (double)far[i * 4 + k], want);
    }
  }
}

/// C + A * B with rounded sums: as many roundings as products, relative to the sizes of what is added, or by the distance
/// of the format's subnormal numbers.
static void check_tile(const char* what, int m, int n, int k, const double* a, const double* b, const double* c,
                       const double* d, double eps) {
  const double least = eps == eps32 ? 0x1p-149 : eps == eps16 ? 0x1p-24 : 0;
  for (int r = 0; r < m; ++r) {
    for (int s = 0; s < n; ++s) {
      double want = c[r * n + s], size = fabs(want);
      for (int i = 0; i < k; ++i) want += a[r * k + i] * b[i * n + s], size += fabs(a[r * k + i] * b[i * n + s]);
      near(what, (size_t)(r * n + s), d[r * n + s], want, 2 * (k + 1) * (eps * size + least));
    }
  }
}

/// `rows` x `columns` values of a format, by rows; the doubles are stored by columns when asked for.
static uint16_t* random_matrix(struct format f, int rows, int columns, bool by_columns, double* values) {
  const uint32_t one = (uint32_t)((1 << (f.exponent_bits - 1)) - 1) << f.fraction_bits;
  uint16_t* bits = random_shorts((size_t)(rows * columns), one + 1);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c)
      values[r * columns + c] = value_of(bits[by_columns ? c * rows + r : r * columns + c], f);
  return bits;
}

static double* widened(const float* x, size_t n) {
  double* out = room(n * 8);
  for (size_t i = 0; i < n; ++i) out[i] = (double)x[i];
  return out;
}

static void wmma_half(void) {
  enum { m = 64 };
  for_sizes(tiles, 1, 3, 5) {
    int n = 32 * (int)tiles, k = 16 * (int)tiles;
    double* a = room((size_t)(m * k) * 8);
    double* b = room((size_t)(k * n) * 8);
    const uint16_t* ha = random_matrix(half, m, k, false, a);
    const uint16_t* hb = random_matrix(half, k, n, true, b);
    const float* c = random_floats((size_t)(m * n), -1, 1);
    const size_t size = (size_t)(m * n);
    device_address da = upload(ha, (size_t)(m * k) * 2), db = upload(hb, (size_t)(k * n) * 2), dc = upload(c, size * 4),
                   dd = poisoned(size * 4);
    launch("wmma_half", at2(tiles, m / 32), at(128), 0, with(&da, &db, &dc, &dd, &n, &k));
    double* got = widened(fetch(dd, size * 4), size);
    for (size_t i = 0; i < size; ++i) got[i] *= 2;
    check_tile("d", m, n, k, a, b, widened(c, size), got, eps32);
  }
}

/// Ten bits of fraction, ties away from zero.
static double tf32(float value) {
  const uint32_t bits = (bits_of(value) + 0x1000) & ~0x1fffu;
  memcpy(&value, &bits, sizeof bits);
  return (double)value;
}

static void wmma_shapes(void) {
  double a[512], b[512], c[512], d[512];
  int8_t bytes[512];
  for (size_t i = 0; i < 512; ++i) bytes[i] = (int8_t)random_u32(256);
  for (size_t i = 0; i < 256; ++i) a[i] = bytes[i], b[i] = bytes[256 + i], c[i] = 7;
  device_address da = upload(bytes, 256), db = upload(bytes + 256, 256), dc = poisoned(1024);
  launch("wmma_bytes", at(1), at(32), 0, with(&da, &db, &dc));
  const int32_t* sums = fetch(dc, 1024);
  for (size_t i = 0; i < 256; ++i) d[i] = sums[i % 16 * 16 + i / 16];
  check_tile("bytes", 16, 16, 16, a, b, c, d, 0);

  memset(c, 0, sizeof c);
  const uint16_t* ha = random_matrix(bfloat, 32, 16, true, a);
  const uint16_t* hb = random_matrix(bfloat, 16, 8, false, b);
  da = upload(ha, 1024), db = upload(hb, 256), dc = poisoned(1024);
  launch("wmma_bfloat", at(1), at(32), 0, with(&da, &db, &dc));
  check_tile("bfloat", 32, 8, 16, a, b, c, widened(fetch(dc, 1024), 256), eps32);

  const float* fa = random_floats(128, -1, 1);
  const float* fb = random_floats(128, -1, 1);
  for (size_t i = 0; i < 128; ++i) a[i] = tf32(fa[i]), b[i] = tf32(fb[i]);
  da = upload(fa, 512), db = upload(fb, 512), dc = poisoned(1024);
  launch("wmma_tf32", at(1), at(32), 0, with(&da, &db, &dc));
  check_tile("tf32", 16, 16, 8, a, b, c, widened(fetch(dc, 1024), 256), eps32);

  const double* wa = random_doubles(32, -1, 1);
  const double* wb = random_doubles(32, -1, 1);
  for (int i = 0; i < 32; ++i) b[i] = wb[i % 8 * 4 + i / 8];
  for (int i = 0; i < 64; ++i) c[i] = 1;
  da = upload(wa, 256), db = upload(wb, 256), dc = poisoned(512);
  launch("wmma_double", at(1), at(32), 0, with(&da, &db, &dc));
  check_tile("double", 8, 8, 4, wa, b, c, fetch(dc, 512), eps64);

  memset(c, 0, sizeof c);
  ha = random_matrix(half, 16, 16, false, a);
  hb = random_matrix(half, 16, 16, false, b);
  da = upload(ha, 512), db = upload(hb, 512), dc = poisoned(512);
  launch("wmma_half_shared", at(1), at(32), 0, with(&da, &db, &dc));
  const uint16_t* h = fetch(dc, 512);
  for (size_t i = 0; i < 256; ++i) d[i] = value_of(h[i], half);
  check_tile("half", 16, 16, 16, a, b, c, d, eps16);
}

static void mma_matrices(void) {
  double a[512], b[256], c[128] = {0}, d[128];
  const uint16_t* ha = random_matrix(half, 16, 16, false, a);
  const uint16_t* hb = random_matrix(half, 16, 8, false, b);
  device_address da = upload(ha, 512), db = upload(hb, 256), dd = poisoned(512);
  launch("mma_half", at(1), at(32), 0, with(&da, &db, &dd));
  check_tile("half", 16, 8, 16, a, b, c, widened(fetch(dd, 512), 128), eps32);

  uint8_t bytes[768];
  for (size_t i = 0; i < 768; ++i) bytes[i] = (uint8_t)random_u32(256);
  for (size_t i = 0; i < 512; ++i) a[i] = (int8_t)bytes[i];
  for (size_t i = 0; i < 256; ++i) b[i] = bytes[512 + i % 8 * 32 + i / 8];
  for (int i = 0; i < 128; ++i) c[i] = i < 64 ? (i % 2 ? 1 : i / 2) : (i % 2 ? 1000 : -5);
  da = upload(bytes, 512), db = upload(bytes + 512, 256), dd = poisoned(512);
  launch("mma_bytes", at(1), at(32), 0, with(&da, &db, &dd));
  const int32_t* sums = fetch(dd, 512);
  for (size_t i = 0; i < 128; ++i) d[i] = sums[i];
  check_tile("bytes", 16, 8, 32, a, b, c, d, 0);

  const uint32_t* bits = random_words(64, 0);
  da = upload(bits, 128), db = upload(bits + 32, 128), dd = poisoned(256);
  launch("mma_bits", at(1), at(32), 0, with(&da, &db, &dd));
  const uint32_t* counts = fetch(dd, 256);
  for (size_t i = 0; i < 64; ++i) {
    uint32_t want = 0;
    for (size_t k = 0; k < 128; ++k)
      want += bits[i / 8 * 4 + k / 32] >> k % 32 & bits[32 + i % 8 * 4 + k / 32] >> k % 32 & 1;
    equal("bits", i, counts[i], want);
  }
}

static const struct program programs[] = {
    {"half_arithmetic", half_arithmetic, false}, {"bfloat_arithmetic", bfloat_arithmetic, false},
    {"small_floats", small_floats, false},       {"wmma_half", wmma_half, false},
    {"wmma_shapes", wmma_shapes, false},         {"mma_matrices", mma_matrices, false},
};

int main(int argc, char** argv) { return run_programs(programs, count_of(programs), argc, argv); }
