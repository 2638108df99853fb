// Functions that call themselves: Fibonacci, Ackermann, the greatest common divisor, and two that call each other.
__device__ __noinline__ unsigned fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ __noinline__ unsigned ackermann(unsigned m, unsigned n) {
  if (m == 0) return n + 1;
  return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
__device__ __noinline__ unsigned long long divisor(unsigned long long a, unsigned long long b) {
  return b == 0 ? a : divisor(b, a % b);
}
__device__ __noinline__ unsigned odd_part(const unsigned char* digits, unsigned n);
__device__ __noinline__ unsigned even_part(const unsigned char* digits, unsigned n) {
  return n == 0 ? 0 : digits[n - 1] + odd_part(digits, n - 1);
}
__device__ __noinline__ unsigned odd_part(const unsigned char* digits, unsigned n) {
  return n == 0 ? 0 : 10 * digits[n - 1] + even_part(digits, n - 1);
}

extern "C" __global__ void recursion(const unsigned* x, unsigned* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned char digits[10];
  unsigned count = 0;
  for (unsigned v = x[i]; v; v /= 10) digits[count++] = v % 10;
  out[4 * i] = fibonacci(x[i] % 12), out[4 * i + 1] = ackermann(x[i] % 3, x[i] / 3 % 4);
  out[4 * i + 2] = (unsigned)divisor(x[i], 720720ull * 4096), out[4 * i + 3] = even_part(digits, count);
}
