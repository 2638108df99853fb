// attention of kernels/attention.hpp: the same tiles, pipeline and instructions by hand.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace {

constexpr int tile_rows = 64;

template <int HeadSize>
constexpr int tile_bytes = tile_rows* HeadSize * 2;

__device__ unsigned shared_address(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

__device__ void copy_async(unsigned to, const void* from, bool inside) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(inside ? 16 : 0) : "memory");
}
__device__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int N>
__device__ void wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
}

__device__ void load_matrices(unsigned (&r)[4], unsigned from) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(from)
               : "memory");
}
__device__ void load_matrices_transposed(unsigned (&r)[4], unsigned from) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(from)
               : "memory");
}

template <class T>
struct element;
template <>
struct element<__half> {
  static __device__ unsigned pack(float low, float high) {
    unsigned out;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(out) : "f"(high), "f"(low));
    return out;
  }
  static __device__ void mma(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, "
        "%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
  }
};
template <>
struct element<__nv_bfloat16> {
  static __device__ unsigned pack(float low, float high) {
    unsigned out;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(out) : "f"(high), "f"(low));
    return out;
  }
  static __device__ void mma(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, "
        "%2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
  }
};

__device__ float exp2_approx(float x) {
  float out;
  asm("ex2.approx.f32 %0, %1;" : "=f"(out) : "f"(x));
  return out;
}
__device__ float reciprocal_approx(float x) {
  float out;
  asm("rcp.approx.f32 %0, %1;" : "=f"(out) : "f"(x));
  return out;
}

// Where 16 bytes of a row of a tile are: the chunk is xored with the row, so that eight rows lie in all banks.
template <int HeadSize>
__device__ unsigned at(int row, int chunk) {
  return row * HeadSize * 2 + ((chunk ^ (row & 7)) * 16);
}

