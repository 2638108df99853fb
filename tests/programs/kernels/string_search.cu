// All places of a pattern in a text: the text in shared memory with what follows the tile, hits as bits.
__constant__ char pattern[16];

extern "C" __global__ void string_search(const char* text, unsigned* hits, unsigned* first, unsigned n, unsigned length) {
  __shared__ char tile[128 + 16];
  const unsigned base = blockIdx.x * 128, i = base + threadIdx.x;
  for (unsigned k = threadIdx.x; k < 128 + 16; k += 128) tile[k] = base + k < n ? text[base + k] : 0;
  __syncthreads();
  bool is_hit = i + length <= n;
  for (unsigned k = 0; is_hit && k < length; ++k) is_hit = tile[threadIdx.x + k] == pattern[k];
  const unsigned votes = __ballot_sync(~0u, is_hit);
  if (threadIdx.x % 32 == 0) {
    hits[i / 32] = votes;
    if (votes) atomicMin(first, i + __ffs(votes) - 1);
  }
}
