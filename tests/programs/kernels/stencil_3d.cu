// Seven-point stencil that marches through z: the planes before and behind stay in registers, the middle one is shared.
extern "C" __global__ void stencil_3d(const float* x, float* y, int nx, int ny, int nz, float centre, float side) {
  __shared__ float plane[10][18];
  const int i = blockIdx.x * 16 + threadIdx.x, j = blockIdx.y * 8 + threadIdx.y;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const auto at = [&](int a, int b, int c) {
    return a < 0 || b < 0 || c < 0 || a >= nx || b >= ny || c >= nz ? 0.0f : x[(c * ny + b) * nx + a];
  };
  float behind = 0, here = at(i, j, 0);
  for (int k = 0; k < nz; ++k) {
    const float ahead = at(i, j, k + 1);
    plane[ty][tx] = here;
    if (threadIdx.x == 0) plane[ty][0] = at(i - 1, j, k);
    if (threadIdx.x == 15) plane[ty][17] = at(i + 1, j, k);
    if (threadIdx.y == 0) plane[0][tx] = at(i, j - 1, k);
    if (threadIdx.y == 7) plane[9][tx] = at(i, j + 1, k);
    __syncthreads();
    const float sum = plane[ty][tx - 1] + plane[ty][tx + 1] + plane[ty - 1][tx] + plane[ty + 1][tx] + behind + ahead;
    if (i < nx && j < ny) y[(k * ny + j) * nx + i] = centre * here + side * sum;
    behind = here, here = ahead;
    __syncthreads();
  }
}