template <class T, int HeadSize, bool Causal>
__device__ void attend(const T* __restrict__ q, unsigned ldq, const T* __restrict__ k, unsigned ldk,
                       const T* __restrict__ v, unsigned ldv, T* __restrict__ o, unsigned ldo, unsigned queries,
                       unsigned keys, unsigned group, float scale) {
  constexpr int bands = 128 / HeadSize, depth = HeadSize / 16, chunks = HeadSize / 8, rows_at_once = 128 / chunks;
  __shared__ __align__(128) unsigned char memory[3 * tile_bytes<HeadSize>];
  const unsigned ring = shared_address(memory);

  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned first = (Causal ? gridDim.x - 1 - blockIdx.x : blockIdx.x) * (tile_rows * bands);
  q += static_cast<size_t>(blockIdx.z * queries) * ldq + blockIdx.y * HeadSize;
  o += static_cast<size_t>(blockIdx.z * queries) * ldo + blockIdx.y * HeadSize;
  k += static_cast<size_t>(blockIdx.z * keys) * ldk + blockIdx.y / group * HeadSize;
  v += static_cast<size_t>(blockIdx.z * keys) * ldv + blockIdx.y / group * HeadSize;

  const int copy_row = threadIdx.x / chunks, copy_chunk = threadIdx.x % chunks;
  const unsigned copy_to = at<HeadSize>(copy_row, copy_chunk);  // rows_at_once is a multiple of 8: the xor stays
  const auto fetch = [&](int stage, const T* from, unsigned leading, unsigned from_row, unsigned length) {
#pragma unroll
    for (int pass = 0; pass < tile_rows / rows_at_once; ++pass) {
      const unsigned row = from_row + copy_row + pass * rows_at_once;
      copy_async(ring + stage * tile_bytes<HeadSize> + copy_to + pass * rows_at_once * HeadSize * 2,
                 from + static_cast<size_t>(row) * leading + copy_chunk * 8, row < length);
    }
  };
  const auto seen_by = [&](unsigned query) { return Causal ? max(query + 1 + keys, queries) - queries : keys; };
  const unsigned steps = (seen_by(min(first + tile_rows * bands, queries) - 1) + tile_rows - 1) / tile_rows;

  // Lane l names row l % 16 and chunk l / 16 of 16 x 16 elements; for the transposed ones it is the same with the keys
  // as rows, so that registers 0 and 1 belong to the first eight columns there, and 0 and 2 here.
  const int matrix_row = lane % 16, matrix_chunk = lane / 16;
  const unsigned row_bytes = matrix_row * HeadSize * 2;
  const auto matrix = [&](int chunk) { return row_bytes + (((chunk + matrix_chunk) ^ (matrix_row & 7)) * 16); };

#pragma unroll
  for (int band = 0; band < bands; ++band) fetch(band + 1, q, ldq, first + band * tile_rows, queries);
  commit();
  fetch(0, k, ldk, 0, keys);
  commit();
  wait<1>();
  __syncthreads();
  unsigned query[bands][depth][4];
#pragma unroll
  for (int band = 0; band < bands; ++band)
#pragma unroll
    for (int d = 0; d < depth; ++d)
      load_matrices(query[band][d],
                    ring + (band + 1) * tile_bytes<HeadSize> + warp * 16 * HeadSize * 2 + matrix(d * 2));
  __syncthreads();
  fetch(1, v, ldv, 0, keys);
  commit();

  float out[bands][2 * depth][4] = {};
  float peak[bands][2], total[bands][2] = {};
#pragma unroll
  for (int band = 0; band < bands; ++band) peak[band][0] = peak[band][1] = -3.402823466e+38f;
  const float factor = scale * 1.44269504f;

  for (unsigned step = 0; step < steps; ++step) {
    const unsigned begin = step * tile_rows;
    wait<1>();
    __syncthreads();
    const unsigned key_tile = ring + step * 2 % 3 * tile_bytes<HeadSize>;
    if (step + 1 < steps) fetch((step * 2 + 2) % 3, k, ldk, begin + tile_rows, keys);
    commit();
    float score[bands][8][4] = {};
#pragma unroll
    for (int d = 0; d < depth; ++d)
#pragma unroll
      for (int n = 0; n < 4; ++n) {
        unsigned both[4];
        load_matrices(both, key_tile + n * 16 * HeadSize * 2 + matrix(d * 2));
#pragma unroll
        for (int i = 0; i < 2 * bands; ++i)
          element<T>::mma(score[i / 2][n * 2 + i % 2], query[i / 2][d], both[i % 2], both[i % 2 + 2]);
      }

#pragma unroll
    for (int band = 0; band < bands; ++band) {
      const unsigned top = first + band * tile_rows + warp * 16;
      if (seen_by(top) < begin + tile_rows) {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          const unsigned end = seen_by(top + lane / 4 + half * 8);
#pragma unroll
          for (int i = 0; i < 16; ++i) {
            float& s = score[band][i / 2][half * 2 + i % 2];
            s = begin + lane % 4 * 2 + i / 2 * 8 + i % 2 < end ? s : -__int_as_float(0x7f800000);
          }
        }
      }
      float shrink[2];
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        float largest = score[band][0][half * 2];
#pragma unroll
        for (int i = 1; i < 16; ++i) largest = fmaxf(largest, score[band][i / 2][half * 2 + i % 2]);
        largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, 1));
        largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, 2));
        const float now = fmaxf(peak[band][half], largest * factor);
        shrink[half] = exp2_approx(peak[band][half] - now);
        peak[band][half] = now;
        float sum = total[band][half] * shrink[half];
#pragma unroll
        for (int i = 0; i < 16; ++i) {
          float& s = score[band][i / 2][half * 2 + i % 2];
          s = exp2_approx(fmaf(s, factor, -now));
          sum += s;
        }
        total[band][half] = sum;
      }
      if (__any_sync(~0u, fminf(shrink[0], shrink[1]) < 1.0f)) {
#pragma unroll
        for (int n = 0; n < 2 * depth; ++n)
#pragma unroll
          for (int i = 0; i < 4; ++i) out[band][n][i] *= shrink[i / 2];
      }
    }

    wait<1>();
    __syncthreads();
    const unsigned value_tile = ring + (step * 2 + 1) % 3 * tile_bytes<HeadSize>;
    if (step + 1 < steps) fetch((step * 2 + 3) % 3, v, ldv, begin + tile_rows, keys);
    commit();
