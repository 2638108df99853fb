// gemm of kernels/gemm.hpp for sm_90a, in bf16: C = A * B. Blocks of 128 x 128 by one warpgroup, three stages of 64 that one thread
// fills by tensor copies, an mbarrier for each, wgmma of 64 x 128 x 16, and a result that passes through shared memory so that rows
// are stored 16 bytes at a time.
#include <cuda_bf16.h>

namespace {

constexpr unsigned threads = 128, tile = 128, depth = 64, stages = 3;
constexpr unsigned left_bytes = tile * depth * 2, stage_bytes = 2 * left_bytes, panel_bytes = depth * 128;
constexpr unsigned staged_pitch = tile + 8;

// What the driver makes of a matrix: where it lies and how boxes of it are copied.
struct alignas(64) tensor_map {
  unsigned long long words[16];
};

__device__ __forceinline__ unsigned shared_address(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

__device__ __forceinline__ void copy_box(unsigned to, const tensor_map* map, unsigned column, unsigned row, unsigned barrier) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(to),
               "l"(map), "r"(column), "r"(row), "r"(barrier)
               : "memory");
}
__device__ __forceinline__ void wait_for(unsigned barrier, unsigned parity) {
  asm volatile(
      "{ .reg .pred done; again: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1; @!done bra again; }" ::"r"(barrier),
      "r"(parity)
      : "memory");
}

// Rows of 128 bytes whose pieces of 16 bytes are swizzled. `leading`: bytes from one panel of columns to the next.
__device__ __forceinline__ unsigned long long describe(unsigned address, unsigned leading) {
  return (1ull << 62) | (static_cast<unsigned long long>(1024 >> 4) << 32) |
         (static_cast<unsigned long long>(leading >> 4) << 16) | ((address & 0x3ffff) >> 4);
}

#define FOUR(c, i) "+f"((c)[i]), "+f"((c)[(i) + 1]), "+f"((c)[(i) + 2]), "+f"((c)[(i) + 3])
#define SIXTEEN(c, i) FOUR(c, i), FOUR(c, (i) + 4), FOUR(c, (i) + 8), FOUR(c, (i) + 12)
__device__ __forceinline__ void multiply(float (&c)[64], unsigned long long a, unsigned long long b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, "
      "%41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, %64, %65, "
      "1, 1, 1, 0, 1;"
      : SIXTEEN(c, 0), SIXTEEN(c, 16), SIXTEEN(c, 32), SIXTEEN(c, 48)
      : "l"(a), "l"(b));
}

}  // namespace

extern "C" __global__ void __launch_bounds__(threads)
    gemm_bf16(const __nv_bfloat16* __restrict__, unsigned, const __nv_bfloat16* __restrict__, unsigned,
              __nv_bfloat16* __restrict__ c, unsigned ldc, unsigned m, unsigned n, unsigned k,
              const __grid_constant__ tensor_map left_map, const __grid_constant__ tensor_map right_map) {
  extern __shared__ __align__(1024) unsigned char ring[];
  __shared__ unsigned long long full[stages];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned top = blockIdx.y * tile, left = blockIdx.x * tile;
  const unsigned base = shared_address(ring), barriers = shared_address(full);
  const unsigned parts = (k + depth - 1) / depth;

  if (threadIdx.x == 0) {
    for (unsigned s = 0; s < stages; ++s) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barriers + 8 * s) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  const auto fetch = [&](unsigned part) {
    if (threadIdx.x != 0 || part >= parts) return;
    const unsigned slot = part % stages, to = base + slot * stage_bytes, barrier = barriers + 8 * slot, from = part * depth;
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(stage_bytes) : "memory");
    copy_box(to, &left_map, from, top, barrier);
    copy_box(to + left_bytes, &right_map, left, from, barrier);
    copy_box(to + left_bytes + panel_bytes, &right_map, left + 64, from, barrier);
  };
  float sum[2][64] = {};
  fetch(0);
  fetch(1);
#pragma unroll 1
  for (unsigned part = 0; part < parts; ++part) {
    const unsigned slot = part % stages, from = base + slot * stage_bytes;
    wait_for(barriers + 8 * slot, part / stages % 2);
    const unsigned long long rows = describe(from, 16), columns = describe(from + left_bytes, panel_bytes);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (unsigned step = 0; step < depth / 16; ++step)
#pragma unroll
      for (unsigned half = 0; half < 2; ++half)
        multiply(sum[half], rows + (half * 64 * 128 + step * 32) / 16, columns + step * 16 * 128 / 16);
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
    __syncthreads();
    fetch(part + stages - 1);
  }
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
#pragma unroll
  for (unsigned i = 0; i < 64; ++i) asm volatile("" : "+f"(sum[0][i]), "+f"(sum[1][i])::"memory");
  __syncthreads();

  auto* staged = reinterpret_cast<__nv_bfloat16*>(ring);
#pragma unroll
  for (unsigned half = 0; half < 2; ++half)
#pragma unroll
    for (unsigned i = 0; i < 32; ++i) {
      const unsigned row = 64 * half + 16 * warp + i % 2 * 8 + lane / 4, column = i / 2 * 8 + lane % 4 * 2;
      *reinterpret_cast<__nv_bfloat162*>(&staged[row * staged_pitch + column]) =
          __floats2bfloat162_rn(sum[half][2 * i], sum[half][2 * i + 1]);
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
