// Programs whose threads do not meet: formulas, random numbers, pictures, functions of the mathematics library.
#define _POSIX_C_SOURCE 200809L
#include <fenv.h>

#include "host.h"

static void saxpy(void) {
  for_sizes(n, 1, 31, 255, 256, 257, 1009) {
    const float* x = random_floats(n, -10, 10);
    const float* y = random_floats(n, -10, 10);
    float a = (float)random_real(-2, 2);
    device_address dx = upload(x, n * 4), dy = upload(y, n * 4);
    launch("saxpy", at(blocks(n, 256)), at(256), 0, with(&dx, &dy, &a, &n));
    const float* got = fetch(dy, n * 4);
    for (unsigned i = 0; i < n; ++i) equal("y", i, bits_of(got[i]), bits_of(fmaf(a, x[i], y[i])));
  }
}

static double normal(double x) { return 0.5 * erfc(-x * sqrt(0.5)); }

static void black_scholes(void) {
  for_sizes(n, 1, 97, 1000) {
    const float* spot = random_floats(n, 5, 100);
    const float* strike = random_floats(n, 5, 100);
    const float* years = random_floats(n, 0.25, 10);
    float rate = 0.02f, volatility = 0.3f;
    device_address ds = upload(spot, n * 4), dk = upload(strike, n * 4), dt = upload(years, n * 4);
    device_address dc = poisoned(n * 4), dp = poisoned(n * 4);
    launch("black_scholes", at(2), at(128), 0, with(&ds, &dk, &dt, &dc, &dp, &rate, &volatility, &n));
    const float* call = fetch(dc, n * 4);
    const float* put = fetch(dp, n * 4);
    for (unsigned i = 0; i < n; ++i) {
      const double s = spot[i], k = strike[i], t = years[i], r = rate, v = volatility;
      const double spread = v * sqrt(t);
      const double d1 = (log(s / k) + (r + v * v / 2) * t) / spread, d2 = d1 - spread;
      const double discounted = k * exp(-r * t);
      // d1 and d2 are off by 8 roundings of their size; |d N'(d)| is below 0.25; erfc and exp add a few units each.
      const double bound = 48 * eps32 * (s + k) * (1 + fabs(d1) / 8);
      near("call", i, call[i], s * normal(d1) - discounted * normal(d2), bound);
      near("put", i, put[i], discounted * normal(-d2) - s * normal(-d1), bound);
    }
  }
}

static void mandelbrot(void) {
  int width = 67, height = 53;
  unsigned limit = 300;
  device_address out = poisoned(67 * 53 * 4);
  launch("mandelbrot", at2(5, 7), at2(16, 8), 0, with(&out, &width, &height, &limit));
  const uint32_t* got = fetch(out, 67 * 53 * 4);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const float cr = fmaf(3.0f / 64, (float)x, -2.25f), ci = fmaf(3.0f / 64, (float)y, -1.25f);
      float r = 0, i = 0;
      unsigned t = 0;
      for (; t < limit && fmaf(r, r, fmaf(i, i, -4.0f)) <= 0; ++t) {
        const float next = fmaf(r, r, fmaf(-i, i, cr));
        i = fmaf(r + r, i, ci);
        r = next;
      }
      equal("times", (size_t)(y * width + x), got[y * width + x], t);
    }
  }
}

static void julia(void) {
  struct {
    double r, i;
  } c = {random_real(-0.8, 0.3), random_real(0.1, 0.7)};
  int width = 61, height = 43;
  const size_t n = 61 * 43;
  device_address out = poisoned(n * 4);
  launch("julia", at(blocks((unsigned)n, 96)), at(96), 0, with(&out, &c, &width, &height));
  const uint8_t* got = fetch(out, n * 4);
  for (size_t at = 0; at < n; ++at) {
    double r = ((int)at % width - width / 2) / 16.0, i = ((int)at / width - height / 2) / 16.0;
    int t = 0;
    for (; t < 200 && fma(r, r, i * i) < 16; ++t) {
      const double next = fma(r, r, -(i * i)) + c.r;
      i = fma(r, i, i * r) + c.i;
      r = next;
    }
    const uint8_t want[4] = {(uint8_t)t, (uint8_t)(t * 3), (uint8_t)(255 - t), t == 200 ? 255 : 0};
    for (size_t k = 0; k < 4; ++k) equal("image", at * 4 + k, got[at * 4 + k], want[k]);
  }
}

