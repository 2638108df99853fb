#include <tg/dsl/recorder/refusal.hpp>

#include <cstdint>
#include <limits>
#include <string>

#include <tg/dsl/recorder/refusal.inl>
#include <tg/dsl/vector/regs.hpp>
#include <tg/dsl/vector/vec.hpp>

#include "../recording.hpp"

TEST_CASE("TG119 and TG122 have the line of the statement") {
  const auto position = [](auto, recording::parameters) {
    tg::regs<float, 4> r = 0.0f;
    int outside = 4;
    r(outside) = 1.0f;
  };
  CHECK(recording::error_of(position) == recording::at(119, __LINE__ - 4));
  const auto tile = [](auto block, recording::parameters) {
    auto t = tg::shared<float>(tg::shape<2, 64>);
    t(1, block.thread.x) = 1.0f;
    int row = 2;
    t(row, block.thread.x) = 1.0f;
  };
  CHECK(recording::error_of(tile) == recording::at(119, __LINE__ - 2));
  const auto constant = [](auto, recording::parameters) { (void)tg::shared<float>(tg::shape<64>)(tg::constant<70>{}); };
  CHECK(recording::error_of(constant) == recording::at(119, __LINE__ - 1));
  const auto negative = [](auto, recording::parameters) { (void)tg::shared<float>(tg::shape<64>)(-1); };
  CHECK(recording::error_of(negative) == recording::at(119, __LINE__ - 1));
  const auto vector = [](auto, recording::parameters) {
    const auto t = tg::shared<float>(tg::shape<64>);
    (void)t.template vec<4>(60);
    (void)t.template vec<4>(64);
  };
  CHECK(recording::error_of(vector) == recording::at(119, __LINE__ - 2));
  const auto number = [](auto, recording::parameters p) {
    tg::var<unsigned> v = p.n;
    v = v + -1;
  };
  CHECK(recording::error_of(number) == recording::at(122, __LINE__ - 3));
}

namespace {

/// What recording a kernel that does this says.
template <class F> std::string said_by(F f) {
  try {
    recording::of([&](auto, recording::parameters) { f(); });
  } catch (const tg::error& e) { return e.what(); }
  return "";
}

}  // namespace

TEST_CASE("integers are written as what they are") {
  CHECK(tg::detail::to_text(-1) == "-1");
  CHECK(tg::detail::to_text(std::numeric_limits<std::uint64_t>::max()) == "18446744073709551615");
  CHECK(tg::detail::to_text(static_cast<signed char>(-128)) == "-128");
}

TEST_CASE("TG119 and TG122 name the values") {
  CHECK(said_by([] {
          tg::detail::refuse_position("vector", 4, 4, "stay inside");
        }).starts_with("TG119: vector index 4 is outside [0, 4); stay inside"));
  CHECK(said_by([] {
          tg::detail::refuse_number(-1, 0u, 7u);
        }).starts_with("TG122: the C++ number -1 does not fit the device type it meets; use a number between 0 and 7"));
}
