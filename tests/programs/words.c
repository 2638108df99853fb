// Programs on bits, words and strings: wide arithmetic, checksums, encodings, alignments.
#define _POSIX_C_SOURCE 200809L
#include "host.h"

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 i128;

/// Words of which some are edges.
static uint32_t* edgy_words(size_t n) {
  uint32_t* x = random_words(n, 0);
  const uint32_t edges[] = {0, 1, 0x80000000u, ~0u, 0x7fffffffu, 31, 32, 0x80, 0xff00ff00u};
  for (size_t i = 0; i < n; i += 3) x[i] = random_u32(2) ? edges[random_u32(count_of(edges))] : x[i];
  return x;
}

static uint32_t reversed(uint32_t x) {
  uint32_t out = 0;
  for (int k = 0; k < 32; ++k) out |= (x >> k & 1) << (31 - k);
  return out;
}

static unsigned ones(uint64_t x) {
  unsigned count = 0;
  for (; x; x &= x - 1) ++count;
  return count;
}

static unsigned zeros_above(uint64_t x, unsigned width) {
  unsigned count = width;
  for (; x; x >>= 1) --count;
  return count;
}

static void bit_tricks(void) {
  for_sizes(n, 2, 33, 1009) {
    const uint32_t* x = edgy_words(n);
    device_address dx = upload(x, n * 4), out = poisoned((n - 1) * 48);
    launch("bit_tricks", at(blocks(n, 128)), at(128), 0, with(&dx, &out, &n));
    const uint32_t* got = fetch(out, (n - 1) * 48);
    for (unsigned i = 0; i + 1 < n; ++i) {
      const uint32_t a = x[i], b = x[i + 1], s = b & 31;
      const uint64_t w = (uint64_t)b << 32 | a;
      const uint32_t want[12] = {
          ones(a),
          zeros_above(a, 32),
          a ? 32 - zeros_above(a & -a, 32) : 0,
          reversed(a),
          ones(w),
          zeros_above(w, 64),
          (uint32_t)(((uint64_t)reversed(a) << 32 | reversed(b)) >> 16),
          (uint32_t)((((uint64_t)a << 32 | a) << s) >> 32),
          (a >> s) | (a >> 31 && s ? ~0u << (32 - s) : 0),
          a & -a,
          (a & 0x55555555u) * 2 + (a / 2 & 0x55555555u),
          (uint32_t)(w >> s) ^ (a == 0 ? 7u : 0u),
      };
      for (unsigned k = 0; k < 12; ++k) equal("out", 12 * i + k, got[12 * i + k], want[k]);
    }
  }
}

static void bit_intrinsics(void) {
  for_sizes(n, 3, 1009) {
    const uint32_t* x = edgy_words(n);
    device_address dx = upload(x, n * 4), out = poisoned((n - 2) * 48);
    launch("bit_intrinsics", at(blocks(n, 128)), at(128), 0, with(&dx, &out, &n));
    const uint32_t* got = fetch(out, (n - 2) * 48);
    for (unsigned i = 0; i + 2 < n; ++i) {
      const uint32_t a = x[i], b = x[i + 1], c = x[i + 2];
      const uint64_t w = (uint64_t)b << 32 | a;
      const int64_t sa = (int32_t)a, sb = (int32_t)b;
      const int64_t a24 = (int32_t)(a << 8) >> 8, b24 = (int32_t)(b << 8) >> 8;
      uint32_t permuted = 0, nth = ~0u;
      for (int k = 0; k < 4; ++k) permuted |= (uint32_t)(w >> (c >> 4 * k & 7) * 8 & 255) << 8 * k;
      for (unsigned k = 0, seen = 0; k < 32 && nth == ~0u; ++k)
        if ((seen += a >> k & 1) == b % 32 + 1) nth = k;
      const uint32_t want[12] = {
          permuted,
          (uint32_t)(w << (c & 31) >> 32),
          (uint32_t)(w >> (c < 32 ? c : 32)),
          (uint32_t)(((uint64_t)a + b) / 2),
          (uint32_t)((sa + sb + 1) >> 1),
          (a > b ? a - b : b - a) + c,
          (uint32_t)(sa > sb ? sa - sb : sb - sa) + c,
          (uint32_t)((uint64_t)a * b >> 32),
          (uint32_t)((uint64_t)(sa * sb) >> 32),
          (uint32_t)((uint64_t)(a & 0xffffff) * (b & 0xffffff)),
          (uint32_t)(a24 * b24),
          nth,
      };
      for (unsigned k = 0; k < 12; ++k) equal("out", 12 * i + k, got[12 * i + k], want[k]);
    }
  }
}

