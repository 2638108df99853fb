// Numbers in arrays that ascend, as where the rows of products of different heights begin.
//
// Block b of an axis finds x(b) and x(b + 1) in a buffer that the kernel never writes, and every block of the grid comes to an
// assumption that the first of them is not above the second. Then x ascends from 0 to the number of blocks. So for b < c,
// x(b + 1) <= x(c): what block b has from x(b) to before x(b + 1) ends before what block c has. The blocks between b and c are
// needed for it, which is why the assumption has to be on the way of all threads of all blocks, and behind no condition.
#pragma once

#include <algorithm>
#include <cstdint>

#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/proof/block_distance.hpp>
#include <tg/dsl/proof/conditions.hpp>
#include <tg/dsl/proof/use.hpp>

namespace tg::proof {

/// The numbers from `first` to before `behind`, two symbols: blocks whose numbers differ along `axis` (0: x) have none in
/// common.
struct span_of_block {
  int axis = 0;
  std::uint32_t first = 0, behind = 0;
};

/// Follows what a kernel finds in buffers, and what all of its blocks take for granted.
class ascending {
 public:
  /// A load has found this number, by a use that reads nothing else.
  void find(const use& u, std::uint32_t symbol, bool is_signed) {
    if (!u.where.is_shared && !u.is_atomic && u.row_unit == 0)
      found_.push_back({symbol, u.where, u.offset, u.bytes, is_signed});
  }

  /// Every thread of every block comes to where this condition holds.
  void assume(const conditions& c, std::uint32_t condition) { (void)c.facts(condition, true, assumed_); }

  /// What is known at the end. Requires: `uses` are all uses of memory by the kernel.
  dynamic_array<span_of_block> spans(const symbols& s, const dynamic_array<use>& uses) const {
    dynamic_array<span_of_block> out;
    for (const form& f : assumed_) {
      // first - behind + base <= 0
      if (f.terms.size() != 2 || f.lanes || f.is_broken || f.base < 0) continue;
      const bool is_first = f.terms[0].factor == 1;
      const term &more = f.terms[is_first ? 0 : 1], &less = f.terms[is_first ? 1 : 0];
      if (more.factor != 1 || less.factor != -1) continue;
      const found_number *const first = number_of(more.symbol), *const behind = number_of(less.symbol);
      if (first == nullptr || behind == nullptr) continue;
      if (const int axis = axis_of_neighbours(s, *first, *behind); axis >= 0 && !is_written(uses, first->where))
        out.push_back({axis, more.symbol, less.symbol});
    }
    return out;
  }

 private:
  struct found_number {
    std::uint32_t symbol = 0;
    object where;
    form offset;
    number bytes = 0;
    bool is_signed = false;
  };

  const found_number* number_of(std::uint32_t symbol) const {
    const auto at = std::find_if(found_.begin(), found_.end(), [&](const found_number& n) { return n.symbol == symbol; });
    return at == found_.end() ? nullptr : &*at;
  }

  // The axis whose next block finds `first` where this one finds `behind`; -1: none.
  static int axis_of_neighbours(const symbols& s, const found_number& first, const found_number& behind) {
    if (first.where != behind.where || first.bytes != behind.bytes || first.is_signed != behind.is_signed) return -1;
    const form& f = first.offset;
    if (f.terms.size() != 1 || f.lanes || f.is_broken) return -1;
    if (!(behind.offset == add(f, constant(f.terms[0].factor)))) return -1;
    return detail::axis_of(s[f.terms[0].symbol].special);
  }

  static bool is_written(const dynamic_array<use>& uses, const object& o) {
    return std::any_of(uses.begin(), uses.end(), [&](const use& u) { return u.writes && u.where == o; });
  }

  dynamic_array<found_number> found_;
  dynamic_array<form> assumed_;
};

}  // namespace tg::proof
