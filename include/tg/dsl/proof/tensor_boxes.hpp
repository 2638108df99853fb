// How many bytes a tensor copy moves: the instruction does not say. The type of the tensor map does, or what the kernel says of
// a map that the launch makes of a view.
#pragma once

#include <cstdint>
#include <map>

#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/proof/numbers.hpp>
#include <tg/dsl/proof/parameter_fact.hpp>
#include <tg/ptx/ir/function.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/ir/view_map.hpp>
#include <tg/ptx/meaning/register_uses.hpp>

namespace tg::proof {

/// Finds the parameter of the function that a copy takes its map from.
class tensor_boxes {
 public:
  /// Requires: all outlive this.
  tensor_boxes(const ptx::function& f, const dynamic_array<parameter_fact>& parameters,
               const dynamic_array<ptx::view_map>& maps)
      : function_(f), parameters_(parameters), maps_(maps) {}

  /// Bytes of the box of the map at this address; -1: not known.
  number bytes_at(const ptx::operand& map) {
    if (map.kind != ptx::operand_kind::address || map.base != ptx::operand_kind::reg || map.value != 0) return -1;
    const auto [at, is_new] = known_.try_emplace(map.id, -1);
    if (is_new) at->second = bytes_in(map.id, 0);
    return at->second;
  }

 private:
  // What the only instruction says that writes the register: the address of a parameter, or a copy of another register.
  number bytes_in(std::uint32_t reg, int depth) const {
    const ptx::instruction* made_by = nullptr;
    int writes = 0;
    for (const ptx::instruction& i : function_.body)
      ptx::for_each_written(function_, i, [&](std::uint32_t written) {
        if (written == reg) made_by = &i, ++writes;
      });
    if (writes != 1 || depth > 3 || made_by->operand_count < 2) return -1;
    const bool is_copy =
        ptx::computes(made_by->op, ptx::calculation::copy) || ptx::computes(made_by->op, ptx::calculation::convert_address);
    if (!is_copy || made_by->is_guarded()) return -1;
    const ptx::operand& from = (*made_by)[1];
    if (from.is(ptx::operand_kind::param)) return bytes_of_parameter(from.id);
    return from.is_reg() ? bytes_in(from.id, depth + 1) : -1;
  }

  number bytes_of_parameter(std::uint32_t parameter) const {
    for (const ptx::view_map& m : maps_)
      if (m.parameter == parameter) return m.box_bytes();
    const number known = parameter < parameters_.size() ? parameters_[parameter].box_bytes : 0;
    return known > 0 ? known : -1;
  }

  const ptx::function& function_;
  const dynamic_array<parameter_fact>& parameters_;
  const dynamic_array<ptx::view_map>& maps_;
  std::map<std::uint32_t, number> known_;
};

}  // namespace tg::proof
