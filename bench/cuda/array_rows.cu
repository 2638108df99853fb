// What the expressions of bench/arrays.cpp along rows of 512 floats are, written by hand: a warp for each row, the row in registers.
#include "warp_reduce.cuh"

// y = sum of each row of 512, a warp for each
extern "C" __global__ void __launch_bounds__(256) row_sums(const float* __restrict__ x, float* y, unsigned rows) {
  const unsigned row = blockIdx.x * 8 + threadIdx.y, lane = threadIdx.x;
  if (row >= rows) return;
  const float4* own = reinterpret_cast<const float4*>(x + static_cast<size_t>(row) * 512);
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const float4 v = own[lane + 32 * k];
    sum += v.x + v.y + v.z + v.w;
  }
  sum = warp_sum(sum);
  if (lane == 0) y[row] = sum;
}

// y = softmax of each row of 512, a warp for each
extern "C" __global__ void __launch_bounds__(256) softmax_rows(const float* __restrict__ x, float* y, unsigned rows) {
  const unsigned row = blockIdx.x * 8 + threadIdx.y, lane = threadIdx.x;
  if (row >= rows) return;
  const float4* own = reinterpret_cast<const float4*>(x + static_cast<size_t>(row) * 512);
  float4* to = reinterpret_cast<float4*>(y + static_cast<size_t>(row) * 512);
  float4 v[4];
  float peak = -INFINITY, sum = 0;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    v[k] = own[lane + 32 * k];
    peak = fmaxf(peak, fmaxf(fmaxf(v[k].x, v[k].y), fmaxf(v[k].z, v[k].w)));
  }
  peak = warp_max(peak);
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    v[k] = make_float4(expf(v[k].x - peak), expf(v[k].y - peak), expf(v[k].z - peak), expf(v[k].w - peak));
    sum += v[k].x + v[k].y + v[k].z + v[k].w;
  }
  sum = warp_sum(sum);
#pragma unroll
  for (int k = 0; k < 4; ++k) to[lane + 32 * k] = make_float4(v[k].x / sum, v[k].y / sum, v[k].z / sum, v[k].w / sum);
}

// y = (x - mean) * rsqrt(variance + 1e-5) * w + b of each row of 512
extern "C" __global__ void __launch_bounds__(256) norm_rows(const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ b, float* y, unsigned rows) {
  const unsigned row = blockIdx.x * 8 + threadIdx.y, lane = threadIdx.x;
  if (row >= rows) return;
  const float4* own = reinterpret_cast<const float4*>(x + static_cast<size_t>(row) * 512);
  float4* to = reinterpret_cast<float4*>(y + static_cast<size_t>(row) * 512);
  float4 v[4];
  float sum = 0, squares = 0;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    v[k] = own[lane + 32 * k];
    sum += v[k].x + v[k].y + v[k].z + v[k].w;
  }
  const float mean = warp_sum(sum) / 512.0f;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    v[k] = make_float4(v[k].x - mean, v[k].y - mean, v[k].z - mean, v[k].w - mean);
    squares += v[k].x * v[k].x + v[k].y * v[k].y + v[k].z * v[k].z + v[k].w * v[k].w;
  }
  const float scale = rsqrtf(warp_sum(squares) / 512.0f + 1e-5f);
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const float4 p = reinterpret_cast<const float4*>(w)[lane + 32 * k], q = reinterpret_cast<const float4*>(b)[lane + 32 * k];
    to[lane + 32 * k] = make_float4(v[k].x * scale * p.x + q.x, v[k].y * scale * p.y + q.y, v[k].z * scale * p.z + q.z, v[k].w * scale * p.w + q.w);
  }
}

struct row {
  float v[16];
  unsigned lane;

  __device__ __forceinline__ row(const float* from, unsigned number) : lane(threadIdx.x) {
    const float4* own = reinterpret_cast<const float4*>(from + static_cast<size_t>(number) * 512);
#pragma unroll
    for (int k = 0; k < 4; ++k) *reinterpret_cast<float4*>(v + 4 * k) = own[lane + 32 * k];
  }
  __device__ __forceinline__ void store(float* to, unsigned number) const {
    float4* own = reinterpret_cast<float4*>(to + static_cast<size_t>(number) * 512);
#pragma unroll
    for (int k = 0; k < 4; ++k) own[lane + 32 * k] = make_float4(v[4 * k], v[4 * k + 1], v[4 * k + 2], v[4 * k + 3]);
  }
  __device__ __forceinline__ unsigned column(int k) const { return 4 * lane + 128 * (k / 4) + k % 4; }
  template <class F> __device__ __forceinline__ void each(F f) {
#pragma unroll
    for (int k = 0; k < 16; ++k) v[k] = f(v[k], k);
  }
  template <class F> __device__ __forceinline__ float sum(F f) const {
    float s = 0;
#pragma unroll
    for (int k = 0; k < 16; ++k) s += f(v[k], k);
    return warp_sum(s);
  }
  __device__ __forceinline__ float peak() const {
    float m = v[0];
#pragma unroll
    for (int k = 1; k < 16; ++k) m = fmaxf(m, v[k]);
    return warp_max(m);
  }
};

__device__ __forceinline__ unsigned own_row() { return blockIdx.x * 8 + threadIdx.y; }

extern "C" __global__ void __launch_bounds__(256) log_softmax_rows(const float* __restrict__ x, float* y, unsigned rows) {
  if (own_row() >= rows) return;
  row a(x, own_row());
  const float peak = a.peak();
  a.each([=](float v, int) { return v - peak; });
  const float log_total = logf(a.sum([](float v, int) { return expf(v); }));
  a.each([=](float v, int) { return v - log_total; });
  a.store(y, own_row());
}

