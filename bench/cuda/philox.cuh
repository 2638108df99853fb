// Word x of Philox 4x32-10, as tg::philox makes it. Source: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011.
#pragma once

__device__ __forceinline__ unsigned philox_x(unsigned x, unsigned y, unsigned key) {
  unsigned z = 0, w = 0, second_key = 0;
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    const unsigned high0 = __umulhi(x, 0xD2511F53u), high1 = __umulhi(z, 0xCD9E8D57u);
    const unsigned low0 = x * 0xD2511F53u, low1 = z * 0xCD9E8D57u;
    x = high1 ^ y ^ key, y = low1, z = high0 ^ w ^ second_key, w = low0;
    key += 0x9E3779B9u, second_key += 0xBB67AE85u;
  }
  return x;
}
