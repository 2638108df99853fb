// What the expressions of bench/arrays.cpp that go element by element or down columns are, written by hand: float4 where rows allow
// it. Those along rows are in array_rows.cu.
#include <cuda_bf16.h>

template <class F> __device__ __forceinline__ float4 each(float4 a, float4 b, F f) {
  return make_float4(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z), f(a.w, b.w));
}

// y = f(x, z), four elements for each thread
template <class F> __device__ __forceinline__ void map4(const float4* x, const float4* z, float4* y, unsigned vectors, F f) {
  const unsigned i = blockIdx.x * 256 + threadIdx.x;
  if (i < vectors) y[i] = each(x[i], z[i], f);
}

// y = x * a + z
extern "C" __global__ void __launch_bounds__(256) scaled_sum(const float4* __restrict__ x, const float4* __restrict__ z, float4* y, float a, unsigned vectors) {
  map4(x, z, y, vectors, [=](float p, float q) { return p * a + q; });
}

// y = relu(x * w + b), w and b for each column
extern "C" __global__ void __launch_bounds__(256) scaled_rows(const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ b, float* y, unsigned columns) {
  const unsigned i = blockIdx.x * 256 + threadIdx.x, row = blockIdx.y;
  if (i >= columns / 4) return;
  const size_t at = static_cast<size_t>(row) * columns;
  const float4 p = reinterpret_cast<const float4*>(x + at)[i], q = reinterpret_cast<const float4*>(w)[i], r = reinterpret_cast<const float4*>(b)[i];
  reinterpret_cast<float4*>(y + at)[i] =
      make_float4(fmaxf(p.x * q.x + r.x, 0.0f), fmaxf(p.y * q.y + r.y, 0.0f), fmaxf(p.z * q.z + r.z, 0.0f), fmaxf(p.w * q.w + r.w, 0.0f));
}

// y = sum of each column times `scale`, 32 warps share the rows
extern "C" __global__ void __launch_bounds__(1024) column_sums(const float* __restrict__ x, float* y, unsigned rows, unsigned columns, float scale) {
  __shared__ float4 parts[32][32];
  const unsigned i = blockIdx.x * 32 + threadIdx.x;
  float4 sum = make_float4(0, 0, 0, 0);
  if (i < columns / 4)
    for (unsigned r = threadIdx.y; r < rows; r += 32) {
      const float4 v = reinterpret_cast<const float4*>(x + static_cast<size_t>(r) * columns)[i];
      sum = make_float4(sum.x + v.x, sum.y + v.y, sum.z + v.z, sum.w + v.w);
    }
  parts[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y != 0 || i >= columns / 4) return;
  for (int k = 1; k < 32; ++k) {
    const float4 v = parts[k][threadIdx.x];
    sum = make_float4(sum.x + v.x, sum.y + v.y, sum.z + v.z, sum.w + v.w);
  }
  reinterpret_cast<float4*>(y)[i] = make_float4(sum.x * scale, sum.y * scale, sum.z * scale, sum.w * scale);
}

// A step of Adam.
extern "C" __global__ void __launch_bounds__(256)
    adam(float4* w, float4* m, float4* v, const float4* __restrict__ g, float beta1, float beta2, float fix1, float fix2, float rate, unsigned vectors) {
  const unsigned i = blockIdx.x * 256 + threadIdx.x;
  if (i >= vectors) return;
  float4 a = w[i], b = m[i], c = v[i];
  const float4 d = g[i];
  const auto step = [&](float& weight, float& first, float& second, float gradient) {
    first = first * beta1 + gradient * (1.0f - beta1);
    second = second * beta2 + gradient * gradient * (1.0f - beta2);
    weight = weight - first * fix1 / (sqrtf(second * fix2) + 1e-8f) * rate;
  };
  step(a.x, b.x, c.x, d.x);
  step(a.y, b.y, c.y, d.y);
  step(a.z, b.z, c.z, d.z);
  step(a.w, b.w, c.w, d.w);
  w[i] = a;
  m[i] = b;
  v[i] = c;
}

