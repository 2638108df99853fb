// spmv of bench/everyday.hpp.
extern "C" __global__ void __launch_bounds__(128)
spmv(const unsigned* __restrict__ begin, const unsigned* __restrict__ column, const float* __restrict__ value,
     const float* __restrict__ x, float* __restrict__ y, unsigned rows) {
  const unsigned lane = threadIdx.x % 32, row = blockIdx.x * 4 + threadIdx.x / 32;
  if (row >= rows) return;
  float sum = 0;
  const unsigned end = begin[row + 1];
  for (unsigned j = begin[row] + lane; j < end; j += 32) sum += value[j] * x[column[j]];
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffff, sum, distance);
  if (lane == 0) y[row] = sum;
}