static int byte_of(uint32_t x, int k) { return x >> 8 * k & 255; }
static int signed_byte(uint32_t x, int k) { return (int8_t)byte_of(x, k); }
static int half_of(uint32_t x, int k) { return (int16_t)(x >> 16 * k); }

static void packed_bytes(void) {
  for_sizes(n, 3, 1009) {
    const uint32_t* x = edgy_words(n);
    device_address dx = upload(x, n * 4), out = poisoned((n - 2) * 48);
    launch("packed_bytes", at(blocks(n, 128)), at(128), 0, with(&dx, &out, &n));
    const uint32_t* got = fetch(out, (n - 2) * 48);
    for (unsigned i = 0; i + 2 < n; ++i) {
      const uint32_t a = x[i], b = x[i + 1], c = x[i + 2];
      uint32_t want[12] = {c, c, c, c};
      for (int k = 0; k < 4; ++k) {
        const int p = byte_of(a, k), q = byte_of(b, k), low = p < q ? p : q, high = p < q ? q : p;
        want[0] += (uint32_t)(signed_byte(a, k) * signed_byte(b, k));
        want[1] += (uint32_t)(p * q);
        if (k < 2) {
          want[2] += (uint32_t)(half_of(a, k) * signed_byte(b, k));
          want[3] += (uint32_t)((a >> 16 * k & 0xffff) * (unsigned)byte_of(b, k + 2));
          const int sum = half_of(a, k) + half_of(b, k), difference = half_of(a, k) - half_of(b, k);
          const int cut = difference > 32767 ? 32767 : difference < -32768 ? -32768 : difference;
          want[8] |= (uint32_t)(uint16_t)sum << 16 * k;
          want[9] |= (uint32_t)(uint16_t)(half_of(a, k) > half_of(b, k) ? half_of(a, k) : half_of(b, k)) << 16 * k;
          want[10] |= (uint32_t)(uint16_t)cut << 16 * k;
        }
        want[4] |= (uint32_t)(high - low) << 8 * k;
        want[5] += (uint32_t)(high - low);
        want[6] |= (uint32_t)(p + q > 255 ? 255 : p + q) << 8 * k;
        want[7] |= (p > q ? 255u : 0u) << 8 * k;
        want[11] |= (uint32_t)((p + q + 1) / 2) << 8 * k;
      }
      for (unsigned k = 0; k < 12; ++k) equal("out", 12 * i + k, got[12 * i + k], want[k]);
    }
  }
}

static uint64_t power(uint64_t base, uint64_t exponent, uint64_t modulus) {
  uint64_t result = 1 % modulus;
  for (uint64_t k = 0; k < exponent; ++k) result = (uint64_t)((u128)result * (base % modulus) % modulus);
  return result;
}

static void wide_integers(void) {
  for_sizes(n, 3, 300) {
    uint64_t* x = room(n * 8);
    for (unsigned i = 0; i < n; ++i) x[i] = random_u64() >> (random_u32(3) ? random_u32(64) : 0);
    device_address dx = upload(x, n * 8), out = poisoned((n - 2) * 96);
    launch("wide_integers", at(blocks(n, 128)), at(128), 0, with(&dx, &out, &n));
    const uint64_t* got = fetch(out, (n - 2) * 96);
    for (unsigned i = 0; i + 2 < n; ++i) {
      const uint64_t a = x[i], b = x[i + 1] | 1, c = x[i + 2];
      if (b == UINT64_MAX) continue;  // the signed quotient may overflow
      const u128 wide = (u128)a << 64 | c, shifted = wide >> (c & 127), quotient = wide / b;
      const i128 product = (i128)(int64_t)a * (int64_t)c;
      const uint64_t want[12] = {
          a / b,
          a % b,
          (uint64_t)((int64_t)a / (int64_t)b),
          (uint64_t)((int64_t)c % (int64_t)b),
          (uint64_t)((u128)a * c >> 64),
          (uint64_t)((u128)product >> 64),
          (uint64_t)shifted,
          (uint64_t)(shifted >> 64),
          (uint64_t)quotient,
          (uint64_t)(quotient >> 64),
          power(a, c & 0xff, b >> 1 | 1),
          (uint64_t)(wide < (u128)product) | (uint64_t)(product < 0) << 1 | (uint64_t)((i128)wide > product) << 2,
      };
      for (unsigned k = 0; k < 12; ++k) equal("out", 12 * i + k, got[12 * i + k], want[k]);
    }
  }
}

