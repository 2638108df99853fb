// Templates, lambdas, a functor with state and an array of what they make.
template <class F, int Times>
struct repeated {
  F f;
  __device__ float operator()(float x) const {
#pragma unroll
    for (int k = 0; k < Times; ++k) x = f(x);
    return x;
  }
};
template <int Times, class F>
__device__ repeated<F, Times> repeat(F f) { return {f}; }

template <class... F>
__device__ float chain(float x, F... f) {
  ((x = f(x)), ...);
  return x;
}

extern "C" __global__ void templates(const float* x, float* y, float a, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const auto scale = [a](float v) { return __fmul_rn(v, a); };
  const auto shift = [=](float v) { return __fadd_rn(v, (float)i); };
  y[i] = chain(x[i], repeat<3>(scale), shift, repeat<2>([](float v) { return __fsub_rn(v, 0.5f); }), scale);
}
