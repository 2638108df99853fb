// Reads of memory that nothing wrote. A kernel whose name ends in _right is the clean twin of the one before it.
#include <cuda_runtime.h>

extern "C" {

__global__ void copy(const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x]; }

__global__ void copy4(const float4* in, float4* out) { out[threadIdx.x] = in[threadIdx.x]; }

__global__ void add(int* in) { atomicAdd(&in[threadIdx.x], 1); }

__global__ void shared_tile(const int* in, int* out) {
  __shared__ int t[33];
  t[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = t[threadIdx.x + 1];  // the last element was never stored
}
__global__ void shared_tile_right(const int* in, int* out) {
  __shared__ int t[33];
  t[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x == 0) t[32] = 0;
  __syncthreads();
  out[threadIdx.x] = t[threadIdx.x + 1];
}

__global__ void dynamic_tile(const int* in, int* out) {
  extern __shared__ int d[];
  out[threadIdx.x] = d[threadIdx.x];
}
__global__ void dynamic_tile_right(const int* in, int* out) {
  extern __shared__ int d[];
  d[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = d[threadIdx.x];
}

__global__ void stack(const int* in, int* out) {
  int a[16];
  for (int k = 0; k < 8; ++k) a[in[k] & 15] = k;  // half of it
  out[threadIdx.x] = a[in[threadIdx.x] & 15];
}
__global__ void stack_right(const int* in, int* out) {
  int a[16];
  for (int k = 0; k < 16; ++k) a[in[k] & 15] = k;
  out[threadIdx.x] = a[in[threadIdx.x] & 15];
}

__device__ int zeros[8];
__device__ int ones[4] = {1, 1, 1, 1};
__global__ void variables_right(int* out) { out[threadIdx.x] = zeros[threadIdx.x] + ones[threadIdx.x & 3]; }
}
