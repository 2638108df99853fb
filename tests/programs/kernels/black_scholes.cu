// Prices of European options, grid-stride; the normal distribution from erfc.
__device__ float normal(float x) { return 0.5f * erfcf(-0.70710678f * x); }

extern "C" __global__ void black_scholes(const float* spot, const float* strike, const float* years, float* call,
                                         float* put, float rate, float volatility, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float spread = volatility * sqrtf(years[i]);
    const float d1 = (logf(spot[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / spread;
    const float d2 = d1 - spread;
    const float discounted = strike[i] * expf(-rate * years[i]);
    call[i] = spot[i] * normal(d1) - discounted * normal(d2);
    put[i] = discounted * normal(-d2) - spot[i] * normal(-d1);
  }
}
