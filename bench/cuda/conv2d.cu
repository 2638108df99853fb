// conv2d of kernels/conv2d.hpp, in bf16 and by single pixels: as gemm_bf16.cu, but rows of the left operand are the pixels under a
// place of the window, and the right operand lies as outs x channels for each place.
#include <cuda_bf16.h>

#include "tensor_core.cuh"

namespace {

constexpr unsigned threads = 128, tile = 128, depth = 32, stages = 4;
constexpr unsigned left_bytes = tile * depth * 2, stage_bytes = 2 * left_bytes;
constexpr unsigned staged_pitch = tile + 8;

}  // namespace

extern "C" __global__ void __launch_bounds__(threads)
    conv2d(const __nv_bfloat16* __restrict__ x, unsigned ldx, const __nv_bfloat16* __restrict__ w, unsigned ldw,
           __nv_bfloat16* __restrict__ y, unsigned ldy, unsigned pictures, unsigned channels, unsigned outs, unsigned height,
           unsigned width, unsigned out_height, unsigned out_width, unsigned window_height, unsigned window_width, unsigned zeros_above,
           unsigned zeros_before) {
  extern __shared__ __align__(128) unsigned char ring[];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned top = blockIdx.y * tile, left = blockIdx.x * tile;
  const unsigned warp_row = warp / 2 * 64, warp_column = warp % 2 * 64;
  const unsigned base = shared_address(ring);
  const unsigned places = window_height * window_width, pixels = pictures * out_height * out_width;
  const unsigned parts = places * ((channels + depth - 1) / depth);

  // Where the windows of the four pixels begin whose rows this thread copies.
  unsigned first_line[4], first_column[4], picture_line[4];
#pragma unroll
  for (unsigned e = 0; e < 4; ++e) {
    const unsigned pixel = top + threadIdx.x / 4 + 32 * e, lines = pixel / out_width, picture = lines / out_height;
    first_line[e] = pixel < pixels ? lines - picture * out_height - zeros_above : 0x80000000u;
    first_column[e] = pixel - lines * out_width - zeros_before;
    picture_line[e] = picture * height;
  }
  unsigned chunk = 0, place = 0, down = 0, across = 0;
  const auto fetch = [&](unsigned part) {
    const unsigned to = base + part % stages * stage_bytes, column = chunk * depth + threadIdx.x % 4 * 8;
    const unsigned bytes = column < channels ? 16 : 0;
#pragma unroll
    for (unsigned e = 0; e < 4; ++e) {
      const unsigned line = first_line[e] + down, own = first_column[e] + across;
      const bool is_there = line < height && own < width;
      const unsigned pixel = is_there ? (picture_line[e] + line) * width + own : 0;
      copy_async(to + narrow(threadIdx.x / 4 + 32 * e, threadIdx.x % 4), &x[static_cast<size_t>(pixel) * ldx + column],
                 is_there ? bytes : 0);
    }
#pragma unroll
    for (unsigned e = 0; e < 4; ++e) {
      const unsigned row = threadIdx.x / 4 + 32 * e, out = left + row;
      copy_async(to + left_bytes + narrow(row, threadIdx.x % 4), &w[static_cast<size_t>(out * places + place) * ldw + column],
                 out < outs && place < places ? bytes : 0);
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
    ++chunk;
    if (chunk * depth >= channels) {
      chunk = 0, ++place;
      if (++across == window_width) across = 0, ++down;
    }
  };
  float sum[4][8][4] = {};
  fetch(0);
  fetch(1);
  fetch(2);
#pragma unroll 1
  for (unsigned part = 0; part < parts; ++part) {
    asm volatile("cp.async.wait_group 2;" ::: "memory");
    __syncthreads();
    fetch(part + 3);
    const unsigned from = base + part % stages * stage_bytes;
#pragma unroll
    for (unsigned step = 0; step < 2; ++step) {
      unsigned rows[4][4];
#pragma unroll
      for (unsigned i = 0; i < 4; ++i) load_matrices(rows[i], from + narrow(warp_row + 16 * i + lane % 16, 2 * step + lane / 16));
#pragma unroll
      for (unsigned j = 0; j < 4; ++j) {
        unsigned columns[4];
        load_matrices(columns, from + left_bytes +
                                   narrow(warp_column + 16 * j + lane % 8 + lane / 16 * 8, 2 * step + lane / 8 % 2));
#pragma unroll
        for (unsigned i = 0; i < 4; ++i) {
          multiply(sum[i][2 * j], rows[i], columns[0], columns[1]);
          multiply(sum[i][2 * j + 1], rows[i], columns[2], columns[3]);
        }
      }
    }
  }
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  __syncthreads();

  auto* staged = reinterpret_cast<__nv_bfloat16*>(ring);
#pragma unroll
  for (unsigned i = 0; i < 4; ++i)
#pragma unroll
    for (unsigned j = 0; j < 8; ++j)
#pragma unroll
      for (unsigned half = 0; half < 2; ++half) {
        const unsigned row = warp_row + 16 * i + 8 * half + lane / 4, column = warp_column + 8 * j + lane % 4 * 2;
        *reinterpret_cast<__nv_bfloat162*>(&staged[row * staged_pitch + column]) =
            __floats2bfloat162_rn(sum[i][j][2 * half], sum[i][j][2 * half + 1]);
      }
  __syncthreads();
#pragma unroll
  for (unsigned e = 0; e < 16; ++e) {
    const unsigned row = threadIdx.x / 16 + 8 * e, column = threadIdx.x % 16 * 8;
    if (top + row >= pixels) break;
    if (left + column < outs)
      *reinterpret_cast<uint4*>(&y[static_cast<size_t>(top + row) * ldy + left + column]) =
          *reinterpret_cast<const uint4*>(&staged[row * staged_pitch + column]);
  }
}
