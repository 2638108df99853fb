// Bitonic sort of a power of two: the inner steps in shared memory, the outer ones in global memory.
// clang: -O2
constexpr unsigned T = 128;

__device__ void order(unsigned& a, unsigned& b, bool rising) {
  if ((a > b) == rising) {
    const unsigned kept = a;
    a = b, b = kept;
  }
}

extern "C" __global__ void bitonic_shared(unsigned* x, unsigned from, unsigned to) {
  __shared__ unsigned tile[2 * T];
  const unsigned t = threadIdx.x, first = blockIdx.x * 2 * T;
  tile[t] = x[first + t], tile[t + T] = x[first + t + T];
  for (unsigned size = from; size <= to; size *= 2) {
    for (unsigned step = (size < 2 * T ? size : 2 * T) / 2; step > 0; step /= 2) {
      __syncthreads();
      const unsigned low = 2 * t - (t & (step - 1));
      order(tile[low], tile[low + step], ((first + low) & size) == 0);
    }
  }
  __syncthreads();
  x[first + t] = tile[t], x[first + t + T] = tile[t + T];
}

extern "C" __global__ void bitonic_global(unsigned* x, unsigned size, unsigned step) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned low = 2 * t - (t & (step - 1));
  order(x[low], x[low + step], (low & size) == 0);
}
