// Jacobi iterations for A x = b in one launch of one block; stops when no component moves by more than the tolerance.
extern "C" __global__ void jacobi(const double* a, const double* b, double* x, double* other, int n, double tolerance,
                                  int* iterations) {
  int count = 0, moving = 1;
  while (moving && count < 1000) {
    moving = 0;
    for (int r = threadIdx.x; r < n; r += blockDim.x) {
      double sum = b[r];
      for (int c = 0; c < n; ++c)
        if (c != r) sum -= a[r * n + c] * x[c];
      other[r] = sum / a[r * n + r];
      moving |= fabs(other[r] - x[r]) > tolerance;
    }
    moving = __syncthreads_or(moving);
    double* kept = x;
    x = other, other = kept;
    ++count;
  }
  if (threadIdx.x == 0) *iterations = moving ? -1 : count;
}
