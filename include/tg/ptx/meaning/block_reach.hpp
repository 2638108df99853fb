// How many blocks a kernel's own 32-bit arithmetic can tell apart.
#pragma once

#include <algorithm>
#include <cstdint>

#include <tg/base/dynamic_array.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/ptx/ir/block_limits.hpp>
#include <tg/ptx/meaning/integer_meaning.hpp>
#include <tg/ptx/meaning/register_uses.hpp>

namespace tg::ptx {

/// The largest factor that a place is taken to have; larger ones, of hashes and random numbers, may wrap. It is that of
/// 1024 threads of 1024 elements each.
inline constexpr std::uint64_t largest_place_factor = 1u << 20;

/// How many blocks a grid may have along each axis until a number of 32 bits that is computed from %ctaid or %nctaid
/// with additions, shifts and products by constants wraps around: 2^32 / 256 along x for %ctaid.x * 256 + %tid.x.
/// Variables are followed from line to line, factors that are known at run time not at all. Requires: a flat function.
block_limits block_reach(const function& f);

namespace detail {

/// What a register has of the place of a block: its factors along the three axes, and of a number of blocks.
struct place_factors {
  fixed_array<std::uint64_t, 3> index{};
  fixed_array<std::uint64_t, 3> count{};

  bool any() const { return index != fixed_array<std::uint64_t, 3>{} || count != fixed_array<std::uint64_t, 3>{}; }
  place_factors times(std::uint64_t factor) const {
    place_factors out = *this;
    for (auto* own : {&out.index, &out.count})
      for (std::uint64_t& n : *own) n = factor > largest_place_factor || n * factor > largest_place_factor ? 0 : n * factor;
    return out;
  }
  place_factors plus(const place_factors& other) const {
    place_factors out = *this;
    for (std::size_t k = 0; k < 3; ++k) {
      out.index[k] = std::max(index[k], other.index[k]);
      out.count[k] = std::max(count[k], other.count[k]);
    }
    return out;
  }
};

inline place_factors factors_of(special s) {
  place_factors out;
  if (s >= special::ctaid_x && s <= special::ctaid_z)
    out.index[static_cast<std::size_t>(s) - static_cast<std::size_t>(special::ctaid_x)] = 1;
  if (s >= special::nctaid_x && s <= special::nctaid_z)
    out.count[static_cast<std::size_t>(s) - static_cast<std::size_t>(special::nctaid_x)] = 1;
  return out;
}

/// The factors of a register, or a number: 0 stands for one that is not known.
struct placed_value {
  place_factors factors;
  std::int64_t number = 0;
};

struct place_domain : blank_domain<placed_value> {
  value copy(const value& a) const { return {a.factors}; }
  value add(const value& a, const value& b) const { return {a.factors.plus(b.factors)}; }
  value mul_low(const value& a, const value& b, word_type) const {
    if (b.number > 0) return {a.factors.times(static_cast<std::uint64_t>(b.number))};
    if (a.number > 0) return {b.factors.times(static_cast<std::uint64_t>(a.number))};
    return {};
  }
  value shl(const value& a, const value& b, word_type) const {
    return b.number > 0 && b.number < 32 ? value{a.factors.times(std::uint64_t{1} << b.number)} : value{};
  }
};

}  // namespace detail

inline block_limits block_reach(const function& f) {
  using detail::place_factors;
  const auto is_of_grid = [](const instruction& i) {
    return i[1].is(operand_kind::special) && detail::factors_of(static_cast<special>(i[1].id)).any();
  };
  if (std::none_of(f.body.begin(), f.body.end(), is_of_grid)) return no_block_limits;

  dynamic_array<place_factors> known(1);                   // the first: no factors
  dynamic_array<std::uint32_t> slots(f.registers.size());  // in `known`, of what each register holds now
  block_limits out = no_block_limits;
  const auto factors_of = [&](const operand& o) {
    if (o.is(operand_kind::special)) return detail::factors_of(static_cast<special>(o.id));
    return o.is_reg() ? known[slots[o.id]] : place_factors{};
  };
  const auto result_of = [&](const instruction& i) {
    return integer_result(i, detail::place_domain(),
                          [&](std::size_t k) -> detail::placed_value {
                            return {factors_of(i[k]), i[k].is(operand_kind::integer) ? i[k].value : 0};
                          })
        .factors;
  };
  for (const instruction& i : f.body) {
    if (i.is_guarded()) continue;
    const bool is_word = i.operand_count >= 2 && i[0].is_reg() && width_bits(f.registers[i[0].id].type) == 32;
    const place_factors own = is_word ? result_of(i) : place_factors{};  // of what the registers held before
    for_each_written(f, i, [&](std::uint32_t r) { slots[r] = 0; });
    if (!own.any()) continue;
    slots[i[0].id] = static_cast<std::uint32_t>(known.size());
    known.push_back(own);
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint64_t of_index = own.index[k], of_count = own.count[k];
      // An index is below the number of blocks, a count may equal it: count * factor must fit for the last block too.
      if (of_index > 1) out[k] = std::min(out[k], static_cast<std::uint32_t>((std::uint64_t{1} << 32) / of_index));
      if (of_count > 1) out[k] = std::min(out[k], static_cast<std::uint32_t>(UINT32_MAX / of_count));
    }
  }
  return out;
}

}  // namespace tg::ptx
