// How tensor maps are recorded: their parameters, coordinates, and the prefetch.
#pragma once

#include <tg/dsl/bulk/tensor_map.hpp>

#include <algorithm>
#include <string>

#include <tg/base/config.hpp>
#include <tg/base/error.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/dsl/memory/judge.hpp>
#include <tg/dsl/recorder/tape.hpp>
#include <tg/dsl/recorder/tracer.hpp>

namespace tg::detail {

TG_LIBRARY_FUNCTION std::uint32_t declare_map(tracer& t) {
  using ptx::token;
  tape& own = t.recorded();
  auto& params = own.fn().params;
  const auto id = static_cast<std::uint32_t>(params.size());
  params.push_back({.type = token::b8, .align = 64, .count = 128, .name = own.fn().name + "_param_" + std::to_string(id)});
  own.parameter_divisors.push_back(1);
  return id;
}

TG_LIBRARY_FUNCTION ptx::operand map_address(tracer& t, std::uint32_t number) {
  using ptx::token;
  const ptx::operand in_parameters =
      t.compute(token::b64, ptx::operation::copy(token::b64), {ptx::operand::named(ptx::operand_kind::param, number)});
  return t.compute(token::b64, ptx::opcode::cvta, {token::param, token::u64}, {in_parameters});
}

TG_LIBRARY_FUNCTION ptx::operand load_map(tracer& t) { return map_address(t, declare_map(t)); }

TG_LIBRARY_FUNCTION void require_start(const ptx::operand& last, int element_bytes, source_location where) {
  const bool is_number = !last.is_reg();
  const std::int64_t multiple = is_number ? last.value : multiple_in(tracer::current(), last);
  if (multiple * element_bytes % 16 == 0) return;
  const std::string elements = std::to_string(16 / element_bytes);
  throw error(code{150},
              is_number ? "a tensor copy begins at element " + std::to_string(last.value) + " of a row, " +
                              std::to_string(last.value * element_bytes) + " bytes from its beginning"
                        : "nothing says that the last coordinate of this tensor copy is a multiple of " + elements,
              "begin at a multiple of 16 bytes, which is all that the hardware copies: x * " + elements + "_c, or x / " +
                  elements + "_c * " + elements + "_c",
              where);
}

TG_LIBRARY_FUNCTION bool is_any_negative(const ptx::operand* coordinates, int count) {
  return std::any_of(coordinates, coordinates + count, [](const ptx::operand& o) { return !o.is_reg() && o.value < 0; });
}

TG_LIBRARY_FUNCTION void require_stored_inside(bool is_before, source_location where) {
  if (is_before)
    throw error(code{150}, "a box is stored that begins at a negative coordinate",
                "begin at 0 or above: only loads may begin in front of an array; behind its end both may be", where);
}

TG_LIBRARY_FUNCTION ptx::operand map_coordinates(const ptx::operand* outermost_first, int count) {
  auto& t = tracer::current();
  fixed_array<ptx::operand, 5> parts;
  for (int k = 0; k < count; ++k) {
    const ptx::operand& own = outermost_first[count - 1 - k];
    parts[static_cast<std::size_t>(k)] =
        own.is_reg() ? own : t.copy(ptx::token::b32, ptx::token::u32, ptx::operand::integer(own.value & 0xffffffff));
  }
  ptx::operand out = t.new_vector(parts.data(), static_cast<std::size_t>(count));
  out.base = ptx::operand_kind::address;  // inside the brackets of the map
  return out;
}

TG_LIBRARY_FUNCTION ptx::operand map_offsets(const ptx::operand* outermost_first, int count) {
  using ptx::token;
  auto& t = tracer::current();
  fixed_array<ptx::operand, 3> parts;
  for (int k = 0; k < count; ++k) {
    const ptx::operand& own = outermost_first[count - 1 - k];
    parts[static_cast<std::size_t>(k)] = own.is_reg()
                                             ? t.compute(token::b16, ptx::operation::convert(token::u16, token::u32), {own})
                                             : t.copy(token::b16, token::u16, ptx::operand::integer(own.value & 0xffff));
  }
  return t.new_vector(parts.data(), static_cast<std::size_t>(count));
}

TG_LIBRARY_FUNCTION void prefetch_tensor_map(const ptx::operand& map, source_location where) {
  tracer::begin(where).emit(ptx::opcode::prefetch, {ptx::token::tensormap}, {ptx::operand::address(map)});
}

}  // namespace tg::detail
