// conv1d and depthwise_conv2d of kernels/convolution.hpp.
extern "C" __global__ void __launch_bounds__(256)
    conv1d(const float* __restrict__ x, unsigned ldx, const float* __restrict__ w, float* __restrict__ y, unsigned ldy, int n,
           int outputs, int taps, int before) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= outputs) return;
  const float* line = x + static_cast<size_t>(blockIdx.y) * ldx;
  float sum = 0;
#pragma unroll 4
  for (int k = 0; k < taps; ++k) {
    const int from = i + k - before;
    // As an unsigned number, what is below 0 is above n too.
    if (static_cast<unsigned>(from) < static_cast<unsigned>(n)) sum = fmaf(w[k], line[from], sum);
  }
  y[static_cast<size_t>(blockIdx.y) * ldy + i] = sum;
}

extern "C" __global__ void __launch_bounds__(256)
    depthwise_conv2d(const float* __restrict__ x, unsigned ldx, const float* __restrict__ w, unsigned ldw,
                     float* __restrict__ y, unsigned ldy, int pixels, unsigned channels, int height, int width,
                     int weight_height, int weight_width, int out_height, int out_width, int stride, int top, int left) {
  const int pixel = blockIdx.x * 8 + threadIdx.y;
  const unsigned channel = (blockIdx.y * 32 + threadIdx.x) * 4;
  if (pixel >= pixels || channel >= channels) return;
  const int line = pixel / out_width, column = (pixel - line * out_width) * stride - left;
  const int picture = line / out_height, row = (line - picture * out_height) * stride - top;
  const float* weights = w + channel;
  const float* own = x + channel;
  float4 sum = make_float4(0, 0, 0, 0);
  for (int p = 0; p < weight_height; ++p) {
    const int r = row + p;
    if (static_cast<unsigned>(r) >= static_cast<unsigned>(height)) {
      weights += static_cast<size_t>(weight_width) * ldw;
      continue;
    }
    const float* from = own + (static_cast<ptrdiff_t>(picture * height + r) * width + column) * static_cast<ptrdiff_t>(ldx);
#pragma unroll 2
    for (int q = 0; q < weight_width; ++q, from += ldx, weights += ldw)
      if (static_cast<unsigned>(column + q) < static_cast<unsigned>(width)) {
        const float4 a = *reinterpret_cast<const float4*>(from), b = *reinterpret_cast<const float4*>(weights);
        sum = make_float4(fmaf(b.x, a.x, sum.x), fmaf(b.y, a.y, sum.y), fmaf(b.z, a.z, sum.z), fmaf(b.w, a.w, sum.w));
      }
  }
  *reinterpret_cast<float4*>(y + static_cast<size_t>(pixel) * ldy + channel) = sum;
}
