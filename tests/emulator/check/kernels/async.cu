// Copies that are read before they were waited for, mbarriers with wrong counts. A kernel whose name ends in _right is the
// clean twin of the one before it.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

extern "C" {

__global__ void early_read(const int* in, int* out) {
  __shared__ int t[64];
  __pipeline_memcpy_async(&t[threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
  __syncthreads();
  out[threadIdx.x] = t[63 - threadIdx.x];  // no wait
}
__global__ void early_read_right(const int* in, int* out) {
  __shared__ int t[64];
  __pipeline_memcpy_async(&t[threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] = t[63 - threadIdx.x];
}

__global__ void own_wait(const int* in, int* out) {
  __shared__ int t[64];
  __pipeline_memcpy_async(&t[threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = t[63 - threadIdx.x];  // waited for its own copy only
}

__global__ void stages(const int* in, int* out) {
  __shared__ int t[2][64];
  int sum = 0;
  __pipeline_memcpy_async(&t[0][threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
  for (int k = 0; k < 3; ++k) {
    if (k < 2) __pipeline_memcpy_async(&t[(k + 1) & 1][threadIdx.x], &in[(k + 1) * 64 + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += t[k & 1][63 - threadIdx.x];  // the next copy overwrites it without a barrier
  }
  out[threadIdx.x] = sum;
}
__global__ void stages_right(const int* in, int* out) {
  __shared__ int t[2][64];
  int sum = 0;
  __pipeline_memcpy_async(&t[0][threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
  for (int k = 0; k < 3; ++k) {
    if (k < 2) __pipeline_memcpy_async(&t[(k + 1) & 1][threadIdx.x], &in[(k + 1) * 64 + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += t[k & 1][63 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__device__ unsigned address_of(void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void arrive(void* p) {
  asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(address_of(p)) : "memory");
}
__device__ void wait(void* p, unsigned parity) {
  asm volatile(
      "{ .reg .pred p; again: mbarrier.test_wait.parity.shared.b64 p, [%0], %1; @!p bra again; }" ::"r"(address_of(p)),
      "r"(parity)
      : "memory");
}
__device__ void init(void* p, unsigned count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(address_of(p)), "r"(count) : "memory");
}

__global__ void no_wait(const int* in, int* out) {
  __shared__ int t[64];
  __shared__ unsigned long long bar;
  if (threadIdx.x == 0) init(&bar, 64);
  __syncthreads();
  t[threadIdx.x] = in[threadIdx.x];
  arrive(&bar);
  out[threadIdx.x] = t[63 - threadIdx.x];
}
__global__ void wait_right(const int* in, int* out) {
  __shared__ int t[64];
  __shared__ unsigned long long bar;
  if (threadIdx.x == 0) init(&bar, 64);
  __syncthreads();
  for (unsigned k = 0; k < 4; ++k) {
    t[threadIdx.x] = in[threadIdx.x] + k;
    arrive(&bar);
    wait(&bar, 0);
    out[threadIdx.x] = t[63 - threadIdx.x];
    arrive(&bar);
    wait(&bar, 1);
  }
}
__global__ void wrong_count(const int* in, int* out) {
  __shared__ unsigned long long bar;
  if (threadIdx.x == 0) init(&bar, 32);
  __syncthreads();
  asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0], 40; }" ::"r"(address_of(&bar)) : "memory");
  out[threadIdx.x] = 1;
}
__global__ void missing_arrival(const int* in, int* out) {
  __shared__ unsigned long long bar;
  if (threadIdx.x == 0) init(&bar, 64);
  __syncthreads();
  if (threadIdx.x < 48) arrive(&bar);
  wait(&bar, 0);
  out[threadIdx.x] = 1;
}
__global__ void double_init(const int* in, int* out) {
  __shared__ unsigned long long bar;
  if (threadIdx.x < 2) init(&bar, 32);
  out[threadIdx.x] = 1;
}
}
