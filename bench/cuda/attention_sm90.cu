// attention_tiles of kernels/attention_tiles.hpp for sm_90a, causal, in bf16: one warpgroup for 128 queries of a head of 64 or 64 queries
// of a head of 128, two stages of 64 keys and values that one thread fills by tensor copies, an mbarrier for each, wgmma with the
// weights in registers, and a result that passes through shared memory so that rows are stored 16 bytes at a time.
#include <cuda_bf16.h>

namespace {

constexpr unsigned threads = 128, keys_at_once = 64, panel_bytes = keys_at_once * 128;

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
__device__ __forceinline__ void expect(unsigned barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}
__device__ __forceinline__ void wait_for(unsigned barrier, unsigned parity) {
  asm volatile(
      "{ .reg .pred done; again: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1; @!done bra again; }" ::"r"(barrier),
      "r"(parity)
      : "memory");
}
__device__ __forceinline__ void fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void finish() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}

// Rows of 128 bytes whose pieces of 16 bytes are swizzled. `leading`: bytes from one panel of columns to the next.
__device__ __forceinline__ unsigned long long describe(unsigned address, unsigned leading) {
  return (1ull << 62) | (static_cast<unsigned long long>(1024 >> 4) << 32) |
         (static_cast<unsigned long long>(leading >> 4) << 16) | ((address & 0x3ffff) >> 4);
}

#define FOUR(c, i) "+f"((c)[i]), "+f"((c)[(i) + 1]), "+f"((c)[(i) + 2]), "+f"((c)[(i) + 3])
#define SIXTEEN(c, i) FOUR(c, i), FOUR(c, (i) + 4), FOUR(c, (i) + 8), FOUR(c, (i) + 12)
#define REGISTERS_0_TO_31                                                                                                      \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, " \
  "%27, %28, %29, %30, %31"

// The first product of a sum overwrites what the registers hold.
template <bool IsFirst> __device__ __forceinline__ void score_product(float (&c)[32], unsigned long long a, unsigned long long b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {" REGISTERS_0_TO_31 "}, %32, %33, %34, 1, 1, 0, 0;"
               : SIXTEEN(c, 0), SIXTEEN(c, 16)
               : "l"(a), "l"(b), "n"(IsFirst ? 0 : 1));
}
__device__ __forceinline__ void value_product(float (&c)[32], const unsigned (&a)[4], unsigned long long b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {" REGISTERS_0_TO_31 "}, {%32, %33, %34, %35}, %36, 1, 1, 1, 1;"
               : SIXTEEN(c, 0), SIXTEEN(c, 16)
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}
__device__ __forceinline__ void value_product(float (&c)[64], const unsigned (&a)[4], unsigned long long b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {" REGISTERS_0_TO_31
               ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, "
               "%55, %56, %57, %58, %59, %60, %61, %62, %63}, {%64, %65, %66, %67}, %68, 1, 1, 1, 1;"
               : SIXTEEN(c, 0), SIXTEEN(c, 16), SIXTEEN(c, 32), SIXTEEN(c, 48)
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}

__device__ __forceinline__ unsigned pack(float low, float high) {
  unsigned out;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(out) : "f"(high), "f"(low));
  return out;
}
__device__ __forceinline__ float exp2_approx(float x) {
  float out;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(out) : "f"(x));
  return out;
}
__device__ __forceinline__ float reciprocal_approx(float x) {
  float out;
  asm("rcp.approx.f32 %0, %1;" : "=f"(out) : "f"(x));
  return out;
}

