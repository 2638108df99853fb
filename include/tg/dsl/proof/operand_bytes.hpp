// Which bytes of a tile a warpgroup's product reads: what its matrix descriptors say.
//
// A descriptor is followed back to the address of the tile that it was made of:
//
//   start      = address >> 4 & 0x3fff | leading << 16, plus distances in units of 16 bytes
//   descriptor = start | stride << 32 | swizzle << 62, plus constant distances
//
// Bytes with a swizzle lie in atoms of 8 rows; where a product reads a part of each row, all of the atom is counted.
// Source: PTX ISA 9.0, "Asynchronous warpgroup-level matrix shared memory layout", "Matrix descriptor".
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/proof/values.hpp>
#include <tg/ptx/ir/function.hpp>
#include <tg/ptx/ir/matrix_shape.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/ir/type.hpp>
#include <tg/ptx/meaning/register_uses.hpp>

namespace tg::proof {

/// Runs of bytes, each the same number.
struct operand_bytes {
  form start = {};                  // the address that `runs` count from
  dynamic_array<number> runs = {};  // where each begins, from the lowest on
  number bytes = 0;                 // of each
  number alignment = 16;            // the address has to have
  bool has_more = false;            // than the product reads
};

/// The operands in shared memory of the products in one function.
class shared_operands {
 public:
  shared_operands(const ptx::function& f, values& v) : function_(f), values_(v) {}

  /// What instruction `n`, a product of a warpgroup, reads of tiles; nothing where that is not followed.
  std::optional<dynamic_array<operand_bytes>> of(std::uint32_t n) {
    const ptx::instruction& i = function_.body[n];
    const ptx::matrix_shape shape = ptx::to_matrix_shape(i.tokens());
    if (shape.k == 0 || i.has(ptx::token::sp) || i.operand_count < 4) return std::nullopt;
    before_ = n;
    const bool has_left = i[1].is_reg();
    dynamic_array<operand_bytes> out;
    if (has_left) {
      auto left = read(i[1], 64, shape.k, is_transposed(i, 0));
      if (!left) return std::nullopt;
      out.push_back(std::move(*left));
    }
    auto right = read(i[2], static_cast<number>(shape.n), shape.k, is_transposed(i, has_left ? 1 : 0));
    if (!right) return std::nullopt;
    out.push_back(std::move(*right));
    return out;
  }

 private:
  static constexpr number depth_bytes = 32;  // of each line, for every type of elements

  /// Bits of a descriptor, in bytes; `start` is an address.
  struct descriptor {
    form start;
    number leading = 0, stride = 0, swizzle = 16;
  };

  // Behind the four operands that all have are two signs, then whether each operand in shared memory lies along its lines.
  static bool is_transposed(const ptx::instruction& i, int number_of_operand) {
    const int at = 6 + number_of_operand;
    return i.operand_count > at && i[static_cast<std::size_t>(at)].value != 0;
  }

  std::optional<operand_bytes> read(const ptx::operand& o, number lines, std::size_t depth, bool is_by_line) {
    const auto d = describe(o);
    if (!d) return std::nullopt;
    operand_bytes out{.start = d->start};
    const auto add_runs = [&](number count, number distance, number count_within, number distance_within) {
      for (number outer = 0; outer < count; ++outer)
        for (number inner = 0; inner < count_within; ++inner) out.runs.push_back(outer * distance + inner * distance_within);
    };
    const number core = 8 * d->swizzle;  // 8 rows
    if (d->swizzle == 16) {
      const auto deep = is_by_line ? static_cast<number>(depth) / 8 : depth_bytes / 16;
      add_runs(lines / 8, d->stride, deep, d->leading);
    } else {
      const auto place = place_in(d->start, core);
      if (!place) return std::nullopt;
      if (is_by_line) {
        const number wide = lines * 2;
        if (*place != 0) return std::nullopt;
        add_runs((wide + d->swizzle - 1) / d->swizzle, d->leading, static_cast<number>(depth) / 8, d->stride);
        out.has_more = wide % d->swizzle != 0;
      } else {
        if (*place + depth_bytes > d->swizzle) return std::nullopt;
        out.start = add(out.start, constant(-*place));
        add_runs(lines / 8, d->stride, 1, 0);
        out.has_more = d->swizzle != depth_bytes;
      }
      out.alignment = core;
    }
    out.bytes = core;
    join(out);
    return out;
  }

  // Runs that follow each other become one, if all do alike.
  static void join(operand_bytes& o) {
    std::sort(o.runs.begin(), o.runs.end());
    std::size_t together = 1;
    while (together < o.runs.size() && o.runs[together] == o.runs[together - 1] + o.bytes) ++together;
    if (o.runs.size() % together != 0) return;
    dynamic_array<number> joined;
    for (std::size_t r = 0; r < o.runs.size(); r += together) {
      for (std::size_t k = 1; k < together; ++k)
        if (o.runs[r + k] != o.runs[r + k - 1] + o.bytes) return;
      joined.push_back(o.runs[r]);
    }
    o.runs = std::move(joined);
    o.bytes *= static_cast<number>(together);
  }

