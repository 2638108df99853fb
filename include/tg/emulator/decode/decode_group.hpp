// wgmma.mma_async and its fences: a warp group's products.
#pragma once

#include <tg/emulator/decode/decode_product.hpp>
#include <tg/emulator/matrix/group_product.hpp>

namespace tg::emulator::detail {

inline void decode_group_product(decoder& d, const ptx::instruction& i) {
  const auto made = std::make_shared<group_product_step>();
  const dynamic_array<ptx::token> types = types_of(i);
  made->shape = ptx::to_matrix_shape(i.tokens());
  made->shape.m = 16;
  made->how = accumulation_of(i);
  made->a.element = element_of(types[1], d.unit());
  made->element_b = element_of(types[2], d.unit());
  const bool a_in_registers = i[1].is(ptx::operand_kind::vector);
  if (a_in_registers) {
    made->a.registers = sources_of(d, i[1]);
    made->a.layout = layout_of_a(made->shape, made->a.element.per_register());
  } else {
    made->descriptor_a = d.source(i[1], lane_type::u64);
  }
  made->descriptor_b = d.source(i[2], lane_type::u64);
  made->adds = d.predicate(i[3]);
  if (i.operand_count > 4) made->sign = static_cast<float>(i[4].value * i[5].value);
  std::size_t next = 6;
  if (i.operand_count > next && !a_in_registers) made->a_by_line = i[next++].value != 0;
  if (i.operand_count > next) made->b_by_line = i[next].value != 0;
  made->d = accumulators(d, results_of(d, i[0]), layout_of_c(made->shape), types[0]);
  append_step(d, made);
}

/// Source: PTX ISA 9.0, 9.7.19.5 "setmaxnreg".
inline void decode_register_count(decoder& d, const ptx::instruction& i) {
  const std::int64_t count = i[0].value;
  if (count < 24 || count > 256 || count % 8 != 0) d.refuse("sets no multiple of 8 from 24 to 256 registers");
  append_step(d, std::make_shared<register_count_step>(static_cast<std::uint32_t>(count), i.has(ptx::token::inc)));
}

/// Products are done when they are issued: commits and waits only tell the checkers until when tiles are read.
inline void decode_group(decoder& d, const ptx::instruction& i) {
  using ptx::token;
  if (i.has(token::mma_async)) return decode_group_product(d, i);
  const bool waits = i.has(token::wait_group);
  append_step(d, std::make_shared<group_order_step>(
                     i.has(token::commit_group), waits ? std::optional(static_cast<std::uint32_t>(i[0].value)) : std::nullopt));
}

}  // namespace tg::emulator::detail
