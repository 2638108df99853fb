// gemv and gemv_transposed of kernels/gemv.hpp, of which a warp has each row, and a block 32 columns and a part of the rows.
#include <cuda_bf16.h>

#include "warp_reduce.cuh"

__device__ __forceinline__ float multiplied(float4 a, float4 b, float sum) {
  sum = fmaf(a.x, b.x, sum);
  sum = fmaf(a.y, b.y, sum);
  sum = fmaf(a.z, b.z, sum);
  return fmaf(a.w, b.w, sum);
}
// Two bf16 in a word as floats.
__device__ __forceinline__ float low(unsigned pair) { return __uint_as_float(pair << 16); }
__device__ __forceinline__ float high(unsigned pair) { return __uint_as_float(pair & 0xffff0000u); }
__device__ __forceinline__ float multiplied(uint4 a, uint4 b, float sum) {
  const auto pair = [&](unsigned p, unsigned q) { sum = fmaf(high(p), high(q), fmaf(low(p), low(q), sum)); };
  pair(a.x, b.x);
  pair(a.y, b.y);
  pair(a.z, b.z);
  pair(a.w, b.w);
  return sum;
}
__device__ __forceinline__ float to_float(float x) { return x; }
__device__ __forceinline__ float to_float(__nv_bfloat16 x) { return __bfloat162float(x); }

template <class T> __device__ __forceinline__ void update(T* y, float sum, float alpha, float beta) {
  float all = alpha * sum;
  if (beta != 0.0f) all = fmaf(beta, to_float(*y), all);
  *y = T(all);
}

template <class Vec, class T>
__device__ __forceinline__ void gemv_rows(const T* __restrict__ a, unsigned lda, const T* __restrict__ x, unsigned ldx, T* y,
                                          unsigned ldy, float alpha, float beta, unsigned rows, unsigned columns) {
  constexpr unsigned step = sizeof(Vec) / sizeof(T);
  const unsigned batch = blockIdx.y, lane = threadIdx.x % 32, row = blockIdx.x * 8 + threadIdx.x / 32;
  if (row >= rows) return;
  const T* left = a + static_cast<size_t>(batch * rows + row) * lda;
  const T* right = x + static_cast<size_t>(batch) * ldx;
  float own = 0;
#pragma unroll 4
  for (int i = lane; i < static_cast<int>(columns / step); i += 32)
    own = multiplied(reinterpret_cast<const Vec*>(left)[i], reinterpret_cast<const Vec*>(right)[i], own);
  for (unsigned j = columns / step * step + lane; j < columns; j += 32) own = fmaf(to_float(left[j]), to_float(right[j]), own);
  const float sum = warp_sum(own);
  if (lane == 0) update(y + static_cast<size_t>(batch) * ldy + row, sum, alpha, beta);
}

extern "C" __global__ void __launch_bounds__(256)
    gemv(const float* __restrict__ a, unsigned lda, const float* __restrict__ x, unsigned ldx, float* y, unsigned ldy,
         float alpha, float beta, unsigned rows, unsigned columns) {
  gemv_rows<float4>(a, lda, x, ldx, y, ldy, alpha, beta, rows, columns);
}
extern "C" __global__ void __launch_bounds__(256)
    gemv_of_halves(const __nv_bfloat16* __restrict__ a, unsigned lda, const __nv_bfloat16* __restrict__ x, unsigned ldx,
                   __nv_bfloat16* y, unsigned ldy, float alpha, float beta, unsigned rows, unsigned columns) {
  gemv_rows<uint4>(a, lda, x, ldx, y, ldy, alpha, beta, rows, columns);
}

extern "C" __global__ void __launch_bounds__(256)
    gemv_transposed(const float* __restrict__ a, unsigned lda, const float* __restrict__ x, unsigned ldx, float* y,
                    unsigned ldy, float* partial, unsigned ldp, unsigned* tickets, float alpha, float beta, unsigned rows,
                    unsigned columns) {
  __shared__ float of_warps[8][32];
  const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32, batch = blockIdx.z, parts = gridDim.y;
  const unsigned first = blockIdx.x * 32;
  const unsigned share = (rows + parts - 1) / parts;
  const unsigned begin = min(blockIdx.y * share, rows), end = min(begin + share, rows);
  const float* right = x + static_cast<size_t>(batch) * ldx;
  if (first + 32 <= columns) {
    float4 own = make_float4(0, 0, 0, 0);
    const float* from = a + static_cast<size_t>(batch * rows) * lda + first + t % 8 * 4;
#pragma unroll 4
    for (int r = begin + t / 8; r < static_cast<int>(end); r += 32) {
      const float factor = right[r];
      const float4 v = *reinterpret_cast<const float4*>(from + static_cast<size_t>(r) * lda);
      own = make_float4(fmaf(v.x, factor, own.x), fmaf(v.y, factor, own.y), fmaf(v.z, factor, own.z), fmaf(v.w, factor, own.w));
    }
    const auto over_lanes = [](float v) {
      v += __shfl_xor_sync(~0u, v, 8);
      return v + __shfl_xor_sync(~0u, v, 16);
    };
    own = make_float4(over_lanes(own.x), over_lanes(own.y), over_lanes(own.z), over_lanes(own.w));
    if (lane < 8) *reinterpret_cast<float4*>(&of_warps[warp][lane * 4]) = own;
  } else {
    float own[4] = {};
    for (unsigned r = begin + t / 8; r < end; r += 32)
#pragma unroll
      for (unsigned k = 0; k < 4; ++k) {
        const unsigned column = first + k * 8 + t % 8;
        if (column < columns) own[k] = fmaf(a[static_cast<size_t>(batch * rows + r) * lda + column], right[r], own[k]);
      }
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) {
      own[k] += __shfl_xor_sync(~0u, own[k], 8);
      own[k] += __shfl_xor_sync(~0u, own[k], 16);
      if (lane < 8) of_warps[warp][k * 8 + lane] = own[k];
    }
  }
  __syncthreads();
  const unsigned column = first + t;
  const bool writes = t < 32 && column < columns;
  if (writes) {
    float sum = 0;
#pragma unroll
    for (unsigned w = 0; w < 8; ++w) sum += of_warps[w][t];
    partial[static_cast<size_t>(batch * parts + blockIdx.y) * ldp + column] = sum;
  }
  // The warp that has written alone takes the ticket.
  if (warp != 0) return;
  __threadfence();
  __syncwarp();
  unsigned before = 0;
  if (lane == 0) before = atomicInc(&tickets[batch * gridDim.x + blockIdx.x], parts - 1);
  __threadfence();
  if (__shfl_sync(~0u, before, 0) != parts - 1 || !writes) return;
  float sum = 0;
  for (unsigned p = 0; p < parts; ++p) sum += __ldcg(&partial[static_cast<size_t>(batch * parts + p) * ldp + column]);
  update(y + static_cast<size_t>(batch) * ldy + column, sum, alpha, beta);
}