  // Where in blocks of `size` bytes an address begins, if that is known.
  std::optional<number> place_in(form address, number size) const {
    if (!values_.object_of(address) || address.is_broken || !has_multiples(address, size)) return std::nullopt;
    const number place = address.at(0) % size;
    for (std::size_t t = 1; t < values_.threads() && address.lanes; ++t)
      if (address.at(t) % size != place) return std::nullopt;
    return place < 0 ? std::nullopt : std::optional(place);
  }

  static bool has_multiples(const form& f, number size) {
    return std::all_of(f.terms.begin(), f.terms.end(), [&](const term& t) { return t.factor % size == 0; });
  }

  // The instruction that wrote a register, the only one, if it calculates `what` with an integer.
  const ptx::instruction* step(const ptx::operand& o, ptx::calculation what, number with) {
    const ptx::instruction* const i = definition(o);
    const bool is_it = i != nullptr && ptx::computes(i->op, what) && (*i)[2].is(ptx::operand_kind::integer);
    return is_it && (with < 0 || (*i)[2].value == with) ? i : nullptr;
  }
  const ptx::instruction* definition(const ptx::operand& o) {
    if (writers_.empty()) writers_ = ptx::count_definitions(function_);
    if (!o.is_reg() || !writers_[o.id].is_value() || writers_[o.id].definition >= before_) return nullptr;
    const ptx::instruction& i = function_.body[writers_[o.id].definition];
    return i.is_guarded() ? nullptr : &i;
  }

  std::optional<descriptor> describe(const ptx::operand& o) {
    using ptx::calculation;
    if (const ptx::instruction* const sum = step(o, calculation::add, -1)) {
      auto out = describe((*sum)[1]);
      if (out) out->start = add(out->start, constant((*sum)[2].value * 16));
      return out;
    }
    const ptx::instruction* const whole = step(o, calculation::bit_or, -1);
    if (whole == nullptr) return std::nullopt;
    const auto high = static_cast<std::uint64_t>((*whole)[2].value);
    const ptx::instruction* const widened = definition((*whole)[1]);
    constexpr std::uint64_t stride_and_swizzle = 0xc0003fff00000000;
    if ((high & ~stride_and_swizzle) != 0 || widened == nullptr || !ptx::computes(widened->op, calculation::convert))
      return std::nullopt;
    constexpr number widths[] = {16, 128, 64, 32};
    auto out = low_word((*widened)[1]);
    if (!out) return std::nullopt;
    out->stride = static_cast<number>(high >> 32 & 0x3fff) * 16;
    out->swizzle = widths[high >> 62];
    return out;
  }

  // Start and leading distance.
  std::optional<descriptor> low_word(const ptx::operand& o) {
    using ptx::calculation;
    const ptx::instruction* const i = definition(o);
    if (i == nullptr) return std::nullopt;
    if (ptx::computes(i->op, calculation::add)) {
      auto out = low_word((*i)[1]);
      const auto further = out ? distance((*i)[2]) : std::nullopt;
      if (!further) return std::nullopt;
      out->start = add(out->start, *further);
      return out;
    }
    const ptx::instruction* const with_leading = step(o, calculation::bit_or, -1);
    if (with_leading == nullptr || ((*with_leading)[2].value & ~std::int64_t{0x3fff0000}) != 0) return std::nullopt;
    const ptx::instruction* const cut = step((*with_leading)[1], calculation::bit_and, 0x3fff);
    const ptx::instruction* const units = cut == nullptr ? nullptr : step((*cut)[1], calculation::shr, 4);
    if (units == nullptr) return std::nullopt;
    return descriptor{.start = values_.form_of((*units)[1]), .leading = ((*with_leading)[2].value >> 16) * 16};
  }

  // Bytes of a number of units of 16.
  std::optional<form> distance(const ptx::operand& o) {
    if (o.is(ptx::operand_kind::integer)) return constant(o.value * 16);
    if (const ptx::instruction* const units = step(o, ptx::calculation::shr, 4)) {
      form bytes = values_.as_number(values_.form_of((*units)[1]), 32, false);
      const bool is_whole = [&] {
        for (std::size_t t = 0; t < (bytes.lanes ? values_.threads() : 1); ++t)
          if (bytes.at(t) % 16 != 0) return false;
        return has_multiples(bytes, 16);
      }();
      if (is_whole) return bytes;
    }
    return scaled(values_.as_number(values_.form_of(o), 32, false), 16);
  }

  const ptx::function& function_;
  values& values_;
  dynamic_array<ptx::register_use> writers_;
  std::uint32_t before_ = 0;
};

}  // namespace tg::proof
