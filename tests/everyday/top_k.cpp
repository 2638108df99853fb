// The eight largest of each row, by one warp: each lane keeps a sorted list of its own, then the warp takes the largest
// head eight times.
#include "checked.hpp"

#include <algorithm>
#include <functional>

using namespace tg::literals;
using everyday::checked_device;
using everyday::random_numbers;

namespace {

constexpr int k = 8;

inline constexpr auto top_k =
    tg::kernel<"top_k">(tg::block<128>, [](auto block, tg::in2<float> x, tg::out2<float> values, tg::out2<unsigned> places,
                                           tg::scalar<unsigned> rows, tg::scalar<unsigned> columns) {
      const auto warp = block.warp();
      const auto row = tg::let(block.index.x * 4_c + warp.index);
      tg::regs<float, k> best = std::numeric_limits<float>::lowest();
      tg::regs<unsigned, k> where = 0xffffffffu;
      tg::if_(row < rows, [&] {
        tg::for_(tg::range(warp.lane, columns, 32_c), [&](auto j) {
          tg::var<float> v = x(row, j);
          tg::var<unsigned> p = j;
          tg::if_(v > best(k - 1), [&] {
            for (int s = 0; s < k; ++s) {
              const auto is_larger = tg::let(v > best(s));
              const auto old_v = tg::let(best(s));
              const auto old_p = tg::let(where(s));
              best(s) = tg::select(is_larger, v, old_v);
              where(s) = tg::select(is_larger, p, old_p);
              v = tg::select(is_larger, old_v, v);
              p = tg::select(is_larger, old_p, p);
            }
          });
        });
      });
      for (int r = 0; r < k; ++r) {
        const auto top = tg::let(warp.max(best(0)));
        const auto owner = tg::let(warp.min(tg::select(best(0) == top, where(0), 0xffffffffu)));
        tg::if_(row < rows && warp.lane == 0u, [&] {
          values(row, r) = top;
          places(row, r) = owner;
        });
        tg::if_(best(0) == top && where(0) == owner, [&] {
          for (int s = 0; s + 1 < k; ++s) {
            best(s) = best(s + 1);
            where(s) = where(s + 1);
          }
          best(k - 1) = std::numeric_limits<float>::lowest();
          where(k - 1) = 0xffffffffu;
        });
      }
    });

}  // namespace

TEST_CASE("the eight largest of each row") {
  for (const std::size_t columns : {8u, 31u, 32u, 33u, 64u, 1009u}) {
    CAPTURE(columns);
    const std::size_t rows = 7;
    checked_device on;
    const auto h = random_numbers(rows * columns, -100, 100, static_cast<unsigned>(columns));
    const auto x = on.gpu.upload(h);
    auto values = on.gpu.upload(std::vector<float>(rows * k, NAN));
    auto places = on.gpu.upload(std::vector<unsigned>(rows * k, 7777));
    on.gpu.launch(top_k, tg::grid((rows + 3) / 4), tg::matrix(x, rows, columns), tg::matrix(values, rows, std::size_t{k}),
                  tg::matrix(places, rows, std::size_t{k}), rows, columns);
    const auto v = values.to_host();
    const auto p = places.to_host();
    for (std::size_t r = 0; r < rows; ++r) {
      std::vector<float> sorted(h.begin() + static_cast<long>(r * columns), h.begin() + static_cast<long>((r + 1) * columns));
      std::sort(sorted.begin(), sorted.end(), std::greater<>());
      for (std::size_t i = 0; i < std::size_t{k}; ++i) {
        CHECK(v[r * k + i] == sorted[i]);
        CHECK(h[r * columns + p[r * k + i]] == sorted[i]);
      }
    }
  }
}