static void monte_carlo_pi(void) {
  const size_t n = 7 * 96;
  uint64_t* seeds = room(n * 8);
  unsigned points = 301;
  uint64_t want = 0;
  for (size_t i = 0; i < n; ++i) {
    uint64_t s = seeds[i] = random_u64() | 1;
    for (unsigned k = 0; k < points; ++k) {
      s ^= s << 13, s ^= s >> 7, s ^= s << 17;
      const volatile float x = (float)(s & 0xffff) / 65536.0f, y = (float)(s >> 48) / 65536.0f;
      const volatile float xx = x * x, yy = y * y;
      const volatile float sum = xx + yy;
      want += sum < 1.0f;
    }
  }
  device_address ds = upload(seeds, n * 8), hits = zeroed(8);
  launch("monte_carlo_pi", at(7), at(96), 0, with(&ds, &hits, &points));
  equal("hits", 0, *(uint64_t*)fetch(hits, 8), want);
  near("pi", 0, 4.0 * (double)want / (double)(n * points), 3.14159265, 6 * 1.65 / sqrt((double)(n * points)));
}

static void philox(void) {
  for_sizes(n, 1, 255, 257) {
    uint32_t key[2] = {random_u32(0), random_u32(0)}, first = random_u32(0);
    device_address out = poisoned(n * 16);
    launch("philox", at(blocks(n, 64)), at(64), 0, with(&out, key, &first, &n));
    const uint32_t* got = fetch(out, n * 16);
    for (uint32_t i = 0; i < n; ++i) {
      uint32_t c[4] = {first + i, i, ~i, 7}, k[2] = {key[0], key[1]};
      for (int round = 0; round < 10; ++round, k[0] += 0x9e3779b9u, k[1] += 0xbb67ae85u) {
        const uint64_t p = 0xd2511f53ull * c[0], q = 0xcd9e8d57ull * c[2];
        const uint32_t next[4] = {(uint32_t)(q >> 32) ^ c[1] ^ k[0], (uint32_t)q, (uint32_t)(p >> 32) ^ c[3] ^ k[1],
                                  (uint32_t)p};
        memcpy(c, next, sizeof c);
      }
      for (unsigned w = 0; w < 4; ++w) equal("words", i * 4 + w, got[i * 4 + w], c[w]);
    }
  }
}

static void struct_parameters(void) {
  struct {
    struct {
      uint8_t id;
      int16_t weight;
      double density;
      float colour[3];
    } materials[20];
    device_address which;
    uint8_t flags[5];
    uint64_t salt;
  } s;
  memset(&s, 0, sizeof s);
  for (int i = 0; i < 20; ++i) {
    s.materials[i].id = (uint8_t)random_u32(256);
    s.materials[i].weight = (int16_t)random_u32(65536);
    s.materials[i].density = random_u32(1000) / 8.0;
    for (int k = 0; k < 3; ++k) s.materials[i].colour[k] = (float)random_u32(100) / 4.0f;
  }
  for (int i = 0; i < 5; ++i) s.flags[i] = (uint8_t)random_u32(256);
  s.salt = random_u64();
  for_sizes(n, 1, 127, 300) {
    uint8_t* which = room(n);
    for (unsigned i = 0; i < n; ++i) which[i] = (uint8_t)random_u32(256);
    s.which = upload(which, n);
    device_address out = poisoned(n * 8);
    launch("struct_parameters", at(blocks(n, 128)), at(128), 0, with(&s, &out, &n));
    const double* got = fetch(out, n * 8);
    for (unsigned i = 0; i < n; ++i) {
      const int m = which[i] % 20;
      const double want = s.materials[m].density * s.materials[m].weight + (double)s.materials[m].colour[i % 3] +
                          s.materials[m].id + s.flags[i % 5] + (double)(s.salt >> 60);
      near("out", i, got[i], want, 0);  // every term and sum is exact
    }
  }
}

