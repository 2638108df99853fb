// Length of the longest common subsequence by bit-parallel rows: sums with carry of 128-bit words held by four lanes.
extern "C" __global__ void longest_common(const unsigned char* a, const unsigned char* b, int na, int nb, int* lengths) {
  const int pair = (blockIdx.x * blockDim.x + threadIdx.x) / 4, lane = threadIdx.x % 32, part = lane % 4;
  a += pair * na, b += pair * nb;
  unsigned row = ~0u;
  for (int j = 0; j < nb; ++j) {
    unsigned same = 0;
    for (int k = 0; k < 32 && part * 32 + k < na; ++k) same |= (unsigned)(a[part * 32 + k] == b[j]) << k;
    const unsigned added = row & same, sum = row + added;
    const unsigned makes = __ballot_sync(~0u, sum < row) >> lane / 4 * 4 & 15;
    const unsigned passes = __ballot_sync(~0u, sum == ~0u) >> lane / 4 * 4 & 15;
    const unsigned carries = ((makes << 1) + passes ^ passes) & 15;  // into part k: bit k, carries run through parts of ones
    row = sum + (carries >> part & 1) | row & ~same;
  }
  const int valid = min(max(na - part * 32, 0), 32);
  int count = valid - __popc(row & (valid == 32 ? ~0u : (1u << valid) - 1));
  count += __shfl_xor_sync(~0u, count, 1);
  count += __shfl_xor_sync(~0u, count, 2);
  if (part == 0) lengths[pair] = count;
}
