// saxpy4 of kernels/saxpy4.hpp.
extern "C" __global__ void __launch_bounds__(256) saxpy4(const float* __restrict__ x, float* __restrict__ y, float a, unsigned n) {
  const unsigned i = blockIdx.x * 256 + threadIdx.x;
  if (i < n / 4) {
    const float4 u = reinterpret_cast<const float4*>(x)[i];
    float4 v = reinterpret_cast<float4*>(y)[i];
    v.x = a * u.x + v.x;
    v.y = a * u.y + v.y;
    v.z = a * u.z + v.z;
    v.w = a * u.w + v.w;
    reinterpret_cast<float4*>(y)[i] = v;
  }
  const unsigned rest = n / 4 * 4 + i;
  if (rest < n) y[rest] = a * x[rest] + y[rest];
}
