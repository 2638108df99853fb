// The K largest keys of each row in falling order: each thread keeps its own sorted list in registers, lists are merged
// through shared memory by repeated selection.
constexpr int K = 5, T = 64;

extern "C" __global__ void top_k(const unsigned* x, unsigned* best, unsigned columns) {
  __shared__ unsigned lists[T][K + 1];
  __shared__ unsigned long long heads[T];
  unsigned mine[K] = {};
  for (unsigned c = threadIdx.x; c < columns; c += T) {
    unsigned v = x[blockIdx.x * columns + c];
#pragma unroll
    for (int k = 0; k < K; ++k) {
      const unsigned high = max(mine[k], v);
      v = min(mine[k], v);
      mine[k] = high;
    }
  }
#pragma unroll
  for (int k = 0; k < K; ++k) lists[threadIdx.x][k] = mine[k];
  lists[threadIdx.x][K] = 0;
  int next = 0;
  for (int k = 0; k < K; ++k) {
    heads[threadIdx.x] = (unsigned long long)lists[threadIdx.x][next] << 32 | threadIdx.x;
    __syncthreads();
    for (int half = T / 2; half > 0; half /= 2) {
      if (threadIdx.x < half) heads[threadIdx.x] = max(heads[threadIdx.x], heads[threadIdx.x + half]);
      __syncthreads();
    }
    const unsigned long long winner = heads[0];
    __syncthreads();
    if ((unsigned)winner == threadIdx.x) ++next;
    if (threadIdx.x == 0) best[blockIdx.x * K + k] = winner >> 32;
  }
}
