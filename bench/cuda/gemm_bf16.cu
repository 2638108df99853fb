// gemm of kernels/gemm.hpp, in bf16: C = A * B. Blocks of 128 x 128 by four warps of 64 x 64, four stages of 32 by cp.async, rows
// swizzled for ldmatrix, mma.sync, and a result that passes through shared memory so that rows are stored 16 bytes at a time.
#include <cuda_bf16.h>

#include "tensor_core.cuh"

namespace {

constexpr unsigned threads = 128, tile = 128, depth = 32, stages = 4;
constexpr unsigned left_bytes = tile * depth * 2, stage_bytes = 2 * left_bytes;
constexpr unsigned staged_pitch = tile + 8;

}  // namespace

extern "C" __global__ void __launch_bounds__(threads)
    gemm_bf16(const __nv_bfloat16* __restrict__ a, unsigned lda, const __nv_bfloat16* __restrict__ b, unsigned ldb,
              __nv_bfloat16* __restrict__ c, unsigned ldc, unsigned m, unsigned n, unsigned k) {
  extern __shared__ __align__(128) unsigned char ring[];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned top = blockIdx.y * tile, left = blockIdx.x * tile;
  const unsigned warp_row = warp / 2 * 64, warp_column = warp % 2 * 64;
  const unsigned base = shared_address(ring);
  const unsigned parts = (k + depth - 1) / depth;

  const auto fetch = [&](unsigned part) {
    const unsigned to = base + part % stages * stage_bytes, from = part * depth;
#pragma unroll
    for (unsigned e = 0; e < 4; ++e) {
      const unsigned row = threadIdx.x / 4 + 32 * e, column = threadIdx.x % 4 * 8;
      const unsigned bytes = 2 * min(k - min(from + column, k), 8u);
      copy_async(to + narrow(row, threadIdx.x % 4), &a[(top + row) * lda + from + column], top + row < m ? bytes : 0);
    }
#pragma unroll
    for (unsigned e = 0; e < 4; ++e) {
      const unsigned row = threadIdx.x / 16 + 8 * e, column = threadIdx.x % 16 * 8;
      const unsigned bytes = 2 * min(n - min(left + column, n), 8u);
      copy_async(to + left_bytes + wide(row, threadIdx.x % 16), &b[(from + row) * ldb + left + column], from + row < k ? bytes : 0);
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
  float sum[4][8][4] = {};
  fetch(0);
  fetch(1);
  fetch(2);
#pragma unroll 1
  for (unsigned part = 0; part < parts; ++part) {
    asm volatile("cp.async.wait_group 2;" ::: "memory");
    __syncthreads();
    fetch(part + 3);
    const unsigned from = base + part % stages * stage_bytes;
#pragma unroll
    for (unsigned step = 0; step < 2; ++step) {
      unsigned rows[4][4];
#pragma unroll
      for (unsigned i = 0; i < 4; ++i) load_matrices(rows[i], from + narrow(warp_row + 16 * i + lane % 16, 2 * step + lane / 16));
#pragma unroll
      for (unsigned j = 0; j < 4; ++j) {
        unsigned columns[4];
        load_matrices_transposed(columns, from + left_bytes + wide(16 * step + lane % 16, warp_column / 8 + 2 * j + lane / 16));
#pragma unroll
        for (unsigned i = 0; i < 4; ++i) {
          multiply(sum[i][2 * j], rows[i], columns[0], columns[1]);
          multiply(sum[i][2 * j + 1], rows[i], columns[2], columns[3]);
        }
      }
    }
  }
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  __syncthreads();

  auto* staged = reinterpret_cast<__nv_bfloat16*>(ring);
#pragma unroll
  for (unsigned i = 0; i < 4; ++i)
#pragma unroll
    for (unsigned j = 0; j < 8; ++j)
#pragma unroll
      for (unsigned half = 0; half < 2; ++half) {
        const unsigned row = warp_row + 16 * i + 8 * half + lane / 4, column = warp_column + 8 * j + lane % 4 * 2;
        *reinterpret_cast<__nv_bfloat162*>(&staged[row * staged_pitch + column]) =
            __floats2bfloat162_rn(sum[i][j][2 * half], sum[i][j][2 * half + 1]);
      }
  __syncthreads();
#pragma unroll
  for (unsigned e = 0; e < 16; ++e) {
    const unsigned row = threadIdx.x / 16 + 8 * e, column = threadIdx.x % 16 * 8;
    if (top + row >= m) break;
    const __nv_bfloat16* from = &staged[row * staged_pitch + column];
    __nv_bfloat16* to = &c[(top + row) * ldc + left + column];
    if (left + column + 8 <= n) *reinterpret_cast<uint4*>(to) = *reinterpret_cast<const uint4*>(from);
    else
      for (unsigned i = 0; left + column + i < n; ++i) to[i] = from[i];
  }
}
