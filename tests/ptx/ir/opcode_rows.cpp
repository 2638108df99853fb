#include <tg/ptx/ir/opcode_rows.hpp>

#include <doctest/doctest.h>

#include <iterator>
#include <string_view>

namespace {

// Without a macro for its rows the table is empty; each use makes one list of all rows.
#define TG_OPCODE(id, name, ...) #id,
constexpr std::string_view ids[] = {
#include <tg/ptx/ir/opcode_rows.hpp>
};
#undef TG_OPCODE

#define TG_OPCODE(id, name, ...) name,
constexpr std::string_view names[] = {
#include <tg/ptx/ir/opcode_rows.hpp>
};
#undef TG_OPCODE

}  // namespace

TEST_CASE("an opcode is named in C++ as in PTX, but for keywords") {
  static_assert(std::size(ids) == std::size(names));
  for (std::size_t n = 0; n < std::size(ids); ++n) {
    CAPTURE(ids[n]);
    const bool is_ptx = !names[n].empty() && !names[n].starts_with("<");
    const std::string_view id = ids[n].ends_with("_") ? ids[n].substr(0, ids[n].size() - 1) : ids[n];
    if (is_ptx) CHECK(id == names[n]);
  }
}
