// Arrays of a thread with indices known only at run time: a permutation by a shuffled deck, a small stack machine.
extern "C" __global__ void local_arrays(const unsigned* seeds, unsigned char* decks, int* results, const char* program,
                                        int length, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned char deck[52];
  for (int k = 0; k < 52; ++k) deck[k] = k;
  unsigned s = seeds[i];
  for (int k = 51; k > 0; --k) {
    s = s * 1664525u + 1013904223u;
    const int other = (s >> 8) % (k + 1);
    const unsigned char kept = deck[k];
    deck[k] = deck[other], deck[other] = kept;
  }
  for (int k = 0; k < 52; ++k) decks[i * 52 + k] = deck[k];

  int stack[8], top = 0;
  for (int k = 0; k < length; ++k) {
    const char c = program[k];
    if (c >= '0' && c <= '9') stack[top++] = c - '0';
    else if (c == 'x') stack[top++] = (int)deck[top + i % 40];
    else {
      const int b = stack[--top], a = stack[top - 1];
      stack[top - 1] = c == '+' ? a + b : c == '-' ? a - b : a * b;
    }
  }
  results[i] = stack[0];
}
