// gated_delta_rule of kernels/gated_delta_rule.hpp: 32 columns of a state in the registers of a block, an eighth of the rows in
// each warp.
#include <cuda_bf16.h>

// 16 bytes of a row as floats.
__device__ __forceinline__ void load(float (&out)[4], const float* from) {
  const float4 own = *reinterpret_cast<const float4*>(from);
  out[0] = own.x, out[1] = own.y, out[2] = own.z, out[3] = own.w;
}
__device__ __forceinline__ void load(float (&out)[8], const __nv_bfloat16* from) {
  const uint4 own = *reinterpret_cast<const uint4*>(from);
  const unsigned words[] = {own.x, own.y, own.z, own.w};
#pragma unroll
  for (int i = 0; i < 4; ++i)
    out[2 * i] = __uint_as_float(words[i] << 16), out[2 * i + 1] = __uint_as_float(words[i] & 0xffff0000u);
}
__device__ __forceinline__ float to_float(float x) { return x; }
__device__ __forceinline__ float to_float(__nv_bfloat16 x) { return __bfloat162float(x); }
__device__ __forceinline__ void put(float* to, float x) { *to = x; }
__device__ __forceinline__ void put(__nv_bfloat16* to, float x) { *to = __float2bfloat16(x); }

template <class T, int KeySize, int ValueSize>
__device__ __forceinline__ void delta_rule(const T* __restrict__ q, unsigned ldq, const T* __restrict__ k, unsigned ldk,
                                           const T* __restrict__ v, unsigned ldv, const float* __restrict__ decay,
                                           unsigned ldd, const float* __restrict__ rate, unsigned ldr, float* __restrict__ state,
                                           unsigned lds, T* __restrict__ o, unsigned ldo, unsigned tokens, unsigned group) {
  constexpr int rows = KeySize / 8, width = 16 / sizeof(T);
  __shared__ float founds[2][8][32], reads[2][8][32], products[2][8];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, head = blockIdx.y, sequence = blockIdx.z;
  const unsigned column = blockIdx.x * 32 + lane, key_column = head / group * KeySize + warp * rows;
  float* const own_state = state + ((sequence * gridDim.y + head) * KeySize + warp * rows) * static_cast<size_t>(lds) + column;
  float own[rows];
#pragma unroll
  for (int r = 0; r < rows; ++r) own[r] = own_state[r * static_cast<size_t>(lds)];
  for (unsigned t = 0; t < tokens; ++t) {
    const size_t token = sequence * tokens + t;
    const unsigned half = t % 2;
    const float fade = decay[token * ldd + head];
    float key[rows / width][width], query[rows / width][width];
#pragma unroll
    for (int part = 0; part < rows / width; ++part) {
      load(key[part], k + token * ldk + key_column + part * width);
      load(query[part], q + token * ldq + key_column + part * width);
    }
    float found = 0, read = 0, product = 0;
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      own[r] *= fade;
      found = fmaf(own[r], key[r / width][r % width], found);
      read = fmaf(own[r], query[r / width][r % width], read);
      product = fmaf(key[r / width][r % width], query[r / width][r % width], product);
    }
    founds[half][warp][lane] = found;
    reads[half][warp][lane] = read;
    if (lane == 0) products[half][warp] = product;
    __syncthreads();
    float all_found = 0;
#pragma unroll
    for (int w = 0; w < 8; ++w) all_found += founds[half][w][lane];
    const float update =
        rate[token * ldr + head] * (to_float(v[token * ldv + head * ValueSize + column]) - all_found);
#pragma unroll
    for (int r = 0; r < rows; ++r) own[r] = fmaf(key[r / width][r % width], update, own[r]);
    if (warp == 0) {
      float all_read = 0, all_products = 0;
#pragma unroll
      for (int w = 0; w < 8; ++w) all_read += reads[half][w][lane], all_products += products[half][w];
      put(o + token * ldo + head * ValueSize + column, fmaf(all_products, update, all_read));
    }
  }
#pragma unroll
  for (int r = 0; r < rows; ++r) own_state[r * static_cast<size_t>(lds)] = own[r];
}

extern "C" __global__ void __launch_bounds__(256, 3)
    gated_delta_rule(const __nv_bfloat16* __restrict__ q, unsigned ldq, const __nv_bfloat16* __restrict__ k, unsigned ldk,
                     const __nv_bfloat16* __restrict__ v, unsigned ldv, const float* __restrict__ decay, unsigned ldd,
                     const float* __restrict__ rate, unsigned ldr, float* __restrict__ state, unsigned lds,
                     __nv_bfloat16* __restrict__ o, unsigned ldo, unsigned tokens, unsigned group) {
  delta_rule<__nv_bfloat16, 128, 64>(q, ldq, k, ldk, v, ldv, decay, ldd, rate, ldr, state, lds, o, ldo, tokens, group);
}
extern "C" __global__ void __launch_bounds__(256, 3)
    gated_delta_rule_of_floats(const float* __restrict__ q, unsigned ldq, const float* __restrict__ k, unsigned ldk,
                               const float* __restrict__ v, unsigned ldv, const float* __restrict__ decay, unsigned ldd,
                               const float* __restrict__ rate, unsigned ldr, float* __restrict__ state, unsigned lds,
                               float* __restrict__ o, unsigned ldo, unsigned tokens, unsigned group) {
  delta_rule<float, 64, 32>(q, ldq, k, ldk, v, ldv, decay, ldd, rate, ldr, state, lds, o, ldo, tokens, group);
}