static void big_multiply(void) {
  for_sizes(n, 1, 31, 200) {
    const uint32_t* a = edgy_words(8 * n);
    const uint32_t* b = edgy_words(8 * n);
    device_address da = upload(a, n * 32), db = upload(b, n * 32), dp = poisoned(n * 64), ds = poisoned(n * 36);
    launch("big_multiply", at(blocks(n, 64)), at(64), 0, with(&da, &db, &dp, &ds, &n));
    const uint32_t* product = fetch(dp, n * 64);
    const uint32_t* sum = fetch(ds, n * 36);
    for (unsigned i = 0; i < n; ++i) {
      uint32_t want[16] = {0};
      uint64_t carry = 0;
      for (unsigned j = 0; j < 8; ++j, carry = 0) {
        for (unsigned k = 0; k < 8; ++k) {
          carry += (uint64_t)a[8 * i + k] * b[8 * i + j] + want[j + k];
          want[j + k] = (uint32_t)carry, carry >>= 32;
        }
        want[j + 8] = (uint32_t)carry;
      }
      same_words("product", product + 16 * i, want, 16);
      for (unsigned k = 0; k < 9; ++k, carry >>= 32) {
        if (k < 8) carry += (uint64_t)a[8 * i + k] + b[8 * i + k];
        equal("sum", 9 * i + k, sum[9 * i + k], (uint32_t)carry);
      }
    }
  }
}

static void crc32(void) {
  for_sizes(count, 1, 70) {
    uint32_t* starts = room((count + 1) * 4);
    for (unsigned i = 0; i < count; ++i) starts[i + 1] = starts[i] + random_u32(40);
    uint8_t* text = room(starts[count] + 10);
    for (unsigned i = 0; i < starts[count]; ++i) text[i] = (uint8_t)random_u32(256);
    if (count == 1) memcpy(text, "123456789", starts[1] = 9);
    device_address dt = upload(text, starts[count] + 1), ds = upload(starts, (count + 1) * 4),
                   out = poisoned(count * 4);
    launch("crc32", at(blocks(count, 64)), at(64), 0, with(&dt, &ds, &out, &count));
    const uint32_t* got = fetch(out, count * 4);
    if (count == 1) equal("check", 0, got[0], 0xcbf43926u);  // the value that names this polynomial
    for (unsigned s = 0; s < count; ++s) {
      uint32_t c = ~0u;
      for (unsigned i = starts[s] * 8; i < starts[s + 1] * 8; ++i)
        c = c >> 1 ^ (((c ^ text[i / 8] >> i % 8) & 1) ? 0xedb88320u : 0);
      equal("crc", s, got[s], ~c);
    }
  }
}

static void sha256(void) {
  enum { count = 3 };
  int n = count;
  uint8_t messages[count * 64] = {0}, lengths[count] = {0, 3, 43};
  memcpy(messages + 64, "abc", 3);
  memcpy(messages + 128, "The quick brown fox jumps over the lazy dog", 43);
  const uint32_t want[count * 8] = {0xe3b0c442, 0x98fc1c14, 0x9afbf4c8, 0x996fb924, 0x27ae41e4, 0x649b934c,
                                    0xa495991b, 0x7852b855, 0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223,
                                    0xb00361a3, 0x96177a9c, 0xb410ff61, 0xf20015ad, 0xd7a8fbb3, 0x07d78094,
                                    0x69ca9abc, 0xb0082e4f, 0x8d5651e4, 0x6d3cdb76, 0x2d02d0bf, 0x37c9e592};
  device_address dm = upload(messages, sizeof messages), dl = upload(lengths, count), out = poisoned(count * 32);
  launch("sha256", at(1), at(64), 0, with(&dm, &dl, &out, &n));
  same_words("digest", fetch(out, count * 32), want, count * 8);
}

static uint64_t turned(uint64_t x, int n) { return x << n | x >> (64 - n); }

