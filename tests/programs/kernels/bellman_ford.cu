// Shortest paths from one node, edge by edge; the last launch that changed something raises the flag.
extern "C" __global__ void bellman_ford(const uint2* edges, const unsigned* weights, unsigned* distance, int* changed,
                                        unsigned n) {
  const unsigned e = blockIdx.x * blockDim.x + threadIdx.x;
  bool mine = false;
  if (e < n) {
    const unsigned near = *(volatile unsigned*)&distance[edges[e].x];
    if (near != ~0u) mine = atomicMin(&distance[edges[e].y], near + weights[e]) > near + weights[e];
  }
  if (__syncthreads_or(mine) && threadIdx.x == 0) atomicExch(changed, 1);
}
