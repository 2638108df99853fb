// What the patterns of an index are made of: the registers whose lanes are known, and what they hold. Two warps with equal
// leaves have equal patterns, so one of them is enough to judge both.
#pragma once

#include <algorithm>
#include <cstdint>

#include <tg/analysis/division.hpp>
#include <tg/analysis/lane_value.hpp>
#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/operand.hpp>

namespace tg::detail {

/// What a pattern was made of: a register, and what it holds; of a dividend less a multiple of `unit`.
struct lane_leaf {
  ptx::operand o;
  std::int64_t unit = 0;
  analysis::lane_value lanes;
};

/// `v` less a multiple of `unit`; 0: as it is.
inline analysis::lane_value less(analysis::lane_value v, std::int64_t unit) {
  if (unit == 0) return v;
  const std::int64_t shift = analysis::floor_div(*std::min_element(v.offset.begin(), v.offset.end()), unit) * unit;
  for (auto& o : v.offset) o -= shift;
  return v;
}

/// The leaves of one warp, each once.
class lane_leaves {
 public:
  void add(const ptx::operand& o, const analysis::lane_value& v, std::int64_t unit) {
    if (!o.is_reg()) return;
    for (const lane_leaf& known : all_)
      if (known.o == o && known.unit == unit) return;
    all_.push_back({o, unit, less(v, unit)});
  }

  const dynamic_array<lane_leaf>& all() const { return all_; }

  /// Takes over another warp's leaves. Returns: whether they hold the same here, as `lanes_of` an operand says.
  template <class LanesOf> bool are_like(const dynamic_array<lane_leaf>& other, LanesOf& lanes_of) {
    all_ = other;
    return std::all_of(other.begin(), other.end(), [&](const lane_leaf& own) {
      const analysis::lane_value here = lanes_of(own.o);
      return here.known && less(here, own.unit) == own.lanes;
    });
  }

 private:
  dynamic_array<lane_leaf> all_;
};

}  // namespace tg::detail
