// An assertion that holds for all but one value.
#include <cassert>

extern "C" __global__ void assertion(const int* x, int* y, int limit) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(x[i] < limit);
  y[i] = x[i] + 1;
}
