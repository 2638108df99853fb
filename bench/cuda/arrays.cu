// What the expressions of bench/arrays.cpp are, written by hand: float4 where rows allow it, a warp or a block for each row, the
// row in registers.

__device__ __forceinline__ float warp_sum(float x) {
  for (int d = 16; d > 0; d /= 2) x += __shfl_xor_sync(~0u, x, d);
  return x;
}
__device__ __forceinline__ float warp_max(float x) {
  for (int d = 16; d > 0; d /= 2) x = fmaxf(x, __shfl_xor_sync(~0u, x, d));
  return x;
}

// y = x * a + z
extern "C" __global__ void __launch_bounds__(256) scaled_sum(const float4* __restrict__ x, const float4* __restrict__ z, float4* y, float a, unsigned vectors) {
  const unsigned i = blockIdx.x * 256 + threadIdx.x;
  if (i >= vectors) return;
  const float4 p = x[i], q = z[i];
  y[i] = make_float4(p.x * a + q.x, p.y * a + q.y, p.z * a + q.z, p.w * a + q.w);
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

// y = sum of each column, 32 warps share the rows
extern "C" __global__ void __launch_bounds__(1024) column_sums(const float* __restrict__ x, float* y, unsigned rows, unsigned columns) {
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
  reinterpret_cast<float4*>(y)[i] = sum;
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
