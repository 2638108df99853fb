// How the maps of views are declared.
#pragma once

#include <tg/dsl/bulk/view_map.hpp>

#include <cstdint>
#include <optional>

#include <tg/base/config.hpp>
#include <tg/dsl/bulk/tensor_map.hpp>
#include <tg/dsl/recorder/launch_number_maker.hpp>
#include <tg/dsl/recorder/tape.hpp>
#include <tg/dsl/recorder/tracer.hpp>

namespace tg::detail {

/// The parameter that holds the address of a view; none for other addresses.
inline std::optional<ptx::launch_number> address_of_view(tape& own, const ptx::operand& base) {
  const ptx::instruction* const to_global = base.is_reg() ? own.definition_of(base.id) : nullptr;
  if (to_global == nullptr || to_global->op != ptx::opcode::cvta) return std::nullopt;
  return launch_number_maker(own, own.where).find((*to_global)[1]);
}

TG_LIBRARY_FUNCTION recorded_view_map map_view(const view_registers& view, const map_facts& facts, const ptx::operand& rows,
                                               const ptx::operand& columns) {
  auto& t = tracer::current();
  tape& own = t.recorded();
  const launch_number_maker number(own, own.where);
  const dimension_step step = view.facts->step(0);
  const auto address = address_of_view(own, view.base);
  const auto pitch = number.find(step.is_known ? ptx::operand::integer(step.elements * facts.element_bytes) : view.strides[0]);
  if (!address || !pitch) return {};
  const auto known_rows = number.find(rows), known_columns = number.find(columns);
  ptx::view_map wanted{.parameter = 0,
                       .type = facts.type,
                       .element_bytes = facts.element_bytes,
                       .swizzle = facts.swizzle,
                       .box_rows = facts.box[1],
                       .box_columns = facts.box[0],
                       .address = *address,
                       .pitch_bytes = *pitch,
                       .rows = known_rows.value_or(ptx::launch_number()),
                       .columns = known_columns.value_or(ptx::launch_number())};
  const bool ends_with_rows = known_rows.has_value(), ends_with_columns = known_columns.has_value();
  for (const ptx::view_map& known : own.mod().maps) {
    wanted.parameter = known.parameter;
    if (wanted == known) return {map_address(t, known.parameter), ends_with_rows, ends_with_columns};
  }
  wanted.parameter = declare_map(t);
  own.mod().maps.push_back(wanted);
  return {map_address(t, wanted.parameter), ends_with_rows, ends_with_columns};
}

}  // namespace tg::detail
