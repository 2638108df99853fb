// 64-bit xxHash of many buffers, one per thread.
typedef unsigned long long u64;
constexpr u64 p1 = 0x9E3779B185EBCA87ull, p2 = 0xC2B2AE3D27D4EB4Full, p3 = 0x165667B19E3779F9ull, p4 = 0x85EBCA77C2B2AE63ull,
              p5 = 0x27D4EB2F165667C5ull;

__device__ u64 turned(u64 x, int n) { return x << n | x >> (64 - n); }
__device__ u64 round_of(u64 sum, u64 v) { return turned(sum + v * p2, 31) * p1; }
__device__ u64 merged(u64 h, u64 v) { return (h ^ round_of(0, v)) * p1 + p4; }

extern "C" __global__ void xxhash(const u64* data, const unsigned* words, u64* out, u64 seed, int stride, int count) {
  const int b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b >= count) return;
  const u64* x = data + b * stride;
  const unsigned n = words[b];
  unsigned i = 0;
  u64 h = seed + p5;
  if (n >= 4) {
    u64 v[4] = {seed + p1 + p2, seed + p2, seed, seed - p1};
    for (; i + 4 <= n; i += 4)
      for (int k = 0; k < 4; ++k) v[k] = round_of(v[k], x[i + k]);
    h = turned(v[0], 1) + turned(v[1], 7) + turned(v[2], 12) + turned(v[3], 18);
    for (int k = 0; k < 4; ++k) h = merged(h, v[k]);
  }
  h += 8ull * n;
  for (; i < n; ++i) h = turned(h ^ round_of(0, x[i]), 27) * p1 + p4;
  h = (h ^ h >> 33) * p2;
  h = (h ^ h >> 29) * p3;
  out[b] = h ^ h >> 32;
}
