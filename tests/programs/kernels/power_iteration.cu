// The largest eigenvalue by power iteration: matrix times vector, norm by warp shuffles, both in one block.
extern "C" __global__ void power_iteration(const float* a, float* vector, float* value, int n, int steps) {
  __shared__ float v[128], parts[4];
  const int t = threadIdx.x;
  v[t] = t < n ? 1.0f : 0.0f;
  float norm = 0;
  for (int s = 0; s < steps; ++s) {
    __syncthreads();
    float sum = 0;
    if (t < n)
      for (int c = 0; c < n; ++c) sum = fmaf(a[c * n + t], v[c], sum);
    float square = sum * sum;
#pragma unroll
    for (int step = 1; step < 32; step *= 2) square += __shfl_xor_sync(0xffffffffu, square, step);
    if (t % 32 == 0) parts[t / 32] = square;
    __syncthreads();
    norm = sqrtf(parts[0] + parts[1] + parts[2] + parts[3]);
    v[t] = sum / norm;
  }
  if (t < n) vector[t] = v[t];
  if (t == 0) *value = norm;
}
