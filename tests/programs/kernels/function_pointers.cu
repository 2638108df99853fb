// A table of device functions in constant memory, and pointers chosen per lane and passed on.
__device__ int doubled(int v) { return 2 * v; }
__device__ int squared(int v) { return v * v; }
__device__ int negated(int v) { return -v; }
__device__ int shifted(int v) { return (v >> 3) ^ 0x55; }

typedef int (*step)(int);
__constant__ step steps[4] = {doubled, squared, negated, shifted};

__device__ __noinline__ int twice(step f, int v) { return f(f(v)); }

extern "C" __global__ void function_pointers(const int* x, const unsigned char* which, int* y, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int v = x[i];
  for (unsigned code = which[i], k = 0; k < 3; ++k, code >>= 2) v = steps[code & 3](v);
  y[i] = twice(steps[which[i] >> 6], v);
}
