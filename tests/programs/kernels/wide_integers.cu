// Arithmetic in 64 and 128 bits: products, quotients and remainders, modular powers, comparisons, shifts.
typedef unsigned long long u64;
typedef unsigned __int128 u128;

__device__ u64 power(u64 base, u64 exponent, u64 modulus) {
  u64 result = 1 % modulus;
  for (base %= modulus; exponent; exponent >>= 1) {
    if (exponent & 1) result = (u64)((u128)result * base % modulus);
    base = (u64)((u128)base * base % modulus);
  }
  return result;
}

extern "C" __global__ void wide_integers(const u64* x, u64* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 2 >= n) return;
  const u64 a = x[i], b = x[i + 1] | 1, c = x[i + 2];
  const u128 wide = (u128)a << 64 | c;
  const __int128 product = (__int128)(long long)a * (long long)c;
  const u128 shifted = wide >> (c & 127), quotient = wide / b;
  u64* to = out + 12 * i;
  to[0] = a / b, to[1] = a % b, to[2] = (u64)((long long)a / (long long)b), to[3] = (u64)((long long)c % (long long)b);
  to[4] = __umul64hi(a, c), to[5] = (u64)(product >> 64), to[6] = (u64)shifted, to[7] = (u64)(shifted >> 64);
  to[8] = (u64)quotient, to[9] = (u64)(quotient >> 64), to[10] = power(a, c & 0xff, b >> 1 | 1);
  to[11] = (wide < (u128)product) | (u64)(product < 0) << 1 | (u64)((__int128)wide > product) << 2;
}
