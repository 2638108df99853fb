// Races in shared memory, and what orders them. A kernel whose name ends in _right is the clean twin of the one before it.
#include <cuda_runtime.h>

extern "C" {

__global__ void tile(const int* in, int* out) {
  __shared__ int t[64];
  t[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = t[63 - threadIdx.x];  // no barrier between store and load
}
__global__ void tile_right(const int* in, int* out) {
  __shared__ int t[64];
  t[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = t[63 - threadIdx.x];
}

__global__ void reuse(const int* in, int* out) {
  __shared__ int t[64];
  int sum = 0;
  for (int k = 0; k < 4; ++k) {
    t[threadIdx.x] = in[threadIdx.x] + k;  // the tile is still read
    __syncthreads();
    sum += t[(threadIdx.x + 32) % 64];
  }
  out[threadIdx.x] = sum;
}
__global__ void reuse_right(const int* in, int* out) {
  __shared__ int t[64];
  int sum = 0;
  for (int k = 0; k < 4; ++k) {
    t[threadIdx.x] = in[threadIdx.x] + k;
    __syncthreads();
    sum += t[(threadIdx.x + 32) % 64];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void warp_sum(const int* in, int* out) {
  __shared__ int t[32];
  const int i = threadIdx.x;
  t[i] = in[i];
  for (int d = 16; d > 0; d /= 2) {
    __syncwarp();
    if (i < d) t[i] += t[i + d];  // the next step reads what this one writes; one __syncwarp is not enough
    if (d == 4 && i < 4) out[i] = t[3 - i];
  }
}
__global__ void warp_sum_right(const int* in, int* out) {
  __shared__ int t[32];
  const int i = threadIdx.x;
  t[i] = in[i];
  for (int d = 16; d > 0; d /= 2) {
    __syncwarp();
    if (i < d) t[i] += t[i + d];
    __syncwarp();
    if (d == 4 && i < 4) out[i] = t[3 - i];
  }
}

__global__ void counter(int* out) {
  __shared__ int n;
  n = 0;  // every thread, beside the atomics of others
  atomicAdd(&n, 1);
  __syncthreads();
  out[threadIdx.x] = n;
}
__global__ void counter_right(int* out) {
  __shared__ int n;
  if (threadIdx.x == 0) n = 0;
  __syncthreads();
  atomicAdd(&n, 1);
  __syncthreads();
  out[threadIdx.x] = n;
}

__global__ void bytes(const unsigned char* in, unsigned char* out) {
  __shared__ unsigned char t[64];
  t[threadIdx.x / 2] = in[threadIdx.x];  // two threads write one byte
  __syncthreads();
  out[threadIdx.x] = t[threadIdx.x / 2];
}
__global__ void bytes_right(const unsigned char* in, unsigned char* out) {
  __shared__ unsigned char t[64];
  t[threadIdx.x] = in[threadIdx.x];  // neighbours write bytes of one word
  __syncthreads();
  out[threadIdx.x] = t[63 - threadIdx.x];
}
}
