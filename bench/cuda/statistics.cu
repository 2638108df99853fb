// dot, norm and row_mean_and_variance of kernels/statistics.hpp.
#include "block_sum.cuh"

__device__ __forceinline__ float reciprocal(float x) {
  float out;
  asm("rcp.approx.f32 %0, %1;" : "=f"(out) : "f"(x));
  return out;
}

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
  const int thread = threadIdx.x, n = static_cast<int>(columns), whole = n / 1024 * 1024;
  float fours = 0, middle = 0, squares = 0;
#pragma unroll 2
  for (int j = thread; j < whole; j += 1024) {
    const float a = row[j], b = row[j + 256], c = row[j + 512], d = row[j + 768];
    const float own = (a + b + (c + d)) * 0.25f, apart = own - middle;
    squares = fmaf(a - own, a - own, squares);
    squares = fmaf(b - own, b - own, squares);
    squares = fmaf(c - own, c - own, squares);
    squares = fmaf(d - own, d - own, squares);
    fours += 1;
    const float moved = apart * reciprocal(fours);
    middle += moved;
    squares = fmaf(4 * apart, apart - moved, squares);
  }
  float count = 4 * fours;
#pragma unroll 1
  for (int j = whole + thread; j < n; j += 256) {
    const float apart = row[j] - middle;
    count += 1;
    const float moved = apart * reciprocal(count);
    middle += moved;
    squares = fmaf(apart, apart - moved, squares);
  }
  const float length = static_cast<float>(columns), center = block_sum(count * middle) / length, away = middle - center;
  __syncthreads();
  const float all = block_sum(fmaf(count * away, away, squares));
  if (thread == 0) {
    mean[blockIdx.x] = center;
    variance[blockIdx.x] = all / length;
  }
}
