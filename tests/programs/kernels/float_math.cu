// Precise single-precision functions, selected by the row of the block.
extern "C" __global__ void float_math(const float* x, float* y, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = x[i], a = fabsf(v);
  float r = 0;
  switch (blockIdx.y) {
    case 0: r = sinf(v); break;
    case 1: r = cosf(v); break;
    case 2: r = expf(v); break;
    case 3: r = logf(a); break;
    case 4: r = powf(a, 1.7f); break;
    case 5: r = erff(v); break;
    case 6: r = tgammaf(a); break;
    case 7: r = atan2f(v, 2.0f); break;
    case 8: r = tanhf(v); break;
    case 9: r = cbrtf(v); break;
    case 10: r = log2f(a); break;
    case 11: r = exp2f(v); break;
    case 12: r = sqrtf(a); break;
    case 13: r = fmodf(v, 0.7f); break;
    case 14: r = 1 / v; break;
    case 15: r = rsqrtf(a); break;
    case 16: r = asinf(v / 9); break;
    case 17: r = log1pf(a); break;
    case 18: r = sinpif(v); break;
    case 19: r = v / 3.7f; break;
    default: r = fdimf(v, 0.5f) + copysignf(1.5f, v) + truncf(v) + rintf(v) + fminf(v, 0.25f); break;
  }
  y[blockIdx.y * n + i] = r;
}
