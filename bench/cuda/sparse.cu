// csr_matvec, ell_matvec and csr_matmat of kernels/sparse.hpp.
__device__ __forceinline__ float updated(float sum, const float* old, float alpha, float beta) {
  const float all = alpha * sum;
  return beta != 0.0f ? fmaf(beta, *old, all) : all;
}

// Eight lanes for each row.
extern "C" __global__ void __launch_bounds__(256)
    csr_matvec(const unsigned* __restrict__ offsets, const unsigned* __restrict__ columns, const float* __restrict__ values,
               const float* __restrict__ x, float* y, float alpha, float beta, unsigned rows) {
  const unsigned lane = threadIdx.x % 8, row = blockIdx.x * 32 + threadIdx.x / 8;
  float own = 0;
  if (row < rows) {
    const unsigned end = offsets[row + 1];
#pragma unroll 4
    for (unsigned i = offsets[row] + lane; i < end; i += 8) own = fmaf(values[i], x[columns[i]], own);
  }
#pragma unroll
  for (int d = 4; d > 0; d /= 2) own += __shfl_xor_sync(~0u, own, d);
  if (lane == 0 && row < rows) y[row] = updated(own, y + row, alpha, beta);
}

// A thread for each row.
extern "C" __global__ void __launch_bounds__(256)
    ell_matvec(const unsigned* __restrict__ columns, unsigned ldc, const float* __restrict__ values, unsigned ldv,
               const float* __restrict__ x, float* y, float alpha, float beta, unsigned rows, unsigned width) {
  const unsigned row = blockIdx.x * 256 + threadIdx.x;
  if (row >= rows) return;
  const unsigned* column = columns + row;
  const float* value = values + row;
  float own = 0;
#pragma unroll 4
  for (unsigned k = 0; k < width; ++k, column += ldc, value += ldv)
    if (*column != ~0u) own = fmaf(*value, x[*column], own);
  y[row] = updated(own, y + row, alpha, beta);
}

// A warp for each row and 128 columns; lanes fetch 32 elements of the row and hand them round.
template <class Add>
__device__ __forceinline__ void for_each_element(const unsigned* __restrict__ columns, const float* __restrict__ values,
                                                 unsigned begin, unsigned end, unsigned lane, Add add) {
  for (unsigned from = begin; from < end; from += 32) {
    const unsigned count = min(end - from, 32u);
    unsigned column = 0;
    float value = 0;
    if (lane < count) column = columns[from + lane], value = values[from + lane];
#pragma unroll 4
    for (unsigned k = 0; k < count; ++k) add(__shfl_sync(~0u, column, k), __shfl_sync(~0u, value, k));
  }
}
extern "C" __global__ void __launch_bounds__(256)
    csr_matmat(const unsigned* __restrict__ offsets, const unsigned* __restrict__ columns, const float* __restrict__ values,
               const float* __restrict__ b, unsigned ldb, float* c, unsigned ldc, float alpha, float beta, unsigned rows,
               unsigned n) {
  const unsigned lane = threadIdx.x % 32, row = blockIdx.x * 8 + threadIdx.x / 32, first = blockIdx.y * 128;
  if (row >= rows) return;
  const unsigned begin = offsets[row], end = offsets[row + 1];
  if (first + 128 <= n) {
    const float* from = b + first + lane * 4;
    float4* to = reinterpret_cast<float4*>(c + static_cast<size_t>(row) * ldc + first) + lane;
    float4 own = make_float4(0, 0, 0, 0);
    for_each_element(columns, values, begin, end, lane, [&](unsigned column, float factor) {
      const float4 v = *reinterpret_cast<const float4*>(from + static_cast<size_t>(column) * ldb);
      own = make_float4(fmaf(factor, v.x, own.x), fmaf(factor, v.y, own.y), fmaf(factor, v.z, own.z), fmaf(factor, v.w, own.w));
    });
    own = make_float4(alpha * own.x, alpha * own.y, alpha * own.z, alpha * own.w);
    if (beta != 0.0f) {
      const float4 v = *to;
      own = make_float4(fmaf(beta, v.x, own.x), fmaf(beta, v.y, own.y), fmaf(beta, v.z, own.z), fmaf(beta, v.w, own.w));
    }
    *to = own;
    return;
  }
  float own[4] = {};
  for_each_element(columns, values, begin, end, lane, [&](unsigned column, float factor) {
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) {
      const unsigned j = first + k * 32 + lane;
      if (j < n) own[k] = fmaf(factor, b[static_cast<size_t>(column) * ldb + j], own[k]);
    }
  });
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) {
    const unsigned j = first + k * 32 + lane;
    float* to = c + static_cast<size_t>(row) * ldc + j;
    if (j < n) *to = updated(own[k], to, alpha, beta);
  }
}
