// Tiles of dynamic shared memory, whose sizes arguments of the launch decide: a directive of ours, behind `//tg:`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>

#include <tg/ptx/ir/shared_tile.hpp>
#include <tg/ptx/parse/parse_lexer.hpp>

namespace tg::ptx::detail {

/// A step of the sum that an extent is.
inline launch_step launch_step_at(lexer& in) {
  const bool is_negative = in.accept("-");
  const word w = in.peek();
  if (is_negative || w.kind == word_kind::integer) {
    const auto value = static_cast<std::int64_t>(in.expect_integer("a number", INT64_MAX));
    return {launch_step_kind::number, is_negative ? -value : value};
  }
  in.expect_name("a step");
  for (std::size_t k = 1; k < std::size(launch_step_names); ++k) {
    const auto kind = static_cast<launch_step_kind>(k);
    if (w.text != launch_step_names[k]) continue;
    if (kind != launch_step_kind::argument) return {kind, 0};
    return {kind, static_cast<std::int64_t>(in.expect_integer("an argument's number", 4096))};
  }
  in.fail_at(w, syntax_error, "'" + std::string(w.text) + "' is no step");
}

/// From behind `.shared_tile` to behind the semicolon.
inline shared_tile shared_tile_at(lexer& in) {
  shared_tile t;
  t.name = in.expect_name("a tile's name");
  t.file = in.expect_string("a file");
  t.line = static_cast<std::uint32_t>(in.expect_integer("a line", 0xffffffff));
  t.element_bytes = static_cast<std::int64_t>(in.expect_integer("a number of bytes", 1u << 30));
  while (in.accept("(")) {
    shared_tile::extent& e = t.extents.emplace_back();
    while (!in.accept(")")) e.size.push_back(launch_step_at(in));
    if (!in.accept("%")) continue;
    e.divisor = static_cast<std::int64_t>(in.expect_integer("a divisor", 1u << 30));
    in.expect("==");
    e.remainder = static_cast<std::int64_t>(in.expect_integer("a remainder", 1u << 30));
  }
  in.expect(";");
  return t;
}

}  // namespace tg::ptx::detail
