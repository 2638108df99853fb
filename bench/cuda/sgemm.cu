// sgemm of kernels/sgemm.hpp: C = alpha * A * B + beta * C. `sgemm` has blocks of 128 x 128, `sgemm_wide` of 128 x 256.
namespace {

constexpr unsigned threads = 256, depth = 8;

// Begins to copy 16 bytes, of which `bytes` are read and the rest becomes 0.
__device__ __forceinline__ void copy_async(float* to, const float* from, unsigned bytes) {
  const auto target = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(target), "l"(from), "r"(bytes) : "memory");
}

// Begins to copy Height x Width elements from (top, left) on, with zeros for those outside rows x columns.
template <unsigned Height, unsigned Width>
__device__ __forceinline__ void copy_tile(float (&to)[Height][Width], const float* __restrict__ from, unsigned leading, unsigned top,
                                          unsigned left, unsigned rows, unsigned columns) {
  constexpr unsigned per_row = Width / 4, step = threads / per_row;
  const unsigned row = threadIdx.x / per_row, column = threadIdx.x % per_row * 4;
  const unsigned bytes = 4 * min(columns - min(left + column, columns), 4u);
#pragma unroll
  for (unsigned e = 0; e < Height; e += step)
    copy_async(&to[row + e][column], &from[(top + row + e) * leading + left + column], top + row + e < rows ? bytes : 0);
}

template <unsigned Rows, unsigned Columns>
__device__ __forceinline__ void multiply(const float* __restrict__ a, unsigned lda, const float* __restrict__ b, unsigned ldb, float* c,
                                         unsigned ldc, unsigned m, unsigned n, unsigned k, float alpha, float beta) {
  constexpr unsigned across = Columns / 64, warp_rows = Rows * across / 8, thread_rows = warp_rows / 4;
  __shared__ __align__(16) float a_ring[2][Rows][depth], b_ring[2][depth][Columns], staged[8][4][80];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned top = blockIdx.y * Rows, left = blockIdx.x * Columns;
  const unsigned warp_row = warp / across * warp_rows, warp_column = warp % across * 64;
  const unsigned lane_row = lane / 16 * 2 + lane % 2, lane_column = lane / 2 % 8 * 4;
  const unsigned parts = (k + depth - 1) / depth;

  const auto fetch = [&](unsigned part) {
    copy_tile(a_ring[part % 2], a, lda, top, part * depth, m, k);
    copy_tile(b_ring[part % 2], b, ldb, part * depth, left, k, n);
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
  float sum[thread_rows][8] = {};
  fetch(0);
#pragma unroll 1
  for (unsigned part = 0; part < parts; ++part) {
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    fetch(part + 1);
    const auto& a_stage = a_ring[part % 2];
    const auto& b_stage = b_ring[part % 2];
#pragma unroll
    for (unsigned half = 0; half < depth; half += 4) {
      float right[4][8];
#pragma unroll
      for (unsigned d = 0; d < 4; ++d)
#pragma unroll
        for (unsigned h = 0; h < 2; ++h)
          *reinterpret_cast<float4*>(&right[d][4 * h]) =
              *reinterpret_cast<const float4*>(&b_stage[half + d][warp_column + lane_column + 32 * h]);
#pragma unroll
      for (unsigned i = 0; i < thread_rows; ++i) {
        const float4 v = *reinterpret_cast<const float4*>(&a_stage[warp_row + lane_row + 4 * i][half]);
        const float row[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
        for (unsigned d = 0; d < 4; ++d)
#pragma unroll
          for (unsigned j = 0; j < 8; ++j) sum[i][j] = fmaf(row[d], right[d][j], sum[i][j]);
      }
    }
  }
  asm volatile("cp.async.wait_group 0;" ::: "memory");

#pragma unroll
  for (unsigned i = 0; i < thread_rows; ++i) {
#pragma unroll
    for (unsigned h = 0; h < 2; ++h)
      *reinterpret_cast<float4*>(&staged[warp][lane_row][32 * h + lane_column]) =
          make_float4(sum[i][4 * h], sum[i][4 * h + 1], sum[i][4 * h + 2], sum[i][4 * h + 3]);
    __syncwarp();
    float result[8];
#pragma unroll
    for (unsigned e = 0; e < 8; ++e) {
      const unsigned row = top + warp_row + 4 * i + e / 2, column = left + warp_column + e % 2 * 32 + lane;
      if (row < m && column < n) result[e] = alpha * staged[warp][e / 2][e % 2 * 32 + lane] + beta * c[row * ldc + column];
    }
#pragma unroll
    for (unsigned e = 0; e < 8; ++e) {
      const unsigned row = top + warp_row + 4 * i + e / 2, column = left + warp_column + e % 2 * 32 + lane;
      if (row < m && column < n) c[row * ldc + column] = result[e];
    }
    __syncwarp();
  }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(256, 2)
sgemm(const float* __restrict__ a, unsigned lda, const float* __restrict__ b, unsigned ldb, float* c, unsigned ldc, unsigned m, unsigned n,
      unsigned k, float alpha, float beta) {
  multiply<128, 128>(a, lda, b, ldb, c, ldc, m, n, k, alpha, beta);
}

extern "C" __global__ void __launch_bounds__(256, 1)
sgemm_wide(const float* __restrict__ a, unsigned lda, const float* __restrict__ b, unsigned ldb, float* c, unsigned ldc, unsigned m,
           unsigned n, unsigned k, float alpha, float beta) {
  multiply<128, 256>(a, lda, b, ldb, c, ldc, m, n, k, alpha, beta);
}
