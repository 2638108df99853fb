// One step of k-means on points of three floats: nearest centre, then sums per cluster in shared memory.
constexpr unsigned K = 6;
__constant__ float3 centres[K];

extern "C" __global__ void k_means(const float3* points, unsigned char* nearest, double* sums, unsigned* counts,
                                   unsigned n) {
  __shared__ double own[K][3];
  __shared__ unsigned own_counts[K];
  if (threadIdx.x < K * 3) own[threadIdx.x / 3][threadIdx.x % 3] = 0;
  if (threadIdx.x < K) own_counts[threadIdx.x] = 0;
  __syncthreads();
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float3 p = points[i];
    float least = INFINITY;
    unsigned best = 0;
    for (unsigned k = 0; k < K; ++k) {
      const float3 c = centres[k];
      const float dx = p.x - c.x, dy = p.y - c.y, dz = p.z - c.z;
      const float distance = fmaf(dx, dx, fmaf(dy, dy, __fmul_rn(dz, dz)));
      if (distance < least) least = distance, best = k;
    }
    nearest[i] = best;
    atomicAdd(&own[best][0], p.x), atomicAdd(&own[best][1], p.y), atomicAdd(&own[best][2], p.z);
    atomicAdd(&own_counts[best], 1u);
  }
  __syncthreads();
  if (threadIdx.x < K * 3) atomicAdd(&sums[threadIdx.x], own[threadIdx.x / 3][threadIdx.x % 3]);
  if (threadIdx.x < K) atomicAdd(&counts[threadIdx.x], own_counts[threadIdx.x]);
}
