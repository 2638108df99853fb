// Accesses outside of what they were aimed at. A kernel whose name ends in _right is the clean twin of the one before it.
#include <cuda_runtime.h>

extern "C" {

__global__ void past_end(const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x + 1]; }
__global__ void past_end_right(const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x]; }
__global__ void far_past_end(const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x * 100000]; }
__global__ void negative(const float* in, float* out) { out[(int)threadIdx.x - 1] = in[threadIdx.x]; }
__global__ void misaligned(const char* in, int* out) { out[threadIdx.x] = *(const int*)(in + 2); }
__global__ void misaligned_vector(const float* in, float4* out) { out[0] = *(const float4*)(in + 1 + threadIdx.x); }
__global__ void null_pointer(const float* in, float* out) { ((float**)in)[0][threadIdx.x] = 1; }

__global__ void neighbour(const int* in, int* out) {
  __shared__ int first[32];
  __shared__ int second[32];
  first[threadIdx.x] = in[threadIdx.x];
  second[threadIdx.x] = -in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = first[threadIdx.x + in[0]] + second[31 - threadIdx.x];
}
__global__ void beyond_shared(const int* in, int* out) {
  extern __shared__ int d[];
  d[threadIdx.x * 1000] = in[threadIdx.x];
  out[threadIdx.x] = d[threadIdx.x * 1000];
}

__global__ void local_array(const int* in, int* out) {
  int a[16];
  for (int k = 0; k < 16; ++k) a[k] = in[k];
  out[threadIdx.x] = a[in[threadIdx.x]];
}

__constant__ int table[4] = {1, 2, 3, 4};
__global__ void to_constant(int* out, int one) {
  int* p = one ? (int*)table : out;
  p[threadIdx.x & 3] = 5;
}
}