template <int HeadSize>
__device__ __forceinline__ void attend(__nv_bfloat16* __restrict__ o, unsigned ldo, unsigned queries, unsigned keys, unsigned group,
                                       float scale, const tensor_map& query_map, const tensor_map& key_map,
                                       const tensor_map& value_map) {
  constexpr unsigned panels = HeadSize / 64, halves = 2 / panels, height = 64 * halves, tile_bytes = panels * panel_bytes;
  constexpr unsigned query_panel_bytes = height * 128, staged_pitch = HeadSize + 8, columns = HeadSize / 2;
  extern __shared__ __align__(1024) unsigned char memory[];
  __shared__ unsigned long long full[3];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned first = (gridDim.x - 1 - blockIdx.x) * height, head = blockIdx.y * HeadSize, key_head = blockIdx.y / group * HeadSize;
  const unsigned query_tile = shared_address(memory), ring = query_tile + panels * query_panel_bytes, barriers = shared_address(full);
  const unsigned query_row = blockIdx.z * queries + first, key_row = blockIdx.z * keys;
  const auto seen_by = [&](unsigned query) { return max(query + 1 + keys, queries) - queries; };
  const unsigned steps = (seen_by(min(first + height, queries) - 1) + keys_at_once - 1) / keys_at_once;

  if (threadIdx.x == 0) {
    for (unsigned s = 0; s < 3; ++s) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barriers + 8 * s) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  const auto fetch = [&](unsigned step) {
    if (threadIdx.x != 0 || step >= steps) return;
    const unsigned to = ring + step % 2 * (2 * tile_bytes), barrier = barriers + 8 * (step % 2), row = key_row + step * keys_at_once;
    expect(barrier, 2 * tile_bytes);
#pragma unroll
    for (unsigned p = 0; p < panels; ++p) {
      copy_box(to + p * panel_bytes, &key_map, key_head + 64 * p, row, barrier);
      copy_box(to + tile_bytes + p * panel_bytes, &value_map, key_head + 64 * p, row, barrier);
    }
  };
  if (threadIdx.x == 0) {
    expect(barriers + 16, panels * query_panel_bytes);
#pragma unroll
    for (unsigned p = 0; p < panels; ++p)
      copy_box(query_tile + p * query_panel_bytes, &query_map, head + 64 * p, query_row, barriers + 16);
  }
  fetch(0);
  wait_for(barriers + 16, 0);

  float out[halves][columns] = {};
  float peak[halves][2], total[halves][2] = {};
#pragma unroll
  for (unsigned h = 0; h < halves; ++h) peak[h][0] = peak[h][1] = -3.402823466e+38f;
  const float factor = scale * 1.44269504f;
  const unsigned long long query_rows = describe(query_tile, 16);

#pragma unroll 1
  for (unsigned step = 0; step < steps; ++step) {
    const unsigned from = ring + step % 2 * (2 * tile_bytes), begin = step * keys_at_once;
    wait_for(barriers + 8 * (step % 2), step / 2 % 2);
    __syncthreads();
    fetch(step + 1);
    const unsigned long long key_rows = describe(from, 16), value_rows = describe(from + tile_bytes, panel_bytes);
    float score[halves][32];
    fence();
#pragma unroll
    for (unsigned h = 0; h < halves; ++h)
#pragma unroll
      for (unsigned d = 0; d < HeadSize / 16; ++d) {
        const unsigned panel = d / 4, along = d % 4 * 32;
        const unsigned long long a = query_rows + (panel * query_panel_bytes + h * 64 * 128 + along) / 16;
        const unsigned long long b = key_rows + (panel * panel_bytes + along) / 16;
        if (d == 0) score_product<true>(score[h], a, b);
        else score_product<false>(score[h], a, b);
      }
    finish();
    if (seen_by(first) < begin + keys_at_once) {
#pragma unroll
      for (unsigned h = 0; h < halves; ++h)
#pragma unroll
        for (unsigned low = 0; low < 2; ++low) {
          const unsigned end = seen_by(first + 64 * h + 16 * warp + lane / 4 + low * 8);
#pragma unroll
          for (unsigned i = 0; i < 16; ++i) {
            float& s = score[h][i / 2 * 4 + low * 2 + i % 2];
            s = begin + lane % 4 * 2 + i / 2 * 8 + i % 2 < end ? s : -__int_as_float(0x7f800000);
          }
        }
    }
#pragma unroll
    for (unsigned h = 0; h < halves; ++h) {
      float shrink[2];
#pragma unroll
      for (unsigned low = 0; low < 2; ++low) {
        float largest = score[h][low * 2];
#pragma unroll
        for (unsigned i = 1; i < 16; ++i) largest = fmaxf(largest, score[h][i / 2 * 4 + low * 2 + i % 2]);
        largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, 1));
        largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, 2));
        const float now = fmaxf(peak[h][low], largest * factor);
        shrink[low] = exp2_approx(peak[h][low] - now);
        peak[h][low] = now;
        float sum = total[h][low] * shrink[low];
