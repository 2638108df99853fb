// Radix-2 FFT of 256 points per block in shared memory, decimation in time, twiddles from sincospif.
constexpr int N = 256;

extern "C" __global__ void fft(float2* data, int inverse) {
  __shared__ float2 s[N];
  const int t = threadIdx.x;
  data += blockIdx.x * N;
  for (int i = t; i < N; i += N / 2) s[__brev(i) >> 24] = data[i];
  for (int half = 1; half < N; half *= 2) {
    __syncthreads();
    const int k = t % half, low = t / half * 2 * half + k;
    float sine, cosine;
    sincospif((inverse ? 1.0f : -1.0f) * k / half, &sine, &cosine);
    const float2 a = s[low], b = s[low + half];
    const float2 turned = make_float2(b.x * cosine - b.y * sine, b.x * sine + b.y * cosine);
    s[low] = make_float2(a.x + turned.x, a.y + turned.y);
    s[low + half] = make_float2(a.x - turned.x, a.y - turned.y);
  }
  __syncthreads();
  for (int i = t; i < N; i += N / 2) data[i] = s[i];
}
