// Programs of what the language has beside arithmetic: calls, pointers, variables of the module, output, the heap.
#define _POSIX_C_SOURCE 200809L
#include <unistd.h>

#include "host.h"

static int32_t step(unsigned which, int32_t v) {
  switch (which & 3) {
    case 0:
      return (int32_t)(2u * (uint32_t)v);
    case 1:
      return (int32_t)((uint32_t)v * (uint32_t)v);
    case 2:
      return (int32_t) - (uint32_t)v;
    default:
      return (v >> 3) ^ 0x55;
  }
}

static void function_pointers(void) {
  for_sizes(n, 1, 33, 200) {
    const int32_t* x = (const int32_t*)random_words(n, 0);
    uint8_t* which = room(n);
    for (unsigned i = 0; i < n; ++i) which[i] = (uint8_t)random_u32(256);
    device_address dx = upload(x, n * 4), dw = upload(which, n), dy = poisoned(n * 4);
    launch("function_pointers", at(blocks(n, 64)), at(64), 0, with(&dx, &dw, &dy, &n));
    const int32_t* got = fetch(dy, n * 4);
    for (unsigned i = 0; i < n; ++i) {
      int32_t v = x[i];
      for (int k = 0; k < 3; ++k) v = step(which[i] >> 2 * k, v);
      for (int k = 0; k < 2; ++k) v = step(which[i] >> 6, v);
      equal("y", i, (uint32_t)got[i], (uint32_t)v);
    }
  }
}

static void virtual_functions(void) {
  for_sizes(n, 1, 100) {
    const float* sizes = random_floats(n, 1, 5);
    device_address ds = upload(sizes, n * 4), shapes = poisoned(n * 8), areas = poisoned(n * 4),
                   sides = poisoned(n * 4);
    launch("make_shapes", at(blocks(n, 32)), at(32), 0, with(&shapes, &ds, &n));
    launch("use_shapes", at(blocks(n, 64)), at(64), 0, with(&shapes, &areas, &sides, &n));
    const float* area = fetch(areas, n * 4);
    const int32_t* count = fetch(sides, n * 4);
    for (unsigned i = 0; i < n; ++i) {
      const float s = sizes[i], square = s * s;
      equal("areas", i, bits_of(area[i]), bits_of(i % 3 == 0 ? square : i % 3 == 1 ? 0.5f * s * 2 : 3 * square));
      equal("sides", i, (uint32_t)count[i], i % 3 == 1 ? 3 : 4);
    }
  }
}

