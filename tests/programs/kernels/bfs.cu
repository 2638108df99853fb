// Breadth-first search, one launch per level over a frontier queue.
// clang: -O2
extern "C" __global__ void bfs(const unsigned* starts, const unsigned* ends, int* level, const unsigned* frontier,
                               unsigned frontier_size, unsigned* next, unsigned* next_size, int depth) {
  const unsigned f = blockIdx.x * blockDim.x + threadIdx.x;
  if (f >= frontier_size) return;
  const unsigned from = frontier[f];
  for (unsigned e = starts[from]; e < starts[from + 1]; ++e) {
    const unsigned to = ends[e];
    if (atomicCAS((unsigned*)&level[to], ~0u, (unsigned)depth) == ~0u) next[atomicAdd(next_size, 1u)] = to;
  }
}
