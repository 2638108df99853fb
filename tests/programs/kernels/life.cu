// Conway's game of life, one bit per cell, 32 cells per word, neighbours counted by bitwise adders; the field is a torus.
// clang: -O2
__device__ unsigned west(const unsigned* row, int w, int words) { return row[w] << 1 | row[(w + words - 1) % words] >> 31; }
__device__ unsigned east(const unsigned* row, int w, int words) { return row[w] >> 1 | row[(w + 1) % words] << 31; }

struct count {
  unsigned ones, twos, fours;
  __device__ void add(unsigned bit) {
    const unsigned carry = ones & bit, more = twos & carry;
    ones ^= bit, twos ^= carry, fours |= more;
  }
};

extern "C" __global__ void life(const unsigned* now, unsigned* next, int words, int rows) {
  const int w = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
  if (w >= words || r >= rows) return;
  count n{0, 0, 0};
  for (int dr = -1; dr <= 1; ++dr) {
    const unsigned* row = now + (r + dr + rows) % rows * words;
    n.add(west(row, w, words));
    n.add(east(row, w, words));
    if (dr != 0) n.add(row[w]);
  }
  next[r * words + w] = n.twos & ~n.fours & (n.ones | now[r * words + w]);
}
