// nearest and n_body of kernels/nearest.hpp and kernels/n_body.hpp.
constexpr int kept = 8, dimensions = 3;

__device__ __forceinline__ void offer(float (&distances)[kept], unsigned (&found)[kept], float distance, unsigned point) {
  if (!(distance < distances[kept - 1])) return;
#pragma unroll
  for (int i = kept - 1; i > 0; --i) {
    const bool is_behind = distance < distances[i - 1], is_before = distance < distances[i];
    found[i] = is_behind ? found[i - 1] : is_before ? point : found[i];
    distances[i] = is_behind ? distances[i - 1] : is_before ? distance : distances[i];
  }
  if (distance < distances[0]) distances[0] = distance, found[0] = point;
}

extern "C" __global__ void __launch_bounds__(128)
    nearest(const float* __restrict__ points, unsigned ldp, const float* __restrict__ queries, unsigned ldq,
            float* __restrict__ distance, unsigned ldd, unsigned* __restrict__ point, unsigned ldo, unsigned n,
            unsigned count) {
  __shared__ float4 tile[dimensions][32];
  const unsigned lane = threadIdx.x, query = blockIdx.x * 128 + lane;
  float own[dimensions], distances[kept];
  unsigned found[kept];
#pragma unroll
  for (int d = 0; d < dimensions; ++d) own[d] = queries[static_cast<size_t>(d) * ldq + min(query, count - 1)];
#pragma unroll
  for (int i = 0; i < kept; ++i) distances[i] = __int_as_float(0x7f800000), found[i] = ~0u;
  for (unsigned first = 0; first < n; first += 128) {
    __syncthreads();
#pragma unroll
    for (int d = 0; d < dimensions; ++d)
      reinterpret_cast<float*>(tile[d])[lane] =
          first + lane < n ? points[static_cast<size_t>(d) * ldp + first + lane] : __int_as_float(0x7f800000);
    __syncthreads();
    for (int p = 0; p < 32; ++p) {
      float4 sum = make_float4(0, 0, 0, 0);
#pragma unroll
      for (int d = 0; d < dimensions; ++d) {
        const float4 four = tile[d][p];
        const float4 off = make_float4(own[d] - four.x, own[d] - four.y, own[d] - four.z, own[d] - four.w);
        sum = make_float4(fmaf(off.x, off.x, sum.x), fmaf(off.y, off.y, sum.y), fmaf(off.z, off.z, sum.z),
                          fmaf(off.w, off.w, sum.w));
      }
      if (fminf(fminf(sum.x, sum.y), fminf(sum.z, sum.w)) < distances[kept - 1]) {
        const unsigned at = first + p * 4;
        offer(distances, found, sum.x, at);
        offer(distances, found, sum.y, at + 1);
        offer(distances, found, sum.z, at + 2);
        offer(distances, found, sum.w, at + 3);
      }
    }
  }
  if (query >= count) return;
#pragma unroll
  for (int i = 0; i < kept; ++i) {
    distance[static_cast<size_t>(i) * ldd + query] = distances[i];
    point[static_cast<size_t>(i) * ldo + query] = found[i];
  }
}

extern "C" __global__ void __launch_bounds__(256)
    n_body(const float4* __restrict__ bodies, float4* __restrict__ pull, unsigned n, float softening, float g) {
  __shared__ float4 tile[256];
  const unsigned lane = threadIdx.x, i = blockIdx.x * 256 + lane;
  const float4 own = bodies[min(i, n - 1)];
  const float softness = softening * softening;
  float x = 0, y = 0, z = 0, potential = 0;
  for (unsigned first = 0; first < n; first += 256) {
    __syncthreads();
    tile[lane] = first + lane < n ? bodies[first + lane] : make_float4(0, 0, 0, 0);
    __syncthreads();
#pragma unroll 8
    for (int j = 0; j < 256; ++j) {
      const float4 other = tile[j];
      const float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
      const float inverse = rsqrtf(fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, softness))));
      const float height = other.w * inverse, strength = height * (inverse * inverse);
      x = fmaf(strength, dx, x);
      y = fmaf(strength, dy, y);
      z = fmaf(strength, dz, z);
      potential -= height;
    }
  }
  if (i >= n) return;
  // A body has no potential of itself.
  pull[i] = make_float4(x * g, y * g, z * g, (potential + own.w * rsqrtf(softness)) * g);
}