#pragma unroll
        for (unsigned i = 0; i < 16; ++i) {
          float& s = score[h][i / 2 * 4 + low * 2 + i % 2];
          s = exp2_approx(fmaf(s, factor, -now));
          sum += s;
        }
        total[h][low] = sum;
      }
      if (__any_sync(~0u, fminf(shrink[0], shrink[1]) < 1.0f)) {
#pragma unroll
        for (unsigned i = 0; i < columns; ++i) out[h][i] *= shrink[i / 2 % 2];
      }
    }
    unsigned weight[halves][4][4];
#pragma unroll
    for (unsigned h = 0; h < halves; ++h)
#pragma unroll
      for (unsigned n = 0; n < 4; ++n)
#pragma unroll
        for (unsigned i = 0; i < 4; ++i) weight[h][n][i] = pack(score[h][n * 8 + i * 2], score[h][n * 8 + i * 2 + 1]);
    fence();
#pragma unroll
    for (unsigned h = 0; h < halves; ++h)
#pragma unroll
      for (unsigned n = 0; n < 4; ++n) value_product(out[h], weight[h][n], value_rows + n * 16 * 128 / 16);
    finish();
#pragma unroll
    for (unsigned i = 0; i < columns; ++i)
#pragma unroll
      for (unsigned h = 0; h < halves; ++h) asm volatile("" : "+f"(out[h][i])::"memory");
  }
  __syncthreads();

  auto* staged = reinterpret_cast<__nv_bfloat16*>(memory);
#pragma unroll
  for (unsigned h = 0; h < halves; ++h)
#pragma unroll
    for (unsigned low = 0; low < 2; ++low) {
      float sum = total[h][low];
      sum += __shfl_xor_sync(~0u, sum, 1);
      sum += __shfl_xor_sync(~0u, sum, 2);
      const float share = sum == 0.0f ? 0.0f : reciprocal_approx(sum);
      __nv_bfloat16* const row = &staged[(64 * h + 16 * warp + low * 8 + lane / 4) * staged_pitch + lane % 4 * 2];
#pragma unroll
      for (unsigned n = 0; n < HeadSize / 8; ++n)
        *reinterpret_cast<unsigned*>(row + n * 8) = pack(out[h][n * 4 + low * 2] * share, out[h][n * 4 + low * 2 + 1] * share);
    }
  __syncthreads();
  constexpr unsigned chunks = HeadSize / 8, rows_at_once = threads / chunks;
  const unsigned column = threadIdx.x % chunks * 8;
#pragma unroll
  for (unsigned pass = 0; pass < height / rows_at_once; ++pass) {
    const unsigned row = threadIdx.x / chunks + pass * rows_at_once;
    if (first + row >= queries) break;
    *reinterpret_cast<uint4*>(&o[static_cast<size_t>(query_row + row) * ldo + head + column]) =
        *reinterpret_cast<const uint4*>(&staged[row * staged_pitch + column]);
  }
}

}  // namespace

#define ATTENTION(size)                                                                                                          \
  extern "C" __global__ void __launch_bounds__(threads) attention_##size(                                                        \
      const __nv_bfloat16*, unsigned, const __nv_bfloat16*, unsigned, const __nv_bfloat16*, unsigned, __nv_bfloat16* o,          \
      unsigned ldo, unsigned queries, unsigned keys, unsigned group, float scale, const __grid_constant__ tensor_map query_map,  \
      const __grid_constant__ tensor_map key_map, const __grid_constant__ tensor_map value_map) {                               \
    attend<size>(o, ldo, queries, keys, group, scale, query_map, key_map, value_map);                                            \
  }
ATTENTION(64)
ATTENTION(128)
