// scan of kernels/scan.hpp in one pass, by decoupled look-back: inclusive sums of floats, exclusive ones of 64-bit integers.
#include "look_back.cuh"

constexpr unsigned part_elems = 4096;

extern "C" __global__ void __launch_bounds__(256) scan(const float* __restrict__ x, float* __restrict__ y,
                                                        unsigned long long* scratch, unsigned n) {
  __shared__ unsigned taken, ended;
  __shared__ float warps[8], parts;
  const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
  if (t == 0) taken = static_cast<unsigned>(atomicAdd(scratch, 1ull));
  __syncthreads();
  const unsigned part = taken;
  const unsigned first = part * part_elems + warp * 512 + lane * 4;
  const unsigned rest = n / 4 * 4;
  const bool is_full = part * part_elems + part_elems <= n;

  float own[4][4] = {};
  if (is_full) {
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const float4 v = __ldg(reinterpret_cast<const float4*>(x + first + k * 128));
      own[k][0] = v.x, own[k][1] = v.y, own[k][2] = v.z, own[k][3] = v.w;
    }
  } else {
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const unsigned i = first + k * 128;
      if (i < rest) {
        const float4 v = __ldg(reinterpret_cast<const float4*>(x + i));
        own[k][0] = v.x, own[k][1] = v.y, own[k][2] = v.z, own[k][3] = v.w;
      }
#pragma unroll
      for (int c = 0; c < 3; ++c)
        if (i == rest && rest + c < n) own[k][c] = __ldg(x + rest + c);
    }
  }

  float before[4], all = 0;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
#pragma unroll
    for (int c = 1; c < 4; ++c) own[k][c] += own[k][c - 1];
    float through = own[k][3];
#pragma unroll
    for (unsigned distance = 1; distance < 32; distance *= 2) {
      const float below = __shfl_up_sync(~0u, through, distance);
      if (lane >= distance) through += below;
    }
    const float lanes = __shfl_up_sync(~0u, through, 1);
    before[k] = all + (lane == 0 ? 0.0f : lanes);
    all += __shfl_sync(~0u, through, 31);
  }
  if (lane == 0) warps[warp] = all;
  __syncthreads();
  float below = 0, total = 0;
#pragma unroll
  for (unsigned w = 0; w < 8; ++w) {
    if (w == warp) below = total;
    total += warps[w];
  }
  if (warp == 0) {
    const float earlier = look_back(narrow_states<float>{scratch + 2}, part, total, lane, [](float a, float b) { return a + b; });
    if (lane == 0) parts = earlier;
  }
  __syncthreads();
  const float start = parts + below;
#pragma unroll
  for (int k = 0; k < 4; ++k)
#pragma unroll
    for (int c = 0; c < 4; ++c) own[k][c] += start + before[k];
  if (is_full) {
#pragma unroll
    for (int k = 0; k < 4; ++k)
      *reinterpret_cast<float4*>(y + first + k * 128) = make_float4(own[k][0], own[k][1], own[k][2], own[k][3]);
  } else {
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const unsigned i = first + k * 128;
      if (i < rest) *reinterpret_cast<float4*>(y + i) = make_float4(own[k][0], own[k][1], own[k][2], own[k][3]);
#pragma unroll
      for (int c = 0; c < 3; ++c)
        if (i == rest && rest + c < n) y[rest + c] = own[k][c];
    }
  }
  end_part(scratch, &ended, gridDim.x + 2, t);
}

// 2048 elements for each block, 16 bytes for each thread at a time.
extern "C" __global__ void __launch_bounds__(256)
    exclusive_scan(const long long* __restrict__ x, long long* __restrict__ y, unsigned long long* scratch, unsigned n) {
  __shared__ unsigned taken, ended;
  __shared__ word warps[8], parts;
  const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
  if (t == 0) taken = static_cast<unsigned>(atomicAdd(scratch, 1ull));
  __syncthreads();
  const unsigned part = taken, first = part * 2048 + warp * 256 + lane * 2;
  const bool is_full = part * 2048 + 2048 <= n;

  word own[4][2] = {};
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const unsigned i = first + k * 64;
    if (is_full || i + 1 < n) {
      const longlong2 v = __ldg(reinterpret_cast<const longlong2*>(x + i));
      own[k][0] = v.x, own[k][1] = v.y;
    } else if (i < n) {
      own[k][0] = __ldg(x + i);
    }
  }
  word before[4], all = 0;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    own[k][1] += own[k][0];
    word through = own[k][1];
#pragma unroll
    for (unsigned distance = 1; distance < 32; distance *= 2) {
      const word below = __shfl_up_sync(~0u, through, distance);
      if (lane >= distance) through += below;
    }
    const word lanes = __shfl_up_sync(~0u, through, 1);
    before[k] = all + (lane == 0 ? 0 : lanes);
    all += __shfl_sync(~0u, through, 31);
  }
  if (lane == 0) warps[warp] = all;
  __syncthreads();
  word below = 0, total = 0;
#pragma unroll
  for (unsigned w = 0; w < 8; ++w) {
    if (w == warp) below = total;
    total += warps[w];
  }
  if (warp == 0) {
    const word earlier = look_back(wide_states{scratch + 2}, part, total, lane, [](word a, word b) { return a + b; });
    if (lane == 0) parts = earlier;
  }
  __syncthreads();
  const word start = parts + below;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const unsigned i = first + k * 64;
    const word lead = start + before[k];
    if (is_full || i + 1 < n)
      *reinterpret_cast<longlong2*>(y + i) = make_longlong2(static_cast<long long>(lead), static_cast<long long>(lead + own[k][0]));
    else if (i < n) y[i] = static_cast<long long>(lead);
  }
  end_part(scratch, &ended, 3 * gridDim.x + 2, t);
}
