// Global alignment of two strings in one block, one thread per row, along the diagonals in three rotating buffers.
extern "C" __global__ void needleman_wunsch(const char* a, const char* b, int na, int nb, int* score) {
  __shared__ int diagonals[3][129];
  const int t = threadIdx.x;
  constexpr int match = 2, mismatch = -1, gap = -2;
  for (int d = 0; d <= na + nb; ++d) {
    const int j = d - t;
    if (t <= na && j >= 0 && j <= nb) {
      int best = 0;
      if (t == 0) best = j * gap;
      else if (j == 0) best = t * gap;
      else {
        const int taken = diagonals[(d + 1) % 3][t - 1] + (a[t - 1] == b[j - 1] ? match : mismatch);
        best = max(taken, max(diagonals[(d + 2) % 3][t - 1], diagonals[(d + 2) % 3][t]) + gap);
      }
      diagonals[d % 3][t] = best;
      if (d == na + nb) *score = best;
    }
    __syncthreads();
  }
}