static void xxhash(void) {
  const uint64_t p1 = 0x9E3779B185EBCA87u, p2 = 0xC2B2AE3D27D4EB4Fu, p3 = 0x165667B19E3779F9u, p4 = 0x85EBCA77C2B2AE63u,
                 p5 = 0x27D4EB2F165667C5u;
  int stride = 21, count = 100;
  uint64_t* data = room(2100 * 8);
  uint32_t* words = random_words(100, 22);
  for (size_t i = 0; i < 2100; ++i) data[i] = random_u64();
  words[0] = 0;
  for (int round = 0; round < 2; ++round) {
    uint64_t seed = round == 0 ? 0 : random_u64();
    device_address dd = upload(data, 2100 * 8), dw = upload(words, 400), out = poisoned(800);
    launch("xxhash", at(2), at(64), 0, with(&dd, &dw, &out, &seed, &stride, &count));
    const uint64_t* got = fetch(out, 800);
    if (seed == 0) equal("empty", 0, got[0], 0xef46db3751d8e999u);
    for (size_t b = 0; b < 100; ++b) {
      const uint64_t* x = data + b * 21;
      uint64_t h = seed + p5, lanes[4] = {seed + p1 + p2, seed + p2, seed, seed - p1};
      size_t i = 0;
      for (; i < words[b] / 4 * 4; ++i) lanes[i % 4] = turned(lanes[i % 4] + x[i] * p2, 31) * p1;
      if (i > 0) {
        h = turned(lanes[0], 1) + turned(lanes[1], 7) + turned(lanes[2], 12) + turned(lanes[3], 18);
        for (size_t k = 0; k < 4; ++k) h = (h ^ turned(lanes[k] * p2, 31) * p1) * p1 + p4;
      }
      for (h += words[b] * 8; i < words[b]; ++i) h = turned(h ^ turned(x[i] * p2, 31) * p1, 27) * p1 + p4;
      h = (h ^ h >> 33) * p2, h = (h ^ h >> 29) * p3;
      equal("hash", b, got[b], h ^ h >> 32);
    }
  }
}

static void base64(void) {
  for_sizes(n, 1, 2, 3, 100, 257) {
    uint8_t* in = room(n);
    for (unsigned i = 0; i < n; ++i) in[i] = (uint8_t)random_u32(256);
    const size_t length = (n + 2) / 3 * 4;
    device_address di = upload(in, n), out = poisoned(length);
    launch("base64", at(blocks((unsigned)length / 4, 32)), at(32), 0, with(&di, &out, &n));
    const char* got = fetch(out, length);
    const char* alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < length; ++i) {
      const size_t bit = i * 6, padding = n * 8;
      const unsigned pair = (unsigned)(bit / 8 < n ? in[bit / 8] << 8 : 0) | (bit / 8 + 1 < n ? in[bit / 8 + 1] : 0);
      equal("out", i, (uint8_t)got[i], (uint8_t)(bit >= padding ? '=' : alphabet[pair >> (10 - bit % 8) & 63]));
    }
  }
}

static void string_search(void) {
  for_sizes(n, 5, 127, 1009) {
    unsigned length = 5;
    char* text = room(n + 1);
    for (unsigned i = 0; i < n; ++i) text[i] = "ab"[random_u32(2)];
    char pattern[16] = "abbab";
    memcpy(text + random_u32(n - 4), pattern, 5);
    require(cu.to_device(global("pattern", 16), pattern, 16), "cuMemcpyHtoD");
    const uint32_t none = ~0u;
    const size_t words = blocks(n, 128) * 4;
    device_address dt = upload(text, n), hits = poisoned(words * 4), first = upload(&none, 4);
    launch("string_search", at(blocks(n, 128)), at(128), 0, with(&dt, &hits, &first, &n, &length));
    const uint32_t* got = fetch(hits, words * 4);
    for (size_t i = 0; i < words * 32; ++i)
      equal("hit", i, got[i / 32] >> i % 32 & 1, i + 5 <= n && memcmp(text + i, pattern, 5) == 0);
    equal("first", 0, *(uint32_t*)fetch(first, 4), (uint64_t)(strstr(text, "abbab") - text));
  }
}

static char* random_letters(size_t n, unsigned letters) {
  char* out = room(n);
  for (size_t i = 0; i < n; ++i) out[i] = (char)('a' + random_u32(letters));
  return out;
}

static int most(int a, int b) { return a > b ? a : b; }

