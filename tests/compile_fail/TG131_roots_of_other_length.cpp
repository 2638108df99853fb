// Roots of a Fourier transform of another length.
// expect: TG131
// expect: fft_root<64>
// expect: fft_root<128>
#include <tg/runtime/device.hpp>

#include <kernels/fft.hpp>

void launch(tg::device& gpu) {
  auto x = gpu.zeros<float>(128), y = gpu.zeros<float>(128);
#ifdef TG_WRONG
  auto roots = gpu.upload(tg::kernels::fft_roots<128>());
#else
  auto roots = gpu.upload(tg::kernels::fft_roots<64>());
#endif
  gpu.launch(tg::kernels::fft<64>, tg::kernels::fft_grid<64>(1), tg::matrix(x, 1, 128), roots, tg::matrix(y, 1, 128), 1u);
}
