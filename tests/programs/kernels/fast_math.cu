// The same with the compiler's fast functions: approximate, and denormals are zero.
// nvcc: -use_fast_math
extern "C" __global__ void fast_math(const float* x, float* y, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = x[i], a = fabsf(v);
  y[0 * n + i] = sinf(v);
  y[1 * n + i] = cosf(v);
  y[2 * n + i] = expf(v);
  y[3 * n + i] = logf(a);
  y[4 * n + i] = powf(a, 1.7f);
  y[5 * n + i] = v / 3.7f;
  y[6 * n + i] = sqrtf(a);
  y[7 * n + i] = tanhf(v);
  y[8 * n + i] = rsqrtf(a);
  y[9 * n + i] = __saturatef(v) + v * 1e-39f;
}
