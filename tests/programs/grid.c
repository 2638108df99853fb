// Programs on grids: stencils, filters of images, pictures from geometry, transforms.
#define _POSIX_C_SOURCE 200809L
#include "host.h"

static int wrapped(int i, int n) { return (i % n + n) % n; }
static int clamped(int i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }

static void stencil_2d(void) {
  for_sizes(n, 1, 16, 37) {
    int width = (int)n, height = (int)n + 3;
    const size_t size = (size_t)(width * height);
    const int32_t* x = (const int32_t*)random_words(size, 1000);
    device_address dx = upload(x, size * 4), dy = poisoned(size * 4);
    launch("stencil_2d", at2(blocks(n, 16), blocks(n + 3, 8)), at2(16, 8), 0, with(&dx, &dy, &width, &height));
    const int32_t* got = fetch(dy, size * 4);
    for (int r = 0; r < height; ++r) {
      for (int c = 0; c < width; ++c) {
        int32_t want = 0;
        for (int k = 0; k < 9; ++k)
          want += (k - 4) * x[wrapped(r + k / 3 - 1, height) * width + wrapped(c + k % 3 - 1, width)];
        equal("y", (size_t)(r * width + c), (uint32_t)got[r * width + c], (uint32_t)want);
      }
    }
  }
}

static void stencil_3d(void) {
  for_sizes(n, 1, 8, 19) {
    int nx = (int)n, ny = (int)n + 1, nz = (int)n / 2 + 1;
    const size_t size = (size_t)(nx * ny * nz);
    const float* x = random_floats(size, -1, 1);
    float centre = -6.0f, side = 1.5f;
    device_address dx = upload(x, size * 4), dy = poisoned(size * 4);
    launch("stencil_3d", at2(blocks(n, 16), blocks(n + 1, 8)), at2(16, 8), 0,
           with(&dx, &dy, &nx, &ny, &nz, &centre, &side));
    const float* got = fetch(dy, size * 4);
    for (size_t i = 0; i < size; ++i) {
      const int p[3] = {(int)i % nx, (int)i / nx % ny, (int)i / nx / ny};
      const int limits[3] = {nx, ny, nz}, strides[3] = {1, nx, nx * ny};
      double sum = 0;
      for (int d = 0; d < 3; ++d) {
        if (p[d] > 0) sum += (double)x[(int)i - strides[d]];
        if (p[d] + 1 < limits[d]) sum += (double)x[(int)i + strides[d]];
      }
      near("y", i, (double)got[i], -6 * (double)x[i] + 1.5 * sum, 8 * 15 * eps32);
    }
  }
}

static void heat(void) {
  for_sizes(n, 2, 63, 200) {
    double* u = random_doubles(n, -1, 1);
    int steps = 25;
    double rate = 0.24;
    device_address du = upload(u, n * 8);
    launch("heat", at(1), at(64), 2 * n * 8, with(&du, &n, &steps, &rate));
    double* next = room(n * 8);
    for (int s = 0; s < steps; ++s) {
      for (unsigned i = 1; i + 1 < n; ++i) next[i] = fma(rate, (u[i - 1] - u[i]) + (u[i + 1] - u[i]), u[i]);
      for (unsigned i = 1; i + 1 < n; ++i) u[i] = next[i];
    }
    const double* got = fetch(du, n * 8);
    for (unsigned i = 0; i < n; ++i) equal("u", i, bits_of_double(got[i]), bits_of_double(u[i]));
  }
}

