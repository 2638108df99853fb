// Three histograms of bytes: by global atomics, by shared atomics, and by bins of each warp that are added at the end.
// clang: -O2
extern "C" __global__ void histogram_global(const unsigned char* x, unsigned* bins, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[x[i]], 1u);
}

extern "C" __global__ void histogram_shared(const unsigned char* x, unsigned* bins, unsigned n) {
  __shared__ unsigned own[256];
  for (unsigned b = threadIdx.x; b < 256; b += blockDim.x) own[b] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&own[x[i]], 1u);
  __syncthreads();
  for (unsigned b = threadIdx.x; b < 256; b += blockDim.x)
    if (own[b]) atomicAdd(&bins[b], own[b]);
}

extern "C" __global__ void histogram_private(const unsigned char* x, unsigned* bins, unsigned n) {
  __shared__ unsigned own[4][64];  // four bins of eight bits each in a word; at most 255 values per warp
  const unsigned warp = threadIdx.x / 32;
  for (unsigned b = threadIdx.x; b < 4 * 64; b += blockDim.x) own[b / 64][b % 64] = 0;
  __syncthreads();
  const unsigned first = blockIdx.x * 4 * 224 + warp * 224 + threadIdx.x % 32;
  for (unsigned k = 0; k < 7; ++k) {
    const unsigned i = first + k * 32;
    if (i < n) atomicAdd(&own[warp][x[i] / 4], 1u << x[i] % 4 * 8);
  }
  __syncthreads();
  for (unsigned b = threadIdx.x; b < 256; b += blockDim.x) {
    unsigned sum = 0;
    for (unsigned w = 0; w < 4; ++w) sum += own[w][b / 4] >> b % 4 * 8 & 255;
    atomicAdd(&bins[b], sum);
  }
}
