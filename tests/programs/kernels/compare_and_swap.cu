// Loops of compare and swap in 16, 32, 64 and 128 bits: products, a maximum of floats, a list built by pushes.
extern "C" __global__ void compare_and_swap(const unsigned* x, unsigned* product, double* most, unsigned short* halves,
                                            unsigned* head, unsigned* next, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned old = *(volatile unsigned*)product, seen;
  do {
    seen = old;
    old = atomicCAS(product, seen, seen * (x[i] | 1));
  } while (old != seen);

  const double mine = (double)x[i] - 2e9;
  unsigned long long* cell = (unsigned long long*)most;
  unsigned long long now = *(volatile unsigned long long*)cell;
  while (__longlong_as_double((long long)now) < mine) {
    const unsigned long long found = atomicCAS(cell, now, (unsigned long long)__double_as_longlong(mine));
    if (found == now) break;
    now = found;
  }

  unsigned short* half = &halves[x[i] % 5];
  unsigned short before = *(volatile unsigned short*)half, expected;
  do {
    expected = before;
    before = atomicCAS(half, expected, (unsigned short)(expected + 3));
  } while (before != expected);

  unsigned first = *(volatile unsigned*)head;
  for (;;) {
    next[i] = first;
    const unsigned found = atomicCAS(head, first, i);
    if (found == first) break;
    first = found;
  }
}
