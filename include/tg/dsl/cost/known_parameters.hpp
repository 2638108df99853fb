// A recorded kernel as one launch of it runs: scalars and strides are the numbers that the launch gives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/proof/parameter_fact.hpp>
#include <tg/ptx/ir/module.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/ir/operation.hpp>
#include <tg/ptx/ir/type.hpp>
#include <tg/ptx/meaning/register_uses.hpp>
#include <tg/ptx/passes/fold_constants.hpp>
#include <tg/ptx/passes/forward_copies.hpp>

namespace tg::detail {

/// The number of a parameter as an operand for a register of type `reg`.
inline ptx::operand to_operand(ptx::token type, ptx::token reg, const std::byte* at) {
  const int bits = ptx::width_bits(type), wide = ptx::width_bits(reg);
  std::uint64_t number = 0;
  std::memcpy(&number, at, static_cast<std::size_t>(bits) / 8);
  if (ptx::is_signed(type) && bits < 64) number = (number ^ (1ull << (bits - 1))) - (1ull << (bits - 1));
  if (wide < 64) number &= (1ull << wide) - 1;
  ptx::operand out = ptx::operand::integer(static_cast<std::int64_t>(number));
  if (reg == ptx::token::f32) out.kind = ptx::operand_kind::f32;
  if (reg == ptx::token::f64) out.kind = ptx::operand_kind::f64;
  return out;
}

/// Puts numbers where the kernel of `m` reads its parameters, so that loops over them are loops between constants. `bytes`: the
/// parameters of a launch as they lie in memory, or the first of them. Addresses and tensor maps stay parameters.
/// Requires: a module as it was recorded, before any pass; a fact for each of its parameters.
inline void put_in_parameters(ptx::module& m, const dynamic_array<proof::parameter_fact>& facts,
                              std::span<const std::byte> bytes) {
  ptx::function& f = m.functions.front();
  const auto places = ptx::places_of_arguments(f.params);
  for (ptx::instruction& i : f.body) {
    if (!ptx::is_load(i.op) || i[1].base != ptx::operand_kind::param || i[1].value != 0 || !i[0].is_reg()) continue;
    const std::size_t p = i[1].id;
    if (p >= facts.size() || facts[p].what == proof::parameter_fact::kind::buffer || facts[p].box_bytes != 0) continue;
    if (places[p].offset + static_cast<std::size_t>(ptx::width_bits(places[p].type)) / 8 > bytes.size()) continue;
    const ptx::token reg = f.registers[i[0].id].type;
    const ptx::location where = i.where;
    i = ptx::instruction(ptx::operation::copy(reg), {i[0], to_operand(places[p].type, reg, bytes.data() + places[p].offset)});
    i.where = where;
  }
  // Bounds of loops become numbers before any loop is unrolled.
  const dynamic_array<ptx::register_use> uses = ptx::count_uses(f);
  ptx::forward_copies(f, uses);
  ptx::fold_constants(f, uses);
}

/// Bytes of the tiles whose size the launch decides. 0 for those that these parameters do not give.
inline std::int64_t sized_tile_bytes(const ptx::module& m, std::span<const std::byte> bytes) {
  const auto places = ptx::places_of_arguments(m.functions.front().params);
  if (places.empty() || places.back().offset + static_cast<std::size_t>(ptx::width_bits(places.back().type)) / 8 > bytes.size())
    return 0;
  std::int64_t out = 0;
  for (const ptx::shared_tile& t : m.tiles) {
    if (ptx::is_fixed(t)) continue;
    std::int64_t own = t.element_bytes;
    for (const ptx::shared_tile::extent& e : t.extents) own *= ptx::evaluate(e.size, places, bytes.data()).value_or(0);
    out += ptx::aligned_tile_bytes(own);
  }
  return out;
}

}  // namespace tg::detail