static void needleman_wunsch(void) {
  for_sizes(na, 1, 31, 50, 80, 127) {
    int nb = (int)na * 5 / 4;
    const char* a = random_letters(na, 4);
    const char* b = random_letters((size_t)nb, 4);
    device_address da = upload(a, na), db = upload(b, (size_t)nb), score = poisoned(4);
    launch("needleman_wunsch", at(1), at(128), 0, with(&da, &db, &na, &nb, &score));
    int* row = room((size_t)(nb + 1) * sizeof(int));
    for (int j = 0; j <= nb; ++j) row[j] = -2 * j;
    for (unsigned i = 0; i < na; ++i) {
      int corner = row[0];
      row[0] = -2 * (int)(i + 1);
      for (int j = 0; j < nb; ++j) {
        const int here = most(corner + (a[i] == b[j] ? 2 : -1), most(row[j], row[j + 1]) - 2);
        corner = row[j + 1], row[j + 1] = here;
      }
    }
    equal("score", 0, *(uint32_t*)fetch(score, 4), (uint32_t)row[nb]);
  }
}

static void smith_waterman(void) {
  enum { pairs = 5 };
  for_sizes(na, 1, 32, 70) {
    unsigned nb = na + 13;
    const char* a = random_letters(pairs * na, 3);
    const char* b = random_letters(pairs * nb, 3);
    device_address da = upload(a, pairs * na), db = upload(b, pairs * nb), best = poisoned(pairs * 4),
                   column = poisoned(pairs * nb * 8);
    launch("smith_waterman", at(pairs), at(32), 0, with(&da, &db, &na, &nb, &best, &column));
    const int32_t* got = fetch(best, pairs * 4);
    for (unsigned p = 0; p < pairs; ++p) {
      int* above = room(nb * sizeof(int));
      int* gaps = room(nb * sizeof(int));
      int want = 0;
      for (unsigned j = 0; j < nb; ++j) gaps[j] = -1000;
      for (unsigned i = 0; i < na; ++i) {
        int corner = 0, left = 0, gap_left = -1000;
        for (unsigned j = 0; j < nb; ++j) {
          gaps[j] = most(above[j] - 4, gaps[j] - 1), gap_left = most(left - 4, gap_left - 1);
          const int here = most(most(0, corner + (a[p * na + i] == b[p * nb + j] ? 3 : -2)), most(gaps[j], gap_left));
          corner = above[j], above[j] = left = here, want = most(want, here);
        }
      }
      equal("score", p, (uint32_t)got[p], (uint32_t)want);
    }
  }
}

static void longest_common(void) {
  enum { pairs = 32 };
  for_sizes(na, 1, 32, 65, 128) {
    unsigned nb = na / 2 + 20;
    const char* a = random_letters(pairs * na, 3);
    const char* b = random_letters(pairs * nb, 3);
    device_address da = upload(a, pairs * na), db = upload(b, pairs * nb), out = poisoned(pairs * 4);
    launch("longest_common", at(2), at(64), 0, with(&da, &db, &na, &nb, &out));
    const int32_t* got = fetch(out, pairs * 4);
    for (unsigned p = 0; p < pairs; ++p) {
      int* row = room((nb + 1) * sizeof(int));
      for (unsigned i = 0; i < na; ++i) {
        for (unsigned j = 0, corner = 0; j < nb; ++j) {
          const int here = a[p * na + i] == b[p * nb + j] ? (int)corner + 1 : most(row[j], row[j + 1]);
          corner = (unsigned)row[j + 1], row[j + 1] = here;
        }
      }
      equal("length", p, (uint32_t)got[p], (uint32_t)row[nb]);
    }
  }
}

static const struct program programs[] = {
    {"bit_tricks", bit_tricks, true},
    {"bit_intrinsics", bit_intrinsics, false},
    {"packed_bytes", packed_bytes, false},
    {"wide_integers", wide_integers, false},
    {"big_multiply", big_multiply, false},
    {"crc32", crc32, true},
    {"sha256", sha256, true},
    {"xxhash", xxhash, false},
    {"base64", base64, false},
    {"string_search", string_search, false},
    {"needleman_wunsch", needleman_wunsch, false},
    {"smith_waterman", smith_waterman, false},
    {"longest_common", longest_common, false},
};

int main(int argc, char** argv) { return run_programs(programs, count_of(programs), argc, argv); }