#pragma unroll
    for (int n = 0; n < 4; ++n) {
      unsigned weight[bands][4];
#pragma unroll
      for (int band = 0; band < bands; ++band)
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          const auto& own = score[band][n * 2 + i / 2];
          weight[band][i] = element<T>::pack(own[i % 2 * 2], own[i % 2 * 2 + 1]);
        }
#pragma unroll
      for (int d = 0; d < depth; ++d) {
        unsigned both[4];
        load_matrices_transposed(both, value_tile + n * 16 * HeadSize * 2 + matrix(d * 2));
#pragma unroll
        for (int i = 0; i < 2 * bands; ++i)
          element<T>::mma(out[i / 2][d * 2 + i % 2], weight[i / 2], both[i % 2 * 2], both[i % 2 * 2 + 1]);
      }
    }
  }

  wait<0>();
  __syncthreads();
#pragma unroll
  for (int band = 0; band < bands; ++band)
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      float sum = total[band][half];
      sum += __shfl_xor_sync(~0u, sum, 1);
      sum += __shfl_xor_sync(~0u, sum, 2);
      const float share = sum == 0.0f ? 0.0f : reciprocal_approx(sum);
      const int row = warp * 16 + half * 8 + lane / 4;
#pragma unroll
      for (int n = 0; n < 2 * depth; ++n)
        *reinterpret_cast<unsigned*>(memory + band * tile_bytes<HeadSize> + at<HeadSize>(row, n) + lane % 4 * 4) =
            element<T>::pack(out[band][n][half * 2] * share, out[band][n][half * 2 + 1] * share);
    }
  __syncthreads();
#pragma unroll
  for (int band = 0; band < bands; ++band)
#pragma unroll
    for (int pass = 0; pass < tile_rows / rows_at_once; ++pass) {
      const unsigned row = first + band * tile_rows + copy_row + pass * rows_at_once;
      if (row < queries)
        *reinterpret_cast<uint4*>(o + static_cast<size_t>(row) * ldo + copy_chunk * 8) =
            *reinterpret_cast<const uint4*>(memory + band * tile_bytes<HeadSize> + copy_to +
                                            pass * rows_at_once * HeadSize * 2);
    }
}

}  // namespace

template <class T, int HeadSize, bool Causal>
__global__ void __launch_bounds__(128)
    attention_of(const T* q, unsigned ldq, const T* k, unsigned ldk, const T* v, unsigned ldv, T* o, unsigned ldo,
                 unsigned queries, unsigned keys, unsigned group, float scale) {
  attend<T, HeadSize, Causal>(q, ldq, k, ldk, v, ldv, o, ldo, queries, keys, group, scale);
}

template __global__ void attention_of<__half, 64, false>(const __half*, unsigned, const __half*, unsigned,
                                                         const __half*, unsigned, __half*, unsigned, unsigned, unsigned,
                                                         unsigned, float);
template __global__ void attention_of<__half, 128, false>(const __half*, unsigned, const __half*, unsigned,
                                                          const __half*, unsigned, __half*, unsigned, unsigned,
                                                          unsigned, unsigned, float);
template __global__ void attention_of<__nv_bfloat16, 64, true>(const __nv_bfloat16*, unsigned, const __nv_bfloat16*,
                                                               unsigned, const __nv_bfloat16*, unsigned, __nv_bfloat16*,
                                                               unsigned, unsigned, unsigned, unsigned, float);

extern "C" __global__ void __launch_bounds__(128)
    attention(const __nv_bfloat16* q, unsigned ldq, const __nv_bfloat16* k, unsigned ldk, const __nv_bfloat16* v,
              unsigned ldv, __nv_bfloat16* o, unsigned ldo, unsigned queries, unsigned keys, unsigned group,
              float scale) {
  attend<__nv_bfloat16, 128, true>(q, ldq, k, ldk, v, ldv, o, ldo, queries, keys, group, scale);
}
