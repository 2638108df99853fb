// The warps of a block that an index has to be judged for.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include <tg/dsl/index/evaluate.hpp>

namespace tg::index {

/// Warps whose requests may cost differently: those whose lanes differ by more than what `Check::canonical(warp)` takes away.
template <class Check, class Form>
struct distinct_warps {
  static constexpr analysis::block_extent block = block_of<Form>;

 private:
  struct list {
    std::array<int, analysis::max_block_warps> warp{};
    std::array<std::uint8_t, analysis::max_block_warps> like{};
    int count = 0;
  };
  static constexpr list found = [] {
    list out;
    std::array<analysis::lane_value, analysis::max_block_warps> seen{};
    for (int w = 0; w < block.warps(); ++w) {
      const analysis::lane_value own = Check::canonical(w);
      int s = 0;
      while (s < out.count &&
             !(seen[s] == own && analysis::active_lanes(block, w) == analysis::active_lanes(block, out.warp[s])))
        ++s;
      out.like[w] = static_cast<std::uint8_t>(s);
      if (s < out.count) continue;
      seen[out.count] = own;
      out.warp[out.count++] = w;
    }
    return out;
  }();

 public:
  static constexpr int count = found.count;
  static constexpr auto warp = found.warp;
  /// Of each warp of the block: which of the distinct ones it is like.
  static constexpr auto like = found.like;
};

/// `Check::template of_warp<w>` of the distinct warps; each is a constant expression of its own.
template <class Check, class Form>
inline constexpr auto costs_of = [] {
  using warps = distinct_warps<Check, Form>;
  return []<int... N>(std::integer_sequence<int, N...>) {
    return std::array{Check::template of_warp<warps::warp[N]>...};
  }(std::make_integer_sequence<int, warps::count>{});
}();

/// The worst of them by `Check::worse`, the first of equals.
template <class Check, class Form>
inline constexpr auto worst_of = [] {
  auto worst = costs_of<Check, Form>[0];
  for (const auto& cost : costs_of<Check, Form>) worst = Check::worse(worst, cost);
  return worst;
}();

}  // namespace tg::index
