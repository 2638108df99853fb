// All shortest paths of a small graph in one block of 16 x 16 threads, the matrix in dynamic shared memory.
extern "C" __global__ void floyd_warshall(unsigned* distance, int* via, int n) {
  extern __shared__ unsigned d[];
  for (int i = threadIdx.y * 16 + threadIdx.x; i < n * n; i += 256) d[i] = distance[i], via[i] = -1;
  __syncthreads();
  for (int k = 0; k < n; ++k) {
    for (int i = threadIdx.y; i < n; i += 16) {
      for (int j = threadIdx.x; j < n; j += 16) {
        if (i == k || j == k) continue;
        const unsigned through = d[i * n + k] + d[k * n + j];
        if (through < d[i * n + j]) d[i * n + j] = through, via[i * n + j] = k;
      }
    }
    __syncthreads();
  }
  for (int i = threadIdx.y * 16 + threadIdx.x; i < n * n; i += 256) distance[i] = d[i];
}
