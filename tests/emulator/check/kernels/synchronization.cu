// Barriers and shuffles that some threads miss. A kernel whose name ends in _right is the clean twin of the one before it.
#include <cuda_runtime.h>

extern "C" {

__global__ void early_exit(const int* in, int* out) {
  __shared__ int t[64];
  if (threadIdx.x >= 48) return;
  t[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = t[47 - threadIdx.x];
}
__global__ void early_exit_right(const int* in, int* out) {
  __shared__ int t[64];
  if (threadIdx.x < 48) t[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x >= 48) return;
  out[threadIdx.x] = t[47 - threadIdx.x];
}

__global__ void two_barriers(const int* in, int* out) {
  if (threadIdx.x < 32) {
    out[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
  } else {
    out[threadIdx.x] = 2 * in[threadIdx.x];
    __syncthreads();
  }
}
__global__ void two_barriers_right(const int* in, int* out) {
  out[threadIdx.x] = threadIdx.x < 32 ? in[threadIdx.x] : 2 * in[threadIdx.x];
  __syncthreads();
}
// Warps with different work meet at barrier.sync, which may differ.
__global__ void two_roles_right(const int* in, int* out) {
  if (threadIdx.x < 32) {
    out[threadIdx.x] = in[threadIdx.x];
    asm volatile("barrier.sync 0;" ::: "memory");
  } else {
    out[threadIdx.x] = 2 * in[threadIdx.x];
    asm volatile("barrier.sync 0;" ::: "memory");
  }
}

__global__ void divergent(const int* in, int* out) {
  if (in[threadIdx.x] & 1) {
    asm volatile("bar.sync 0;" ::: "memory");
    out[threadIdx.x] = 1;
  } else {
    out[threadIdx.x] = 2;
    asm volatile("bar.sync 0;" ::: "memory");
  }
}

__global__ void skipped(const int* in, int* out) {
  __shared__ int t[64];
  for (int k = 0; k < in[threadIdx.x]; ++k) {  // a different number of rounds for each thread
    t[threadIdx.x] = k;
    __syncthreads();
    out[threadIdx.x] += t[63 - threadIdx.x];
    __syncthreads();
  }
}

__global__ void named_count(int* out) {
  if (threadIdx.x < 32) asm volatile("bar.sync 1, 64;" ::: "memory");
  else asm volatile("bar.sync 1, 96;" ::: "memory");
  out[threadIdx.x] = 1;
}
__global__ void named_odd_count(int* out) {
  asm volatile("bar.sync 1, %0;" ::"r"(40) : "memory");
  out[threadIdx.x] = 1;
}
__global__ void named_large_count(int* out) {
  asm volatile("bar.sync 1, 128;" ::: "memory");  // of 64 threads
  out[threadIdx.x] = 1;
}
__global__ void named_right(int* out) {
  asm volatile("bar.sync 1, 64;" ::: "memory");
  out[threadIdx.x] = 1;
}

__global__ void wrong_mask(const int* in, int* out) {
  if (threadIdx.x < 20) out[threadIdx.x] = __shfl_sync(0xffff, in[threadIdx.x], 0);
}
__global__ void wrong_mask_right(const int* in, int* out) {
  if (threadIdx.x < 20) out[threadIdx.x] = __shfl_sync(0xfffff, in[threadIdx.x], 0);
}

__global__ void inactive_source(const int* in, int* out) {
  if (threadIdx.x < 16) out[threadIdx.x] = __shfl_down_sync(0xffff, in[threadIdx.x], 8);
}
__global__ void inactive_source_right(const int* in, int* out) {
  if (threadIdx.x < 16) out[threadIdx.x] = __shfl_down_sync(0xffff, in[threadIdx.x], 8, 16);
}

__global__ void deadlock(const int* in, int* out) {
  if (threadIdx.x < 32) asm volatile("bar.sync 1;" ::: "memory");
  else asm volatile("bar.sync 2;" ::: "memory");
  out[threadIdx.x] = 1;
}
}
