// The warps of a block that an index has to be judged for.
#pragma once

#include <array>
#include <utility>

#include <tg/dsl/index/evaluate.hpp>

namespace tg::index {

/// Warps whose requests may cost differently: those whose lanes differ by more than what `Check::canonical(warp)` takes away.
template <class Check, class Form>
struct distinct_warps {
  static constexpr analysis::block_extent block = block_of<Form>;

 private:
  struct list {
    std::array<int, 32> warp{};
    int count = 0;
  };
  static constexpr list found = [] {
    list out;
    std::array<analysis::lane_value, 32> seen{};
    for (int w = 0; w < block.warps(); ++w) {
      const analysis::lane_value own = Check::canonical(w);
      bool is_new = true;
      for (int s = 0; s < out.count && is_new; ++s)
        is_new = !(seen[s] == own && analysis::active_lanes(block, w) == analysis::active_lanes(block, out.warp[s]));
      if (!is_new) continue;
      seen[out.count] = own;
      out.warp[out.count++] = w;
    }
    return out;
  }();

 public:
  static constexpr int count = found.count;
  static constexpr std::array<int, 32> warp = found.warp;
};

/// The worst of `Check::template of_warp<w>` over the distinct warps; each is a constant expression of its own.
template <class Check, class Form>
inline constexpr auto worst_of = [] {
  using warps = distinct_warps<Check, Form>;
  return []<int... N>(std::integer_sequence<int, N...>) {
    auto worst = Check::template of_warp<warps::warp[0]>;
    ((worst = Check::worse(worst, Check::template of_warp<warps::warp[N]>)), ...);
    return worst;
  }(std::make_integer_sequence<int, warps::count>{});
}();

}  // namespace tg::index
