// dot, norm and row_mean_and_variance of kernels/statistics.hpp.
#include "block_sum.cuh"

// The sum over the grid in thread 0 of the block that comes last, which gives it to `then`.
template <class Then> __device__ __forceinline__ void grid_sum(float own, float* partial, unsigned* ticket, Then then) {
  __shared__ bool is_last;
  const float of_block = block_sum(own);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = of_block;
    __threadfence();
    is_last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (!is_last) return;
  float all = 0;
  for (unsigned k = threadIdx.x; k < gridDim.x; k += 256) all += __ldcg(&partial[k]);
  const float sum = block_sum(all);
  if (threadIdx.x == 0) then(sum);
}

__device__ __forceinline__ float multiplied(float4 a, float4 b, float sum) {
  sum = fmaf(a.x, b.x, sum);
  sum = fmaf(a.y, b.y, sum);
  sum = fmaf(a.z, b.z, sum);
  return fmaf(a.w, b.w, sum);
}
__device__ __forceinline__ float products(const float* __restrict__ x, const float* __restrict__ y, unsigned n) {
  const unsigned threads = gridDim.x * 256, first = blockIdx.x * 256 + threadIdx.x;
  float own = 0;
#pragma unroll 4
  for (unsigned i = first; i < n / 4; i += threads)
    own = multiplied(reinterpret_cast<const float4*>(x)[i], reinterpret_cast<const float4*>(y)[i], own);
  const unsigned rest = n / 4 * 4 + first;
  return rest < n ? fmaf(x[rest], y[rest], own) : own;
}

extern "C" __global__ void __launch_bounds__(256)
    dot(const float* __restrict__ x, const float* __restrict__ y, float* result, float* partial, unsigned* ticket, unsigned n) {
  grid_sum(products(x, y, n), partial, ticket, [=](float sum) { *result = sum; });
}
extern "C" __global__ void __launch_bounds__(256)
    norm_of_line(const float* __restrict__ x, float* result, float* partial, unsigned* ticket, unsigned n) {
  grid_sum(products(x, x, n), partial, ticket, [=](float sum) { *result = sqrtf(sum); });
}

extern "C" __global__ void __launch_bounds__(256)
    row_mean_and_variance(const float* __restrict__ x, unsigned ldx, float* mean, float* variance, unsigned columns) {
  const float* row = x + static_cast<size_t>(blockIdx.x) * ldx;
  const float count = static_cast<float>(columns);
  float sum = 0, squares = 0;
#pragma unroll 4
  for (int j = threadIdx.x; j < static_cast<int>(columns); j += 256) sum += row[j];
  const float middle = block_sum(sum) / count;
#pragma unroll 4
  for (int j = threadIdx.x; j < static_cast<int>(columns); j += 256) {
    const float d = row[j] - middle;
    squares = fmaf(d, d, squares);
  }
  __syncthreads();
  const float all = block_sum(squares);
  if (threadIdx.x == 0) {
    mean[blockIdx.x] = middle;
    variance[blockIdx.x] = all / count;
  }
}