static void templates(void) {
  for_sizes(n, 1, 33, 130) {
    const float* x = random_floats(n, -3, 3);
    float a = (float)random_real(0.5, 2);
    device_address dx = upload(x, n * 4), dy = poisoned(n * 4);
    launch("templates", at(blocks(n, 64)), at(64), 0, with(&dx, &dy, &a, &n));
    const float* got = fetch(dy, n * 4);
    for (unsigned i = 0; i < n; ++i) {
      volatile float v = x[i];
      for (int k = 0; k < 3; ++k) v = v * a;
      v = v + (float)i;
      for (int k = 0; k < 2; ++k) v = v - 0.5f;
      v = v * a;
      equal("y", i, bits_of(got[i]), bits_of(v));
    }
  }
}

/// What the mathematics library says, and by how many units in the last place CUDA's may differ.
struct answer {
  double value, units;
};

static struct answer double_answer(unsigned row, double x) {
  const long double v = x, a = fabsl(v);
  switch (row) {
    case 0:
      return (struct answer){(double)sinl(v), 2};
    case 1:
      return (struct answer){(double)cosl(v), 2};
    case 2:
      return (struct answer){(double)expl(v), 1};
    case 3:
      return (struct answer){(double)logl(a), 1};
    case 4:
      return (struct answer){(double)powl(a, (long double)0.3), 2};
    case 5:
      return (struct answer){(double)erfl(v), 2};
    case 6:
      return (struct answer){(double)tgammal(a), 10};
    case 7:
      return (struct answer){(double)atanl(v), 2};
    case 8:
      return (struct answer){(double)tanhl(v), 2};
    case 9:
      return (struct answer){(double)cbrtl(v), 1};
    case 10:
      return (struct answer){(double)log1pl(a), 1};
    case 11:
      return (struct answer){(double)expm1l(v), 1};
    case 12:
      return (struct answer){sqrt(fabs(x)), 0};
    case 13:
      return (struct answer){fmod(x, 0.7), 0};
    case 14:
      return (struct answer){rint(x), 0};
    case 15:
      return (struct answer){1 / x, 0};
    case 16:
      return (struct answer){(double)hypotl(v, 3), 2};
    case 17:
      return (struct answer){(double)tanl(v), 2};
    case 18:
      return (struct answer){(double)lgammal(a), 4};
    case 19:
      return (struct answer){(double)(1 / sqrtl(a)), 1};
    case 20:
      return (struct answer){ldexp(x, 5) + trunc(x) - floor(x) + ceil(x) + round(x), 0};
    default:
      return (struct answer){(double)(sinhl(v) + coshl(v)), 5};
  }
}

static double unit_in_last_place(double v) { return v == 0 ? 0x1p-1074 : nextafter(fabs(v), INFINITY) - fabs(v); }

static void double_math(void) {
  enum { rows = 22 };
  for_sizes(n, 1, 100) {
    double* x = random_doubles(n, -8, 8);
    if (n > 4) x[0] = 0.0, x[1] = 1e-9, x[2] = 1e5, x[3] = -3.0;
    device_address dx = upload(x, n * 8), dy = poisoned(rows * n * 8);
    launch("double_math", at2(blocks(n, 64), rows), at(64), 0, with(&dx, &dy, &n));
    const double* got = fetch(dy, rows * n * 8);
    for (unsigned row = 0; row < rows; ++row) {
      for (unsigned i = 0; i < n; ++i) {
        const struct answer want = double_answer(row, x[i]);
        char what[48];
        snprintf(what, sizeof what, "function %u of %.17g ", row, x[i]);
        // Half a unit more for the host's own rounding. lgamma is small near its zeros and the last row where its terms
        // cancel: there the units are those of what is added.
        const double size = row == 18 ? fmax(fabs(want.value), 1) : row == 21 ? 2 * cosh(x[i]) : want.value;
        near(what, i, got[row * n + i], want.value,
             want.units == 0 ? 0 : (want.units + 0.5) * unit_in_last_place(size));
      }
    }
  }
}

