// byte_histogram and range_histogram of kernels/histogram.hpp, and equalize_table and map_bytes of kernels/equalize.hpp.
__device__ __forceinline__ void count_bytes(unsigned* bins, unsigned word) {
  atomicAdd(&bins[word & 255], 1u);
  atomicAdd(&bins[word >> 8 & 255], 1u);
  atomicAdd(&bins[word >> 16 & 255], 1u);
  atomicAdd(&bins[word >> 24], 1u);
}

extern "C" __global__ void __launch_bounds__(256)
    byte_histogram(const unsigned char* __restrict__ x, unsigned* bins, unsigned n) {
  __shared__ unsigned own[256];
  const unsigned t = threadIdx.x, first = blockIdx.x * 256 + t;
  own[t] = 0;
  __syncthreads();
  for (unsigned i = first; i < n / 16; i += gridDim.x * 256) {
    const uint4 v = reinterpret_cast<const uint4*>(x)[i];
    count_bytes(own, v.x);
    count_bytes(own, v.y);
    count_bytes(own, v.z);
    count_bytes(own, v.w);
  }
  const unsigned rest = n / 16 * 16 + first;
  if (rest < n) atomicAdd(&own[x[rest]], 1u);
  __syncthreads();
  if (own[t] != 0) atomicAdd(&bins[t], own[t]);
}

extern "C" __global__ void __launch_bounds__(256)
    range_histogram(const int* __restrict__ x, unsigned* bins, int low, int width, unsigned count, unsigned n) {
  extern __shared__ unsigned sized[];
  for (unsigned b = threadIdx.x; b < count; b += 256) sized[b] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
    const int key = x[i];
    const unsigned at = (static_cast<unsigned>(key) - static_cast<unsigned>(low)) / static_cast<unsigned>(width);
    if (key >= low && at < count) atomicAdd(&sized[at], 1u);
  }
  __syncthreads();
  for (unsigned b = threadIdx.x; b < count; b += 256)
    if (sized[b] != 0) atomicAdd(&bins[b], sized[b]);
}

extern "C" __global__ void __launch_bounds__(256) equalize_table(unsigned* bins, unsigned char* table) {
  __shared__ unsigned sums[8], least_of[8];
  const unsigned v = threadIdx.x, lane = v % 32, warp = v / 32;
  unsigned through = bins[v];
#pragma unroll
  for (unsigned d = 1; d < 32; d *= 2) {
    const unsigned below = __shfl_up_sync(~0u, through, d);
    if (lane >= d) through += below;
  }
  if (lane == 31) sums[warp] = through;
  __syncthreads();
  unsigned below = 0, total = 0;
#pragma unroll
  for (unsigned w = 0; w < 8; ++w) {
    if (w == warp) below = total;
    total += sums[w];
  }
  through += below;
  unsigned own = through == 0 ? ~0u : through;
#pragma unroll
  for (unsigned d = 16; d > 0; d /= 2) own = min(own, __shfl_xor_sync(~0u, own, d));
  if (lane == 0) least_of[warp] = own;
  __syncthreads();
  unsigned least = least_of[lane % 8];
#pragma unroll
  for (unsigned d = 4; d > 0; d /= 2) least = min(least, __shfl_xor_sync(~0u, least, d));
  const float scale = 255.0f / static_cast<float>(total - least);
  const float spread = rintf(static_cast<float>(max(through, least) - least) * scale);
  table[v] = static_cast<unsigned char>(total == least ? v : static_cast<unsigned>(spread));
  bins[v] = 0;
}

extern "C" __global__ void __launch_bounds__(256)
    map_bytes(const unsigned char* __restrict__ x, const unsigned char* __restrict__ table, unsigned char* __restrict__ y,
              unsigned n) {
  __shared__ unsigned char own[256];
  own[threadIdx.x] = table[threadIdx.x];
  __syncthreads();
  const auto mapped = [&](unsigned word) {
    return own[word & 255] | own[word >> 8 & 255] << 8 | own[word >> 16 & 255] << 16 |
           static_cast<unsigned>(own[word >> 24]) << 24;
  };
  const unsigned first = blockIdx.x * 256 + threadIdx.x;
  for (unsigned i = first; i < n / 16; i += gridDim.x * 256) {
    const uint4 v = reinterpret_cast<const uint4*>(x)[i];
    reinterpret_cast<uint4*>(y)[i] = make_uint4(mapped(v.x), mapped(v.y), mapped(v.z), mapped(v.w));
  }
  const unsigned rest = n / 16 * 16 + first;
  if (rest < n) y[rest] = own[x[rest]];
}
