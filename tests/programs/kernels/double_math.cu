// Double-precision functions of one argument each, selected by the row of the block.
extern "C" __global__ void double_math(const double* x, double* y, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double v = x[i], a = fabs(v);
  double r = 0;
  switch (blockIdx.y) {
    case 0: r = sin(v); break;
    case 1: r = cos(v); break;
    case 2: r = exp(v); break;
    case 3: r = log(a); break;
    case 4: r = pow(a, 0.3); break;
    case 5: r = erf(v); break;
    case 6: r = tgamma(a); break;
    case 7: r = atan(v); break;
    case 8: r = tanh(v); break;
    case 9: r = cbrt(v); break;
    case 10: r = log1p(a); break;
    case 11: r = expm1(v); break;
    case 12: r = sqrt(a); break;
    case 13: r = fmod(v, 0.7); break;
    case 14: r = rint(v); break;
    case 15: r = 1 / v; break;
    case 16: r = hypot(v, 3.0); break;
    case 17: r = tan(v); break;
    case 18: r = lgamma(a); break;
    case 19: r = rsqrt(a); break;
    case 20: r = ldexp(v, 5) + trunc(v) - floor(v) + ceil(v) + round(v); break;
    default: r = sinh(v) + cosh(v); break;
  }
  y[blockIdx.y * n + i] = r;
}