// y = transpose of x + z, by tiles of 32 x 32
extern "C" __global__ void __launch_bounds__(256) transposed_sum(const float* __restrict__ x, const float* __restrict__ z, float* y, unsigned rows, unsigned columns) {
  __shared__ float tile[32][33];
  const unsigned left = blockIdx.x * 32, top = blockIdx.y * 32;
  const unsigned column = left + threadIdx.x;
#pragma unroll
  for (unsigned k = 0; k < 32; k += 8)
    if (top + threadIdx.x < rows && left + threadIdx.y + k < columns)
      tile[threadIdx.y + k][threadIdx.x] = x[static_cast<size_t>(left + threadIdx.y + k) * rows + top + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (unsigned k = 0; k < 32; k += 8) {
    const unsigned row = top + threadIdx.y + k;
    if (row < rows && column < columns) {
      const size_t at = static_cast<size_t>(row) * columns + column;
      y[at] = tile[threadIdx.x][threadIdx.y + k] + z[at];
    }
  }
}

extern "C" __global__ void __launch_bounds__(256) exponential(const float4* __restrict__ x, float4* y, unsigned vectors) {
  map4(x, x, y, vectors, [](float a, float) { return expf(a); });
}
// By erfcf, because 1 + erff has no right digit far below zero
extern "C" __global__ void __launch_bounds__(256) gelu(const float4* __restrict__ x, float4* y, unsigned vectors) {
  map4(x, x, y, vectors, [](float a, float) { return 0.5f * a * erfcf(a * -0.707106781f); });
}
extern "C" __global__ void __launch_bounds__(256) clamped(const float4* __restrict__ x, float4* y, float low, float high, unsigned vectors) {
  map4(x, x, y, vectors, [=](float a, float) { return fmaxf(fminf(a, high), low); });
}
extern "C" __global__ void __launch_bounds__(256)
    greater(const float4* __restrict__ x, const float4* __restrict__ z, float4* y, unsigned vectors) {
  map4(x, z, y, vectors, [](float a, float b) { return a > b ? a : b; });
}

// y = 2 x of bf16, eight elements for each thread
extern "C" __global__ void __launch_bounds__(256) twice_bf16(const uint4* __restrict__ x, uint4* y, float a, unsigned vectors) {
  const unsigned i = blockIdx.x * 256 + threadIdx.x;
  if (i >= vectors) return;
  uint4 v = x[i];
  const auto scaled = [&](unsigned& word) {
    __nv_bfloat162 pair = *reinterpret_cast<__nv_bfloat162*>(&word);
    const float2 wide = __bfloat1622float2(pair);
    pair = __floats2bfloat162_rn(wide.x * a, wide.y * a);
    word = *reinterpret_cast<unsigned*>(&pair);
  };
  scaled(v.x);
  scaled(v.y);
  scaled(v.z);
  scaled(v.w);
  y[i] = v;
}

// y = column of s times row of w
extern "C" __global__ void __launch_bounds__(256) outer(const float* __restrict__ s, const float* __restrict__ w, float* y, unsigned columns) {
  const unsigned i = blockIdx.x * 256 + threadIdx.x, row = blockIdx.y;
  if (i >= columns / 4) return;
  const float4 q = reinterpret_cast<const float4*>(w)[i];
  const float a = s[row];
  reinterpret_cast<float4*>(y + static_cast<size_t>(row) * columns)[i] = make_float4(q.x * a, q.y * a, q.z * a, q.w * a);
}

// A quarter of the sum of the four neighbours, of the inside of a matrix; rows begin anywhere
extern "C" __global__ void __launch_bounds__(256) jacobi(const float* __restrict__ x, float* y, unsigned rows, unsigned columns) {
  const unsigned c = blockIdx.x * 256 + threadIdx.x, r = blockIdx.y;
  if (c >= columns - 2 || r >= rows - 2) return;
  const float* at = x + static_cast<size_t>(r + 1) * columns + c + 1;
  y[static_cast<size_t>(r) * (columns - 2) + c] =
      (at[-static_cast<ptrdiff_t>(columns)] + at[columns] + at[-1] + at[1]) * 0.25f;
}
