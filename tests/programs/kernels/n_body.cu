// Forces between bodies, tiles of positions in shared memory, a step of motion.
// nvcc: -lineinfo
constexpr int T = 64;

__device__ float3 pull(float4 from, float3 on, float3 sum) {
  const float dx = from.x - on.x, dy = from.y - on.y, dz = from.z - on.z;
  const float square = dx * dx + dy * dy + dz * dz + 0.01f;
  const float inverse = rsqrtf(square), scale = from.w * inverse * inverse * inverse;
  return make_float3(sum.x + dx * scale, sum.y + dy * scale, sum.z + dz * scale);
}

extern "C" __global__ void n_body(const float4* bodies, float3* forces, int n) {
  __shared__ float4 tile[T];
  const int i = blockIdx.x * T + threadIdx.x;
  const float4 me = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
  float3 sum = make_float3(0, 0, 0);
  for (int first = 0; first < n; first += T) {
    const int j = first + threadIdx.x;
    tile[threadIdx.x] = j < n ? bodies[j] : make_float4(0, 0, 0, 0);
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < T; ++k) sum = pull(tile[k], make_float3(me.x, me.y, me.z), sum);
    __syncthreads();
  }
  if (i < n) forces[i] = sum;
}
