// All kinds of shuffles: by index, up, down, xor; with widths; of doubles and 64-bit words; by half a warp.
extern "C" __global__ void shuffles(const int* x, const double* d, int* out, double* wide) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, v = x[i], lane = threadIdx.x % 32;
  int* to = out + 10 * i;
  to[0] = __shfl_sync(~0u, v, v & 31), to[1] = __shfl_up_sync(~0u, v, 3), to[2] = __shfl_down_sync(~0u, v, 5);
  to[3] = __shfl_xor_sync(~0u, v, 17), to[4] = __shfl_sync(~0u, v, lane + 1, 8), to[5] = __shfl_up_sync(~0u, v, 2, 4);
  to[6] = __shfl_down_sync(~0u, v, 1, 16), to[7] = __shfl_xor_sync(~0u, v, 12, 8), to[8] = __shfl_sync(~0u, v, -1);
  to[9] = lane < 16 ? __shfl_down_sync(0xffffu, v, 1, 16) : __shfl_xor_sync(0xffff0000u, v, 1);
  wide[i] = __shfl_down_sync(~0u, d[i], 7) + (double)(__shfl_xor_sync(~0u, (long long)v << 20, 9) >> 20);
}