static uint32_t fibonacci(uint32_t n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

static void recursion(void) {
  for_sizes(n, 1, 40, 130) {
    const uint32_t* x = random_words(n, 0);
    device_address dx = upload(x, n * 4), out = poisoned(n * 16);
    launch("recursion", at(blocks(n, 64)), at(64), 0, with(&dx, &out, &n));
    const uint32_t* got = fetch(out, n * 16);
    for (unsigned i = 0; i < n; ++i) {
      const uint32_t m = x[i] % 3, k = x[i] / 3 % 4;
      uint64_t a = x[i], b = 720720ull * 4096;
      while (b) {
        const uint64_t rest = a % b;
        a = b, b = rest;
      }
      uint32_t digits = 0, sum = 0, place = 0, v = x[i];
      for (; v; v /= 10) ++digits;
      for (v = x[i]; v; v /= 10, ++place) sum += v % 10 * ((digits - 1 - place) % 2 ? 10 : 1);
      const uint32_t want[4] = {fibonacci(x[i] % 12), m == 0 ? k + 1 : m == 1 ? k + 2 : 2 * k + 3, (uint32_t)a, sum};
      same_words("out", got + 4 * i, want, 4);
    }
  }
}

static void local_arrays(void) {
  for_sizes(n, 1, 70) {
    const char program[] = "x3*x+5x-*x+7-";
    int length = (int)sizeof program - 1;
    const uint32_t* seeds = random_words(n, 0);
    device_address ds = upload(seeds, n * 4), decks = poisoned(n * 52), results = poisoned(n * 4),
                   dp = upload(program, sizeof program);
    launch("local_arrays", at(blocks(n, 32)), at(32), 0, with(&ds, &decks, &results, &dp, &length, &n));
    const uint8_t* got = fetch(decks, n * 52);
    const int32_t* result = fetch(results, n * 4);
    for (unsigned i = 0; i < n; ++i) {
      uint8_t deck[52];
      for (uint8_t k = 0; k < 52; ++k) deck[k] = k;
      uint32_t s = seeds[i];
      for (uint32_t k = 51; k > 0; --k) {
        s = s * 1664525u + 1013904223u;
        const uint32_t other = (s >> 8) % (k + 1);
        const uint8_t kept = deck[k];
        deck[k] = deck[other], deck[other] = kept;
      }
      for (size_t k = 0; k < 52; ++k) equal("decks", i * 52 + k, got[i * 52 + k], deck[k]);
      // Where x stands, the stack holds so many values: 0, 1, 2, 1.
      const int x0 = deck[i % 40], x1 = deck[1 + i % 40], x2 = deck[2 + i % 40];
      equal("results", i, (uint32_t)result[i], (uint32_t)((x0 * 3 + x1) * (5 - x2) + x1 - 7));
    }
  }
}

static void switches(void) {
  for_sizes(n, 1, 33, 500) {
    uint32_t* x = random_words(n, 0);
    const uint32_t chosen[] = {7, 1000, 100000};
    for (unsigned i = 0; i < n; i += 5) x[i] = chosen[random_u32(3)];
    device_address dx = upload(x, n * 4), dy = zeroed(n * 4);
    launch("switches", at(blocks(n, 128)), at(128), 0, with(&dx, &dy, &n));
    const uint32_t* got = fetch(dy, n * 4);
    for (unsigned i = 0; i < n; ++i) {
      const uint32_t v = x[i];
      uint32_t bits = 0, mirrored = 0;
      for (int k = 0; k < 32; ++k) bits += v >> k & 1, mirrored |= (v >> k & 1) << (31 - k);
      const uint32_t cases[16] = {
          v * 3,    (v ^ 0xff) + 7, 8,  bits, v / 10, (v % 10 * 5) ^ v, 5 ^ v, 1 ^ v, 0, ~v, v << 4,
          mirrored, v >> 5,         99, 99,   99};
      uint32_t r = cases[v % 16] + (v == 7 ? 1 : v == 1000 ? 2 : v == 100000 ? 3 : 0);
      if (v / 16 % 4 == 0)
        r += 1;
      else if (v / 16 % 4 == 1)
        r += r - 5;
      else if (v / 16 % 4 == 2)
        r -= 5;
      equal("y", i, got[i], v % 16 == 8 ? 0 : r);
    }
  }
}

/// What the function prints to the standard output, by way of a file in place of it.
static char* printed(void (*f)(void)) {
  char* text = room(4096);
  FILE* file = tmpfile();
  if (file == NULL) fail("no temporary file");
  fflush(stdout);
  const int kept = dup(STDOUT_FILENO);
  dup2(fileno(file), STDOUT_FILENO);
  jmp_buf outer;
  memcpy(outer, state.failed, sizeof outer);
  const int failed = setjmp(state.failed);
  if (!failed) f();
  fflush(stdout);
  dup2(kept, STDOUT_FILENO);
  close(kept);
  rewind(file);
  const size_t length = fread(text, 1, 4095, file);
  fclose(file);
  text[length] = '\0';
  memcpy(state.failed, outer, sizeof outer);
  if (failed) fail("%s", text);
  return text;
}

static void print(void) {
  device_address name = upload("given", 6);
  int n = 3;
  launch("printing", at(2), at(32), 0, with(&name, &n));
}

static void printing(void) {
  const char* text = printed(print);
  const char* lines[] = {"plain text, 100%\n",
                         "-7 4000000000 beef q|   42|42   |00042\n",
                         "literal and given: 1.500000 1.235e+04 0.1\n",
                         "-5000000000 18446744073709551615 0000123456789abc (nil)\n",
                         "thread 8\n",
                         "thread 9\n",
                         "thread 10\n"};
  size_t length = 0;
  for (size_t i = 0; i < count_of(lines); ++i) {
    if (strstr(text, lines[i]) == NULL) fail("printed no line %zu in: %s", i, text);
    length += strlen(lines[i]);
  }
  equal("length", 0, strlen(text), length);
}

static void assertion(void) {
  int32_t x[64], limit = 100;
  for (int i = 0; i < 64; ++i) x[i] = (int32_t)random_u32(100);
  device_address dx = upload(x, sizeof x), dy = poisoned(sizeof x);
  launch("assertion", at(1), at(64), 0, with(&dx, &dy, &limit));
  const int32_t* got = fetch(dy, sizeof x);
  for (size_t i = 0; i < 64; ++i) equal("y", i, (uint32_t)got[i], (uint32_t)x[i] + 1);
  x[37] = 100;
  require(cu.to_device(dx, x, sizeof x), "cuMemcpyHtoD");
  equal("result", 0, (uint64_t)launch_result("assertion", at(1), at(64), 0, with(&dx, &dy, &limit)), 710);
}

static void device_heap(void) {
  for_sizes(n, 1, 40, 100) {
    const uint32_t* lengths = random_words(n, 9);
    device_address heads = poisoned(n * 8), dl = upload(lengths, n * 4), sums = poisoned(n * 4);
    launch("build_lists", at(blocks(n, 32)), at(32), 0, with(&heads, &dl, &n));
    launch("sum_lists", at(blocks(n, 64)), at(64), 0, with(&heads, &sums, &n));
    const uint32_t* got = fetch(sums, n * 4);
    for (uint32_t i = 0; i < n; ++i) {
      uint32_t sum = 0;
      for (uint32_t k = lengths[i]; k-- > 0;) sum = sum * 3 + k * i;
      for (uint32_t k = 0; k <= i % 7; ++k) sum += k * k;
      equal("sums", i, got[i], sum);
    }
  }
}

static void module_variables(void) {
  device_address out = poisoned(32 * 8), copy = poisoned(12), target = poisoned(16);
  require(cu.to_device(global("shared_pointer", 8), &target, 8), "cuMemcpyHtoD");
  launch("module_variables", at(1), at(32), 0, with(&out, &copy));
  const int32_t table[8] = {3, 2, 6, 4, 9, 5, 6, 7};
  const double* got = fetch(out, 32 * 8);
  for (size_t t = 0; t < 32; ++t) {
    const double weight = t % 2 ? -0.125 : 2.5, pair[4] = {-1, 300, 2, -400};
    near("out", t, got[t], weight * table[t % 4 + (t % 2 ? 2 : 0)] + pair[t / 2 % 2 * 2 + t % 2] + (t % 2 ? 'b' : 'a'),
         0);
  }
  if (memcmp(fetch(copy, 12), "device text", 12) != 0) fail("the text is '%s'", (char*)fetch(copy, 12));
  const float* numbers = fetch(target, 16);
  for (size_t t = 0; t < 4; ++t) near("target", t, (double)numbers[t], 42 + (double)t, 0);
  equal("counter", 0, *(uint32_t*)fetch(global("counter", 4), 4), 42);
  equal("managed_sum", 0, *(uint64_t*)fetch(global("managed_sum", 8), 8), 1005);
  same_words("table", fetch(global("table", 32), 32), (const uint32_t*)table, 8);
}

static void generic_addresses(void) {
  enum { n = 64 };
  const int32_t* x = (const int32_t*)random_words(n, 1u << 24);
  device_address dx = upload(x, n * 4), dy = poisoned(n * 4), bytes = poisoned(n * 2), pairs = poisoned(n * 16);
  launch("generic_addresses", at(1), at(n), 2 * n * 4, with(&dx, &dy, &bytes, &pairs));
  const int32_t* y = fetch(dy, n * 4);
  const uint8_t* b = fetch(bytes, n * 2);
  const double* p = fetch(pairs, n * 16);
  for (int t = 0; t < n; ++t) {
    const int32_t* four = x + t / 4 * 4;
    int32_t sum = 1000 * (t % 3 + 1) + 2 * (n - 1 - t);
    for (int k = 0; k < 4; ++k) sum += t % 3 == 2 ? x[(t + k * 5) % n] : four[k];
    equal("y", (size_t)t, (uint32_t)y[t], (uint32_t)sum);
    equal("bytes", (size_t)t, b[2 * t], (uint8_t)(x[t] ^ x[t] >> 24));
    equal("shorts", (size_t)t, b[2 * t + 1], (uint8_t)((int16_t)(x[t] >> 16) >> 3));
    near("x", (size_t)t, p[2 * t], four[0] - four[3], 0);
    near("y", (size_t)t, p[2 * t + 1], x[t] + x[n - 1 - t], 0);
  }
}

static void large_frames(void) {
  struct {
    int64_t first;
    uint8_t second;
  } const* pair;
  for_sizes(n, 1, 50) {
    const float* x = random_floats(n * 16, -1, 1);
    device_address dx = upload(x, n * 64), dy = poisoned(n * 64), pairs = poisoned(n * 16);
    launch("large_frames", at(blocks(n, 32)), at(32), 0, with(&dx, &dy, &pairs, &n));
    const float* y = fetch(dy, n * 64);
    pair = fetch(pairs, n * 16);
    for (unsigned i = 0; i < n; ++i) {
      const float* base = x + i * 16;
      float power[16];
      memcpy(power, base, sizeof power);
      for (unsigned k = 0; k < i % 4; ++k) {
        float next[16] = {0};
        for (int e = 0; e < 64; ++e)
          next[e / 4] = fmaf(power[e / 16 * 4 + e % 4], base[e % 4 * 4 + e / 4 % 4], next[e / 4]);
        memcpy(power, next, sizeof power);
      }
      for (size_t e = 0; e < 16; ++e) equal("y", i * 16 + e, bits_of(y[i * 16 + e]), bits_of(power[e]));
      const double v = fabs((double)base[6]) * 300;
      equal("first", i, (uint64_t)pair[i].first, (uint64_t)((int64_t)v >> i % 5));
      equal("second", i, pair[i].second, (uint8_t)(v / 3));
    }
  }
}

static void many_dimensions(void) {
  const struct extent grid = {3, 2, 5}, block = {5, 3, 3};
  const uint32_t threads = 45, n = 30 * threads;
  device_address out = poisoned(n * 8);
  launch("many_dimensions", grid, block, 0, with(&out));
  const uint32_t* got = fetch(out, n * 8);
  for (uint32_t i = 0; i < n; ++i) {
    const uint32_t t = i % threads, b = i / threads;
    equal("place", i, got[2 * i], t % 5 | t / 5 % 3 << 4 | t / 15 << 8 | b % 3 << 12 | b / 3 % 2 << 16 | b / 6 << 20);
    equal("last", i, got[2 * i + 1], (b + 1) * threads - 1);
  }
}

static const struct program programs[] = {
    {"function_pointers", function_pointers, false},
    {"virtual_functions", virtual_functions, false},
    {"recursion", recursion, false},
    {"local_arrays", local_arrays, false},
    {"switches", switches, false},
    {"printing", printing, false},
    {"device_heap", device_heap, false},
    {"module_variables", module_variables, false},
    {"generic_addresses", generic_addresses, false},
    {"large_frames", large_frames, false},
    {"many_dimensions", many_dimensions, false},
    {"assertion", assertion, false},  // last: a driver gives up its context
};

int main(int argc, char** argv) { return run_programs(programs, count_of(programs), argc, argv); }
