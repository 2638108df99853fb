// Two-dimensional DCT of 8 x 8 tiles with a table of cosines in constant memory, one warp pair per tile.
__constant__ float basis[8][8];

extern "C" __global__ void dct_8x8(const float* x, float* y, int width) {
  __shared__ float in[8][8], half[8][9];
  const int u = threadIdx.x, v = threadIdx.y, at = (blockIdx.y * 8 + v) * width + blockIdx.x * 8 + u;
  in[v][u] = x[at];
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) sum += basis[u][k] * in[v][k];
  half[v][u] = sum;
  __syncthreads();
  sum = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) sum += basis[v][k] * half[k][u];
  y[at] = sum;
}
