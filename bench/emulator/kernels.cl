// The kernels of kernels.cu in OpenCL C.
#define TILE 16
#define THREADS 256
#define BINS 256

kernel void vector_add(global const float* a, global const float* b, global float* c, int n) {
  const int i = get_global_id(0);
  if (i < n) c[i] = a[i] + b[i];
}

kernel void looped_fma(global const float* in, global float* out, float a, float b, int turns) {
  const int i = get_global_id(0);
  float x = in[i];
  for (int k = 0; k < turns; ++k) x = fma(x, a, b);
  out[i] = x;
}

kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void tiled_sgemm(global const float* a, global const float* b,
                                                                             global float* c, int n) {
  local float as[TILE][TILE], bs[TILE][TILE];
  const int tx = get_local_id(0), ty = get_local_id(1);
  const int row = get_group_id(1) * TILE + ty, column = get_group_id(0) * TILE + tx;
  float sum = 0;
  for (int at = 0; at < n; at += TILE) {
    as[ty][tx] = a[row * n + at + tx];
    bs[ty][tx] = b[(at + ty) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; ++k) sum = fma(as[ty][k], bs[k][tx], sum);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}

kernel __attribute__((reqd_work_group_size(THREADS, 1, 1))) void tree_reduction(global const float* in, global float* out) {
  local float part[THREADS];
  const int t = get_local_id(0);
  part[t] = in[get_group_id(0) * THREADS + t];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = THREADS / 2; step > 0; step /= 2) {
    if (t < step) part[t] += part[t + step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0) out[get_group_id(0)] = part[0];
}

kernel __attribute__((reqd_work_group_size(THREADS, 1, 1))) void softmax(global const float* in, global float* out,
                                                                         int columns) {
  local float part[THREADS];
  const int t = get_local_id(0);
  global const float* const row = in + get_group_id(0) * columns;
  float most = -INFINITY;
  for (int c = t; c < columns; c += THREADS) most = fmax(most, row[c]);
  part[t] = most;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = THREADS / 2; step > 0; step /= 2) {
    if (t < step) part[t] = fmax(part[t], part[t + step]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  most = part[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int c = t; c < columns; c += THREADS) sum += exp(row[c] - most);
  part[t] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = THREADS / 2; step > 0; step /= 2) {
    if (t < step) part[t] += part[t + step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  const float scale = 1 / part[0];
  for (int c = t; c < columns; c += THREADS) out[get_group_id(0) * columns + c] = exp(row[c] - most) * scale;
}

kernel __attribute__((reqd_work_group_size(BINS, 1, 1))) void histogram(global const uint* in, global uint* out, int n) {
  local uint counts[BINS];
  counts[get_local_id(0)] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(&counts[in[i] & (BINS - 1)]);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&out[get_local_id(0)], counts[get_local_id(0)]);
}
