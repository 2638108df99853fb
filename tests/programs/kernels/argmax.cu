// Position of the largest value, the first one among equals: value and position packed into one 64-bit atomic.
extern "C" __global__ void argmax(const float* x, unsigned long long* best, unsigned n) {
  unsigned long long mine = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const unsigned bits = __float_as_uint(x[i]);
    const unsigned ordered = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
    mine = max(mine, (unsigned long long)ordered << 32 | ~i);
  }
  for (int step = 16; step > 0; step /= 2) mine = max(mine, __shfl_xor_sync(~0u, mine, step));
  if (threadIdx.x % 32 == 0) atomicMax(best, mine);
}
