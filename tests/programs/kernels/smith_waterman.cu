// Local alignment with affine gaps, one pair per warp: lanes hold rows in strips and pass cells on by shuffles.
extern "C" __global__ void smith_waterman(const char* a, const char* b, int na, int nb, int* best_score, int* column) {
  const int lane = threadIdx.x, pair = blockIdx.x;
  a += pair * na, b += pair * nb;
  int best = 0;
  for (int strip = 0; strip < na; strip += 32) {
    const int row = strip + lane;
    const char mine = row < na ? a[row] : 0;
    int left = 0, corner = 0, gap_left = -1000, above_gap = -1000;
    for (int d = 0; d < nb + 31; ++d) {
      const int j = d - lane;
      int above = __shfl_up_sync(~0u, left, 1), gap_above = __shfl_up_sync(~0u, above_gap, 1);
      if (lane == 0) {
        above = strip > 0 && j < nb ? column[2 * (pair * nb + j)] : 0;
        gap_above = strip > 0 && j < nb ? column[2 * (pair * nb + j) + 1] : -1000;
      }
      if (j >= 0 && j < nb && row < na) {
        const int gap_here = max(above - 4, gap_above - 1);
        gap_left = max(left - 4, gap_left - 1);
        const int here = max(max(0, corner + (mine == b[j] ? 3 : -2)), max(gap_here, gap_left));
        corner = above, left = here, above_gap = gap_here;
        best = max(best, here);
        if (lane == 31) column[2 * (pair * nb + j)] = here, column[2 * (pair * nb + j) + 1] = gap_here;
      }
      __syncwarp();
    }
  }
  best = __reduce_max_sync(~0u, best);
  if (lane == 0) best_score[pair] = best;
}
