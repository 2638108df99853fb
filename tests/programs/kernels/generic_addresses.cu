// One function on pointers into global, shared and local memory, which asks what it got; volatile, byte and vector accesses.
__device__ __noinline__ int sum_of(const int* p, int n) {
  int sum = __isGlobal(p) * 1000 + __isShared(p) * 2000 + __isLocal(p) * 3000;
  for (int i = 0; i < n; ++i) sum += p[i];
  return sum;
}

extern "C" __global__ void generic_addresses(const int* x, int* y, unsigned char* bytes, double2* pairs) {
  extern __shared__ int tile[];
  const int t = threadIdx.x, n = blockDim.x;
  volatile int* own = tile + n;
  int local[4];
  for (int k = 0; k < 4; ++k) local[k] = x[(t + k * 5) % n];
  tile[t] = x[t];
  own[t] = t;
  own[t] = own[t] + own[t];
  __syncthreads();
  const int* which = t % 3 == 0 ? x + t / 4 * 4 : t % 3 == 1 ? tile + t / 4 * 4 : local;
  y[t] = sum_of(which, 4) + own[n - 1 - t];
  const uchar4 four = *(const uchar4*)&x[t];
  bytes[2 * t] = four.x ^ four.w, bytes[2 * t + 1] = (unsigned char)(((const short*)tile)[2 * t + 1] >> 3);
  const int4 vector = *(const int4*)&tile[t / 4 * 4];
  pairs[t] = make_double2(vector.x - vector.w, __ldg(&x[t]) + __ldcg(&x[n - 1 - t]));
}
