// Tensor maps that the launch makes of views: a directive of ours, behind `//tg:`.
#pragma once

#include <cstdint>

#include <tg/ptx/ir/view_map.hpp>
#include <tg/ptx/parse/parse_tile.hpp>

namespace tg::ptx::detail {

/// From behind `.view_map` to behind the semicolon.
inline view_map view_map_at(lexer& in) {
  const auto number = [&](const char* what, std::uint64_t most) {
    return static_cast<std::uint32_t>(in.expect_integer(what, most));
  };
  view_map m;
  m.parameter = number("a parameter's number", 4096);
  m.type = static_cast<int>(number("a type's number", 255));
  m.element_bytes = static_cast<int>(number("a number of bytes", 16));
  m.swizzle = static_cast<int>(number("a swizzle's number", 255));
  m.box_rows = number("a number of rows", 256);
  m.box_columns = number("a number of columns", 256);
  for (launch_number* n : {&m.address, &m.pitch_bytes, &m.rows, &m.columns}) {
    in.expect("(");
    while (!in.accept(")")) n->push_back(launch_step_at(in));
  }
  in.expect(";");
  return m;
}

}  // namespace tg::ptx::detail
