// An index that is a product by a constant: x(i * 4) scales i to bytes in one product.
#pragma once

#include <cstdint>
#include <limits>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/meaning/register_uses.hpp>

namespace tg::ptx {

/// Part of `contract`. The product that widens a 32-bit index to bytes takes the constant factor of the index into its own, by
/// the rule of the language that an index does not wrap. The factor must have no other readers than such products.
class index_scales {
 public:
  /// Requires: what `uses` says of the instructions that are left.
  index_scales(function& f, const dynamic_array<register_use>& uses) : f_(f), uses_(uses) {}

  /// Remembers the product at `position`, if it may scale an index. Requires: positions ascend.
  void note(std::uint32_t position) {
    const instruction& i = f_.body[position];
    if (!i.has(token::wide) || width_bits(i.type()) != 32 || i.is_guarded() || !is_factor(i[2])) return;
    if (is_value(uses_, i[0]) && inner_product(i[1]) != nullptr) noted_.push_back(position);
  }

  void run() {
    if (noted_.empty()) return;
    find_addresses();
    dynamic_array<std::uint32_t> readers(uses_.size());
    for (const std::uint32_t n : noted_)
      if (scales_an_index(n)) ++readers[f_.body[n][1].id];
    for (const std::uint32_t n : noted_) {
      instruction& i = f_.body[n];
      if (!scales_an_index(n) || readers[i[1].id] != uses_[i[1].id].reads) continue;
      const instruction& inner = *inner_product(i[1]);
      i[2].value *= factor_of(inner);
      i[1] = inner[1];
    }
  }

 private:
  static constexpr std::int64_t largest = std::numeric_limits<std::int32_t>::max();

  static bool is_factor(const operand& o) { return o.is(operand_kind::integer) && o.value > 0 && o.value <= largest; }

  static std::int64_t factor_of(const instruction& i) {
    return computes(i.op, calculation::shl) ? std::int64_t{1} << i[2].value : i[2].value;
  }

  // The product by a constant that `o` is; none: null.
  const instruction* inner_product(const operand& o) const {
    if (!is_value(uses_, o)) return nullptr;
    const instruction& i = f_.body[uses_[o.id].definition];
    if (i.is_guarded() || i.operand_count != 3 || !is_factor(i[2]) || !is_value(uses_, i[1])) return nullptr;
    const bool is_shift = computes(i.op, calculation::shl) && i[2].value < 31;
    if (!is_shift && !(computes(i.op, calculation::mul) && i.has(token::lo))) return nullptr;
    return width_bits(i.type()) == 32 ? &i : nullptr;
  }

  bool scales_an_index(std::uint32_t n) const {
    const instruction& i = f_.body[n];
    const instruction* const inner = inner_product(i[1]);
    return inner != nullptr && is_part_[i[0].id] && i[2].value <= largest / factor_of(*inner);
  }

  // Registers that addresses are sums of.
  void find_addresses() {
    is_part_ = dynamic_array<bool>(f_.registers.size());
    for (std::size_t n = f_.body.size(); n-- > 0;) {
      const instruction& i = f_.body[n];
      for (const operand& o : i.operands())
        if (o.is(operand_kind::address) && o.base == operand_kind::reg) is_part_[o.id] = true;
      if (!computes(i.op, calculation::add) || !i[0].is_reg() || !is_part_[i[0].id]) continue;
      for (const operand& o : i.operands().subspan(1))
        if (is_value(uses_, o)) is_part_[o.id] = true;
    }
  }

  function& f_;
  const dynamic_array<register_use>& uses_;
  dynamic_array<std::uint32_t> noted_;
  dynamic_array<bool> is_part_;
};

}  // namespace tg::ptx