static struct answer float_answer(unsigned row, float f) {
  const double v = (double)f, a = fabs(v);
  switch (row) {
    case 0:
      return (struct answer){sin(v), 2};
    case 1:
      return (struct answer){cos(v), 2};
    case 2:
      return (struct answer){exp(v), 2};
    case 3:
      return (struct answer){log(a), 1};
    case 4:
      return (struct answer){pow(a, (double)1.7f), 9};
    case 5:
      return (struct answer){erf(v), 2};
    case 6:
      return (struct answer){tgamma(a), 5};
    case 7:
      return (struct answer){atan2(v, 2.0), 3};
    case 8:
      return (struct answer){tanh(v), 2};
    case 9:
      return (struct answer){cbrt(v), 1};
    case 10:
      return (struct answer){log2(a), 1};
    case 11:
      return (struct answer){exp2(v), 2};
    case 12:
      return (struct answer){sqrt(a), 0.5};
    case 13:
      return (struct answer){(double)fmodf(f, 0.7f), 0};
    case 14:
      return (struct answer){1 / v, 0.5};
    case 15:
      return (struct answer){1 / sqrt(a), 2};
    case 16:
      return (struct answer){asin((double)(f / 9.0f)), 3};
    case 17:
      return (struct answer){log1p(a), 1};
    case 18:
      return (struct answer){sin(3.14159265358979323846 * fmod(v, 2.0)), 2};
    case 19:
      return (struct answer){v / (double)3.7f, 0.5};
    default:
      return (struct answer){fmax(v - 0.5, 0) + copysign(1.5, v) + trunc(v) + rint(v) + fmin(v, 0.25), 4};
  }
}

static double unit_of_float(double v) {
  const float f = fabsf((float)v);
  return f == 0 ? 0x1p-149 : (double)nextafterf(f, INFINITY) - (double)f;
}

static void float_math(void) {
  enum { rows = 21 };
  for_sizes(n, 1, 200) {
    float* x = random_floats(n, -8, 8);
    if (n > 4) x[0] = 1e-4f, x[1] = 1.0f, x[2] = -3.0f, x[3] = 0.25f;
    device_address dx = upload(x, n * 4), dy = poisoned(rows * n * 4);
    launch("float_math", at2(blocks(n, 64), rows), at(64), 0, with(&dx, &dy, &n));
    const float* got = fetch(dy, rows * n * 4);
    for (unsigned row = 0; row < rows; ++row) {
      for (unsigned i = 0; i < n; ++i) {
        const struct answer want = float_answer(row, x[i]);
        char what[48];
        snprintf(what, sizeof what, "function %u of %.9g ", row, (double)x[i]);
        // The last row subtracts what it added: its units are those of its largest term. sinpi: of pi's own rounding.
        const double size = row == 20 ? 16 : row == 18 ? fmax(fabs(want.value), 1e-9) : want.value;
        near(what, i, (double)got[row * n + i], want.value, want.units * unit_of_float(size) * 1.001);
      }
    }
  }
}

