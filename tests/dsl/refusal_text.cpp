#include <tg/dsl/refusal_text.hpp>

#include <cstdint>
#include <limits>

#include "recording.hpp"

namespace {

/// What recording a kernel that does this says.
template <class F>
std::string said_by(F f) {
  try {
    recording::of([&](auto, recording::parameters) { f(); });
  } catch (const tg::error& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("integers are written as what they are") {
  CHECK(tg::detail::to_text(-1) == "-1");
  CHECK(tg::detail::to_text(std::numeric_limits<std::uint64_t>::max()) == "18446744073709551615");
  CHECK(tg::detail::to_text(static_cast<signed char>(-128)) == "-128");
}

TEST_CASE("TG119 and TG122 name the values") {
  CHECK(said_by([] { tg::detail::refuse_position("vector", 4, 4, "stay inside"); })
            .starts_with("TG119: vector index 4 is outside [0, 4); stay inside"));
  CHECK(said_by([] { tg::detail::refuse_number(-1, 0u, 7u); })
            .starts_with("TG122: the C++ number -1 does not fit the device type it meets; use a number between 0 and 7"));
}
