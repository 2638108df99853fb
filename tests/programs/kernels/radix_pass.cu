// One stable pass of a radix sort over 4 bits in one block: ranks from match_any within a warp, counts per warp and digit.
extern "C" __global__ void radix_pass(const unsigned* keys, const unsigned* values, unsigned* keys_out,
                                      unsigned* values_out, unsigned shift, unsigned n) {
  constexpr unsigned warps = 8;
  __shared__ unsigned counts[16][warps];
  const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
  const unsigned per_warp = (n + warps * 32 - 1) / (warps * 32) * 32, end = min(n, (warp + 1) * per_warp);
  if (t < 16 * warps) counts[t / warps][t % warps] = 0;
  __syncthreads();
  for (int pass = 0; pass < 2; ++pass) {
    for (unsigned first = warp * per_warp; first < end; first += 32) {
      const unsigned i = first + lane, here = __ballot_sync(~0u, i < end);
      if (i < end) {
        const unsigned key = keys[i], digit = key >> shift & 15;
        const unsigned same = __match_any_sync(here, digit), rank = __popc(same & ((1u << lane) - 1));
        const unsigned before = counts[digit][warp];
        __syncwarp(here);
        if (rank == 0) counts[digit][warp] = before + __popc(same);
        if (pass == 1) keys_out[before + rank] = key, values_out[before + rank] = values[i];
      }
      __syncwarp();
    }
    __syncthreads();
    if (pass == 0 && t == 0) {
      unsigned sum = 0;
      for (unsigned c = 0; c < 16 * warps; ++c) {
        const unsigned count = counts[c / warps][c % warps];
        counts[c / warps][c % warps] = sum;
        sum += count;
      }
    }
    __syncthreads();
  }
}
