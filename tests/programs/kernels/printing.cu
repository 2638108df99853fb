// printf with all kinds of arguments, from some threads.
#include <cstdio>

extern "C" __global__ void printing(const char* name, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) printf("plain text, 100%%\n");
  if (i == 1) printf("%d %u %x %c|%5d|%-5d|%05d\n", -7, 4000000000u, 0xbeefu, 'q', 42, 42, 42);
  if (i == 2) printf("%s and %s: %f %.3e %g\n", "literal", name, 1.5, 12345.678, 0.1f);
  if (i == 3) printf("%lld %llu %016llx %p\n", -5000000000ll, 18446744073709551615ull, 0x123456789abcull, (void*)nullptr);
  if (i >= 8 && i < 8 + n) printf("thread %d\n", i);
}