static void convolution(void) {
  for_sizes(n, 1, 64, 101) {
    int width = (int)n, height = 13;
    const float* x = random_floats(n * 13, -1, 1);
    const float* weights = random_floats(9, -1, 1);
    require(cu.to_device(global("weights", 36), weights, 36), "cuMemcpyHtoD");
    device_address dx = upload(x, n * 52), dy = poisoned(n * 52), dz = poisoned(n * 52);
    launch("convolution_rows", at2(blocks(n, 64), 13), at(64), 0, with(&dx, &dy, &width, &height));
    launch("convolution_columns", at2(blocks(n, 64), 13), at(64), 0, with(&dy, &dz, &width, &height));
    float* rows = room(n * 52);
    for (int i = 0; i < width * height; ++i)
      for (int k = -4; k <= 4; ++k)
        rows[i] = fmaf(weights[k + 4], x[i / width * width + clamped(i % width + k, width)], rows[i]);
    const float* got = fetch(dz, n * 52);
    for (int i = 0; i < width * height; ++i) {
      float want = 0;
      for (int k = -4; k <= 4; ++k)
        want = fmaf(weights[k + 4], rows[clamped(i / width + k, height) * width + i % width], want);
      equal("z", (size_t)i, bits_of(got[i]), bits_of(want));
    }
  }
}

static void life(void) {
  for_sizes(words, 1, 3, 5) {
    int rows = 29;
    const int width = (int)words * 32;
    uint32_t* field = random_words(words * 29, 0);
    device_address d[2] = {upload(field, words * 116), poisoned(words * 116)};
    for (int step = 0; step < 6; ++step) {
      launch("life", at2(1, 4), at2(8, 8), 0, with(&d[step % 2], &d[1 - step % 2], &words, &rows));
      uint32_t* next = room(words * 116);
      for (int i = 0; i < width * rows; ++i) {
        int neighbours = 0, alive = 0;
        for (int k = 0; k < 9; ++k) {
          const int r = wrapped(i / width + k / 3 - 1, rows), c = wrapped(i % width + k % 3 - 1, width);
          const int bit = field[r * (int)words + c / 32] >> c % 32 & 1;
          if (k == 4)
            alive = bit;
          else
            neighbours += bit;
        }
        if (neighbours == 3 || (neighbours == 2 && alive)) next[i / 32] |= 1u << i % 32;
      }
      field = next;
    }
    same_words("field", fetch(d[0], words * 116), field, words * 29);
  }
}

static void n_body(void) {
  for_sizes(n, 1, 64, 150) {
    const float* bodies = random_floats(4 * n, -1, 1);
    device_address db = upload(bodies, n * 16), df = poisoned(n * 12);
    launch("n_body", at(blocks(n, 64)), at(64), 0, with(&db, &df, &n));
    const float* got = fetch(df, n * 12);
    for (unsigned i = 0; i < n; ++i) {
      double want[3] = {0}, size[3] = {0};
      for (unsigned j = 0; j < n; ++j) {
        double d[3], square = (double)0.01f;
        for (int k = 0; k < 3; ++k) d[k] = (double)bodies[4 * j + k] - (double)bodies[4 * i + k], square += d[k] * d[k];
        const double scale = (double)bodies[4 * j + 3] / (square * sqrt(square));
        for (int k = 0; k < 3; ++k) want[k] += d[k] * scale, size[k] += fabs(d[k] * scale);
      }
      for (unsigned k = 0; k < 3; ++k)
        near("forces", 3 * i + k, (double)got[3 * i + k], want[k], (n + 40) * eps32 * size[k]);
    }
  }
}

static int pixel(const uint8_t* image, int x, int y, int width, int height) {
  return image[clamped(y, height) * width + clamped(x, width)];
}

