// C = alpha * A * B + beta * C, each thread 8 x 4 values in registers, A read as vectors and stored transposed.
constexpr int M = 64, N = 64, K = 8;

extern "C" __global__ void __launch_bounds__(128) gemm_registers(const float4* a, const float* b, float* c, float alpha,
                                                                 float beta, int n, int k) {
  __shared__ float ta[2][K][M], tb[2][K][N];
  const int t = threadIdx.x, tx = t % 16, ty = t / 16;
  float sums[8][4] = {};
  const auto fetch = [&](int side, int first) {
    const float4 v = a[((blockIdx.y * M + t / 2) * k + first) / 4 + t % 2];
    ta[side][t % 2 * 4 + 0][t / 2] = v.x, ta[side][t % 2 * 4 + 1][t / 2] = v.y;
    ta[side][t % 2 * 4 + 2][t / 2] = v.z, ta[side][t % 2 * 4 + 3][t / 2] = v.w;
#pragma unroll
    for (int i = 0; i < K * N / 128; ++i) {
      const int row = (t + i * 128) / N, column = (t + i * 128) % N;
      tb[side][row][column] = b[(first + row) * n + blockIdx.x * N + column];
    }
  };
  fetch(0, 0);
  __syncthreads();
  for (int first = 0, side = 0; first < k; first += K, side ^= 1) {
    if (first + K < k) fetch(side ^ 1, first + K);
#pragma unroll
    for (int i = 0; i < K; ++i) {
      float va[8], vb[4];
#pragma unroll
      for (int r = 0; r < 8; ++r) va[r] = ta[side][i][ty * 8 + r];
#pragma unroll
      for (int r = 0; r < 4; ++r) vb[r] = tb[side][i][tx * 4 + r];
#pragma unroll
      for (int r = 0; r < 32; ++r) sums[r / 4][r % 4] += va[r / 4] * vb[r % 4];
    }
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < 8; ++r) {
    float4* to = (float4*)&c[(blockIdx.y * M + ty * 8 + r) * n + blockIdx.x * N + tx * 4];
    const float4 old = *to;
    *to = make_float4(alpha * sums[r][0] + beta * old.x, alpha * sums[r][1] + beta * old.y,
                      alpha * sums[r][2] + beta * old.z, alpha * sums[r][3] + beta * old.w);
  }
}
