// transpose_complex of kernels/fft_2d.hpp, through a tile with padded rows.
extern "C" __global__ void __launch_bounds__(256)
    transpose_complex(const float* __restrict__ a, unsigned lda, float* __restrict__ b, unsigned ldb, unsigned rows,
                      unsigned cols) {
  __shared__ float real[32][33], imaginary[32][33];
  const unsigned lane = threadIdx.x, left = blockIdx.x * 32, top = blockIdx.y * 32, image = blockIdx.z;
#pragma unroll
  for (unsigned k = 0; k < 32; k += 8) {
    const unsigned line = threadIdx.y + k;
    if (top + line < rows && left + lane < cols) {
      const float2 read = reinterpret_cast<const float2*>(a + static_cast<size_t>(image * rows + top + line) * lda)[left + lane];
      real[line][lane] = read.x;
      imaginary[line][lane] = read.y;
    }
  }
  __syncthreads();
#pragma unroll
  for (unsigned k = 0; k < 32; k += 8) {
    const unsigned line = threadIdx.y + k;
    if (left + line < cols && top + lane < rows)
      reinterpret_cast<float2*>(b + static_cast<size_t>(image * cols + left + line) * ldb)[top + lane] =
          make_float2(real[lane][line], imaginary[lane][line]);
  }
}