static int rising(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

static void image_filters(void) {
  for_sizes(n, 1, 31, 50) {
    int width = (int)n, height = (int)n / 2 + 2, big = 2 * width + 1, tall = 3 * height - 1;
    const size_t size = (size_t)(width * height);
    uint8_t* colours = room(size * 3);
    for (size_t i = 0; i < size * 3; ++i) colours[i] = (uint8_t)random_u32(256);
    device_address dc = upload(colours, size * 3), dg = poisoned(size), ds = poisoned(size), db = poisoned(size),
                   dm = poisoned(size), dl = poisoned((size_t)(big * tall));
    const struct extent grid = at2(blocks(n, 16), blocks((unsigned)height, 4)), block = at2(16, 4);
    launch("grey", grid, block, 0, with(&dc, &dg, &width, &height));
    launch("sobel", grid, block, 0, with(&dg, &ds, &width, &height));
    launch("box_blur", grid, block, 0, with(&dg, &db, &width, &height));
    launch("median", grid, block, 0, with(&dg, &dm, &width, &height));
    launch("bilinear", at2(blocks((unsigned)big, 16), blocks((unsigned)tall, 4)), block, 0,
           with(&dg, &dl, &big, &tall, &width, &height));
    const uint8_t* g = fetch(dg, size);
    const uint8_t* s = fetch(ds, size);
    const uint8_t* b = fetch(db, size);
    const uint8_t* m = fetch(dm, size);
    const uint8_t* l = fetch(dl, (size_t)(big * tall));
    for (size_t i = 0; i < size; ++i) {
      const int x = (int)i % width, y = (int)i / width;
      equal("grey", i, g[i],
            (uint64_t)((77 * colours[3 * i] + 150 * colours[3 * i + 1] + 29 * colours[3 * i + 2] + 128) / 256));
      int gx = 0, gy = 0, sum = 0, nine[9];
      for (int k = 0; k < 9; ++k) {
        const int dx = k % 3 - 1, dy = k / 3 - 1, v = nine[k] = pixel(g, x + dx, y + dy, width, height);
        gx += dx * (dy == 0 ? 2 : 1) * v, gy += dy * (dx == 0 ? 2 : 1) * v;
      }
      for (int k = 0; k < 25; ++k) sum += pixel(g, x + k % 5 - 2, y + k / 5 - 2, width, height);
      qsort(nine, 9, sizeof(int), rising);
      equal("sobel", i, s[i], (uint64_t)(abs(gx) + abs(gy) > 255 ? 255 : abs(gx) + abs(gy)));
      equal("blur", i, b[i], (uint64_t)((sum + 12) / 25));
      equal("median", i, m[i], (uint64_t)nine[4]);
    }
    for (int i = 0; i < big * tall; ++i) {
      const int fx = i % big * width * 256 / big, fy = i / big * height * 256 / tall, x = fx / 256, y = fy / 256;
      const int u = fx % 256, v = fy % 256;
      const int top = pixel(g, x, y, width, height) * (256 - u) + pixel(g, x + 1, y, width, height) * u;
      const int low = pixel(g, x, y + 1, width, height) * (256 - u) + pixel(g, x + 1, y + 1, width, height) * u;
      equal("bilinear", (size_t)i, l[i], (uint64_t)((top * (256 - v) + low * v + 32768) / 65536));
    }
  }
}

static void bresenham(void) {
  int width = 60, height = 40, count = 100;
  int16_t lines[100][4];
  uint32_t want[60 * 40] = {0};
  for (int i = 0; i < count; ++i) {
    for (int k = 0; k < 4; ++k) lines[i][k] = (int16_t)((int)random_u32(80) - 10);
    int x = lines[i][0], y = lines[i][1];
    const int dx = abs(lines[i][2] - x), dy = -abs(lines[i][3] - y), sx = x < lines[i][2] ? 1 : -1,
              sy = y < lines[i][3] ? 1 : -1;
    for (int error = dx + dy;;) {
      if (x >= 0 && y >= 0 && x < width && y < height) want[y * width + x] |= 1u << i % 32;
      if (x == lines[i][2] && y == lines[i][3]) break;
      const int twice = 2 * error;
      if (twice >= dy) error += dy, x += sx;
      if (twice <= dx) error += dx, y += sy;
    }
  }
  device_address dl = upload(lines, sizeof lines), planes = zeroed(sizeof want);
  launch("bresenham", at(4), at(32), 0, with(&dl, &planes, &width, &height, &count));
  same_words("planes", fetch(planes, sizeof want), want, count_of(want));
}

struct sphere {
  double x, y, z, radius;
  int reflects;
};

/// What the ray through a pixel meets, by plain arithmetic; `margin` is how close the nearest decision was.
static int trace(const struct sphere* spheres, int count, double x, double y, double* length, double* margin) {
  double from[3] = {0, 0, -5}, to[3] = {x, y, 2};
  const double norm = sqrt(x * x + y * y + 4);
  for (int d = 0; d < 3; ++d) to[d] /= norm;
  int last = -1;
  *length = 0, *margin = 1;
  for (int bounce = 0; bounce < 4; ++bounce) {
    double least = 1e300;
    int hit = -1;
    for (int s = 0; s < count; ++s) {
      if (s == last) continue;
      const double away[3] = {spheres[s].x - from[0], spheres[s].y - from[1], spheres[s].z - from[2]};
      double along = 0, square = 0;
      for (int d = 0; d < 3; ++d) along += away[d] * to[d], square += away[d] * away[d];
      const double reach = spheres[s].radius * spheres[s].radius + along * along - square;
      *margin = fmin(*margin, fabs(reach));
      if (reach < 0) continue;
      const double entry = along - sqrt(reach);
      *margin = fmin(*margin, fmin(fabs(entry), fabs(entry - least)));
      if (entry <= 0 || entry >= least) continue;
      least = entry, hit = s;
    }
    if (hit < 0) break;
    last = hit, *length += least;
    if (!spheres[hit].reflects) break;
    double n[3], across = 0;
    const double centre[3] = {spheres[hit].x, spheres[hit].y, spheres[hit].z};
    for (int d = 0; d < 3; ++d) {
      from[d] += to[d] * least;
      n[d] = (from[d] - centre[d]) / spheres[hit].radius;
      across += n[d] * to[d];
    }
    for (int d = 0; d < 3; ++d) to[d] -= 2 * across * n[d];
  }
  return last;
}

static void ray_spheres(void) {
  struct sphere spheres[9];
  memset(spheres, 0, sizeof spheres);
  for (int s = 0; s < 9; ++s)
    spheres[s] =
        (struct sphere){random_real(-2, 2), random_real(-2, 2), random_real(-1, 3), random_real(0.3, 1), s % 3 != 0};
  int width = 40, height = 31, count = 9;
  const size_t n = 40 * 31;
  device_address ds = upload(spheres, sizeof spheres), hits = poisoned(n * 4), lengths = poisoned(n * 8);
  launch("ray_spheres", at(blocks((unsigned)n, 128)), at(128), 0, with(&ds, &count, &hits, &lengths, &width, &height));
  const int32_t* hit = fetch(hits, n * 4);
  const double* length = fetch(lengths, n * 8);
  size_t compared = 0;
  for (size_t i = 0; i < n; ++i) {
    double want = 0, margin = 0;
    const int met =
        trace(spheres, count, (double)(i % 40) * 2 / width - 1, (double)(i / 40) * 2 / height - 1, &want, &margin);
    if (margin < 1e-7) continue;  // a decision within rounding may go either way
    ++compared;
    equal("hits", i, (uint32_t)hit[i], (uint32_t)met);
    near("lengths", i, length[i], want, 1e-7);  // four bounces, each of which magnifies 30 roundings by up to 30
  }
  if (compared < n * 9 / 10) fail("only %zu of %zu pixels compared", compared, n);
}

static void fft(void) {
  enum { N = 256, count = 3 };
  const double pi = 3.14159265358979323846;
  const float* x = random_floats(count * N * 2, -1, 1);
  device_address dx = upload(x, count * N * 8);
  int forward = 0, backward = 1;
  launch("fft", at(count), at(N / 2), 0, with(&dx, &forward));
  const float* got = fetch(dx, count * N * 8);
  // Eight levels; each adds at most 6 roundings of the values' size, which is at most the sum of all inputs.
  for (size_t b = 0; b < count; ++b) {
    for (size_t k = 0; k < N; ++k) {
      double re = 0, im = 0;
      for (size_t i = 0; i < N; ++i) {
        const double angle = -2 * pi * (double)(i * k % N) / N, a = (double)x[2 * (b * N + i)],
                     c = (double)x[2 * (b * N + i) + 1];
        re += a * cos(angle) - c * sin(angle), im += a * sin(angle) + c * cos(angle);
      }
      near("re", b * N + k, (double)got[2 * (b * N + k)], re, 8 * 6 * eps32 * N);
      near("im", b * N + k, (double)got[2 * (b * N + k) + 1], im, 8 * 6 * eps32 * N);
    }
  }
  launch("fft", at(count), at(N / 2), 0, with(&dx, &backward));
  got = fetch(dx, count * N * 8);
  for (size_t i = 0; i < count * N * 2; ++i) near("back", i, (double)got[i] / N, (double)x[i], 16 * 6 * eps32 * 16);
}

static void dct_8x8(void) {
  float basis[64];
  for (int u = 0; u < 8; ++u)
    for (int k = 0; k < 8; ++k)
      basis[u * 8 + k] = (float)(cos((2 * k + 1) * u * 3.14159265358979323846 / 16) * (u ? 0.5 : sqrt(0.125)));
  require(cu.to_device(global("basis", 256), basis, 256), "cuMemcpyHtoD");
  int width = 24;
  const float* x = random_floats(24 * 16, -128, 128);
  device_address dx = upload(x, 24 * 16 * 4), dy = poisoned(24 * 16 * 4);
  launch("dct_8x8", at2(3, 2), at2(8, 8), 0, with(&dx, &dy, &width));
  const float* got = fetch(dy, 24 * 16 * 4);
  for (int i = 0; i < 24 * 16; ++i) {
    const int r = i / 24, c = i % 24;
    double want = 0;
    for (int v = 0; v < 8; ++v)
      for (int u = 0; u < 8; ++u)
        want += (double)basis[r % 8 * 8 + v] * (double)basis[c % 8 * 8 + u] *
                (double)x[(r / 8 * 8 + v) * 24 + c / 8 * 8 + u];
    near("y", (size_t)i, (double)got[i], want, 2 * 16 * eps32 * 8 * 128);
  }
}

static void haar(void) {
  for_sizes(half, 1, 32, 128) {
    enum { rows = 3 };
    const size_t n = 2 * half;
    const uint32_t* x = random_words(rows * n, 1u << 20);
    int levels = half == 1 ? 1 : 5;
    device_address dx = upload(x, rows * n * 4);
    launch("haar", at(rows), at(half), half * 8, with(&dx, &levels));
    int32_t* want = room(rows * n * 4);
    memcpy(want, x, rows * n * 4);
    for (size_t r = 0; r < rows; ++r) {
      int32_t* row = want + r * n;
      int32_t* next = room(n * 4);
      for (size_t level = 0, m = half; level < (size_t)levels; ++level, m /= 2) {
        for (size_t i = 0; i < m; ++i) {
          next[m + i] = row[2 * i + 1] - row[2 * i];
          next[i] = row[2 * i] + (next[m + i] >= 0 ? next[m + i] / 2 : -((1 - next[m + i]) / 2));
        }
        memcpy(row, next, 2 * m * 4);
      }
    }
    same_words("x", fetch(dx, rows * n * 4), (uint32_t*)want, rows * n);
    launch("haar_inverse", at(rows), at(half), half * 8, with(&dx, &levels));
    same_words("back", fetch(dx, rows * n * 4), x, rows * n);
  }
}

static const struct program programs[] = {
    {"stencil_2d", stencil_2d, true},
    {"stencil_3d", stencil_3d, false},
    {"heat", heat, false},
    {"convolution", convolution, false},
    {"life", life, true},
    {"n_body", n_body, false},
    {"image_filters", image_filters, false},
    {"bresenham", bresenham, false},
    {"ray_spheres", ray_spheres, false},
    {"fft", fft, false},
    {"dct_8x8", dct_8x8, false},
    {"haar", haar, false},
};

int main(int argc, char** argv) { return run_programs(programs, count_of(programs), argc, argv); }
