// nbody of bench/everyday.hpp.
extern "C" __global__ void __launch_bounds__(128) nbody(const float4* __restrict__ bodies, float4* __restrict__ out, unsigned n) {
  __shared__ float4 tile[128];
  const unsigned t = threadIdx.x, i = blockIdx.x * 128 + t;
  const float4 own = bodies[i];
  float ax = 0, ay = 0, az = 0;
  for (unsigned first = 0; first < n; first += 128) {
    tile[t] = bodies[first + t];
    __syncthreads();
    for (unsigned j = 0; j < 128; ++j) {
      const float4 other = tile[j];
      const float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-6f);
      const float pull = other.w * inverse * inverse * inverse;
      ax += dx * pull;
      ay += dy * pull;
      az += dz * pull;
    }
    __syncthreads();
  }
  out[i] = make_float4(ax, ay, az, 0);
}
