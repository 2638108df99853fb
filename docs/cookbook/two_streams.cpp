// Two streams overlapped
//
// The two halves are copied and computed on a stream each, so that on a GPU the copy of one half runs beside the kernel of the
// other. Host memory is pinned; a copy from plain memory would go through the library's own pinned chunks. Copies and kernels
// of one stream keep their order. A stream's state is its type: `submit` ends its work, `wait` waits for it.
#include <cstdio>
#include <utility>
#include <vector>

#include <tg/tg.hpp>

inline constexpr auto square = tg::kernel<"square">(tg::block<256>, [](auto block, tg::inout<float> x, tg::scalar<unsigned> n) {
  const auto i = tg::let(block.global_index());
  tg::if_(i < n, [&] { x(i) *= tg::let(x(i)); });
});

int main() {
  const std::size_t half = 5000;
  tg::device gpu;
  tg::pinned<float> in[2] = {tg::pinned<float>(gpu, half), tg::pinned<float>(gpu, half)};
  tg::pinned<float> out[2] = {tg::pinned<float>(gpu, half), tg::pinned<float>(gpu, half)};
  tg::buffer<float> x[2] = {gpu.allocate<float>(half), gpu.allocate<float>(half)};
  for (int h = 0; h < 2; ++h)
    for (std::size_t k = 0; k < half; ++k) in[h].data()[k] = float(k % 100 + std::size_t(h));

  std::vector<tg::submitted_stream> going;
  for (int h = 0; h < 2; ++h) {
    auto work = tg::stream(gpu, {.is_non_blocking = true}).begin();
    work.copy(x[h], in[h]);
    work.launch(square, tg::cover(half), x[h], half);
    work.copy(out[h], x[h]);
    going.push_back(std::move(work).submit());
  }
  for (auto& stream : going) (void)std::move(stream).wait();

  std::size_t wrong = 0;
  for (int h = 0; h < 2; ++h)
    for (std::size_t k = 0; k < half; ++k) wrong += out[h].data()[k] != in[h].data()[k] * in[h].data()[k];
  std::printf("two streams, %zu elements wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}
