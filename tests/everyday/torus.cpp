// A seven-point stencil on a periodic grid of three dimensions.
#include "checked.hpp"

using namespace tg::literals;
using everyday::checked_device;
using everyday::random_numbers;

namespace {

inline constexpr auto torus =
    tg::kernel<"torus">(tg::block<32, 4>, [](auto block, tg::in3<float> x, tg::out3<float> y, tg::scalar<unsigned> depth,
                                             tg::scalar<unsigned> height, tg::scalar<unsigned> width) {
      const auto i = tg::let(block.global_index());
      const auto j = tg::let(block.index.y * 4_c + block.thread.y);
      const auto k = block.index.z;
      tg::if_(i < width && j < height, [&] {
        const auto next = [](const auto& at, const auto& n) { return (at + 1u) % n; };
        const auto before = [](const auto& at, const auto& n) { return (at + n - 1u) % n; };
        y(k, j, i) = x(k, j, next(i, width)) + x(k, j, before(i, width)) + x(k, next(j, height), i) +
                     x(k, before(j, height), i) + x(next(k, depth), j, i) + x(before(k, depth), j, i) - 6.0f * x(k, j, i);
      });
    });

}  // namespace

TEST_CASE("a stencil on a torus") {
  for (const auto& size : {std::array<std::size_t, 3>{1, 1, 1}, {2, 3, 31}, {3, 4, 32}, {2, 5, 33}, {5, 8, 64}, {3, 7, 101}}) {
    const std::size_t d = size[0], h = size[1], w = size[2];
    CAPTURE(d);
    CAPTURE(h);
    CAPTURE(w);
    checked_device on;
    const auto in = random_numbers(d * h * w, -1, 1, 1);
    const auto x = on.gpu.upload(in);
    auto y = on.gpu.upload(std::vector<float>(d * h * w, 777.0f));
    on.gpu.launch(torus, tg::grid((w + 31) / 32, (h + 3) / 4, d), tg::mdspan(x, d, h, w), tg::mdspan(y, d, h, w), d, h, w);
    const auto out = y.to_host();
    const auto at = [&, d = d, h = h, w = w](std::size_t k, std::size_t j, std::size_t i) {
      return in[(k % d * h + j % h) * w + i % w];
    };
    double worst = 0;
    for (std::size_t k = 0; k < d; ++k)
      for (std::size_t j = 0; j < h; ++j)
        for (std::size_t i = 0; i < w; ++i) {
          const double want = double(at(k, j, i + 1)) + at(k, j, i + w - 1) + at(k, j + 1, i) + at(k, j + h - 1, i) +
                              at(k + 1, j, i) + at(k + d - 1, j, i) - 6.0 * at(k, j, i);
          worst = std::max(worst, std::abs(want - out[(k * h + j) * w + i]));
        }
    CHECK(worst < 1e-5);
  }
}