static void fast_math(void) {
  for_sizes(n, 1, 300) {
    const float* x = random_floats(n, -3, 3);
    device_address dx = upload(x, n * 4), dy = poisoned(10 * n * 4);
    launch("fast_math", at(blocks(n, 64)), at(64), 0, with(&dx, &dy, &n));
    const float* got = fetch(dy, 10 * n * 4);
    for (unsigned i = 0; i < n; ++i) {
      const double v = (double)x[i], a = fabs(v);
      // Absolute 2^-21 within [-pi, pi] for sin and cos; 2^-22 relative to 2^x; lg2 absolute 2^-22 near 1; tanh 2^-11.
      near("sin", i, (double)got[i], sin(v), 0x1p-20);
      near("cos", i, (double)got[n + i], cos(v), 0x1p-20);
      near("exp", i, (double)got[2 * n + i], exp(v), exp(v) * (0x1p-21 + 8 * eps32));
      near("log", i, (double)got[3 * n + i], log(a), 0x1p-21 + fabs(log(a)) * 0x1p-21);
      near("pow", i, (double)got[4 * n + i], pow(a, (double)1.7f), pow(a, 1.7) * (0x1p-20 + 0x1p-21 * fabs(log(a))));
      near("quotient", i, (double)got[5 * n + i], v / (double)3.7f, a / 3.7 * 0x1p-22);
      near("sqrt", i, (double)got[6 * n + i], sqrt(a), sqrt(a) * 0x1p-22);
      near("tanh", i, (double)got[7 * n + i], tanh(v), fabs(tanh(v)) * 0x1p-10);
      near("rsqrt", i, (double)got[8 * n + i], 1 / sqrt(a), 0x1p-22 / sqrt(a));
      near("saturated", i, (double)got[9 * n + i], v < 0 ? 0 : v > 1 ? 1 : v, 0);
    }
  }
}

static void directed_rounding(void) {
  int n = 200;
  float* x = random_floats((size_t)n, -5, 5);
  const double* d = random_doubles((size_t)n, -5, 5);
  device_address dx = upload(x, 800), dd = upload(d, 1600), dy = poisoned(199 * 48), dz = poisoned(199 * 48);
  launch("directed_rounding", at(2), at(128), 0, with(&dx, &dd, &dy, &dz, &n));
  const float* y = fetch(dy, 199 * 48);
  const double* z = fetch(dz, 199 * 48);
  for (size_t i = 0; i + 1 < (size_t)n; ++i) {
    volatile float a = x[i], b = x[i + 1], f[12];
    volatile double p = d[i], q = d[i + 1], g[6];
    volatile int k = (int)(a * 1e8f);
    fesetround(FE_UPWARD);
    f[0] = a + b, f[3] = a * b, f[6] = a / b, f[9] = (float)p;
    g[0] = p + q, g[2] = p * q, g[5] = sqrt(fabs(p));
    fesetround(FE_DOWNWARD);
    f[1] = a + b, f[4] = a * b, f[7] = a / b, f[10] = (float)k;
    g[1] = p + q, g[4] = fma(p, q, p);
    fesetround(FE_TOWARDZERO);
    f[2] = a + b, f[5] = a * b, f[8] = a / b, f[11] = sqrtf(fabsf(a));
    g[3] = p / q;
    fesetround(FE_TONEAREST);
    for (size_t c = 0; c < 12; ++c) equal("y", i * 12 + c, bits_of(y[i * 12 + c]), bits_of(f[c]));
    for (size_t c = 0; c < 6; ++c) equal("z", i * 6 + c, bits_of_double(z[i * 6 + c]), bits_of_double(g[c]));
  }
}

static const struct program programs[] = {
    {"saxpy", saxpy, true},
    {"black_scholes", black_scholes, false},
    {"mandelbrot", mandelbrot, true},
    {"julia", julia, false},
    {"monte_carlo_pi", monte_carlo_pi, false},
    {"philox", philox, false},
    {"struct_parameters", struct_parameters, false},
    {"templates", templates, false},
    {"double_math", double_math, false},
    {"float_math", float_math, false},
    {"fast_math", fast_math, false},
    {"directed_rounding", directed_rounding, false},
};

int main(int argc, char** argv) { return run_programs(programs, count_of(programs), argc, argv); }