extern "C" __global__ void __launch_bounds__(256) logsumexp_rows(const float* __restrict__ x, float* y, unsigned rows) {
  if (own_row() >= rows) return;
  const row a(x, own_row());
  const float peak = a.peak();
  const float total = a.sum([=](float v, int) { return expf(v - peak); });
  if (threadIdx.x == 0) y[own_row()] = peak + logf(total);
}

extern "C" __global__ void __launch_bounds__(256) normalised_rows(const float* __restrict__ x, float* y, unsigned rows) {
  if (own_row() >= rows) return;
  row a(x, own_row());
  const float length = sqrtf(a.sum([](float v, int) { return v * v; })) + 1e-6f;
  a.each([=](float v, int) { return v / length; });
  a.store(y, own_row());
}

extern "C" __global__ void __launch_bounds__(256)
    rms_rows(const float* __restrict__ x, const float* __restrict__ z, const float* __restrict__ w, float* y, float* sum, unsigned rows) {
  if (own_row() >= rows) return;
  row a(x, own_row());
  const row b(z, own_row()), weights(w, 0);
  a.each([&](float v, int k) { return v + b.v[k]; });
  const float scale = rsqrtf(a.sum([](float v, int) { return v * v; }) / 512.0f + 1e-6f);
  a.store(sum, own_row());
  a.each([&](float v, int k) { return v * scale * weights.v[k]; });
  a.store(y, own_row());
}

extern "C" __global__ void __launch_bounds__(256) moments_rows(const float* __restrict__ x, float* means, float* variances, unsigned rows) {
  if (own_row() >= rows) return;
  const row a(x, own_row());
  const float mean = a.sum([](float v, int) { return v; }) / 512.0f;
  const float variance = a.sum([=](float v, int) { return (v - mean) * (v - mean); }) / 512.0f;
  if (threadIdx.x == 0) means[own_row()] = mean, variances[own_row()] = variance;
}

// y = softmax of x / 8 where the column is no greater than the row
extern "C" __global__ void __launch_bounds__(256) masked_rows(const float* __restrict__ x, float* y, float scale, unsigned rows) {
  if (own_row() >= rows) return;
  row a(x, own_row());
  a.each([&](float v, int k) { return own_row() >= a.column(k) ? v * scale : -INFINITY; });
  const float peak = a.peak();
  a.each([=](float v, int) { return expf(v - peak); });
  const float total = a.sum([](float v, int) { return v; });
  a.each([=](float v, int) { return v / total; });
  a.store(y, own_row());
}

// The loss of each row of scores x for the shares z
extern "C" __global__ void __launch_bounds__(256)
    cross_entropy_rows(const float* __restrict__ x, const float* __restrict__ z, float* y, unsigned rows) {
  if (own_row() >= rows) return;
  const row a(x, own_row()), b(z, own_row());
  const float peak = a.peak();
  const float total = a.sum([=](float v, int) { return expf(v - peak); });
  const float met = a.sum([&](float v, int k) { return v * b.v[k]; });
  if (threadIdx.x == 0) y[own_row()] = peak + logf(total) - met;
}

extern "C" __global__ void __launch_bounds__(256)
    cross_entropy_gradient_rows(const float* __restrict__ x, const float* __restrict__ z, float* y, unsigned rows) {
  if (own_row() >= rows) return;
  row a(x, own_row());
  const row b(z, own_row());
  const float peak = a.peak();
  a.each([=](float v, int) { return expf(v - peak); });
  const float total = a.sum([](float v, int) { return v; });
  a.each([&](float v, int k) { return v / total - b.v[k]; });
  a.store(y, own_row());
}

// The column of the first of the greatest elements
extern "C" __global__ void __launch_bounds__(256) argmax_rows(const float* __restrict__ x, int* y, unsigned rows) {
  if (own_row() >= rows) return;
  const row a(x, own_row());
  float best = a.v[0];
  unsigned place = a.column(0);
#pragma unroll
  for (int k = 1; k < 16; ++k)
    if (a.v[k] > best) best = a.v[k], place = a.column(k);
  for (int d = 16; d > 0; d /= 2) {
    const float other = __shfl_xor_sync(~0u, best, d);
    const unsigned other_place = __shfl_xor_sync(~0u, place, d);
    if (other > best || (other == best && other_place < place)) best = other, place = other_place;
  }
  if (threadIdx.x == 0) y[own_row()] = static_cast<int>(place);
}

// One launch: each block leaves its sum, and the last one that is done adds them up
extern "C" __global__ void __launch_bounds__(256) sum_all(const float4* __restrict__ x, float* parts, unsigned* done, float* y, unsigned vectors) {
  __shared__ float of_warps[8];
  __shared__ bool is_last;
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const auto block_total = [&](float s) {
    s = warp_sum(s);
    if (lane == 0) of_warps[warp] = s;
    __syncthreads();
    s = lane < 8 ? of_warps[lane] : 0;
    for (int d = 4; d > 0; d /= 2) s += __shfl_xor_sync(~0u, s, d);
    return s;
  };
  float sum = 0;
  for (unsigned i = blockIdx.x * 256 + threadIdx.x; i < vectors; i += gridDim.x * 256) {
    const float4 v = x[i];
    sum += v.x + v.y + v.z + v.w;
  }
  sum = block_total(sum);
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = sum;
    __threadfence();
    is_last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  sum = 0;
  for (unsigned i = threadIdx.x; i < gridDim.x; i += 256) sum += parts[i];
  sum = block_total(sum);
  if (threadIdx.x == 0) *y = sum;
}
